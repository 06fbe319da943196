"""The store: players, tables, matches and the one log of moves, in SQLite or PostgreSQL.

Every write goes through one thread (``writer.py``), reads through a few others, so the event loop never waits
for a disk. A match's state is its row and its moves, folded.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from lastcard.errors import StoreError
from lastcard.server.store import queries
from lastcard.server.store.database import PATIENCE, Database
from lastcard.server.store.rows import Appended, MatchRow, MoveRow, Player, TableRow, now_ms
from lastcard.server.store.writer import RETRY, Writer

READERS: Final = 4
"""Threads that read."""

P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """Everything that outlives the process. Get one from ``Store.open``.

    Every method may raise ``StoreError``; then nothing was written, unless the error says ``unknown``.

    Args:
        database: to keep it in.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writer = Writer(database)
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")

    @classmethod
    def open(cls, url: str) -> Store:
        """The store at an address, its schema brought up to date.

        Args:
            url: ``sqlite:///FILE``, which one process can use, or ``postgresql://…``, which any number can.

        Raises:
            StoreError: in words: a bad address, a read-only folder, no server, another server on the file, a
                database of a newer lastcard. No password is ever in it.
        """
        return cls(Database(url))

    @property
    def shared(self) -> bool:
        """Whether other workers may be writing to the same log."""
        return self._database.shared

    def close(self) -> None:
        """Write what is waiting and let go of the database."""
        self._writer.close()
        self._readers.shutdown()
        self._database.close()

    async def ping(self) -> None:
        """Ask the database for a sign of life."""
        await self._in_reader(0.0, _ping)

    # --- the log -------------------------------------------------------------------------------------

    async def append(self, row: MoveRow) -> tuple[Appended, int]:
        """Offer a row to the log and wait until it is on disk.

        Args:
            row: its ply is the number of rows the match has.

        Returns:
            What became of it, and the ply at which its command stands, or for ``TAKEN`` another one. With anything
            but ``COMMITTED`` the log has rows the caller has not seen; ``DUPLICATE`` may even be this very row, where
            the database went away between its commit and its answer.

        Raises:
            StoreError: where the database cannot. With ``unknown`` the row may have been written; offered again
                it is a ``DUPLICATE`` then.
        """
        return cast(tuple[Appended, int], await self._writer.write(row))

    async def moves(self, match: str, after: int = 0) -> list[MoveRow]:
        """The rows of a match from ply ``after`` on."""
        return await self._read(queries.read_moves, match, after)

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """How many rows each match has; those the store does not know are left out."""
        return await self._read(queries.read_heads, matches)

    # --- tables and matches --------------------------------------------------------------------------

    async def create_table(self, code: str, doc: bytes) -> bool:
        """A new table at revision 1; False where the code is taken."""
        return await self._write(queries.create_table, code, doc, now_ms())

    async def load_table(self, code: str) -> TableRow | None:
        """A table by its code."""
        return await self._read(queries.load_table, code)

    async def save_table(self, code: str, rev: int, doc: bytes) -> int | None:
        """The new revision of a table that was at ``rev``; None where somebody else was first."""
        return await self._write(queries.save_table, code, rev, doc, now_ms())

    async def tables_of(self, player: str) -> list[str]:
        """The codes of all tables that know a player."""
        return await self._read(queries.tables_of, player)

    async def sweep(self, tables_before: int) -> int:
        """Delete tables untouched since, and their unfinished matches: those nobody has saved or moved at."""
        return await self._write(queries.sweep, tables_before)

    async def create_match(self, row: MatchRow, rev: int, doc: bytes) -> int | None:
        """A match that begins, and its table saved with it: both or neither; gives back as ``save_table`` does."""
        return await self._write(queries.create_match, row, rev, doc, now_ms())

    async def keep_match(self, row: MatchRow, moves: Sequence[MoveRow]) -> None:
        """A match that was played elsewhere, with its log; nothing where it is here already."""
        await self._write(queries.keep_match, row, moves)

    async def load_match(self, match: str) -> MatchRow | None:
        """A match by its id."""
        return await self._read(queries.load_match, match)

    async def take_seat(self, match: str, seat: int, player: str) -> None:
        """Somebody takes over a seat in the middle of a match (``MatchRow.with_heir``)."""
        await self._write(queries.take_seat, match, seat, player)

    async def finish_match(self, match: str, finished: int, winners: Sequence[int]) -> None:
        """The end of a match; a second time changes nothing."""
        await self._write(queries.finish_match, match, finished, winners)

    async def matches_of(self, player: str, limit: int) -> list[MatchRow]:
        """The matches a player has sat in, latest first."""
        return await self._read(queries.matches_of, player, limit)

    async def delete_match_for(self, player: str, match: str) -> bool:
        """Take a match from a player's own; False where it was not one of them."""
        return await self._write(queries.delete_match_for, player, match)

    # --- players -------------------------------------------------------------------------------------

    async def create_player(self, player: Player, token_hash: str) -> None:
        """A new player with a token."""
        await self._write(queries.create_player, player, token_hash)

    async def save_player(self, player: Player) -> None:
        """Another name or language."""
        await self._write(queries.save_player, player)

    async def player_by_token(self, token_hash: str) -> Player | None:
        """Whose token it is."""
        return await self._read(queries.player_by_token, token_hash)

    async def revoke_token(self, token_hash: str) -> None:
        """A token that is no longer good for anything."""
        await self._write(queries.revoke_token, token_hash)

    async def delete_player(self, player: str) -> None:
        """All of a player's own data, the name in matches included; the other players keep their matches."""
        await self._write(queries.delete_player, player)

    # --- the two ways --------------------------------------------------------------------------------

    async def _write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function that writes, after its commit."""
        try:
            return cast(T, await self._writer.write(lambda connection: work(connection, *args, **kwargs)))
        except DBAPIError as error:  # it is there already, or makes no sense there
            raise self._database.failure(error) from None

    async def _read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a function that reads; a database that is gone gets time to come back."""
        return await self._in_reader(PATIENCE, lambda connection: work(connection, *args, **kwargs))

    async def _in_reader(self, patience: float, work: Callable[[Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, self._reading, time.monotonic() + patience, work)
        except RuntimeError:
            raise StoreError("the store is closed") from None

    def _reading(self, until: float, work: Callable[[Connection], Any]) -> Any:
        while True:
            try:
                with self._database.engine.connect() as connection:
                    return work(connection)
            except DBAPIError as error:
                if not self._database.is_gone(error) or time.monotonic() >= until:
                    raise self._database.failure(error) from None
            time.sleep(RETRY)


def _ping(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))

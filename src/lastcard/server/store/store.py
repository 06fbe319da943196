"""The store: players, tables, matches and the one log of moves, in SQLite or PostgreSQL.

Every write goes through one thread (``writer.py``), reads through a few others, so the event loop never waits
for a disk. A match's state is its row and its moves, folded.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from lastcard.errors import StoreError
from lastcard.server.store import order, queries
from lastcard.server.store.database import PATIENCE, Database
from lastcard.server.store.rows import Appended, MoveRow
from lastcard.server.store.writer import RETRY, Writer

READERS: Final = 4
"""Threads that read."""

P = ParamSpec("P")
T = TypeVar("T")


def _reading(query: Callable[Concatenate[Connection, P], T]) -> Callable[Concatenate[Store, P], Coroutine[Any, Any, T]]:
    """A query as a method of the store, for its readers."""

    @wraps(query)
    async def method(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store._read(lambda connection: query(connection, *args, **kwargs))

    return method


def _writing(query: Callable[Concatenate[Connection, P], T]) -> Callable[Concatenate[Store, P], Coroutine[Any, Any, T]]:
    """A query as a method of the store, for its writer."""

    @wraps(query)
    async def method(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await store._write(lambda connection: query(connection, *args, **kwargs))

    return method


class Store:
    """Everything that outlives the process. Get one from ``Store.open``.

    What can be asked and written stands in ``queries``. Every method may raise ``StoreError``; then nothing was
    written, unless the error says ``unknown``.

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
        """Ask the database for a sign of life; a file has to take something too, where no other server can tell."""
        await self._read(_ping, patience=0.0)
        if not self.shared:
            await self._write(_write_nothing_new)

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

    moves = _reading(queries.read_moves)
    heads = _reading(queries.read_heads)

    # --- tables and matches --------------------------------------------------------------------------

    create_table = _writing(queries.create_table)
    load_table = _reading(queries.load_table)
    save_table = _writing(queries.save_table)
    tables_of = _reading(queries.tables_of)
    count_tables = _reading(queries.count_tables)
    touch_tables = _writing(queries.touch_tables)
    sweep = _writing(queries.sweep)
    sweep_matches = _writing(queries.sweep_matches)
    count_finished = _reading(queries.count_finished)
    create_match = _writing(queries.create_match)
    keep_match = _writing(queries.keep_match)
    bring_match = _writing(queries.bring_match)
    load_match = _reading(queries.load_match)
    take_seat = _writing(queries.take_seat)
    finish_match = _writing(queries.finish_match)
    matches_of = _reading(queries.matches_of)
    taken_back = _reading(queries.taken_back)
    delete_match_for = _writing(queries.delete_match_for)
    past_matches = _reading(queries.past_matches)
    keep_calls = _writing(queries.keep_calls)
    keep_findings = _writing(queries.keep_findings)

    # --- players -------------------------------------------------------------------------------------

    create_player = _writing(queries.create_player)
    save_player = _writing(queries.save_player)
    player_by_token = _reading(queries.player_by_token)
    add_token = _writing(queries.add_token)
    renew_token = _writing(queries.renew_token)
    revoke_token = _writing(queries.revoke_token)
    delete_player = _writing(queries.delete_player)

    # --- order ---------------------------------------------------------------------------------------

    read_orders = _reading(order.read_orders)
    give_orders = _writing(order.give_orders)
    ban = _writing(order.ban)
    lift_ban = _writing(order.lift_ban)
    complain = _writing(order.complain)
    complaints = _reading(order.complaints)
    settle = _writing(order.settle)
    sweep_order = _writing(order.sweep_order)
    note_worker = _writing(order.note_worker)
    workers = _reading(order.workers)
    latest_tables = _reading(order.latest_tables)

    # --- the two ways --------------------------------------------------------------------------------

    async def _write(self, work: Callable[[Connection], T]) -> T:
        """The result of a function that writes, after its commit."""
        try:
            return cast(T, await self._writer.write(work))
        except DBAPIError as error:  # it is there already, or makes no sense there
            raise self._database.failure(error) from None

    async def _read(self, work: Callable[[Connection], T], patience: float = PATIENCE) -> T:
        """The result of a function that reads; a database that is gone gets time to come back."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, self._reading, time.monotonic() + patience, work)
        except RuntimeError:
            raise StoreError("the store is closed") from None

    def _reading(self, until: float, work: Callable[[Connection], Any]) -> Any:
        while True:
            try:
                with self._database.engine.connect() as connection:
                    found = work(connection)
                self._database.is_there()
                return found
            except DBAPIError as error:
                if not self._database.may_come_back(error, until):
                    raise self._database.failure(error) from None
            time.sleep(RETRY)


def _write_nothing_new(connection: Connection) -> None:
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))


def _ping(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))

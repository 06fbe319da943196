"""A database for all workers of a world, and each worker's connection to it, which may fail."""

from __future__ import annotations

import asyncio
import random
from asyncio import events
from collections import Counter
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import sqlalchemy as sql

from lastcard.errors import StoreError
from lastcard.server.store.database import OUTAGE_LIMIT_S
from lastcard.server.store.rows import Appended, Player
from lastcard.server.store.schema import METADATA, MOVE
from lastcard.server.store.store import Store
from lastcard.session.match_rows import MoveRow
from support.fakes import MemoryStore
from tools.simulate.clock import OUTSIDE, Loop

_LATENCY_S: Final = (0.0005, 0.004)
"""Seconds of a call in each direction."""
_RETRY_S: Final = 0.2
"""Seconds until a row whose answer was lost is sent again, as ``store.writer`` does."""


class Database(Protocol):
    """What is committed. A call has its result at once."""

    shared: bool

    def execute(self, method: str, *args: Any) -> Any:
        """Return the result of a method of ``Store``."""


class MemoryDatabase(MemoryStore):
    """A database in memory."""

    def __init__(self) -> None:
        super().__init__(shared=True)
        self._players: dict[str, Player] = {}

    def execute(self, method: str, *args: Any) -> Any:
        """Return the result of a method of ``Store``."""
        call: Coroutine[Any, Any, Any] = getattr(self, method)(*args)
        while True:
            try:
                call.send(None)
            except StopIteration as end:
                return end.value

    async def create_player(self, player: Player, token_hash: str) -> None:
        """Insert a player with a token."""
        self._players[token_hash] = player

    async def player_by_token(self, token_hash: str) -> Player | None:
        """Return the player of a token."""
        return self._players.get(token_hash)


class SqliteDatabase:
    """The real store over a file of SQLite; it runs in an event loop of its own, while virtual time waits."""

    shared = False

    def __init__(self, folder: Path) -> None:
        self._store = Store.open(f"sqlite:///{folder}/tables.db")
        self._loop = asyncio.new_event_loop()

    def execute(self, method: str, *args: Any) -> Any:
        """Return the result of a method of ``Store``."""
        simulated = events._get_running_loop()
        events._set_running_loop(None)
        try:
            return self._loop.run_until_complete(getattr(self._store, method)(*args))
        finally:
            events._set_running_loop(simulated)

    def close(self) -> None:
        """Close the file."""
        self._store.close()
        self._loop.close()


_INSERT_MOVE: Final = sql.insert(MOVE)


class QueryDatabase:
    """The queries of the real store on a database in memory, without its threads, for long worlds."""

    shared = False

    def __init__(self) -> None:
        self._engine = sql.create_engine("sqlite://", poolclass=sql.StaticPool)
        METADATA.create_all(self._engine)

    def execute(self, method: str, *args: Any) -> Any:
        """Return the result of a method of ``Store``."""
        with self._engine.begin() as connection:
            if method == "append":
                connection.execute(_INSERT_MOVE, dict(zip(MOVE.c.keys(), args[0], strict=True)))
                return Appended.COMMITTED, args[0].ply
            query: Any = getattr(Store, method)
            return query.__wrapped__(connection, *args)

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()


class Disk:
    """The way to the database, with the faults of the moment; it reports every change after its commit."""

    def __init__(
        self, loop: Loop, database: Database, rng: random.Random, on_commit: Callable[[str, tuple[Any, ...]], None]
    ) -> None:
        self.loop = loop
        self.database = database
        self.rng = rng
        self.counts: Counter[str] = Counter()
        self._on_commit = on_commit
        self.refuses_until = 0.0
        """Until then the database is away."""
        self.slow_until = 0.0
        """Until then calls take up to a second."""
        self.loses_until = 0.0
        """Until then answers of calls are lost, and some calls on their way too."""

    def latency(self) -> float:
        """Return the seconds of the next call in one direction."""
        return self.rng.uniform(*_LATENCY_S) + (self.rng.random() if self.loop.time() < self.slow_until else 0.0)

    def receive(self, answer: asyncio.Future[Any], method: str, args: tuple[Any, ...]) -> None:
        """Carry out a call that has arrived, and send its answer."""
        now = self.loop.time()
        if now < self.refuses_until:  # the real store waits for the database for some seconds, then gives up
            back = self.refuses_until - now < OUTAGE_LIMIT_S
            call, wait = (self.receive, self.refuses_until - now) if back else (self._refuse, OUTAGE_LIMIT_S)
            self.loop.call_later(wait, call, answer, method, args, context=OUTSIDE)
            return
        is_lost = now < self.loses_until and not method.startswith(("load", "read", "player"))
        if is_lost and self.rng.random() < 0.5:
            self._lose(answer, method, args)
            return
        try:
            result: Any = self.database.execute(method, *args)
        except StoreError as error:
            result = error
        self._report(method, args, result)
        if is_lost and self.rng.random() < 0.5:
            self._lose(answer, method, args)
        else:
            self.loop.call_later(self.latency(), _give, answer, result, context=OUTSIDE)

    def _lose(self, answer: asyncio.Future[Any], method: str, args: tuple[Any, ...]) -> None:
        """Lose a call or its answer. The real store sends a row again, because the log knows its command."""
        self.counts["answers of the store lost"] += 1
        if method == "append" and self.rng.random() < 0.7:
            self.loop.call_later(_RETRY_S, self.receive, answer, method, args, context=OUTSIDE)
        else:
            error = StoreError("connection lost", outcome_unknown=True)
            self.loop.call_later(self.latency(), _give, answer, error, context=OUTSIDE)

    def _refuse(self, answer: asyncio.Future[Any], method: str, args: tuple[Any, ...]) -> None:
        self.counts["calls of the store refused"] += 1
        _give(answer, StoreError("the database is away"))

    def _report(self, method: str, args: tuple[Any, ...], result: Any) -> None:
        is_done = result[0] is Appended.COMMITTED if method == "append" else result is not None
        if is_done and not isinstance(result, StoreError):
            self._on_commit(method, args)


def _give(answer: asyncio.Future[Any], result: Any) -> None:
    if answer.done():  # the caller was canceled
        return
    if isinstance(result, Exception):
        answer.set_exception(result)
    else:
        answer.set_result(result)


class WorkerStore:
    """A worker's ``Store``; cut off, it only raises errors."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self.is_cut = False

    @property
    def shared(self) -> bool:
        """Return whether other workers may write to the same log."""
        return self._disk.database.shared

    def __getattr__(self, name: str) -> Any:
        return partial(self._call, name)

    async def append(self, row: MoveRow) -> tuple[Appended, int]:
        """Append a row to the log, as ``Store.append`` does."""
        result: tuple[Appended, int] = await self._call("append", row)
        return result

    async def _call(self, name: str, *args: Any) -> Any:
        if self.is_cut:
            raise StoreError("the process has ended")
        loop = self._disk.loop
        answer = loop.create_future()
        loop.call_later(self._disk.latency(), self._disk.receive, answer, name, args, context=OUTSIDE)
        return await answer

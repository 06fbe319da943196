"""Group commit: one thread that writes whatever has gathered while the last commit was on its way to the disk.

All rows for the log that have gathered are one statement and so one transaction, whatever matches they belong to.
Other writes share one more transaction, each with its own savepoint. Who waits is answered after the commit, and
the event loop is woken once for all of them.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, cast

import msgspec
import structlog
from sqlalchemy import Connection, or_, select
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from lastcard.errors import StoreError
from lastcard.server.guard import metrics
from lastcard.server.store.database import PATIENCE, Database
from lastcard.server.store.rows import Appended, MoveRow
from lastcard.server.store.schema import MOVE

RETRY: Final = 0.1
"""Seconds between two tries while the database is gone."""

# One parameter for any number of rows: in SQLite a single step without Python's lock, in PostgreSQL one round trip.
_INSERT: Final = "INSERT INTO move (match, ply, command_id, seat, action, at) "
_FROM_SQLITE: Final = (
    "SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5 FROM json_each(?) WHERE true "
)
_FROM_POSTGRES: Final = (
    "SELECT r->>0, (r->>1)::int, r->>2, (r->>3)::smallint, (r->>4)::int, (r->>5)::bigint "
    "FROM json_array_elements(%s::json) AS r "
)
_UNLESS_THERE: Final = "ON CONFLICT DO NOTHING RETURNING match, ply, command_id"

_ENCODER: Final = msgspec.json.Encoder()
_LOG: Final = structlog.get_logger()

Work = Callable[[Connection], Any]


@dataclass(slots=True, eq=False)
class _Job:
    """Something to be written, and who waits for it."""

    work: MoveRow | Work
    answer: asyncio.Future[Any]
    until: float
    """When to give up waiting for a database that is gone."""
    sent: bool = False
    """Whether the database has been asked to write it for good."""
    unknown: bool = False
    """Whether the database went away after it was sent, so that it may have been written."""


class Writer:
    """The thread and its queue.

    Args:
        database: to write to.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = False
        self._thread = Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def write(self, work: MoveRow | Work) -> asyncio.Future[Any]:
        """Hand over a row for the log, or a function that writes in a transaction; the future is of the running loop.

        Raises:
            StoreError: where the writer has been closed.
        """
        if self._closed:
            raise StoreError("the store is closed")
        answer = asyncio.get_running_loop().create_future()
        self._queue.put(_Job(work, answer, time.monotonic() + PATIENCE))
        return answer

    def close(self) -> None:
        """Write what is waiting, then stop."""
        self._closed = True
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        waiting: list[_Job] = []
        closing = False
        while waiting or not closing:
            jobs, closed = self._gathered(block=not waiting)
            closing = closing or closed
            waiting = self._commit(waiting + jobs)
            if waiting:
                time.sleep(RETRY)

    def _gathered(self, block: bool) -> tuple[list[_Job], bool]:
        """What is in the queue, and whether the end of it was seen."""
        found = [self._queue.get()] if block else []
        with suppress(Empty):
            while True:
                found.append(self._queue.get_nowait())
        jobs = [job for job in found if job is not None]
        return jobs, len(jobs) < len(found)

    def _commit(self, jobs: Sequence[_Job]) -> list[_Job]:
        """Write jobs and answer them; those to be tried again come back."""
        # Sorted, for two workers that write to the same matches in different orders would wait for each other.
        rows = sorted((job for job in jobs if isinstance(job.work, MoveRow)), key=lambda job: cast(MoveRow, job.work))
        calls = [job for job in jobs if not isinstance(job.work, MoveRow)]
        answers: list[tuple[_Job, Any]] = []
        waiting: list[_Job] = []
        for group, write in ((rows, self._append), (calls, self._call)):
            if not group:
                continue
            try:
                answers += zip(group, write(group), strict=True)
                self._database.is_there()
            except Exception as error:  # whatever it is: whoever waits must hear of it, and the thread go on
                again, failed = self._sort_out(group, error)
                waiting += again
                answers += failed
        _answer(answers)
        return waiting

    def _append(self, jobs: Sequence[_Job]) -> Sequence[tuple[Appended, int] | StoreError]:
        """Put rows into the log."""
        rows = [cast(MoveRow, job.work) for job in jobs]
        batch = (_ENCODER.encode(rows).decode(),)
        self._database.check_file()
        with metrics.COMMIT.time():
            if self._database.file is not None and self._insert_all(self._database.file, batch):
                metrics.MOVES.inc(len(rows))
                return [(Appended.COMMITTED, row.ply) for row in rows]
            with self._database.log.connect() as connection:
                for job in jobs:
                    job.sent = True
                return self._insert(connection, rows, batch)

    def _insert_all(self, file: sqlite3.Connection, batch: tuple[str]) -> bool:
        """Insert rows, or none where a place is taken: with one process rivals are rare, and to hand rows back costs
        SQLite a step for each.
        """
        try:
            file.execute(_INSERT + _FROM_SQLITE, batch)
        except sqlite3.IntegrityError:
            return False
        except sqlite3.Error as error:
            raise self._database.failure(error) from None
        return True

    def _insert(
        self, connection: Connection, rows: Sequence[MoveRow], batch: tuple[str]
    ) -> Sequence[tuple[Appended, int] | StoreError]:
        """Insert the rows whose places are free, and say what became of each."""
        source = _FROM_POSTGRES if self._database.shared else _FROM_SQLITE
        result = connection.exec_driver_sql(_INSERT + source + _UNLESS_THERE, batch)
        written = {(match, ply, command) for match, ply, command in result}
        metrics.MOVES.inc(len(written))
        answers: list[tuple[Appended, int] | StoreError] = []
        for row in rows:
            if row[:3] in written:
                written.remove(row[:3])  # a second one in this batch is a duplicate
                answers.append((Appended.COMMITTED, row.ply))
            else:
                answers.append(_look_up(connection, row))
        return answers

    def _call(self, jobs: Sequence[_Job]) -> list[Any]:
        """Run functions that write; one that the database refuses does not harm the others."""
        answers: list[Any] = []
        self._database.check_file()
        with self._database.engine.connect() as connection:
            transaction = connection.begin()
            for job in jobs:
                savepoint = connection.begin_nested()
                try:
                    answers.append(cast(Work, job.work)(connection))
                    savepoint.commit()
                except (IntegrityError, DataError) as error:
                    savepoint.rollback()
                    answers.append(error)
            for job in jobs:
                job.sent = True
            transaction.commit()
        return answers

    def _sort_out(self, jobs: Sequence[_Job], error: Exception) -> tuple[list[_Job], list[tuple[_Job, Any]]]:
        """After an error: the jobs to be tried again, and the others with their answer.

        A row that may have been written can be offered again, for the log knows its command. A function cannot.
        """
        gone = self._database.is_gone(error)
        unsure = gone and not self._database.has_undone(error)
        again: list[_Job] = []
        failed: list[tuple[_Job, Exception]] = []
        for job in jobs:
            job.unknown = job.unknown or (unsure and job.sent)
            safe = isinstance(job.work, MoveRow) or not job.unknown
            if safe and self._database.may_come_back(error, job.until):
                again.append(job)
            else:
                failure = self._database.failure(error, unknown=job.unknown) if isinstance(error, DBAPIError) else error
                failed.append((job, failure))
        _LOG.error("not written", why=str(self._database.failure(error)), again=len(again), failed=len(failed))
        return again, failed


def _look_up(connection: Connection, row: MoveRow) -> tuple[Appended, int] | StoreError:
    """Why a row could not be written; an error where what was in its way is gone too."""
    rivals = or_(MOVE.c.ply == row.ply, MOVE.c.command_id == row.command)
    found = connection.execute(select(MOVE.c.ply, MOVE.c.command_id).where(MOVE.c.match == row.match, rivals)).all()
    for ply, command in found:
        if command == row.command:
            return Appended.DUPLICATE, ply
    return (Appended.TAKEN, row.ply) if found else StoreError(f"match {row.match} was deleted")


def _answer(answers: Sequence[tuple[_Job, Any]]) -> None:
    """Tell those who wait, waking each event loop once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = defaultdict(list)
    for job, answer in answers:
        by_loop[job.answer.get_loop()].append((job.answer, answer))
    for loop, settled in by_loop.items():
        with suppress(RuntimeError):  # the loop was closed, so nobody waits
            loop.call_soon_threadsafe(_settle, settled)


def _settle(settled: Sequence[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, answer in settled:
        if future.done():  # whoever waited was cancelled
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)

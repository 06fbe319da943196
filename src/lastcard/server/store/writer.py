"""Group commit: one thread writes everything that was queued during the last commit.

All queued rows for the log are one statement and so one transaction, for any number of matches. Other writes share
one more transaction with a savepoint for each. Callers get their answer after the commit, and the event loop wakes
once for all of them.
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
from lastcard.server.security import metrics
from lastcard.server.store.database import OUTAGE_LIMIT_S, Database
from lastcard.server.store.rows import Appended
from lastcard.server.store.schema import MOVE
from lastcard.session.match_rows import MoveRow

RETRY_S: Final = 0.1
"""Seconds between two attempts while the database is gone."""

# One parameter for any number of rows: in SQLite one step without the GIL, in PostgreSQL one round trip.
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
    """A write, with the future of its caller."""

    work: MoveRow | Work
    answer: asyncio.Future[Any]
    until: float
    """Time at which to stop waiting for a database that is gone."""
    sent: bool = False
    """Whether the commit was sent to the database."""
    unknown: bool = False
    """Whether the database was lost after that, so that the job may have been written."""


class Writer:
    """The writing thread and its queue."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = False
        self._thread = Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    def write(self, work: MoveRow | Work) -> asyncio.Future[Any]:
        """Queue a row for the log, or a function that writes in a transaction; return a future of the running loop.

        Raises:
            StoreError: if the writer is closed.
        """
        if self._closed:
            raise StoreError("the store is closed")
        answer = asyncio.get_running_loop().create_future()
        self._queue.put(_Job(work, answer, time.monotonic() + OUTAGE_LIMIT_S))
        return answer

    def close(self) -> None:
        """Write what is queued, then stop."""
        self._closed = True
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        waiting: list[_Job] = []
        closing = False
        while waiting or not closing:
            jobs, closed = self._collect(block=not waiting)
            closing = closing or closed
            waiting = self._commit(waiting + jobs)
            if waiting:
                time.sleep(RETRY_S)

    def _collect(self, block: bool) -> tuple[list[_Job], bool]:
        """Return the queued jobs, and whether the end of the queue was reached."""
        found = [self._queue.get()] if block else []
        with suppress(Empty):
            while True:
                found.append(self._queue.get_nowait())
        jobs = [job for job in found if job is not None]
        return jobs, len(jobs) < len(found)

    def _commit(self, jobs: Sequence[_Job]) -> list[_Job]:
        """Write jobs and answer them; return those to be retried."""
        # Sorted, because two workers that write to the same matches in different orders would deadlock.
        rows = sorted((job for job in jobs if isinstance(job.work, MoveRow)), key=lambda job: cast(MoveRow, job.work))
        calls = [job for job in jobs if not isinstance(job.work, MoveRow)]
        answers: list[tuple[_Job, Any]] = []
        waiting: list[_Job] = []
        for group, write in ((rows, self._append), (calls, self._run_functions)):
            if not group:
                continue
            try:
                answers += zip(group, write(group), strict=True)
                self._database.note_answer()
            except Exception as error:  # any error: the callers must get an answer, and the thread must go on
                again, failed = self._split_failed(group, error)
                waiting += again
                answers += failed
        _answer(answers)
        return waiting

    def _append(self, jobs: Sequence[_Job]) -> Sequence[tuple[Appended, int] | StoreError]:
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
        """Insert all rows, or none. With one process conflicts are rare, and returned rows cost SQLite a
        step each.
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
        """Insert the rows whose plies are free, and return the result of each."""
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
                answers.append(_find_conflict(connection, row))
        return answers

    def _run_functions(self, jobs: Sequence[_Job]) -> list[Any]:
        """Run writing functions; an error in one does not affect the others."""
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

    def _split_failed(self, jobs: Sequence[_Job], error: Exception) -> tuple[list[_Job], list[tuple[_Job, Any]]]:
        """Return the jobs to be retried after an error, and the others with their answers.

        A row that may have been written can be sent again, because the log knows its command. A function cannot.
        """
        gone = self._database.is_gone(error)
        unsure = gone and not self._database.was_rolled_back(error)
        again: list[_Job] = []
        failed: list[tuple[_Job, Exception]] = []
        for job in jobs:
            job.unknown = job.unknown or (unsure and job.sent)
            safe = isinstance(job.work, MoveRow) or not job.unknown
            if safe and self._database.should_retry(error, job.until):
                again.append(job)
            else:
                failure = self._database.failure(error, unknown=job.unknown) if isinstance(error, DBAPIError) else error
                failed.append((job, failure))
        _LOG.error("not written", why=str(self._database.failure(error)), again=len(again), failed=len(failed))
        return again, failed


def _find_conflict(connection: Connection, row: MoveRow) -> tuple[Appended, int] | StoreError:
    """Return the conflict that blocked a row; an error if there is none any more."""
    rivals = or_(MOVE.c.ply == row.ply, MOVE.c.command_id == row.command)
    found = connection.execute(select(MOVE.c.ply, MOVE.c.command_id).where(MOVE.c.match == row.match, rivals)).all()
    for ply, command in found:
        if command == row.command:
            return Appended.DUPLICATE, ply
    return (Appended.TAKEN, row.ply) if found else StoreError(f"match {row.match} was deleted")


def _answer(answers: Sequence[tuple[_Job, Any]]) -> None:
    """Answer the callers, and wake each event loop once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = defaultdict(list)
    for job, answer in answers:
        by_loop[job.answer.get_loop()].append((job.answer, answer))
    for loop, resolved in by_loop.items():
        with suppress(RuntimeError):  # the loop was closed, so nobody waits
            loop.call_soon_threadsafe(_set_results, resolved)


def _set_results(resolved: Sequence[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, answer in resolved:
        if future.done():  # the caller was canceled
            continue
        if isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)

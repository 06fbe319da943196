"""A fair queue for shared threads: many jobs of one owner do not delay the jobs of others."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from lastcard.server.security.security import decrement

T = TypeVar("T")


class Owner(NamedTuple):
    """The owner of a job."""

    party: Hashable
    """The party that takes turns with others: an address, a table, a person."""
    name: Hashable = None
    """The owner within the party."""
    is_serial: bool = False
    """Whether this owner's jobs run one at a time."""


class _Job(NamedTuple):
    future: Future[Any]
    work: Callable[..., Any]
    args: tuple[Any, ...]


class FairQueue:
    """Jobs for threads. The next job is one of the party with the fewest running jobs, then the one that has
    waited longest; within a party the same holds for owners. At most ``threads`` jobs run at once.
    """

    def __init__(self, threads: int, executor: Callable[[], Executor]) -> None:
        self._threads = threads
        self._executor = executor
        self._lock = Lock()
        self._waiting: dict[Hashable, dict[Owner, deque[_Job]]] = {}
        self._running: Counter[Owner] = Counter()
        self._busy: Counter[Hashable] = Counter()
        """Running jobs by party."""

    def submit(self, owner: Owner, work: Callable[..., T], /, *args: Any) -> Future[T]:
        """Queue work for a thread; return a future of its result. A job canceled before its start never runs."""
        job = _Job(Future(), work, args)
        with self._lock:
            self._waiting.setdefault(owner.party, {}).setdefault(owner, deque()).append(job)
        self._start_jobs()
        return job.future

    def __len__(self) -> int:
        with self._lock:
            jobs = [job for owners in self._waiting.values() for jobs in owners.values() for job in jobs]
        return sum(not job.future.cancelled() for job in jobs)

    def waiting(self, owner: Owner) -> int:
        """Return the number of waiting jobs of an owner."""
        with self._lock:
            self._drop_cancelled()
            return len(self._waiting.get(owner.party, {}).get(owner, ()))

    def ahead(self, owner: Owner) -> int:
        """Return how many other owners come before an owner's waiting job; 0 if none waits."""
        with self._lock:
            self._drop_cancelled()
            if owner not in self._waiting.get(owner.party, {}):
                return 0
            turns = deque(
                (party, deque((one, len(jobs)) for one, jobs in owners.items()))
                for party, owners in self._waiting.items()
            )
        ahead = 1
        while True:
            party, owners = turns.popleft()
            one, left = owners.popleft()
            if one == owner:
                return ahead
            ahead += 1
            if left > 1:
                owners.append((one, left - 1))
            if owners:
                turns.append((party, owners))

    def _start_jobs(self) -> None:
        while (found := self._next_job()) is not None:
            owner, job = found
            inner = self._executor().submit(_run_job, job)
            job.future.add_done_callback(partial(_forward_cancel, inner))
            inner.add_done_callback(partial(self._finish, owner))

    def _next_job(self) -> tuple[Owner, _Job] | None:
        """Return the next job if a thread is free for it."""
        with self._lock:
            self._drop_cancelled()
            if self._busy.total() >= self._threads:
                return None
            for party in sorted(self._waiting, key=self._busy.__getitem__):
                for owner in sorted(self._waiting[party], key=self._running.__getitem__):
                    if not (owner.is_serial and self._running[owner]):
                        return owner, self._pop_job(owner)
            return None

    def _pop_job(self, owner: Owner) -> _Job:
        """Remove and return the first job of an owner; the owner and their party go to the end."""
        owners = self._waiting.pop(owner.party)
        jobs = owners.pop(owner)
        job = jobs.popleft()
        if jobs:
            owners[owner] = jobs
        if owners:
            self._waiting[owner.party] = owners
        self._running[owner] += 1
        self._busy[owner.party] += 1
        return job

    def _drop_cancelled(self) -> None:
        for party, owners in [*self._waiting.items()]:
            for owner, jobs in [*owners.items()]:
                wanted = deque(job for job in jobs if not job.future.cancelled())
                if not wanted:
                    del owners[owner]
                elif len(wanted) < len(jobs):
                    owners[owner] = wanted
            if not owners:
                del self._waiting[party]

    def _finish(self, owner: Owner, _: Future[None]) -> None:
        with self._lock:
            decrement(self._running, owner)
            decrement(self._busy, owner.party)
        self._start_jobs()


def _forward_cancel(inner: Future[None], done: Future[Any]) -> None:
    if done.cancelled():
        inner.cancel()


def _run_job(job: _Job) -> None:
    if not job.future.set_running_or_notify_cancel():
        return
    try:
        job.future.set_result(job.work(*job.args))
    except BaseException as error:
        job.future.set_exception(error)

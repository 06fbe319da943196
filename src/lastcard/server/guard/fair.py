"""Threads that many share: whoever asks for much does not make others wait for all of it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from lastcard.server.guard.security import count_off

T = TypeVar("T")


class Owner(NamedTuple):
    """For whom something is done."""

    party: Hashable
    """Parties take turns: an address, a table, a person."""
    name: Hashable = None
    """And within a party those who belong to it."""
    alone: bool = False
    """Whether never two things of this owner are done at a time."""


class _Job(NamedTuple):
    done: Future[Any]
    work: Callable[..., Any]
    args: tuple[Any, ...]


class FairQueue:
    """Work that waits for threads. Next is that of the party which has the least being done, and has waited longest,
    and in it that of the owner who has.

    Args:
        threads: how much is done at a time.
        executor: gives the threads.
    """

    def __init__(self, threads: int, executor: Callable[[], Executor]) -> None:
        self._threads = threads
        self._executor = executor
        self._lock = Lock()
        self._waiting: dict[Hashable, dict[Owner, deque[_Job]]] = {}
        self._running: Counter[Owner] = Counter()
        self._busy: Counter[Hashable] = Counter()
        """The same by party."""

    def submit(self, owner: Owner, work: Callable[..., T], /, *args: Any) -> Future[T]:
        """Have some work done.

        Args:
            owner: for whom.
            work: called with ``args`` in a thread.

        Returns:
            What it comes to. Cancelled before it begins, it never does.
        """
        job = _Job(Future(), work, args)
        with self._lock:
            self._waiting.setdefault(owner.party, {}).setdefault(owner, deque()).append(job)
        self._begin()
        return job.done

    def __len__(self) -> int:
        with self._lock:
            jobs = [job for owners in self._waiting.values() for jobs in owners.values() for job in jobs]
        return sum(not job.done.cancelled() for job in jobs)

    def waiting(self, owner: Owner) -> int:
        """How much of one owner waits."""
        with self._lock:
            self._drop_cancelled()
            return len(self._waiting.get(owner.party, {}).get(owner, ()))

    def ahead(self, owner: Owner) -> int:
        """How many others are served before what an owner waits for; 0 where it does not wait."""
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

    def _begin(self) -> None:
        while (found := self._take()) is not None:
            owner, job = found
            inner = self._executor().submit(_do, job)
            job.done.add_done_callback(partial(_cancel_too, inner))
            inner.add_done_callback(partial(self._end, owner))

    def _take(self) -> tuple[Owner, _Job] | None:
        """The next job, if there is a thread for it."""
        with self._lock:
            self._drop_cancelled()
            if self._busy.total() >= self._threads:
                return None
            for party in sorted(self._waiting, key=self._busy.__getitem__):
                for owner in sorted(self._waiting[party], key=self._running.__getitem__):
                    if not (owner.alone and self._running[owner]):
                        return owner, self._start(owner)
            return None

    def _start(self, owner: Owner) -> _Job:
        """Take the first job of an owner, who goes behind the others, as does the party."""
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
                wanted = deque(job for job in jobs if not job.done.cancelled())
                if not wanted:
                    del owners[owner]
                elif len(wanted) < len(jobs):
                    owners[owner] = wanted
            if not owners:
                del self._waiting[party]

    def _end(self, owner: Owner, _: Future[None]) -> None:
        with self._lock:
            count_off(self._running, owner)
            count_off(self._busy, owner.party)
        self._begin()


def _cancel_too(inner: Future[None], done: Future[Any]) -> None:
    if done.cancelled():
        inner.cancel()


def _do(job: _Job) -> None:
    if not job.done.set_running_or_notify_cancel():
        return
    try:
        job.done.set_result(job.work(*job.args))
    except BaseException as error:
        job.done.set_exception(error)

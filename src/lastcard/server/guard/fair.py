"""Threads that many share: whoever asks for much does not make others wait for all of it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class _Job(NamedTuple):
    done: Future[Any]
    work: Callable[..., Any]
    args: tuple[Any, ...]


class FairQueue:
    """Work that waits for threads. Next is that of whoever has the least being done, and has waited longest.

    Args:
        threads: how much is done at a time.
        executor: gives the threads.
    """

    def __init__(self, threads: int, executor: Callable[[], Executor]) -> None:
        self._threads = threads
        self._executor = executor
        self._lock = Lock()
        self._waiting: dict[Hashable, deque[_Job]] = {}
        self._running: Counter[Hashable] = Counter()

    def submit(self, owner: Hashable, work: Callable[..., T], /, *args: Any) -> Future[T]:
        """Have some work done.

        Args:
            owner: for whom: a table, a person, an address.
            work: called with ``args`` in a thread.

        Returns:
            What it comes to. Cancelled before it begins, it never does.
        """
        job = _Job(Future(), work, args)
        with self._lock:
            self._waiting.setdefault(owner, deque()).append(job)
        self._begin()
        return job.done

    def __len__(self) -> int:
        with self._lock:
            return sum(not job.done.cancelled() for jobs in self._waiting.values() for job in jobs)

    def waiting(self, owner: Hashable) -> int:
        """How much of one owner waits."""
        with self._lock:
            return len(self._waiting.get(owner, ()))

    def ahead(self, owner: Hashable) -> int:
        """How many others are served before what an owner waits for; 0 where it does not wait."""
        with self._lock:
            if not self._waiting.get(owner):
                return 0
            return 1 + list(self._waiting).index(owner)

    def _begin(self) -> None:
        while (found := self._take()) is not None:
            owner, job = found
            inner = self._executor().submit(_do, job)
            job.done.add_done_callback(partial(_cancel_too, inner))
            inner.add_done_callback(partial(self._end, owner))

    def _take(self) -> tuple[Hashable, _Job] | None:
        """The next job, if there is a thread for it."""
        with self._lock:
            for owner in [owner for owner, jobs in self._waiting.items() if all(job.done.cancelled() for job in jobs)]:
                del self._waiting[owner]
            if not self._waiting or self._running.total() >= self._threads:
                return None
            owner = min(self._waiting, key=self._running.__getitem__)
            jobs = self._waiting.pop(owner)
            job = jobs.popleft()
            if jobs:
                self._waiting[owner] = jobs  # behind the others
            self._running[owner] += 1
            return owner, job

    def _end(self, owner: Hashable, _: Future[None]) -> None:
        with self._lock:
            self._running[owner] -= 1
            if not self._running[owner]:
                del self._running[owner]
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

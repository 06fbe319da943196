"""Tasks distributed over workers: processes of this machine, or those of any executor of ``concurrent.futures``."""

from __future__ import annotations

import os
import pickle
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final, TypeVar

from lastcard.arena.worker_processes import WorkerProcesses
from lastcard.errors import UsageError
from lastcard.kernel.jit import enable_native

Task = TypeVar("Task")
Result = TypeVar("Result")
Chunk = tuple[Any, ...]
"""Tasks that are sent together."""

MAX_WORKERS: Final = 256
_CHUNKS_PER_WORKER: Final = 2
"""Number of chunks queued for a worker, so that it never waits for the next."""


def count_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def skip_warm_up() -> None:
    """Do nothing before the first task."""


def run_tasks(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    workers: int,
    warm_up: Callable[[], None] = skip_warm_up,
    *,
    executor: Executor | None = None,
    chunk_size: int = 1,
) -> Generator[Result, None, None]:
    """Yield the results of tasks run in parallel, each when it is ready. ``close`` it to end the work.

    Args:
        function: function of a task. It is pickled for the workers, as are tasks and results.
        tasks: any number of tasks, taken when a worker is free.
        workers: number of workers; with one and no ``executor`` everything runs in this process.
        warm_up: called once in each process before its first task, so that no measured time includes loading.
        executor: runs the tasks; None for new processes on this machine.
        chunk_size: number of tasks sent together, because sending takes longer than a short task.

    Raises:
        UsageError: errors of ``function``, files that it cannot write, and a worker that ended.
    """
    remaining = iter(tasks)
    chunks = iter(lambda: tuple(islice(remaining, chunk_size)), ())
    first = list(islice(chunks, workers))
    if not first:
        return
    warm_up()  # here first, so that the workers find compiled native code on disk
    chunks = chain(first, chunks)
    if executor is not None:
        yield from _distribute(function, warm_up, chunks, executor, workers)
    elif workers == 1:
        enable_native()
        for chunk in chunks:
            for task in chunk:
                yield _run_task(function, task)
    else:
        with WorkerProcesses(len(first)) as processes:
            yield from _distribute(function, warm_up, chunks, processes, len(first))


def put_in_order(numbered: Iterable[tuple[int, Result]], known: Mapping[int, Result]) -> Iterator[Result]:
    """Yield results by their numbers from 0: those that are known, and those that come in any order."""
    coming, waiting, number = iter(numbered), dict(known), 0
    while True:
        while number in waiting:
            yield waiting.pop(number)
            number += 1
        found = next(coming, None)
        if found is None:
            return
        waiting[found[0]] = found[1]


def _run_task(function: Callable[[Task], Result], task: Task) -> Result:
    """Do a task; name a file that it cannot read or write."""
    try:
        return function(task)
    except OSError as error:
        raise UsageError(str(error)) from None


def _distribute(
    function: Callable[[Any], Result],
    warm_up: Callable[[], None],
    chunks: Iterator[Chunk],
    executor: Executor,
    workers: int,
) -> Iterator[Result]:
    """Yield the results of tasks as workers finish them; chunks that have not begun are given up at the end."""
    work = _Work.make(function, warm_up)
    pending: set[Future[list[Any] | UsageError]] = set()
    try:
        pending = {executor.submit(work, chunk) for chunk in islice(chunks, workers * _CHUNKS_PER_WORKER)}
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= {executor.submit(work, chunk) for chunk in islice(chunks, len(done))}
            for future in done:
                answer = future.result()
                if isinstance(answer, UsageError):
                    raise answer
                yield from answer
    except BrokenExecutor as error:
        raise UsageError(f"{error}, perhaps for lack of memory; try fewer --workers") from None
    finally:
        for future in pending:
            future.cancel()


@dataclass(frozen=True, slots=True)
class _Work:
    """What a worker does with its tasks."""

    pickled: bytes
    """The function and the warm-up."""

    @classmethod
    def make(cls, function: Callable[[Any], Any], warm_up: Callable[[], None]) -> _Work:
        """The work; raises a UsageError if other processes cannot load it."""
        try:
            return cls(pickle.dumps((function, warm_up)))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(
                f"worker processes cannot get your bot: {error}; define its class or function at the top of a module,"
                " or use one worker"
            ) from error

    def __call__(self, chunk: Chunk) -> list[Any] | UsageError:
        """The results of tasks. An error is returned: executors raise other types, or change its text."""
        try:
            function = _load_function(self.pickled)
            return [_run_task(function, task) for task in chunk]
        except UsageError as error:
            return error
        except Exception as error:
            return UsageError(f"a worker failed: {type(error).__name__}: {error}\n{traceback.format_exc()}")


@lru_cache(maxsize=1)
def _load_function(pickled: bytes) -> Callable[[Any], Any]:
    """The function of a ``_Work``, after its warm-up: both once in each process."""
    function, warm_up = pickle.loads(pickled)
    enable_native()
    warm_up()
    return function  # type: ignore[no-any-return]

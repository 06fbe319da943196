"""Tasks distributed over several processes."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from lastcard.errors import UsageError
from lastcard.interrupts import delay_interrupts
from lastcard.kernel.jit import enable_native

Task = TypeVar("Task")
Result = TypeVar("Result")
if TYPE_CHECKING:
    Pipe = Connection[Any, Any]

MAX_WORKERS: Final = 256
_TASKS_PER_WORKER: Final = 2
"""Number of tasks queued at a worker, so that it never waits for the next."""
_END_WAIT_S: Final = 5
"""Time for the exit code of a worker that has closed its pipe."""


def count_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def skip_warm_up() -> None:
    """Do nothing before the first task."""


def run_tasks(
    function: Callable[[Task], Result], tasks: Iterable[Task], workers: int, warm_up: Callable[[], None] = skip_warm_up
) -> Generator[Result, None, None]:
    """Yield the results of tasks run in parallel, each when it is ready. ``close`` it to end the workers.

    Args:
        function: function of a task. It is pickled for the workers, as are tasks and results.
        tasks: any number of tasks, taken when a worker is free.
        workers: number of processes; with one everything runs in this one.
        warm_up: called once in each process before its first task, so that no measured time includes loading.

    Raises:
        UsageError: errors of ``function``, files that it cannot write, and a worker that ended.
    """
    remaining = iter(tasks)
    first = list(islice(remaining, workers))
    if not first:
        return
    warm_up()  # here first, so that the workers find compiled native code on disk
    remaining = chain(first, remaining)
    if workers == 1:
        enable_native()
        for task in remaining:
            yield _run_task(function, task)
        return
    with _start_workers(len(first), function, warm_up) as pipes:
        sent = sum(_send_task(pipe, remaining) for pipe in pipes * _TASKS_PER_WORKER)
        while sent:
            for pipe in cast("list[Pipe]", wait(pipes)):
                answer = pipe.recv()
                if isinstance(answer, UsageError):
                    raise answer
                sent += _send_task(pipe, remaining) - 1
                yield answer


def _run_task(function: Callable[[Task], Result], task: Task) -> Result:
    """Do a task; name a file that it cannot read or write."""
    try:
        return function(task)
    except OSError as error:
        raise UsageError(str(error)) from None


def _send_task(pipe: Pipe, remaining: Iterator[Any]) -> bool:
    """Send a worker the next task; returns whether there was one."""
    for task in remaining:
        pipe.send(task)
        return True
    return False


@contextmanager
def _start_workers(count: int, function: Callable[[Any], Any], warm_up: Callable[[], None]) -> Iterator[list[Pipe]]:
    """Yield workers, which are ended afterwards in any case."""
    context = get_context("spawn")
    work = _pickle_work(function, warm_up)
    pipes, workers = [], []
    try:
        for _ in range(count):
            pipe, worker_end = context.Pipe()
            worker = context.Process(target=_run_worker, args=(worker_end, work), daemon=True)
            with _block_interrupts():
                worker.start()
            worker_end.close()
            pipes.append(pipe)
            workers.append(worker)
        yield pipes
    except (EOFError, OSError):
        raise UsageError(_explain_end(workers)) from None
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()


def _pickle_work(function: Callable[[Any], Any], warm_up: Callable[[], None]) -> bytes:
    """Returns the work of a worker; a UsageError if other processes cannot load it."""
    try:
        return pickle.dumps((function, warm_up))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise UsageError(
            f"worker processes cannot get your bot: {error}; define its class or function at the top of a module, or"
            " use one worker"
        ) from error


def _explain_end(workers: Sequence[BaseProcess]) -> str:
    """Returns why a worker ended before its work was done."""
    ended = wait([worker.sentinel for worker in workers], _END_WAIT_S)
    for worker in workers:
        if worker.sentinel in ended:
            worker.join(_END_WAIT_S)
    code = next((worker.exitcode for worker in workers if worker.exitcode), 0)
    how = f" by signal {-code}" if code < 0 else f" with exit code {code}" if code else ""
    return f"a worker ended{how}, perhaps for lack of memory; try fewer --workers"


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C meanwhile: processes started here never get it, and the first process ends them.

    It also completes a start that would leave a worker without its task: the signal is delivered afterwards.
    """
    with delay_interrupts():
        if not hasattr(signal, "pthread_sigmask"):  # on Windows a worker ignores it by itself
            yield
            return
        resource_tracker.ensure_running()  # its start in the block would unblock the signal
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _end_with_parent() -> None:
    """End at once when the parent process has ended for any reason, because a task may take long."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_worker(pipe: Pipe, work: bytes) -> None:
    """Do the requested tasks until the pipe is closed; send an error in place of a result."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    enable_native()
    with suppress(EOFError, OSError):
        try:
            function, warm_up = pickle.loads(work)
            warm_up()
            while True:
                pipe.send(_run_task(function, pipe.recv()))
        except UsageError as error:
            pipe.send(error)
        except (EOFError, OSError):
            raise
        except Exception as error:
            pipe.send(UsageError(f"a worker failed: {type(error).__name__}: {error}\n{traceback.format_exc()}"))

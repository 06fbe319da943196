"""Work shared out among several processes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from lastcard.errors import UsageError
from lastcard.interrupts import delay_interrupts
from lastcard.kernel.jit import speed_up

Task = TypeVar("Task")
Result = TypeVar("Result")
if TYPE_CHECKING:
    Door = Connection[Any, Any]

MOST_WORKERS: Final = 256
_AHEAD: Final = 2
"""Tasks a worker has at once, so that it never waits for the next."""


def count_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def stay_cold() -> None:
    """Nothing has to be done before the first task."""


def work(
    do: Callable[[Task], Result], tasks: Sequence[Task], workers: int, warm_up: Callable[[], None] = stay_cold
) -> Generator[Result, None, None]:
    """Do tasks side by side; each result comes when it is there. ``close`` it to send the workers home.

    Args:
        do: what is done with each task. It is sent to the workers, as tasks and results are.
        tasks: in the order in which they are begun.
        workers: how many processes; with one everything happens in this one.
        warm_up: done once in each process before its first task, so that no clock shows what is loaded first.

    Raises:
        UsageError: what ``do`` raises, also where a file cannot be written; and where a worker ended.
    """
    if not tasks:
        return
    warm_up()  # here first: native code that was asked for and is compiled now, the workers find on disk
    if workers == 1:
        speed_up()
        for task in tasks:
            yield _do(do, task)
        return
    todo, left = iter(tasks), len(tasks)
    with _hire(min(workers, left), do, warm_up) as doors:
        for door in doors * _AHEAD:
            _give(door, todo)
        while left:
            for door in cast("list[Door]", wait(doors)):
                answer = door.recv()
                if isinstance(answer, UsageError):
                    raise answer
                _give(door, todo)
                left -= 1
                yield answer


def _do(do: Callable[[Task], Result], task: Task) -> Result:
    """Do a task; a file that it cannot read or write is named."""
    try:
        return do(task)
    except OSError as error:
        raise UsageError(str(error)) from None


def _give(door: Door, todo: Iterator[Any]) -> None:
    """Give a worker the next task, if there is one."""
    for task in todo:
        door.send(task)
        break


@contextmanager
def _hire(count: int, do: Callable[[Any], Any], warm_up: Callable[[], None]) -> Iterator[list[Door]]:
    """Workers, who are sent home at the end, whatever they do then."""
    context = get_context("spawn")
    doors, workers = [], []
    try:
        for _ in range(count):
            door, inside = context.Pipe()
            worker = context.Process(target=_serve, args=(inside, do, warm_up), daemon=True)
            with _deaf_to_interrupts():
                worker.start()
            inside.close()
            doors.append(door)
            workers.append(worker)
        yield doors
    except (EOFError, OSError):
        raise UsageError("a worker ended, perhaps for lack of memory; try fewer --workers") from None
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What is started meanwhile never hears Ctrl-C: it goes to all, and the first process ends the others.

    Nor is a start broken off halfway, which would leave a worker without its task: what was heard is told afterwards.
    """
    with delay_interrupts():
        if not hasattr(signal, "pthread_sigmask"):  # on Windows a worker has to look away by itself
            yield
            return
        resource_tracker.ensure_running()  # started within, it would lift the mask again
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _end_with_parent() -> None:
    """End at once when the process that started this one has ended, however it did: a task may take long."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _serve(door: Door, do: Callable[[Any], Any], warm_up: Callable[[], None]) -> None:
    """Do what is asked for, until nobody is there to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    speed_up()
    warm_up()
    with suppress(EOFError, OSError):
        while True:
            task = door.recv()
            try:
                door.send(_do(do, task))
            except UsageError as error:
                door.send(error)

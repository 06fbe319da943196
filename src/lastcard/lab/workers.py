"""Deals played by several processes at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Final, cast

from lastcard.errors import UsageError
from lastcard.lab.deals import Deal, Plan

if TYPE_CHECKING:
    Answer = Deal | UsageError
    Door = Connection[int, Answer]

_AHEAD: Final = 2
"""Deals a worker has at once, so that it never waits for the next."""


def count_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_deals(plan: Plan, numbers: Sequence[int], workers: int) -> Generator[Deal, None, None]:
    """Play deals; each comes when it is done.

    Args:
        plan: of the arena.
        numbers: of the deals.
        workers: how many processes; with one everything happens in this one.

    Raises:
        UsageError: for a move that the rules refuse, and where a worker ended.
    """
    if not numbers:
        return
    plan.warm_up()  # here first: what is compiled now, the workers find on disk
    if workers == 1:
        yield from map(plan.play, numbers)
        return
    todo, left = iter(numbers), len(numbers)
    with _hire(plan, min(workers, left)) as doors:
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


def _give(door: Door, todo: Iterator[int]) -> None:
    """Give a worker the next deal, if there is one."""
    number = next(todo, None)
    if number is not None:
        door.send(number)


@contextmanager
def _hire(plan: Plan, count: int) -> Iterator[list[Door]]:
    """Workers, who are sent home at the end, whatever they do then."""
    context = get_context("spawn")
    doors, workers = [], []
    try:
        for _ in range(count):
            door, inside = context.Pipe()
            worker = context.Process(target=_serve, args=(plan, inside), daemon=True)
            worker.start()
            inside.close()
            doors.append(door)
            workers.append(worker)
        yield doors
    except (EOFError, OSError):
        raise UsageError("a worker ended, maybe for want of memory; try fewer --workers") from None
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()


def _serve(plan: Plan, door: Connection[Answer, int]) -> None:
    """Play what is asked for, until nobody is there to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all, and the first process ends the others
    plan.warm_up()
    with suppress(EOFError, OSError):
        while True:
            number = door.recv()
            try:
                door.send(plan.play(number))
            except UsageError as error:
                door.send(error)

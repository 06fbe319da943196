"""Threads that many share."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from lastcard.server.guard.fair import FairQueue


class ByHand(Executor):
    """Does what it is given when it is told to."""

    def __init__(self) -> None:
        self.given: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.given.append((Future(), work, args))
        return self.given[-1][0]

    def work_off(self) -> None:
        """Do the next, and all that comes of it."""
        while self.given:
            done, work, args = self.given.pop(0)
            if done.set_running_or_notify_cancel():
                done.set_result(work(*args))


def test_who_asks_for_much_makes_others_wait_for_one() -> None:
    hands = ByHand()
    order: list[object] = []
    queue = FairQueue(1, lambda: hands)
    for n in range(4):
        queue.submit("greedy", order.append, f"greedy {n}")
    queue.submit("modest", order.append, "modest")
    assert (queue.ahead("greedy"), queue.ahead("modest"), queue.ahead("nobody"), len(queue)) == (1, 2, 0, 4)
    hands.work_off()
    assert order.index("modest") <= 2 and len(order) == 5 and queue.ahead("greedy") == 0


def test_threads_go_to_whoever_has_the_least() -> None:
    hands = ByHand()
    queue = FairQueue(2, lambda: hands)
    for owner in ("one", "one", "one", "two"):
        queue.submit(owner, str)
    assert queue.waiting("one") == 1 and queue.waiting("two") == 1
    done, work, args = hands.given.pop(0)
    done.set_result(work(*args))
    assert queue.waiting("two") == 0


def test_what_is_not_wanted_any_more_is_never_begun() -> None:
    hands = ByHand()
    order: list[object] = []
    queue = FairQueue(1, lambda: hands)
    first, second, third = (queue.submit("table", order.append, n) for n in range(3))
    assert second.cancel() and len(queue) == 1 and first.cancel() and len(queue) == 0
    hands.work_off()
    assert order == [2] and third.done()


def test_a_fault_is_whose_work_it_was() -> None:
    with ThreadPoolExecutor(1) as pool:
        queue = FairQueue(1, lambda: pool)
        fault, fine = queue.submit("one", int, "x"), queue.submit("two", int, "2")
        assert fine.result(10) == 2
        with pytest.raises(ValueError, match="invalid"):
            fault.result(10)

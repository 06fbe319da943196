"""Fair queue: threads that many owners share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from lastcard.server.security.fair_queue import FairQueue, Owner
from support.fakes import ManualExecutor


def test_many_jobs_delay_others_by_one() -> None:
    hands = ManualExecutor()
    order: list[object] = []
    queue = FairQueue(1, lambda: hands)
    for n in range(4):
        queue.submit(Owner("greedy"), order.append, f"greedy {n}")
    queue.submit(Owner("modest"), order.append, "modest")
    assert [queue.ahead(Owner(name)) for name in ("greedy", "modest", "nobody")] == [1, 2, 0] and len(queue) == 4
    hands.run_pending()
    assert order.index("modest") <= 2 and len(order) == 5 and queue.ahead(Owner("greedy")) == 0


def test_a_party_of_many_owners_has_one_share() -> None:
    """Twenty names behind one address delay another party by one turn; they also take turns among themselves."""
    hands = ManualExecutor()
    order: list[object] = []
    queue = FairQueue(1, lambda: hands)
    for n in range(20):
        for _ in range(2):
            queue.submit(Owner("crowd", n), order.append, n)
    queue.submit(Owner("elsewhere", "somebody"), order.append, "somebody")
    positions = queue.ahead(Owner("elsewhere", "somebody")), queue.ahead(Owner("crowd", 19))
    hands.run_pending()
    assert order.index("somebody") == positions[0] <= 2 and order.index(19) == positions[1]
    assert set(order[:22]) == {*range(20), "somebody"}


def test_an_owner_has_one_running_job() -> None:
    """This holds even if threads are free; others of the party are not delayed."""
    hands = ManualExecutor()
    queue = FairQueue(3, lambda: hands)
    alone, other = Owner("home", "Ann", is_serial=True), Owner("home", "Bob", is_serial=True)
    for owner in (alone, alone, other):
        queue.submit(owner, str)
    assert queue.waiting(alone) == 1 and queue.waiting(other) == 0 and len(hands.pending) == 2
    done, work, args = hands.pending.pop(0)
    done.set_result(work(*args))
    assert queue.waiting(alone) == 0 and len(hands.pending) == 2


def test_threads_go_to_the_owner_with_the_fewest() -> None:
    hands = ManualExecutor()
    queue = FairQueue(2, lambda: hands)
    for owner in ("one", "one", "one", "two"):
        queue.submit(Owner(owner), str)
    assert queue.waiting(Owner("one")) == 1 and queue.waiting(Owner("two")) == 1
    done, work, args = hands.pending.pop(0)
    done.set_result(work(*args))
    assert queue.waiting(Owner("two")) == 0


def test_canceled_jobs_are_never_begun() -> None:
    hands = ManualExecutor()
    order: list[object] = []
    queue = FairQueue(1, lambda: hands)
    first, second, third = (queue.submit(Owner("table"), order.append, n) for n in range(3))
    assert second.cancel() and len(queue) == 1 and first.cancel() and len(queue) == 0
    hands.run_pending()
    assert order == [2] and third.done()


def test_an_exception_is_that_of_its_job() -> None:
    with ThreadPoolExecutor(1) as pool:
        queue = FairQueue(1, lambda: pool)
        fault, fine = queue.submit(Owner("one"), int, "x"), queue.submit(Owner("two"), int, "2")
        assert fine.result(10) == 2
        with pytest.raises(ValueError, match="invalid"):
            fault.result(10)


def test_canceled_jobs_leave_the_queue() -> None:
    """Canceled work takes no memory, even if it is submitted and canceled without end."""
    hands = ManualExecutor()
    queue = FairQueue(1, lambda: hands)
    owner = Owner("fickle", is_serial=True)
    queue.submit(owner, str)
    for _ in range(50):
        for done in [queue.submit(owner, str) for _ in range(4)]:
            assert queue.waiting(owner) <= 4
            done.cancel()
    last = queue.submit(owner, int)
    assert queue.waiting(owner) == queue.ahead(owner) == 1 and len(queue._waiting[owner.party][owner]) == 1
    hands.run_pending()
    assert last.result() == 0

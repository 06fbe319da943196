"""Callbacks that hold their object weakly."""

from __future__ import annotations

import asyncio

from lastcard.server.game.weak_callback import weak_callback


class Counter:
    """Counts calls."""

    def __init__(self) -> None:
        self.calls = 0

    def count(self, by: int) -> int:
        self.calls += by
        return self.calls

    async def count_later(self, by: int) -> int:
        return self.count(by)


def test_a_call_reaches_the_object_while_it_exists() -> None:
    counter = Counter()
    count, count_later = weak_callback(counter.count), weak_callback(counter.count_later)
    assert count(2) == 2 and asyncio.run(count_later(3)) == 5
    del counter
    assert count(2) is None
    assert asyncio.run(count_later(3)) is None

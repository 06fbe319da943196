"""Bit counting, as plain Python and as machine instructions."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from lastcard.engine.bits import lowest_bit, popcount
from support.compiled import compiled


@compiled
def count_all(masks: Any, counts: Any, lowest: Any) -> None:
    for i in range(masks.size):
        counts[i] = popcount(masks[i])
        lowest[i] = lowest_bit(masks[i]) if masks[i] != 0 else -1


def test_bits() -> None:
    """Every single bit of a mask, and random masks."""
    rng = random.Random(1)
    masks = [0, 1, 2, 3, (1 << 63) - 1, *(1 << i for i in range(63)), *(rng.getrandbits(63) for _ in range(500))]
    array = np.array(masks, np.int64)
    counts, lowest = np.zeros_like(array), np.zeros_like(array)
    count_all(array, counts, lowest)
    for mask, count, low in zip(masks, counts.tolist(), lowest.tolist(), strict=True):
        digits = f"{mask:b}"[::-1]
        assert popcount(mask) == count == digits.count("1")
        assert low == digits.find("1")
        assert not mask or lowest_bit(mask) == low


def test_bits_of_numpy_integers() -> None:
    """Outside compiled code a mask may come out of an array."""
    assert popcount(np.int64(0b1011)) == 3  # type: ignore[arg-type]
    assert lowest_bit(np.int64(0b1000)) == 3  # type: ignore[arg-type]

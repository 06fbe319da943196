"""Bit counting, as plain Python and as machine instructions."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from lastcard.kernel import intrinsics
from lastcard.kernel.bits import lowest_bit, nth_bit, popcount
from support.compiled import PLAIN, compiled


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


@compiled
def strip_all(masks: Any, n: int, left: Any) -> None:
    for i in range(masks.size):
        left[i] = intrinsics._clear_lowest_bits(masks[i], n)


@pytest.mark.skipif(PLAIN, reason="only compiled code has it")
def test_masks_without_their_lowest_bits() -> None:
    """The n-th bit, found without a processor instruction for it, is the one found step by step."""
    rng = random.Random(2)
    masks = [0, 1, (1 << 63) - 1, *(rng.getrandbits(63) for _ in range(200))]
    array = np.array(masks, np.int64)
    left = np.zeros_like(array)
    for n in range(8):
        strip_all(array, n, left)
        for mask, found in zip(masks, left.tolist(), strict=True):
            digits = [i for i in range(63) if mask >> i & 1]
            assert found == sum(1 << i for i in digits[n:])
            assert n >= len(digits) or nth_bit(mask, n) == digits[n]


def test_bits_of_numpy_integers() -> None:
    """Outside compiled code a mask may be an element of an array."""
    assert popcount(np.int64(0b1011)) == 3  # type: ignore[arg-type]
    assert lowest_bit(np.int64(0b1000)) == 3  # type: ignore[arg-type]

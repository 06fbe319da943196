"""Operations on sixteen floats, as plain Python and as machine instructions, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lastcard.kernel.floats16 import (
    FLOATS,
    add_scaled,
    add_two_rows,
    copy_bytes,
    copy_part,
    find_nonzero,
    rectify,
)
from support.compiled import compiled

PLACES = pytest.mark.parametrize("at", [0, 3, 2 * FLOATS])


@compiled
def copy_floats(target: Any, source: Any, at: int) -> None:
    copy_part(target, at + 1, source, at)


@compiled
def copy_small_numbers(target: Any, source: Any, at: int) -> None:
    copy_bytes(target, source, at)


@compiled
def add_floats(target: Any, scales: Any, source: Any, at: int) -> None:
    add_scaled(target, at + 1, scales[0], source, at)


@compiled
def add_rows(target: Any, scales: Any, rows: Any, at: int) -> None:
    add_two_rows(target, at, scales, 2, 1, rows)


@compiled
def rectify_floats(target: Any, weights: Any, at: int) -> None:
    rectify(target, weights, at)


@compiled
def find_in(numbers: Any, at: int, masks: Any) -> None:
    masks[0] = find_nonzero(numbers, at)


def make_numbers(seed: int) -> Any:
    """Float32 of both signs, some of them zero."""
    rng = np.random.default_rng(seed)
    return (rng.normal(size=4 * FLOATS) * rng.integers(0, 2, 4 * FLOATS)).astype(np.float32)


@PLACES
def test_floats_are_copied(at: int) -> None:
    target, wanted, source = make_numbers(1), make_numbers(1), make_numbers(2)
    wanted[at + 1 : at + 1 + FLOATS] = source[at : at + FLOATS]
    copy_floats(target, source, at)
    assert target.tobytes() == wanted.tobytes()


@PLACES
def test_bytes_become_floats(at: int) -> None:
    """All values of a byte occur, those above 127 too."""
    target, wanted = make_numbers(1), make_numbers(1)
    source = (np.arange(4 * FLOATS) * 5).astype(np.uint8)
    wanted[at : at + FLOATS] = source[at : at + FLOATS]
    copy_small_numbers(target, source, at)
    assert target.tobytes() == wanted.tobytes()


@PLACES
def test_scaled_floats_are_added(at: int) -> None:
    """Each product and each sum is rounded to float32, as NumPy rounds them."""
    target, wanted, source, scales = make_numbers(1), make_numbers(1), make_numbers(2), make_numbers(3)[-1:] + 1
    wanted[at + 1 : at + 1 + FLOATS] += scales[0] * source[at : at + FLOATS]
    add_floats(target, scales, source, at)
    assert target.tobytes() == wanted.tobytes()


@PLACES
def test_two_rows_are_added(at: int) -> None:
    """The first before the second: the order of additions decides the last bit."""
    target, wanted, scales = make_numbers(1), make_numbers(1), make_numbers(3)[-4:] + 1
    rows = np.concatenate([make_numbers(seed) for seed in range(2, 6)])
    part = slice(at, at + FLOATS)
    for i in (2, 1):
        wanted[part] += scales[i] * rows[i * len(target) :][part]
    add_rows(target, scales, rows, at)
    assert target.tobytes() == wanted.tobytes()


@PLACES
def test_negative_floats_become_zero(at: int) -> None:
    target, wanted, weights = make_numbers(1), make_numbers(1), make_numbers(2)
    part = slice(at, at + FLOATS)
    wanted[part] = np.maximum(wanted[part], np.float32(0)) * weights[part]
    rectify_floats(target, weights, at)
    assert (target == wanted).all()


@PLACES
def test_floats_that_are_not_zero_are_found(at: int) -> None:
    numbers, masks = make_numbers(1), np.zeros(1, np.int64)
    numbers[at] = -0.0  # equals zero
    find_in(numbers, at, masks)
    assert masks[0] == sum(1 << i for i in range(FLOATS) if numbers[at + i] != 0.0)
    assert 0 < masks[0] < (1 << FLOATS) - 1

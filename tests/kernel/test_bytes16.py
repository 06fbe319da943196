"""Rows of bytes sixteen at a time, as plain Python and as machine instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lastcard.kernel.bytes16 import WIDTH_BYTES, clear_part, copy_part, swap_part
from support.compiled import compiled


@compiled
def copy_rows(rows: Any, target: int, source: int, at: int) -> None:
    copy_part(rows[target], at, rows[source], at)


@compiled
def swap_rows(rows: Any, one: int, other: int, at: int) -> None:
    swap_part(rows[one], rows[other], at)


@compiled
def clear_row(rows: Any, row: int, at: int) -> None:
    clear_part(rows[row], at)


def make_rows() -> Any:
    return np.random.default_rng(3).integers(-128, 128, (3, 5 * WIDTH_BYTES), np.int8)


@pytest.mark.parametrize("at", [0, 3, 4 * WIDTH_BYTES])
def test_a_part_is_copied(at: int) -> None:
    """Those sixteen bytes and no others are copied."""
    rows, wanted = make_rows(), make_rows()
    wanted[2, at : at + WIDTH_BYTES] = wanted[0, at : at + WIDTH_BYTES]
    copy_rows(rows, 2, 0, at)
    assert (rows == wanted).all()


@pytest.mark.parametrize("at", [0, 3, 4 * WIDTH_BYTES])
@pytest.mark.parametrize("other", [1, 2])
def test_a_part_is_swapped(at: int, other: int) -> None:
    """Two rows exchange the part; a row with itself does not change."""
    rows, wanted = make_rows(), make_rows()
    part = slice(at, at + WIDTH_BYTES)
    wanted[1, part], wanted[other, part] = make_rows()[other, part], make_rows()[1, part]
    swap_rows(rows, 1, other, at)
    assert (rows == wanted).all()


@pytest.mark.parametrize("at", [0, 3, 4 * WIDTH_BYTES])
def test_a_part_is_cleared(at: int) -> None:
    """Those sixteen bytes and no others become zero."""
    rows, wanted = make_rows(), make_rows()
    wanted[1, at : at + WIDTH_BYTES] = 0
    clear_row(rows, 1, at)
    assert (rows == wanted).all()

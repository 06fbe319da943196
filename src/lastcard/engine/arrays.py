"""Arrays for the kernel, made where its doors work on them without copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lastcard.engine import jit


def zeros(shape: int | Sequence[int], kind: Any) -> Any:
    """An array of zeros.

    Args:
        shape: its sizes.
        kind: NumPy's type of what it holds.
    """
    return jit.form().zeros(shape, kind)


def copy(array: Any) -> Any:
    """A copy of an array, or of anything that NumPy makes one of."""
    array = np.asarray(array)
    twin = zeros(array.shape, array.dtype)
    twin.view(np.uint8)[...] = np.ascontiguousarray(array).view(np.uint8)
    return twin


def new_records(kind: Any, count: int = 1) -> Any:
    """An array of records, all zeros; in plain Python they allow access by attribute, as compiled code does."""
    return zeros(count, kind)


def read_records(kind: Any, written: bytes) -> Any:
    """An array of the records that were written away as bytes."""
    records = zeros(len(written) // kind.itemsize, kind)
    records.view(np.uint8)[...] = np.frombuffer(written, np.uint8)
    return records

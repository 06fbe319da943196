"""Arrays for the kernel, made where its doors work on them without copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lastcard.engine import jit


def zeros(shape: int | Sequence[int], kind: Any) -> Any:
    """An array of zeros; in plain Python, records allow access by attribute, as compiled code does.

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


def read_records(kind: Any, written: bytes) -> Any:
    """An array of the records that were written away as bytes."""
    return copy(np.frombuffer(written, kind))

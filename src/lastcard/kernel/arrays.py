"""Arrays for the kernel, made where its doors work on them without copies."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from lastcard.errors import UsageError
from lastcard.kernel import jit


def zeros(shape: int | Sequence[int], kind: Any) -> Any:
    """An array of zeros; in plain Python, records allow access by attribute, as compiled code does.

    Args:
        shape: its sizes.
        kind: NumPy's type of what it holds.
    """
    return jit.backend().zeros(shape, kind)


def copy(array: Any) -> Any:
    """A copy of an array, or of anything that NumPy makes one of."""
    array = np.asarray(array)
    copied = zeros(array.shape, array.dtype)
    copied.view(np.uint8)[...] = np.ascontiguousarray(array).view(np.uint8)
    return copied


def read_records(kind: Any, written: bytes) -> Any:
    """An array of the records that were written away as bytes."""
    return copy(np.frombuffer(written, kind))


def pack(array: Any) -> bytes:
    """An array as bytes that may be kept, as in a pickle, with a key of what they mean."""
    return _key(array.dtype) + array.tobytes()


def unpack(kind: Any, packed: bytes) -> Any:
    """The array of ``pack``.

    Args:
        kind: NumPy's type of what it holds.

    Raises:
        UsageError: where another version packed it, whose tables look otherwise.
    """
    key = _key(np.dtype(kind))
    if not packed.startswith(key):
        raise UsageError("this was copied or pickled by another version of lastcard, and cannot be read by this one")
    return read_records(kind, packed[len(key) :])


@cache
def _key(kind: np.dtype[Any]) -> bytes:
    return hashlib.sha256(repr(kind.descr).encode()).digest()[:8]

"""Arrays for the kernel, allocated where exports use them without copies."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from lastcard.errors import UsageError
from lastcard.kernel import jit


def zeros(shape: int | Sequence[int], kind: Any) -> Any:
    """Returns an array of zeros; in plain Python, records allow access by attribute, as compiled code does."""
    return jit.backend().zeros(shape, kind)


def copy(array: Any) -> Any:
    """Returns a copy of an array, or of anything that NumPy converts to one."""
    return jit.backend().copy(np.asarray(array))


def read_records(kind: Any, written: bytes) -> Any:
    """Returns the array of records that some bytes contain."""
    return copy(np.frombuffer(written, kind))


def pack(array: Any) -> bytes:
    """Returns an array as bytes for storage, as in a pickle, after a key of their layout."""
    return _key(array.dtype) + array.tobytes()


def unpack(kind: Any, packed: bytes) -> Any:
    """Returns the array that ``pack`` made bytes of.

    Raises:
        UsageError: if a version with another record layout packed it.
    """
    key = _key(np.dtype(kind))
    if not packed.startswith(key):
        raise UsageError("this was copied or pickled by another version of lastcard, and cannot be read by this one")
    return read_records(kind, packed[len(key) :])


@cache
def _key(kind: np.dtype[Any]) -> bytes:
    return hashlib.sha256(repr(kind.descr).encode()).digest()[:8]

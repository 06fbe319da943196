"""Flat records: a class says which fields one has, for readers and type checkers; NumPy's type is made from it.

    class Desk:
        seat: int  # an int64
        scores: Int64s = shape(MAX_SEATS)

    DESK = record_type(Desk)

No object of such a class is ever made: what functions get is a record of an array, ``new_records(DESK)[0]``.
"""

from __future__ import annotations

import inspect
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Int64s = NDArray[np.int64]
Int32s = NDArray[np.int32]
Int16s = NDArray[np.int16]
Int8s = NDArray[np.int8]
Uint32s = NDArray[np.uint32]
Uint8s = NDArray[np.uint8]
Float64s = NDArray[np.float64]
Float32s = NDArray[np.float32]
Records = NDArray[np.void]

_KINDS: Final[dict[str, Any]] = {
    "int": np.int64,
    "Int64s": np.int64,
    "Int32s": np.int32,
    "Int16s": np.int16,
    "Int8s": np.int8,
    "Uint32s": np.uint32,
    "Uint8s": np.uint8,
    "Float64s": np.float64,
    "Float32s": np.float32,
}
"""What stands in a record for the annotation of a field."""


def shape(*sizes: int) -> Any:
    """The value that gives a field of several numbers its shape."""
    return sizes


def record_fields(kind: type) -> list[tuple[str, Any, tuple[int, ...]]]:
    """Name, type and shape of the fields of a class, inherited ones first, in the order they are written in."""
    fields = []
    for part in reversed(kind.__mro__):
        for name, annotation in inspect.get_annotations(part).items():
            fields.append((name, _KINDS[annotation], vars(part).get(name, ())))
    return fields


def record_type(kind: type) -> Any:
    """NumPy's type for the records of a class."""
    return np.dtype(record_fields(kind), align=True)


def new_records(kind: Any, count: int = 1) -> Any:
    """An array of records, all zeros; with the JIT off it allows attribute access, as compiled code does."""
    return _open(np.zeros(count, kind))


def read_records(kind: Any, written: bytes) -> Any:
    """An array of the records that were written away as bytes."""
    return _open(np.frombuffer(bytearray(written), kind))


def _open(records: Any) -> Any:
    from numba import config

    return records.view(np.recarray) if config.DISABLE_JIT else records

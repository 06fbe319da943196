"""Flat records: a class declares the fields, for readers and type checkers; its NumPy type is derived from it.

    class Tally:
        seat: int  # an int64
        scores: Int64s = shape(MAX_SEATS)

    TALLY = record_type(Tally)

Such a class has no instances: functions get a record of an array, ``arrays.zeros(1, TALLY)[0]``.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Annotated, Any, Final, get_type_hints

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ArrayOf:
    """Type of the arrays that an export takes, by element; the compiler reads it from annotations."""

    kind: np.dtype[Any]
    dimensions: int

    def allows(self, array: NDArray[Any]) -> bool:
        """Returns whether an array has this type."""
        return array.ndim == self.dimensions and (array.dtype is self.kind or array.dtype == self.kind)

    def __str__(self) -> str:
        return f"{self.kind.name}[{', '.join(':' * self.dimensions)}]"


_INTERNED: Final[dict[tuple[int, int], ArrayOf]] = {}
"""By ``id`` of the element type, which lives on: comparing record types takes longer than many a call."""


def array_of(kind: Any, dimensions: int = 1) -> ArrayOf:
    """Returns the only ArrayOf with these values."""
    kind = np.dtype(kind)
    interned = _INTERNED.get((id(kind), dimensions))
    if interned is None:
        interned = _INTERNED[id(kind), dimensions] = ArrayOf(kind, dimensions)
    return interned


Int64s = Annotated[NDArray[np.int64], array_of(np.int64)]
Int32s = Annotated[NDArray[np.int32], array_of(np.int32)]
Int16s = Annotated[NDArray[np.int16], array_of(np.int16)]
Int8s = Annotated[NDArray[np.int8], array_of(np.int8)]
Uint32s = Annotated[NDArray[np.uint32], array_of(np.uint32)]
Uint8s = Annotated[NDArray[np.uint8], array_of(np.uint8)]
Float64s = Annotated[NDArray[np.float64], array_of(np.float64)]
Float32s = Annotated[NDArray[np.float32], array_of(np.float32)]
Records = NDArray[np.void]

# The same with more dimensions.
Int64s2 = Annotated[NDArray[np.int64], array_of(np.int64, 2)]
Int64s3 = Annotated[NDArray[np.int64], array_of(np.int64, 3)]
Int16s2 = Annotated[NDArray[np.int16], array_of(np.int16, 2)]
Int8s2 = Annotated[NDArray[np.int8], array_of(np.int8, 2)]
Uint8s2 = Annotated[NDArray[np.uint8], array_of(np.uint8, 2)]
Uint8s3 = Annotated[NDArray[np.uint8], array_of(np.uint8, 3)]
Uint8s4 = Annotated[NDArray[np.uint8], array_of(np.uint8, 4)]
Float64s2 = Annotated[NDArray[np.float64], array_of(np.float64, 2)]
Float64s3 = Annotated[NDArray[np.float64], array_of(np.float64, 3)]
Float32s2 = Annotated[NDArray[np.float32], array_of(np.float32, 2)]


def shape(*sizes: int) -> Any:
    """Returns the default value that declares the shape of a field."""
    return sizes


def record_fields(kind: type) -> list[tuple[str, Any, tuple[int, ...]]]:
    """Returns name, type and shape of the fields of a class, inherited ones first, in source order."""
    fields = []
    for part in reversed(kind.__mro__):
        hints = get_type_hints(part, include_extras=True)
        for name in inspect.get_annotations(part):
            hint = hints[name]
            element = np.dtype(np.int64) if hint is int else hint.__metadata__[0].kind
            fields.append((name, element, vars(part).get(name, ())))
    return fields


def record_type(kind: type) -> Any:
    """Returns the NumPy type of the records of a class."""
    return np.dtype(record_fields(kind), align=True)

"""Checks of numbers that callers give: of Python, NumPy or other libraries, but no booleans."""

from __future__ import annotations

import operator
from numbers import Integral, Real

from lastcard.errors import UsageError


def is_bool(value: object) -> bool:
    """Whether a value is a boolean of Python or NumPy, or an array of booleans."""
    return isinstance(value, bool) or str(getattr(value, "dtype", "")).endswith("bool")


def to_int(value: object) -> int | None:
    """Returns an integer as Python's ``int``, which never overflows; None for anything else.

    An integer is what ``operator.index`` takes, such as one of NumPy, but no boolean.
    """
    if type(value) is int:
        return value
    if is_bool(value):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def require_int(name: str, value: object, low: int | None = None, high: int | None = None) -> int:
    """Returns an integer that a caller gave, as Python's ``int``; for anything else a UsageError has the valid range.

    The error calls it ``name``, such as ``the number of tables``.
    """
    number = to_int(value)
    if number is None:
        raise UsageError(f"{name} is a whole number{_range_text(low, high)}, not {value!r}")
    if (low is not None and number < low) or (high is not None and number > high):
        raise UsageError(f"{name} is a whole number{_range_text(low, high)}, not {number}")
    return number


def require_number(name: str, value: object, low: float, high: float) -> int | float:
    """Returns a number that a caller gave, integer or not, as Python's; for NaN or another value a UsageError."""
    number: int | float | None = to_int(value)
    if number is None and isinstance(value, Real) and not is_bool(value):
        number = float(value)
    if number is None or not low <= number <= high:
        raise UsageError(f"{name} is a number{_range_text(low, high)}, not {repr(value) if number is None else number}")
    return number


def _range_text(low: float | None, high: float | None) -> str:
    """Returns the range of a number in words."""
    if low is None:
        return ""
    return f" from {low:,} on" if high is None else f" from {low:,} to {high:,}"


def is_integer(value: object) -> bool:
    """Whether a value is an integer."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def is_seat(value: object, players: int) -> bool:
    """Whether a value is the seat of one of the players."""
    return is_integer(value) and 0 <= value < players  # type: ignore[operator]

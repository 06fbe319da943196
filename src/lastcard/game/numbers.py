"""Numbers as callers give them: Python's, NumPy's or others', but neither true nor false."""

from __future__ import annotations

import operator
from numbers import Integral, Real

from lastcard.errors import UsageError


def is_bool(value: object) -> bool:
    """Whether something is true or false: Python's, NumPy's, or an array of such."""
    return isinstance(value, bool) or str(getattr(value, "dtype", "")).endswith("bool")


def to_int(value: object) -> int | None:
    """A whole number as Python's own, which never overflows; None for anything else.

    Args:
        value: what ``operator.index`` takes, such as an integer of NumPy, but no bool.
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
    """A whole number that a caller gave, as Python's own.

    Args:
        name: what the number is, such as ``the number of tables``.
        value: see ``to_int``.
        low: the least that makes sense; None for any.
        high: the most; None for any.

    Raises:
        UsageError: for anything else; says what would be right.
    """
    number = to_int(value)
    if number is None:
        raise UsageError(f"{name} is a whole number{_range_text(low, high)}, not {value!r}")
    if (low is not None and number < low) or (high is not None and number > high):
        raise UsageError(f"{name} is a whole number{_range_text(low, high)}, not {number}")
    return number


def require_number(name: str, value: object, low: float, high: float) -> int | float:
    """A number that a caller gave, whole or not, as Python's own.

    Args:
        name: what the number is.
        value: see ``to_int``; floats too, Python's or NumPy's.
        low: the least that makes sense.
        high: the most.

    Raises:
        UsageError: for anything else, such as NaN; says what would be right.
    """
    number: int | float | None = to_int(value)
    if number is None and isinstance(value, Real) and not is_bool(value):
        number = float(value)
    if number is None or not low <= number <= high:
        raise UsageError(f"{name} is a number{_range_text(low, high)}, not {repr(value) if number is None else number}")
    return number


def _range_text(low: float | None, high: float | None) -> str:
    """From where to where a number goes, in words."""
    if low is None:
        return ""
    return f" from {low:,} on" if high is None else f" from {low:,} to {high:,}"


def is_integer(value: object) -> bool:
    """Whether something is a whole number."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def is_seat(value: object, players: int) -> bool:
    """Whether something is the number of one of the players."""
    return is_integer(value) and 0 <= value < players  # type: ignore[operator]

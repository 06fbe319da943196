"""Whole numbers as callers give them: Python's or NumPy's, but neither true nor false."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from lastcard.errors import UsageError


def is_whole(value: object) -> bool:
    """Whether something is a whole number."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def is_count(value: object) -> bool:
    """Whether something is a whole number from 1 on."""
    return is_whole(value) and value > 0  # type: ignore[operator]


def is_seat(value: object, players: int) -> bool:
    """Whether something is the number of one of the players."""
    return is_whole(value) and 0 <= value < players  # type: ignore[operator]


def as_int(name: str, value: Any, low: int, high: int | None = None) -> int:
    """A whole number as Python's own.

    Args:
        name: of the number, such as ``the number of a round``.
        value: what a caller gave.
        low: the smallest it may be.
        high: the largest; None for any.

    Raises:
        UsageError: for anything else, true and false among it.
    """
    if not is_whole(value) or value < low or (high is not None and value > high):
        right = f"from {low} on" if high is None else f"from {low} to {high}"
        raise UsageError(f"{name} is a whole number {right}, not {value!r}")
    return int(value)

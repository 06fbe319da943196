"""Whole numbers as callers give them: Python's or NumPy's, but neither true nor false."""

from __future__ import annotations

from numbers import Integral


def is_whole(value: object) -> bool:
    """Whether something is a whole number."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def is_count(value: object) -> bool:
    """Whether something is a whole number from 1 on."""
    return is_whole(value) and value > 0  # type: ignore[operator]


def is_seat(value: object, players: int) -> bool:
    """Whether something is the number of one of the players."""
    return is_whole(value) and 0 <= value < players  # type: ignore[operator]

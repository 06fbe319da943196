"""Figures with their uncertainty: shares, means of differences, sums."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from lastcard.bots.search import Z, share_error


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure and half of its 95 % interval.

    Args:
        value: as it was measured.
        error: the truth lies within so much of it 95 times in a hundred.
    """

    value: float = 0.0
    error: float = 0.0

    def __neg__(self) -> Figure:
        return Figure(-self.value, self.error)

    @property
    def certain(self) -> bool:
        """Whether it is above nothing beyond its uncertainty."""
        return self.value > self.error

    def as_list(self) -> list[float]:
        """Value and error, rounded to what matters."""
        return [round(self.value, 5), round(self.error, 5)]


def share(won: Any) -> Figure:
    """What part of rollouts was won; with the interval of ``share_error``.

    Args:
        won: for each rollout 1 or 0.
    """
    value = float(won.mean())
    return Figure(value, share_error(value, won.size))


def mean(values: Any, step: float = 1.0) -> Figure:
    """The mean of independent values: shares or differences of them, of rollouts one by one or in groups.

    The interval is Student's, and counts one more rollout that goes the other way: a rare difference may not have been
    met yet.

    Args:
        values: two or more.
        step: by how much one rollout changes a value.
    """
    value = float(values.mean())
    free = values.size - 1
    scatter = float(((values - value) ** 2).sum()) + step * step
    wide = Z + (Z**3 + Z) / (4 * free)  # Student's quantile, near enough
    return Figure(value, wide * math.sqrt(scatter / free / values.size))


def total(figures: Iterable[Figure]) -> Figure:
    """The sum of figures that do not depend on each other."""
    known = list(figures)
    return Figure(math.fsum(f.value for f in known), math.hypot(*(f.error for f in known)))

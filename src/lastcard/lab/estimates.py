"""Shares and means over deals, with the intervals in which the truth lies 95 times in a hundred.

The deal is the unit: its rounds share a shuffle and are not independent of each other, deals are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

FEWEST: Final = 30
"""With fewer deals how far they scatter is not known well enough to tell an interval."""
_Z: Final = 1.96


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval, which is None where there were too few deals.

    Args:
        value: as it was measured.
        low: where the interval begins.
        high: where it ends.
    """

    value: float
    low: float | None = None
    high: float | None = None

    def as_dict(self) -> dict[str, float | None]:
        """The figure as plain values, rounded to what matters."""
        values = {"value": self.value, "low": self.low, "high": self.high}
        return {name: None if x is None else round(x, 6) for name, x in values.items()}


def mean(values: Sequence[float]) -> Estimate:
    """The mean of one figure for each deal."""
    count = len(values)
    middle = math.fsum(values) / count
    if count < FEWEST:
        return Estimate(middle)
    half = _Z * math.sqrt(math.fsum((x - middle) ** 2 for x in values) / (count - 1) / count)
    return Estimate(middle, middle - half, middle + half)


def share(parts: Sequence[float], wholes: Sequence[float]) -> Estimate | None:
    """What part of a whole, both added up over all deals; None where the whole is nothing.

    The interval is Wilson's, for as many independent trials as would scatter like these deals: it stays within 0
    and 1, and says something where every deal went the same way.

    Args:
        parts: for each deal.
        wholes: for each deal, at least its part.
    """
    count, whole = len(parts), math.fsum(wholes)
    if not whole:
        return None
    p = math.fsum(parts) / whole
    if count < FEWEST:
        return Estimate(p)
    scatter = math.fsum((part - p * of) ** 2 for part, of in zip(parts, wholes, strict=True))
    variance = scatter * count / (count - 1) / whole**2
    spread = p * (1 - p)
    if not variance and spread:
        return Estimate(p, p, p)
    trials = spread / variance if variance else count
    shrink = 1 + _Z**2 / trials
    middle = (p + _Z**2 / (2 * trials)) / shrink
    half = _Z / shrink * math.sqrt(spread / trials + _Z**2 / (4 * trials**2))
    return Estimate(p, max(0.0, middle - half), min(1.0, middle + half))

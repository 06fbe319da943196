"""Confidence sequences: intervals for a mean that hold at every number of values at once.

An interval for a fixed number of values is wrong too often if somebody looks repeatedly and stops at a good moment. The
intervals of a sequence contain the mean at all times together with the given probability, so any rule may end it.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, Final

import numpy as np

_STAKES: Final[Any] = 0.75 * 0.5 ** np.arange(9)
"""Stakes of the bets, of which one is nearly the best from 100 to a million values; below 1, so that no bet ruins."""
_BISECTIONS: Final = 30
"""Number of halvings to find an end of an interval."""
_FIRST_VALUES: Final = 50
"""Number of values before which ``mixture_margin`` gives no interval: a variance of few values is uncertain."""
_TIGHTEST_AT: Final = 500
"""Number of values at which ``mixture_margin`` is tightest."""


class BettingSequence:
    """An exact sequence for independent values from 0 to 1, whatever their distribution.

    A gambler bets that the mean is above a candidate, at several stakes. If the candidate is the mean, the capital is a
    martingale, so with a probability of at most alpha / 2 it ever reaches 2 / alpha times its start (Ville). The lower
    end is the candidate at which it does; the upper end is found in the same way. I. Waudby-Smith and A. Ramdas,
    "Estimating means of bounded random variables by betting"; this is ``dKelly_cs`` of their package ``confseq``
    (github.com/gostevehoward/confseq) with stakes by powers of two.

    Args:
        confidence: probability that all intervals contain the mean.
    """

    def __init__(self, confidence: float) -> None:
        self._limit = math.log(2 / (1 - confidence)) + math.log(len(_STAKES))
        self._counts: Counter[float] = Counter()
        self._ends = 0.0, 1.0

    def add(self, value: float) -> None:
        """Add a value."""
        self._counts[value] += 1

    def interval(self) -> tuple[float, float]:
        """Returns the ends of the interval, within all intervals returned before."""
        values, counts = np.array(list(self._counts)), np.array(list(self._counts.values()))
        low, high = self._lower_end(values, counts), 1 - self._lower_end(1 - values, counts)
        self._ends = max(low, self._ends[0]), min(high, self._ends[1])
        return self._ends

    def _lower_end(self, values: Any, counts: Any) -> float:
        """The candidate that the capital of bets above it refutes; it falls as the candidate rises."""
        low, high = 0.0, 1.0
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            capital = np.logaddexp.reduce(np.log1p(np.outer(_STAKES, values - middle)) @ counts)
            low, high = (middle, high) if capital >= self._limit else (low, middle)
        return low


def mixture_margin(count: int, variance: float, confidence: float) -> float:
    """Returns half of the width of the interval around the mean of independent values, whose variance is finite.

    The sequence is asymptotic: its probability approaches the given one, the later it begins. It is Robbins' normal
    mixture with the variance of the values: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas,
    "Time-uniform central limit theory and asymptotic confidence sequences" (arXiv 2103.06476), as in
    ``asymptotic_confseq`` of their package ``drconfseq`` (github.com/WannabeSmith/drconfseq).

    Args:
        count: number of values.
        variance: their variance.
        confidence: probability that all intervals contain the mean.
    """
    if count < _FIRST_VALUES:
        return math.inf
    alpha = 1 - confidence
    log = -2 * math.log(alpha)
    scale = count / _TIGHTEST_AT * (log + math.log(log) + 1)  # nearly the best
    return math.sqrt(variance * 2 * (scale + 1) / (count * scale) * math.log(math.sqrt(scale + 1) / alpha))

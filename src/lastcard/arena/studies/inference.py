"""Means of many rounds as sums that can be added up, tests of differences and of equivalence, and Holm's correction."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from lastcard.ai.estimates import NORMAL_95
from lastcard.bots.statistics import MIN_DEALS, Estimate

ALPHA: Final = 0.05
"""Probability that a family of tests finds any difference, or any equivalence, where there is none."""
_NORMAL: Final = NormalDist()
DIFFERENT: Final = "different"
EQUIVALENT: Final = "equivalent"
UNDECIDED: Final = "undecided"


@dataclass(slots=True)
class Moments:
    """Sums over independent values, such as one value for each round."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    most: float = -math.inf
    """The largest value."""

    @classmethod
    def of(cls, values: Any) -> Moments:
        """The sums of an array of values; those that are not a number are left out."""
        numbers = np.asarray(values, np.float64)
        numbers = numbers[~np.isnan(numbers)]
        most = float(numbers.max()) if numbers.size else -math.inf
        return cls(numbers.size, math.fsum(numbers), math.fsum(numbers * numbers), most)

    def add(self, other: Moments) -> None:
        """Add further values."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares
        self.most = max(self.most, other.most)

    def scale(self, factor: float) -> Moments:
        """Returns the sums of all values times a positive factor."""
        return Moments(self.count, self.total * factor, self.squares * factor**2, self.most * factor)

    @property
    def mean(self) -> float:
        """The mean; 0 without values."""
        return self.total / self.count if self.count else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean; infinite if there are too few values for one."""
        if self.count < MIN_DEALS:
            return math.inf
        return math.sqrt(max(0.0, self.squares - self.total * self.mean) / (self.count - 1) / self.count)

    @property
    def estimate(self) -> Estimate:
        """The mean with its 95 % interval."""
        return Estimate(self.mean, NORMAL_95 * self.error)


Sums = dict[str, Moments]
"""The measures of a study by their key."""


def add_sums(sums: Sums, more: Mapping[str, Moments]) -> None:
    """Add the measures of further rounds."""
    for key, moments in more.items():
        sums.setdefault(key, Moments()).add(moments)


def p_of_no_difference(values: Moments, expected: float = 0.0) -> float:
    """Returns how probable a mean as far from ``expected`` is by chance, on either side (the z test)."""
    distance = abs(values.mean - expected)
    if not values.error:
        return 0.0 if distance else 1.0
    return 2 * _NORMAL.cdf(-distance / values.error)


def p_of_relevance(values: Moments, margin: float) -> float:
    """Returns how probable a mean as close to zero is by chance if the true one is at least ``margin`` from it.

    These are two one-sided tests (TOST): D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the
    power approach for assessing the equivalence of average bioavailability" (1987). Few values give a large number, so
    a lack of evidence is never evidence of equivalence.

    If every value is zero, the probability is that of no other value, none of which exceeds 1: the mean is at least
    ``margin`` only if at least that share of all values is not zero.
    """
    if values.count < MIN_DEALS:
        return 1.0
    if not values.error:
        if values.mean:
            return 1.0 if abs(values.mean) >= margin else 0.0
        return float((1 - min(1.0, margin)) ** values.count)
    return _NORMAL.cdf((abs(values.mean) - margin) / values.error)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Returns probabilities corrected for their number, in the given order.

    S. Holm, "A simple sequentially rejective multiple test procedure" (1979): the smallest is multiplied by the number
    of tests, the next by one less, and so on; none is smaller than one before it.
    """
    corrected, largest = [1.0] * len(probabilities), 0.0
    for rank, i in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        largest = max(largest, min(1.0, (len(probabilities) - rank) * probabilities[i]))
        corrected[i] = largest
    return corrected


def judge_differences(tests: Sequence[tuple[Moments, float]]) -> list[str]:
    """Returns DIFFERENT, EQUIVALENT or UNDECIDED for each pair of differences and the margin that does not matter.

    Both kinds of tests are corrected for the number of pairs. A difference that is real but within its margin is
    EQUIVALENT: it does not matter.
    """
    different = holm([p_of_no_difference(values) for values, _ in tests])
    relevant = holm([p_of_relevance(values, margin) for values, margin in tests])
    return [
        EQUIVALENT if equal < ALPHA else DIFFERENT if unequal < ALPHA else UNDECIDED
        for unequal, equal in zip(different, relevant, strict=True)
    ]


def rounds_until_ahead(wins: float, losses: float, certainty: float = 0.95) -> int | None:
    """Returns how many rounds it takes until a player is ahead of another with a given probability; None if never.

    Args:
        wins: probability that the player wins a round.
        losses: probability that the other wins it; in all other rounds neither does.
        certainty: probability to have won more rounds than the other; half of that of a tie is added, because an odd
            number of rounds has fewer ties than the next even one.
    """
    if wins <= losses:
        return None
    high = 1
    while _chance_to_lead(wins, losses, high) < certainty:
        high *= 2
    low = high // 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _chance_to_lead(wins, losses, middle) >= certainty else (middle, high)
    return high


_EXACT_ROUNDS: Final = 4096
"""Number of rounds up to which the probability of a lead is exact."""


def _chance_to_lead(wins: float, losses: float, rounds: int) -> float:
    """The probability that a player is ahead of another after some rounds, with half of that of a tie."""
    if rounds > _EXACT_ROUNDS:
        middle, spread = rounds * (wins - losses), math.sqrt(rounds * (wins + losses - (wins - losses) ** 2))
        return _NORMAL.cdf(middle / spread)
    size = 2 * rounds + 1
    turn = np.exp(2j * np.pi * np.arange(size) / size)
    spectrum = (1 - wins - losses + wins / turn + losses * turn) ** rounds  # of the lead, modulo its size
    leads: Any = np.fft.ifft(spectrum).real
    return float(leads[1 : rounds + 1].sum() + leads[0] / 2)

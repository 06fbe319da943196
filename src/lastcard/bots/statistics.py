"""Estimates with 95 % intervals: shares, means, ratios and sums."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastcard.ai import estimates
from lastcard.ai.estimates import NORMAL_95

MIN_DEALS: Final = 30
"""Number of deals below which their scatter is too uncertain for an interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval."""

    value: float = 0.0
    margin: float = 0.0
    """Half of the width of the interval; infinite if there were too few samples for one."""
    bounds: tuple[float, float] | None = None
    """Ends of the interval; None if they are ``value`` minus and plus ``margin``."""

    def __neg__(self) -> Estimate:
        return Estimate(-self.value, self.margin, self.bounds and (-self.bounds[1], -self.bounds[0]))

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the interval."""
        return self.bounds or (self.value - self.margin, self.value + self.margin)

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.interval[0]

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.interval[1]

    @property
    def has_interval(self) -> bool:
        """Whether there were enough samples for an interval."""
        return math.isfinite(self.margin)

    @property
    def is_positive(self) -> bool:
        """Whether the value is above zero by more than its margin."""
        return self.value > self.margin

    def as_list(self) -> list[float]:
        """Value and margin, rounded to five digits."""
        return [round(self.value, 5), round(self.margin, 5)]

    def as_dict(self) -> dict[str, float | None]:
        """Value and ends, rounded to six digits; the ends are None where there is no interval."""
        values = {"value": self.value, "low": self.low, "high": self.high}
        return {name: round(x, 6) if math.isfinite(x) else None for name, x in values.items()}

    def text(self, scale: float = 1) -> str:
        """Value and margin, with one decimal: ``52.3 ±1.8``."""
        return f"{scale * self.value:.1f}" + (f" ±{scale * self.margin:.1f}" if self.has_interval else "")

    def interval_text(self, scale: float = 1) -> str:
        """The interval, with one decimal: ``50.5–54.1``, or a dash where there is none."""
        return f"{scale * self.low:.1f}–{scale * self.high:.1f}" if self.has_interval else "–"


def _between(value: float, low: float, high: float) -> Estimate:
    return Estimate(value, (high - low) / 2, (low, high))


# --- rollouts ---------------------------------------------------------------------------------------------


def rollout_share(won: Any) -> Estimate:
    """The share of rollouts that was won (1 or 0 for each), with the interval of ``estimates.share_margin``."""
    value = float(won.mean())
    return Estimate(value, estimates.share_margin(value, won.size))


def rollout_mean(values: Any, step: float = 1.0) -> Estimate:
    """The mean of independent values: shares or differences of them, of rollouts one by one or in groups.

    Args:
        values: two or more.
        step: change of a value by one rollout.
    """
    value = float(values.mean())
    squares = float(((values - value) ** 2).sum())
    return Estimate(value, estimates.mean_margin(squares, values.size, step))


def rollout_total(groups: Iterable[tuple[Any, float]]) -> Estimate:
    """The sum of the means of independent groups, each with the values and the step for ``rollout_mean``.

    The interval is Student's with the degrees of freedom of Welch and Satterthwaite: the scatter of many groups is
    known better than that of one, so it is narrower than the ``total`` of their means.
    """
    value = variance = uncertainty = 0.0
    for values, step in groups:
        mean, free = float(values.mean()), values.size - 1
        part = (float(((values - mean) ** 2).sum()) + step**2) / free / values.size
        value, variance, uncertainty = value + mean, variance + part, uncertainty + part**2 / free
    return Estimate(value, estimates.student_95(variance**2 / uncertainty) * math.sqrt(variance) if variance else 0.0)


def read_estimate(figures: Any) -> Estimate:
    """The estimate in float64[2] of compiled code."""
    value, margin = figures.tolist()
    return Estimate(value, margin)


def read_estimates(figures: Any) -> tuple[Estimate, ...]:
    """The estimates in float64[n, 2]."""
    return tuple(map(read_estimate, figures))


def total(estimates: Iterable[Estimate]) -> Estimate:
    """The sum of independent estimates."""
    known = list(estimates)
    return Estimate(math.fsum(one.value for one in known), math.hypot(*(one.margin for one in known)))


# --- deals ------------------------------------------------------------------------------------------------


def mean(values: Sequence[float]) -> Estimate:
    """The mean of one value per deal."""
    count = len(values)
    middle = math.fsum(values) / count
    if count < MIN_DEALS:
        return Estimate(middle, math.inf)
    squares = math.fsum((x - middle) ** 2 for x in values)
    return Estimate(middle, NORMAL_95 * math.sqrt(squares / (count - 1) / count))


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Estimate | None:
    """The share of a whole, both added up over all deals, one number each; None where the whole is zero.

    The interval is Wilson's, for as many independent trials as would scatter like these deals. It stays within 0 and 1,
    and is informative even if every deal went the same way.
    """
    count, whole = len(parts), math.fsum(wholes)
    if not whole:
        return None
    p = math.fsum(parts) / whole
    if count < MIN_DEALS:
        return Estimate(p, math.inf)
    scatter = math.fsum((part - p * of) ** 2 for part, of in zip(parts, wholes, strict=True))
    variance = scatter * count / (count - 1) / whole**2
    spread = p * (1 - p)
    if not variance and spread:
        return Estimate(p)
    trials = spread / variance if variance else count
    shrink = 1 + NORMAL_95**2 / trials
    middle = (p + NORMAL_95**2 / (2 * trials)) / shrink
    half = NORMAL_95 / shrink * math.sqrt(spread / trials + NORMAL_95**2 / (4 * trials**2))
    return _between(p, max(0.0, middle - half), min(1.0, middle + half))


def adjust(values: Sequence[float], luck: Sequence[float]) -> list[float]:
    """Returns the values of deals without a part of their luck, with the same mean.

    A control variate (Lavenberg and Welch 1981): luck has a mean of zero, so subtracting a part of it does not change
    the mean. The part is the one that leaves least scatter in all other deals; if it depended on the deal's own luck,
    the mean would be biased.

    Args:
        values: one for each of at least three deals.
        luck: luck of the deals, with a mean of zero.
    """
    count = len(values)
    middle, usual = math.fsum(values) / count, math.fsum(luck) / count
    pairs = [(value - middle, x - usual) for value, x in zip(values, luck, strict=True)]
    both, spread = math.fsum(a * b for a, b in pairs), math.fsum(b * b for _, b in pairs)
    more = count / (count - 1)  # without a deal, the means of the others change too
    return [
        value - (both - more * a * b) / (spread - more * b * b) * x if spread - more * b * b > 0 else value
        for value, x, (a, b) in zip(values, luck, pairs, strict=True)
    ]


def adjusted_mean(values: Sequence[float], luck: Sequence[float]) -> Estimate:
    """The mean of one share per deal, without luck as far as the deals show its effect (``adjust``)."""
    if len(values) < MIN_DEALS:
        return Estimate(math.fsum(values) / len(values), math.inf)
    estimate = mean(adjust(values, luck))
    return _between(*(min(1.0, max(0.0, end)) for end in (estimate.value, estimate.low, estimate.high)))

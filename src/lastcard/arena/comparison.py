"""The question whether the first bot of an arena is stronger than the others, answered deal by deal."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, variance
from typing import Any, Final

from lastcard.arena.confidence_sequences import BettingSequence, mixture_margin
from lastcard.arena.deals import Deal, Plan
from lastcard.arena.standings import luck_share, win_share
from lastcard.bots.statistics import MIN_DEALS, Estimate, adjust
from lastcard.errors import UsageError
from lastcard.game.numbers import require_number

_CHECKS_PER_DOUBLING: Final = 64
"""Number of times that the interval is computed while the number of deals doubles."""


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """When an arena stops: as soon as its question is answered.

    Args:
        confidence: probability that all intervals of the arena contain the true share, 0.5 to 0.9999.
        margin: difference from an equal share, in percentage points, that does not matter.
        budget_s: time in seconds after which the arena stops without an answer; None for no limit.

    Raises:
        UsageError: if a number is out of range.
    """

    confidence: float = 0.95
    margin: float = 2.0
    budget_s: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "confidence", require_number("the confidence", self.confidence, 0.5, 0.9999))
        object.__setattr__(self, "margin", require_number("the margin", self.margin, 0.1, 50))
        if self.budget_s is not None:
            object.__setattr__(self, "budget_s", require_number("the budget", self.budget_s, 0, 1e9))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer after some deals."""

    name: str
    """The first bot."""
    others: tuple[str, ...]
    deals: int
    share: Estimate
    """The share that it won, with an interval that holds at every number of deals; void rounds count as divided
    equally."""
    equal_share: float
    rule: StoppingRule

    @property
    def difference(self) -> int:
        """1 if the first bot is stronger than the others, -1 if it is weaker, 0 if that is not decided."""
        return (self.share.low > self.equal_share) - (self.share.high < self.equal_share)

    @property
    def is_decided(self) -> bool:
        """Whether the question is answered."""
        margin = self.rule.margin / 100
        inside = self.equal_share - margin <= self.share.low and self.share.high <= self.equal_share + margin
        return self.difference != 0 or inside

    def text(self) -> str:
        """The answer in words."""
        others = self.others[0] if len(self.others) == 1 else "the others"
        if self.difference < 0 and len(self.others) > 1:
            return f"{self.name} is weaker than the others"
        if self.difference:
            return f"{self.name if self.difference > 0 else others} is stronger"
        return f"no difference of {self.rule.margin:g} points" if self.is_decided else "not decided yet"

    def as_dict(self) -> dict[str, Any]:
        """The verdict as plain values."""
        return {
            "bot": self.name,
            "answer": self.text(),
            "deals": self.deals,
            "share": self.share.as_dict(),
            "even": round(self.equal_share, 6),
            "confidence": self.rule.confidence,
            "margin": self.rule.margin,
        }


class Comparison:
    """Compares the first bot of a plan with the others, in the order of the deals.

    Results that are not adjusted for luck have exact intervals, adjusted ones asymptotic intervals.

    Raises:
        UsageError: for a plan with one kind of bot.
    """

    def __init__(self, plan: Plan, rule: StoppingRule) -> None:
        self._name, *others = plan.kinds
        if not others:
            raise UsageError(f"{self._name} cannot be compared with itself: --until needs two different bots")
        self.rule = rule
        self._plan, self._others = plan, tuple(others)
        self._even = plan.bots.count(self._name) / plan.players
        self._exact = BettingSequence(rule.confidence)
        self._values: list[float] = []
        self._luck: list[float] = []
        self.verdict = self.judge()

    def add(self, deal: Deal) -> Verdict:
        """Add the next deal; returns the verdict, which is renewed ``_CHECKS_PER_DOUBLING`` times a doubling."""
        rules = self._plan.rules
        decided = sum(played.winner is not None for _, played in deal.rounds) / len(deal.rounds)
        value = win_share(rules, deal, self._name) + self._even * (1 - decided)
        self._values.append(value)
        if self._plan.luck:
            self._luck.append(luck_share(rules, deal, self._name))
        else:
            self._exact.add(value)
        count = len(self._values)
        if count % max(1, count // _CHECKS_PER_DOUBLING) == 0:
            self.verdict = self.judge()
        return self.verdict

    def judge(self) -> Verdict:
        """Returns the verdict after all deals added."""
        count = len(self._values)
        if self._plan.luck:
            values = adjust(self._values, self._luck) if count >= MIN_DEALS else self._values
            middle = fmean(values or [self._even])
            margin = mixture_margin(count, variance(values) if count > 1 else 0.0, self.rule.confidence)
            low, high = middle - margin, middle + margin
        else:
            middle = fmean(self._values or [self._even])
            low, high = self._exact.interval() if count else (0.0, 1.0)
        share = Estimate(middle, (high - low) / 2, (low, high))
        return Verdict(self._name, self._others, count, share, self._even, self.rule)

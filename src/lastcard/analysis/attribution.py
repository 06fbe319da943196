"""Attribution of a result to luck and choices that add up to it, for every seat (``ai.round_analysis``)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from lastcard.ai.round_analysis import PARTS
from lastcard.bots.statistics import Estimate, read_estimate, read_estimates, total

LUCK_PARTS: Final = ("deal", "draws", "hidden")
LUCK_WEIGHT: Final = 0.9
"""Share of the luck that is removed from a result.

Luck has a mean of zero, so the mean is unbiased for any weight. This weight, measured by ``benchmarks/luck.py``, leaves
the least scatter (``docs/insight.md``).
"""


@dataclass(frozen=True, slots=True)
class Attribution:
    """The attribution of a seat's result, in rounds won."""

    result: float
    """Rounds won; 0 or 1 in one round."""
    before: Estimate
    """Chance before the deal."""
    deal: Estimate
    """Its change by the deal."""
    draws: Estimate
    """Its change by cards drawn or taken blind, the lever and rule cards, for any seat."""
    hidden: Estimate
    """Its change by choices of all seats because hidden cards were where they were."""
    own: Estimate
    """Value of its own choices, against rules of thumb, by its information; missed calls included."""
    others: Estimate
    """Change by the choices of the others, by their information."""
    given: Estimate
    """Loss of its choices against the best moves found."""
    decisions: int
    """Number of its decisions with more than one choice."""
    mistakes: int
    """Number of decisions whose loss exceeds its margin, by search and by the prior net."""
    fair: Estimate
    """Chance before the deal, and the changes by the choices of all seats, in mixed play (``mixed_play_result``)."""

    @property
    def luck(self) -> Estimate:
        """The sum of everything that nobody chose."""
        return total(getattr(self, part) for part in LUCK_PARTS)

    @property
    def adjusted(self) -> Estimate:
        """The result adjusted for luck: with the same mean, and closer to the value of everybody's choices."""
        return Estimate((1 - LUCK_WEIGHT) * self.result + LUCK_WEIGHT * self.fair.value, LUCK_WEIGHT * self.fair.margin)

    @property
    def error_rate(self) -> Estimate:
        """Loss of a hundred of its decisions, in rounds; zero if it had none."""
        per = 100 / max(1, self.decisions)
        return Estimate(self.given.value * per, self.given.margin * per)


def read_attribution(account: Any, mixed_play_result: Estimate) -> Attribution:
    """The attribution in an ACCOUNT.

    Args:
        account: the account.
        mixed_play_result: see ``Attribution``.
    """
    return Attribution(
        result=float(account["result"]),
        **dict(zip(PARTS, read_estimates(account["parts"]), strict=True)),
        given=read_estimate(account["given"]),
        decisions=int(account["decisions"]),
        mistakes=int(account["mistakes"]),
        fair=mixed_play_result,
    )


def sum_attributions(attributions: Iterable[Attribution]) -> Attribution:
    """The attribution of one or several rounds of a match."""
    known = list(attributions)
    return Attribution(
        result=sum(account.result for account in known),
        **{part: total(getattr(account, part) for account in known) for part in (*PARTS, "given", "fair")},
        decisions=sum(account.decisions for account in known),
        mistakes=sum(account.mistakes for account in known),
    )

"""Attribution of a result to luck and choices that add up to it, for every seat of a round.

If everybody goes on by rules of thumb, the chance of a seat before the deal becomes 0 or 1 in steps:

    result = before + deal + draws + hidden + own + others

Each move is two steps. The choice leads from the chance before it to that with the move chosen and its outcome not
drawn (``MoveJobs``); the draw leads from there to the chance after it. The choice of any seat has two parts: its value
to a player who cannot see hidden cards is skill (``bots.evaluation``), the effect of their real places is luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lastcard.analysis.chances import WinChances
from lastcard.analysis.replayed_round import ReplayedMove
from lastcard.bots.evaluation import Evaluation
from lastcard.bots.statistics import Estimate, rollout_mean, total
from lastcard.match.events import Caught

PARTS: Final = ("before", "deal", "draws", "hidden", "own", "others")
"""The terms that add up to the result."""
LUCK_PARTS: Final = ("deal", "draws", "hidden")
LUCK_WEIGHT: Final = 0.9
"""Share of the luck that is removed from a result.

Luck has a mean of zero, so the mean is unbiased for any weight. This weight, measured by ``benchmarks/luck.py``, leaves
the least scatter (``docs/insight.md``).
"""


@dataclass(frozen=True, slots=True)
class Attribution:
    """The attribution of a seat's result, in rounds won.

    Args:
        result: rounds won; 0 or 1 in one round.
        before: chance before the deal.
        deal: its change by the deal.
        draws: its change by cards drawn or taken blind, the lever and rule cards, for any seat.
        hidden: its change by choices of all seats because hidden cards were where they were.
        own: value of its own choices, against rules of thumb, by its information; missed calls included.
        others: change by the choices of the others, by their information.
        given: loss of its choices against the best moves found.
        decisions: number of its decisions with more than one choice.
        mistakes: number of decisions whose loss exceeds its margin, by search and by the prior net.
        fair: chance before the deal, and the changes by the choices of all seats, in mixed play
            (``mixed_play_result``).
    """

    result: float
    before: Estimate
    deal: Estimate
    draws: Estimate
    hidden: Estimate
    own: Estimate
    others: Estimate
    given: Estimate
    decisions: int
    mistakes: int
    fair: Estimate

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


def responsible_seat(played: ReplayedMove) -> int:
    """The seat whose choice a move is: a catch is the choice of the seat that forgot to call."""
    caught = [event.seat for event in played.events if isinstance(event, Caught)]
    return caught[0] if caught else played.seat


def attribute_result(
    chances: WinChances, evaluations: Mapping[int, Evaluation], seat: int, mixed_play_result: Estimate
) -> Attribution:
    """The attribution of a seat's result in a round.

    Args:
        chances: chances of the round, after all rollouts.
        evaluations: evaluations of its decisions, by ply from 0.
        seat: the seat.
        mixed_play_result: see ``Attribution``.
    """
    draws, evaluated, own, others = np.zeros((4, chances.rollouts))
    for i, (played, link) in enumerate(zip(chances.replayed.moves, chances.plan.move_jobs, strict=True)):
        before, chosen, after = (chances.won(job, seat) for job in (link.before, link.chosen, link.after))
        draws += after - chosen
        share = evaluated if i in evaluations else own if responsible_seat(played) == seat else others
        share += chosen - before
    by_seat = [(chances.replayed.moves[i].seat, evaluation) for i, evaluation in evaluations.items()]
    mine = [verdict for by, verdict in by_seat if by == seat]
    skill = total(verdict.changes[seat] for verdict in mine)
    theirs = total(verdict.changes[seat] for by, verdict in by_seat if by != seat)
    return Attribution(
        result=chances.result(seat),
        before=chances.chance(0, seat),
        deal=chances.change(0, 1, seat),
        draws=_sum_estimate(draws),
        hidden=total((_sum_estimate(evaluated), -skill, -theirs)),
        own=total((skill, _sum_estimate(own))),
        others=total((theirs, _sum_estimate(others))),
        given=total(verdict.loss for verdict in mine),
        decisions=len(mine),
        mistakes=sum(verdict.loss.is_positive and verdict.prior_agrees for verdict in mine),
        fair=mixed_play_result,
    )


def _sum_estimate(values: Any) -> Estimate:
    """The mean of values of rollouts; exactly zero if no move added anything."""
    return rollout_mean(values) if values.any() else Estimate()


def sum_attributions(attributions: Iterable[Attribution]) -> Attribution:
    """The attribution of one or several rounds of a match."""
    known = list(attributions)
    return Attribution(
        result=sum(account.result for account in known),
        **{part: total(getattr(account, part) for account in known) for part in (*PARTS, "given", "fair")},
        decisions=sum(account.decisions for account in known),
        mistakes=sum(account.mistakes for account in known),
    )

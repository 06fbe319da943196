"""Where a result comes from: luck and choices that add up to it, for every seat of a round.

With everybody going on by rules of thumb, the chance of a seat before the deal becomes 0 or 1 step by step:

    result = before + deal + draws + hidden + own + others

Each act is two steps: from the chance before it to that with the act chosen and its chance not drawn (``Link``), which
is the choice; and from there to what chance made of it. A choice, whoever makes it, is split once more: what it is
worth to a player who cannot see the hidden cards (``bots.judge``) is skill, what their real places add to that is luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lastcard.analysis.chances import Chances
from lastcard.analysis.story import Ply
from lastcard.bots.judge import Verdict
from lastcard.bots.statistics import Estimate, rollout_mean, total
from lastcard.match.events import Caught

PARTS: Final = ("before", "deal", "draws", "hidden", "own", "others")
"""What adds up to the result."""
LUCK: Final = ("deal", "draws", "hidden")
WEIGHT: Final = 0.9
"""How much of a result is told without its luck; the rest is as it was.

Luck has a mean of zero, so with any weight the mean stays; with this one, measured by ``benchmarks/luck.py``, it
scatters least (``docs/insight.md``).
"""


@dataclass(frozen=True, slots=True)
class Account:
    """Where the result of a seat comes from, in rounds won.

    Args:
        result: rounds won; 0 or 1 in one round.
        before: the chance before the deal.
        deal: what the deal changed in it.
        draws: what cards drawn or taken blind, the lever and rule cards changed, by whomever.
        hidden: what choices, its own and those of others, gained or lost it because hidden cards were where they were.
        own: what its own choices were worth, against rules of thumb, from what it could know; missed calls too.
        others: what the choices of the others changed, from what they could know.
        given: what it gave away against the best choices that were found.
        decisions: how many it had with more than one choice.
        mistakes: how many gave away more than is uncertain, by search and by its adviser.
        fair: the chance before the deal, and what the choices of everybody changed: in mixed play (``fair``).
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
        """All that nobody chose, added up."""
        return total(getattr(self, part) for part in LUCK)

    @property
    def adjusted(self) -> Estimate:
        """The result without its luck: of the same mean, and closer to what the choices of everybody were worth."""
        return Estimate((1 - WEIGHT) * self.result + WEIGHT * self.fair.value, WEIGHT * self.fair.margin)

    @property
    def error_rate(self) -> Estimate:
        """What a hundred of its decisions give away, in rounds; nothing where it had none to make."""
        per = 100 / max(1, self.decisions)
        return Estimate(self.given.value * per, self.given.margin * per)


def responsible(ply: Ply) -> int:
    """Whose choice an act is: being caught is that of the seat that forgot to call."""
    caught = [event.seat for event in ply.events if isinstance(event, Caught)]
    return caught[0] if caught else ply.seat


def settle(chances: Chances, verdicts: Mapping[int, Verdict], seat: int, fair: Estimate) -> Account:
    """The account of a seat in a round.

    Args:
        chances: of the round, played.
        verdicts: on its decisions, by ply from 0.
        seat: whose account.
        fair: see ``Account``.
    """
    draws, judged, own, others = np.zeros((4, chances.rollouts))
    for i, (ply, link) in enumerate(zip(chances.story.plies, chances.plan.links, strict=True)):
        before, chosen, after = (chances.won(job, seat) for job in (link.before, link.chosen, link.after))
        draws += after - chosen
        part = judged if i in verdicts else own if responsible(ply) == seat else others
        part += chosen - before
    by_seat = [(chances.story.plies[i].seat, verdict) for i, verdict in verdicts.items()]
    mine = [verdict for by, verdict in by_seat if by == seat]
    skill = total(verdict.changes[seat] for verdict in mine)
    theirs = total(verdict.changes[seat] for by, verdict in by_seat if by != seat)
    return Account(
        result=chances.result(seat),
        before=chances.chance(0, seat),
        deal=chances.change(0, 1, seat),
        draws=_sum(draws),
        hidden=total((_sum(judged), -skill, -theirs)),
        own=total((skill, _sum(own))),
        others=total((theirs, _sum(others))),
        given=total(verdict.loss for verdict in mine),
        decisions=len(mine),
        mistakes=sum(verdict.loss.is_positive and verdict.agreed for verdict in mine),
        fair=fair,
    )


def _sum(values: Any) -> Estimate:
    """The mean of what rollouts add up to; exactly nothing where no act added anything."""
    return rollout_mean(values) if values.any() else Estimate()


def add_up(accounts: Iterable[Account]) -> Account:
    """The account of one round or several of a match."""
    known = list(accounts)
    return Account(
        result=sum(account.result for account in known),
        **{part: total(getattr(account, part) for account in known) for part in (*PARTS, "given", "fair")},
        decisions=sum(account.decisions for account in known),
        mistakes=sum(account.mistakes for account in known),
    )

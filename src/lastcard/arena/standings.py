"""Statistics of the bots from deals: shares and points with intervals, ratings, and the cross table.

The deal is the sampling unit: its rounds share a shuffle and are dependent, but deals are independent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lastcard.arena.deals import Deal, Plan
from lastcard.arena.decision_times import DecisionTimes, merge_times
from lastcard.bots.statistics import Estimate, adjusted_mean, mean, ratio
from lastcard.game.rulesets import Ruleset
from lastcard.match.match import team_of

ELO_PER_E: Final = 400 / math.log(10)
"""Elo points of odds of e to 1."""
CrossTable = dict[str, dict[str, Estimate | None]]


@dataclass(frozen=True, slots=True)
class Entry:
    """The statistics of one kind of bot."""

    seats: int
    """Number of its seats in every round."""
    equal_share: float
    """The share of the rounds it would win if all bots were equal."""
    wins: Estimate
    """The share it won, summed over its seats; partners share a win."""
    adjusted: Estimate | None
    """The same adjusted for luck; None if luck was not measured."""
    points: Estimate
    """Its score in a round, per seat."""
    rating: Estimate | None
    """Its strength in Elo points above the mean of all bots (``rate``); None if it won nothing."""
    times: DecisionTimes

    def as_dict(self) -> dict[str, Any]:
        """Everything but the times as plain values."""
        return {
            "seats": self.seats,
            "even": round(self.equal_share, 6),
            "wins": self.wins.as_dict(),
            "adjusted": self.adjusted and self.adjusted.as_dict(),
            "points": self.points.as_dict(),
            "rating": self.rating and self.rating.as_dict(),
        }


class Entries(dict[str, Entry]):
    """The statistics of each kind of bot, by the name of the bot (``name_source``)."""

    def __missing__(self, name: object) -> Entry:
        raise KeyError(f"there is no entry {name!r}; the entries are {', '.join(self)}")


def make_entries(plan: Plan, deals: Sequence[Deal]) -> Entries:
    """The statistics of each kind of bot."""
    won_by_name = {name: [win_share(plan.rules, deal, name) for deal in deals] for name in plan.kinds}
    ratings = rate({name: [x / plan.bots.count(name) for x in won] for name, won in won_by_name.items()})
    entries = Entries()
    for name in plan.kinds:
        seats = plan.bots.count(name)
        won = won_by_name[name]
        wins = ratio(won, [1.0] * len(deals))
        assert wins is not None
        entries[name] = Entry(
            seats=seats,
            equal_share=seats / plan.players,
            wins=wins,
            adjusted=adjusted_mean(won, [luck_share(plan.rules, deal, name) for deal in deals]) if plan.luck else None,
            points=mean([_points(deal, name) for deal in deals]),
            rating=ratings.get(name),
            times=merge_times(deal.times[name] for deal in deals),
        )
    return entries


def rate(won: Mapping[str, Sequence[float]]) -> dict[str, Estimate]:
    """The ratings of bots that won anything, in Elo points above their mean, with intervals over deals.

    They are the most likely ones under Luce's choice axiom: a seat wins with a probability in proportion to the
    strength of its bot (Plackett-Luce with only the first place known). As every round has the same bots, their
    strengths are in proportion to the rounds they won for each seat, and the order of the deals does not matter.

    Args:
        won: by name, the share of every deal's rounds that the bot won, for each of its seats.
    """
    means = {name: math.fsum(shares) / len(shares) for name, shares in won.items() if any(shares)}
    # The effect of each deal on the logarithm of a strength.
    effects = {name: [share / middle for share in won[name]] for name, middle in means.items()}
    usual = [math.fsum(deal) / len(means) for deal in zip(*effects.values(), strict=True)]
    level = math.fsum(map(math.log, means.values())) / max(1, len(means))
    ratings = {}
    for name, middle in means.items():
        spread = mean([effect - other for effect, other in zip(effects[name], usual, strict=True)])
        ratings[name] = Estimate(ELO_PER_E * (math.log(middle) - level), ELO_PER_E * spread.margin)
    return ratings


def make_cross_table(plan: Plan, deals: Sequence[Deal]) -> CrossTable:
    """Of the rounds won by either of two bots, the share won by the row's bot, as though each had one seat.

    None if neither won any.
    """
    won = {name: [win_share(plan.rules, deal, name) / plan.bots.count(name) for deal in deals] for name in plan.kinds}
    return {
        row: {
            column: ratio(won[row], [a + b for a, b in zip(won[row], won[column], strict=True)])
            for column in plan.kinds
            if column != row
        }
        for row in plan.kinds
    }


def _winners(rules: Ruleset, winner: int | None) -> tuple[int, ...]:
    """The seats that won."""
    return () if winner is None else team_of(rules, winner)


def win_share(rules: Ruleset, deal: Deal, name: str) -> float:
    """The share of a deal's rounds that a kind of bot won."""
    total = 0.0
    for seating, played in deal.rounds:
        winners = _winners(rules, played.winner)
        total += sum(seating[seat] == name for seat in winners) / max(1, len(winners))
    return total / len(deal.rounds)


def luck_share(rules: Ruleset, deal: Deal, name: str) -> float:
    """The luck of a kind of bot in a round of a deal, summed over its seats; partners share it like a win."""
    given = [played.luck[seat] for seating, played in deal.rounds for seat, bot in enumerate(seating) if bot == name]
    return sum(given) / len(team_of(rules, 0)) / len(deal.rounds)


def _points(deal: Deal, name: str) -> float:
    """The score of a kind of bot in a round of a deal, per seat."""
    scored = [played.points[seat] for seating, played in deal.rounds for seat, bot in enumerate(seating) if bot == name]
    return sum(scored) / len(scored)

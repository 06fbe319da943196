"""Statistics of the bots from deals: shares and points with intervals, ratings, and the cross table.

The deal is the sampling unit: its rounds share a shuffle and are dependent, but deals are independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

from lastcard.arena.deals import Deal, Plan
from lastcard.arena.decision_times import DecisionTimes, merge_times
from lastcard.bots.statistics import Estimate, adjusted_mean, mean, ratio
from lastcard.game.rulesets import Ruleset
from lastcard.match.match import team_of

# --- ratings, by openskill (an extra) -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating on openskill's scale, on which everybody starts at 25 ± 8.3: mean and standard deviation."""

    mu: float
    sigma: float


def can_rate() -> bool:
    """Whether openskill is installed."""
    return find_spec("openskill") is not None


def rate(names: Iterable[str], duels: Iterable[tuple[str, str]]) -> dict[str, Rating]:
    """Ratings of these names after duels, given by winner and loser in their order."""
    from openskill.models import PlackettLuce  # an extra

    model = PlackettLuce(tau=0.0)  # the strength of bots is constant, so nothing is forgotten
    ratings = {name: model.rating() for name in names}
    for winner, loser in duels:
        [[ratings[winner]], [ratings[loser]]] = model.rate([[ratings[winner]], [ratings[loser]]])
    return {name: Rating(round(rating.mu, 4), round(rating.sigma, 4)) for name, rating in ratings.items()}


def find_duels(seats: Sequence[str], winners: Sequence[int]) -> list[tuple[str, str]]:
    """A round as duels between the bots at its seats: a winner against each of the losers, except equal bots.

    Losers are not ranked: the rules have one winner, and a lost round is a lost round.
    """
    losers = [seat for seat in range(len(seats)) if seat not in winners]
    pairs = [(seats[winner], seats[loser]) for winner in winners for loser in losers]
    return [pair for pair in pairs if pair[0] != pair[1]]


# --- bots -----------------------------------------------------------------------------------------


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
    rating: Rating | None
    """None without openskill."""
    times: DecisionTimes

    def as_dict(self) -> dict[str, Any]:
        """Everything but the times as plain values."""
        return {
            "seats": self.seats,
            "even": round(self.equal_share, 6),
            "wins": self.wins.as_dict(),
            "adjusted": self.adjusted and self.adjusted.as_dict(),
            "points": self.points.as_dict(),
            "rating": self.rating and asdict(self.rating),
        }


def make_entries(plan: Plan, deals: Sequence[Deal]) -> dict[str, Entry]:
    """The statistics of each kind of bot."""
    ratings = rate(plan.kinds, _duels(plan.rules, deals)) if can_rate() else {}
    entries = {}
    for name in plan.kinds:
        seats = plan.bots.count(name)
        won = [_won(plan.rules, deal, name) for deal in deals]
        wins = ratio(won, [1.0] * len(deals))
        assert wins is not None
        entries[name] = Entry(
            seats=seats,
            equal_share=seats / plan.players,
            wins=wins,
            adjusted=adjusted_mean(won, [_luck(plan.rules, deal, name) for deal in deals]) if plan.luck else None,
            points=mean([_points(deal, name) for deal in deals]),
            rating=ratings.get(name),
            times=merge_times(deal.times[name] for deal in deals),
        )
    return entries


def make_cross_table(plan: Plan, deals: Sequence[Deal]) -> CrossTable:
    """Of the rounds won by either of two bots, the share won by the row's bot, as though each had one seat.

    None if neither won any.
    """
    won = {name: [_won(plan.rules, deal, name) / plan.bots.count(name) for deal in deals] for name in plan.kinds}
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


def _won(rules: Ruleset, deal: Deal, name: str) -> float:
    """The share of a deal's rounds that a kind of bot won."""
    total = 0.0
    for seating, played in deal.rounds:
        winners = _winners(rules, played.winner)
        total += sum(seating[seat] == name for seat in winners) / max(1, len(winners))
    return total / len(deal.rounds)


def _luck(rules: Ruleset, deal: Deal, name: str) -> float:
    """The luck of a kind of bot in a round of a deal, summed over its seats; partners share it like a win."""
    given = [played.luck[seat] for seating, played in deal.rounds for seat, bot in enumerate(seating) if bot == name]
    return sum(given) / len(team_of(rules, 0)) / len(deal.rounds)


def _points(deal: Deal, name: str) -> float:
    """The score of a kind of bot in a round of a deal, per seat."""
    scored = [played.points[seat] for seating, played in deal.rounds for seat, bot in enumerate(seating) if bot == name]
    return sum(scored) / len(scored)


def _duels(rules: Ruleset, deals: Sequence[Deal]) -> Iterator[tuple[str, str]]:
    """All rounds as duels, in the order of the deals."""
    for deal in deals:
        for seating, played in deal.rounds:
            yield from find_duels(seating, _winners(rules, played.winner))

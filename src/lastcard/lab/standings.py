"""What deals show of the bots: shares, points, ratings, and each against each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lastcard.game.rulesets import Ruleset
from lastcard.lab.clocks import Clock, join_clocks
from lastcard.lab.deals import Deal, Plan
from lastcard.lab.estimates import Estimate, mean, share
from lastcard.lab.ratings import Rating, can_rate, find_duels, rate
from lastcard.play.match import team_of

Cross = dict[str, dict[str, Estimate | None]]


@dataclass(frozen=True, slots=True)
class Entry:
    """What one kind of bot achieved.

    Args:
        seats: how many it had in every round.
        even: the share of the rounds it would win if all bots were equal.
        wins: the share it won, all its seats together; partners share a win.
        points: what it scored in a round, for each of its seats.
        rating: None without openskill.
        clock: how long it took.
    """

    seats: int
    even: float
    wins: Estimate
    points: Estimate
    rating: Rating | None
    clock: Clock

    def as_dict(self) -> dict[str, Any]:
        """Everything but the times as plain values."""
        return {
            "seats": self.seats,
            "even": round(self.even, 6),
            "wins": self.wins.as_dict(),
            "points": self.points.as_dict(),
            "rating": self.rating and asdict(self.rating),
        }


def make_entries(plan: Plan, deals: Sequence[Deal]) -> dict[str, Entry]:
    """What each kind of bot achieved."""
    ratings = rate(plan.kinds, _duels(plan.rules, deals)) if can_rate() else {}
    entries = {}
    for name in plan.kinds:
        seats = plan.bots.count(name)
        wins = share([_won(plan.rules, deal, name) for deal in deals], [1.0] * len(deals))
        assert wins is not None
        entries[name] = Entry(
            seats=seats,
            even=seats / plan.players,
            wins=wins,
            points=mean([_points(deal, name) for deal in deals]),
            rating=ratings.get(name),
            clock=join_clocks(deal.clocks[name] for deal in deals),
        )
    return entries


def make_cross(plan: Plan, deals: Sequence[Deal]) -> Cross:
    """Of the rounds that one of two bots won the row's share, as though each had one seat.

    None where neither won any.
    """
    won = {name: [_won(plan.rules, deal, name) / plan.bots.count(name) for deal in deals] for name in plan.kinds}
    return {
        row: {
            column: share(won[row], [a + b for a, b in zip(won[row], won[column], strict=True)])
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


def _points(deal: Deal, name: str) -> float:
    """What a kind of bot scored in a round of a deal, for each of its seats."""
    scored = [played.points[seat] for seating, played in deal.rounds for seat, bot in enumerate(seating) if bot == name]
    return sum(scored) / len(scored)


def _duels(rules: Ruleset, deals: Sequence[Deal]) -> Iterator[tuple[str, str]]:
    """All rounds as duels, in the order of the deals."""
    for deal in deals:
        for seating, played in deal.rounds:
            yield from find_duels(seating, _winners(rules, played.winner))

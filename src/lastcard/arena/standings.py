"""What deals show of the bots: shares and points with their intervals, ratings, and each against each.

The deal is the unit: its rounds share a shuffle and are not independent of each other, deals are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Any

from lastcard.arena.clocks import Clock, join_clocks
from lastcard.arena.playing import Deal, Plan
from lastcard.bots.statistics import Estimate, adjusted_mean, mean, ratio
from lastcard.game.rulesets import Ruleset
from lastcard.match.match import team_of

# --- ratings, by openskill (an extra) -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a bot is on openskill's scale, on which everybody starts at 25 ± 8.3.

    Args:
        mu: the middle.
        sigma: how unsure it is.
    """

    mu: float
    sigma: float


def can_rate() -> bool:
    """Whether openskill is installed."""
    return find_spec("openskill") is not None


def rate(names: Iterable[str], duels: Iterable[tuple[str, str]]) -> dict[str, Rating]:
    """Ratings after duels, taken one after another.

    Args:
        names: all who are rated.
        duels: winner and loser of each.
    """
    from openskill.models import PlackettLuce  # an extra

    model = PlackettLuce(tau=0.0)  # bots neither learn nor tire, so nothing is forgotten
    ratings = {name: model.rating() for name in names}
    for winner, loser in duels:
        [[ratings[winner]], [ratings[loser]]] = model.rate([[ratings[winner]], [ratings[loser]]])
    return {name: Rating(round(rating.mu, 4), round(rating.sigma, 4)) for name, rating in ratings.items()}


def find_duels(seats: Sequence[str], winners: Sequence[int]) -> list[tuple[str, str]]:
    """A round as duels: whoever won against each of the others, same bots aside.

    Who of the others came closer is not asked: the rules know one winner, and a lost round is a lost round.

    Args:
        seats: the bots by name.
        winners: the seats that won.
    """
    losers = [seat for seat in range(len(seats)) if seat not in winners]
    pairs = [(seats[winner], seats[loser]) for winner in winners for loser in losers]
    return [pair for pair in pairs if pair[0] != pair[1]]


# --- bots -----------------------------------------------------------------------------------------


Cross = dict[str, dict[str, Estimate | None]]


@dataclass(frozen=True, slots=True)
class Entry:
    """What one kind of bot achieved.

    Args:
        seats: how many it had in every round.
        even: the share of the rounds it would win if all bots were equal.
        wins: the share it won, all its seats together; partners share a win.
        adjusted: the same without luck; None where that was not measured.
        points: what it scored in a round, for each of its seats.
        rating: None without openskill.
        clock: how long it took.
    """

    seats: int
    even: float
    wins: Estimate
    adjusted: Estimate | None
    points: Estimate
    rating: Rating | None
    clock: Clock

    def as_dict(self) -> dict[str, Any]:
        """Everything but the times as plain values."""
        return {
            "seats": self.seats,
            "even": round(self.even, 6),
            "wins": self.wins.as_dict(),
            "adjusted": self.adjusted and self.adjusted.as_dict(),
            "points": self.points.as_dict(),
            "rating": self.rating and asdict(self.rating),
        }


def make_entries(plan: Plan, deals: Sequence[Deal]) -> dict[str, Entry]:
    """What each kind of bot achieved."""
    ratings = rate(plan.kinds, _duels(plan.rules, deals)) if can_rate() else {}
    entries = {}
    for name in plan.kinds:
        seats = plan.bots.count(name)
        won = [_won(plan.rules, deal, name) for deal in deals]
        wins = ratio(won, [1.0] * len(deals))
        assert wins is not None
        entries[name] = Entry(
            seats=seats,
            even=seats / plan.players,
            wins=wins,
            adjusted=adjusted_mean(won, [_luck(plan.rules, deal, name) for deal in deals]) if plan.luck else None,
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
    """What chance gave a kind of bot in a round of a deal, all its seats together; partners share it like a win."""
    given = [played.luck[seat] for seating, played in deal.rounds for seat, bot in enumerate(seating) if bot == name]
    return sum(given) / len(team_of(rules, 0)) / len(deal.rounds)


def _points(deal: Deal, name: str) -> float:
    """What a kind of bot scored in a round of a deal, for each of its seats."""
    scored = [played.points[seat] for seating, played in deal.rounds for seat, bot in enumerate(seating) if bot == name]
    return sum(scored) / len(scored)


def _duels(rules: Ruleset, deals: Sequence[Deal]) -> Iterator[tuple[str, str]]:
    """All rounds as duels, in the order of the deals."""
    for deal in deals:
        for seating, played in deal.rounds:
            yield from find_duels(seating, _winners(rules, played.winner))

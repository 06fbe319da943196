"""Ratings of bots, by openskill (an extra)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec


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

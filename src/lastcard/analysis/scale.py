"""A word for an error rate: the levels of bots that give away as much."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from lastcard.bots.statistics import Estimate
from lastcard.game.numbers import as_int

LEVELS: Final = ("learner", "casual", "sharp", "expert", "master")
"""From the one that gives away most to the one that gives away least."""
RATES: Final[dict[str, dict[int, tuple[float, ...]]]] = {
    "all-wild": {2: (5.31, 4.92, 3.67, -0.07, -0.07), 4: (3.48, 3.08, 1.98, -0.06, -0.06)},
    "classic": {2: (2.66, 1.70, 1.22, 0.01, 0.01), 4: (1.33, 1.09, 0.66, 0.02, 0.02)},
    "wild-jackpot": {2: (2.57, 2.17, 1.31, -0.01, -0.01), 4: (2.08, 1.49, 0.73, 0.03, 0.03)},
}
"""What 100 decisions of each level give away, in rounds, by game and seats (``docs/insight.md``)."""
WIDEST: Final = 3
"""Levels that a word may leave open; of more nothing is said."""


def likeness(game: str, players: int, rate: Estimate) -> tuple[str, str] | None:
    """Between which levels somebody has played, as far as the uncertainty of the rate lets it be told.

    Args:
        game: which.
        players: at the table.
        rate: what 100 decisions gave away, in rounds.

    Returns:
        The weakest and the strongest level, which may be the same; None where it could be nearly any, or where no table
        of about that size was measured.
    """
    players = as_int("the number of players", players)
    near = next((rates for seats, rates in RATES[game].items() if abs(seats - players) <= 1), None)
    if near is None:
        return None
    at = [(one + other) / 2 for one, other in pairwise(near)]
    weakest = sum(rate.value + rate.margin < edge for edge in at)
    strongest = sum(rate.value - rate.margin < edge for edge in at)
    return (LEVELS[weakest], LEVELS[strongest]) if strongest - weakest < WIDEST else None

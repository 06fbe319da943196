"""Levels of bots with an error rate like a player's."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from lastcard.bots.statistics import Estimate
from lastcard.game.numbers import require_int

LEVELS: Final = ("learner", "casual", "sharp", "expert", "master")
"""Levels from the largest to the smallest error rate."""
LOSSES_PER_100_DECISIONS: Final[dict[str, dict[int, tuple[float, ...]]]] = {
    "all-wild": {2: (5.31, 4.92, 3.67, -0.07, -0.07), 4: (3.48, 3.08, 1.98, -0.06, -0.06)},
    "classic": {2: (2.66, 1.70, 1.22, 0.01, 0.01), 4: (1.33, 1.09, 0.66, 0.02, 0.02)},
    "wild-jackpot": {2: (2.57, 2.17, 1.31, -0.01, -0.01), 4: (2.08, 1.49, 0.73, 0.03, 0.03)},
}
"""Loss of 100 decisions of each level, in rounds, by game and seats (``docs/insight.md``)."""
MAX_LEVELS: Final = 3
"""Largest number of levels in an estimate; a wider one is not shown."""


def estimate_levels(game: str, players: int, rate: Estimate) -> tuple[str, str] | None:
    """The range of levels at which somebody has played, as far as the margin of the rate allows.

    Args:
        game: name of the game.
        players: number of players.
        rate: loss of 100 decisions, in rounds.

    Returns:
        The weakest and the strongest level, which may be the same; None if the range is too wide, or for a number of
        players that was not measured.
    """
    players = require_int("the number of players", players)
    near = next((rates for seats, rates in LOSSES_PER_100_DECISIONS[game].items() if abs(seats - players) <= 1), None)
    if near is None:
        return None
    at = [(one + other) / 2 for one, other in pairwise(near)]
    weakest = sum(rate.value + rate.margin < edge for edge in at)
    strongest = sum(rate.value - rate.margin < edge for edge in at)
    return (LEVELS[weakest], LEVELS[strongest]) if strongest - weakest < MAX_LEVELS else None

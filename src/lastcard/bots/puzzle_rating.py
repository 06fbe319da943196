"""The rating of a solver of puzzles (``ai.glicko``)."""

from __future__ import annotations

import numpy as np

from lastcard.ai import glicko
from lastcard.formats.puzzles import RATINGS

Rating = tuple[float, float, float]
"""Rating, deviation and volatility."""


def rate_puzzle(rating: Rating, grade: int, *, is_solved: bool) -> Rating:
    """The rating after a puzzle of a grade."""
    player = np.array(rating, np.float64)
    glicko.rate_game(player, float(RATINGS[grade]), float(is_solved))
    changed, deviation, volatility = player.tolist()
    return changed, deviation, volatility

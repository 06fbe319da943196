"""Positions to learn from, made by play: as arrays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lastcard.bots.learned import thumb_weights
from lastcard.kernel.layout import MAX_ACTIONS
from lastcard.kernel.lessons import make_lessons
from lastcard.kernel.network import FEATURES
from lastcard.round import Round

SEATS: Final = (2, 2, 2, 2, 3, 4, 4, 6, 8, 10)
"""The sizes of tables that positions come from, each for as many."""

_PLIES_A_SEAT: Final = 22
_REPEATS: Final = 4


def lessons(game: str, positions: int, players: int, seed: int) -> tuple[Any, Any]:
    """Positions of a game and how often the seat that looks at each won from there.

    Args:
        game: a ruleset by name.
        positions: how many.
        players: seats at the table.
        seed: of all chance.

    Returns:
        float16 of shape (positions, FEATURES), and float32 shares from 0 to 1.
    """
    dealt = Round.deal(game, players, seed=seed)._tables
    tables = np.concatenate([dealt, dealt])
    tables["taping"] = 0
    xs, ys = np.zeros((positions, FEATURES), np.float32), np.zeros(positions, np.float32)
    dice = np.array([seed & 0xFFFFFFFF, players, 3, 4], np.int64)
    out = np.zeros(MAX_ACTIONS, np.int64)
    make_lessons(tables, 0, thumb_weights(game, players), dice, out, _PLIES_A_SEAT * players, _REPEATS, xs, ys)
    return xs.astype(np.float16), ys

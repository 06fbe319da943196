"""Habits of a policy net, counted in rounds that it plays (``ai.habits``)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lastcard.ai.habits import COLUMNS, HOLD, ROWS
from lastcard.training.compiled.habits import count_habits
from lastcard.training.policy_gradient import new_self_play
from lastcard.training.position_data import DataSource

COUNTED_ROUNDS: Final = 40_000
"""Number of rounds in which moves are counted; 20,000 are enough."""
_MAX_LOSS: Final = 1e9
"""A loss above that of any move."""


def derive_habits(game: str, net: Any, seed: int) -> Any:
    """The habits of a policy net of a game in ``bots.weights.GAMES_WITH_HABITS``: in every row ranks by mean loss.

    Returns int8[HABIT_COUNT]: 0 for the worst kind of move of a row, 1 for the next, …; kinds that never occurred are
    worst, HOLD first.
    """
    self_play = new_self_play(DataSource(game, 2, seed), net, net, may_repeat_draws=False)
    lost, counts = np.zeros((ROWS, COLUMNS)), np.zeros(ROWS * COLUMNS, np.int64)
    count_habits(self_play, COUNTED_ROUNDS, lost, counts)
    counts_by_row = counts.reshape(lost.shape)
    loss = np.where(counts_by_row > 0, lost / np.maximum(counts_by_row, 1), _MAX_LOSS)
    loss[:, HOLD] += (counts_by_row[:, HOLD] == 0) * _MAX_LOSS
    return np.argsort(np.argsort(-loss, axis=1, kind="stable"), axis=1).astype(np.int8).ravel()

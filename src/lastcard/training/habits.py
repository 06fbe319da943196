"""Habits of a policy net, counted in rounds that it plays (``ai.habits``)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lastcard.ai.habits import COLUMNS, HOLD, ROWS
from lastcard.ai.opponent_memory import MEMORY_COLUMNS
from lastcard.ai.policy_net import SCRATCH, Rater
from lastcard.bots.weights import heuristic_weights
from lastcard.bots.workspace import count_deck
from lastcard.rules.layout import MAX_ACTIONS, MAX_SEATS
from lastcard.training.compiled.habits import count_habits
from lastcard.training.compiled.selfplay import SelfPlay
from lastcard.training.position_data import DataSource, new_states

COUNTED_ROUNDS: Final = 40_000
"""Number of rounds in which moves are counted; 20,000 are enough."""
_MAX_LOSS: Final = 1e9
"""A loss above that of any move."""


def derive_habits(game: str, net: Any, seed: int) -> Any:
    """The habits of a policy net: in every row the ranks of the kinds of moves by their mean loss.

    Args:
        game: name of the game, one of ``bots.weights.GAMES_WITH_HABITS``.

    Returns:
        int8[HABIT_COUNT]: 0 for the worst of a row, 1 for the next, …; kinds that never occurred are worst, HOLD first.
    """
    rater = Rater(np.array(net), count_deck(game), np.zeros(SCRATCH, np.float32), np.zeros(MAX_ACTIONS))
    self_play = SelfPlay(
        states=new_states(DataSource(game, 2, seed))[:1],
        opponent_memory=np.zeros((MAX_SEATS, MEMORY_COLUMNS), np.int64),
        draw_history=np.zeros((MAX_SEATS, 2), np.int64),
        learner=rater,
        snapshot=rater,
        w=heuristic_weights(game, 2),
        choices=np.zeros(MAX_ACTIONS, np.int64),
        out=np.zeros(MAX_ACTIONS, np.int64),
        may_repeat_draws=0,
    )
    lost, counts = np.zeros((ROWS, COLUMNS)), np.zeros(ROWS * COLUMNS, np.int64)
    count_habits(self_play, COUNTED_ROUNDS, lost, counts)
    counts_by_row = counts.reshape(lost.shape)
    loss = np.where(counts_by_row > 0, lost / np.maximum(counts_by_row, 1), _MAX_LOSS)
    loss[:, HOLD] += (counts_by_row[:, HOLD] == 0) * _MAX_LOSS
    return np.argsort(np.argsort(-loss, axis=1, kind="stable"), axis=1).astype(np.int8).ravel()

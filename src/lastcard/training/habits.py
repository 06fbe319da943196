"""Habits of a learned player, counted in rounds that it plays (``mind.habits``)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lastcard.ai.actor import ROOM, Rater
from lastcard.ai.habits import COLUMNS, HOLD, ROWS
from lastcard.ai.memory import MEMORY
from lastcard.bots.desk import count_deck
from lastcard.bots.learned import thumb_weights
from lastcard.rules.layout import MAX_ACTIONS, MAX_SEATS
from lastcard.training.compiled.habits import count_habits
from lastcard.training.compiled.selfplay import Play
from lastcard.training.lessons import Source, new_tables

ROUNDS: Final = 40_000
"""In how many the acts of the player are counted; 20,000 are enough."""
_NEVER: Final = 1e9
"""More than any act loses."""


def form_habits(game: str, net: Any, seed: int) -> Any:
    """The habits of a learned player: in every row the kinds of acts in the order of what they lose in the mean.

    Args:
        game: by name, one of ``bots.learned.WITH_HABITS``.
        net: parameters of the player (``mind.actor``).
        seed: of all chance.

    Returns:
        int8[HABITS]: 0 for the worst of a row, 1 for the next, …; what was never met is worst, and holding first.
    """
    rater = Rater(np.array(net), count_deck(game), np.zeros(ROOM, np.float32), np.zeros(MAX_ACTIONS))
    play = Play(
        tables=new_tables(Source(game, 2, seed))[:1],
        m=np.zeros((MAX_SEATS, MEMORY), np.int64),
        waits=np.zeros((MAX_SEATS, 2), np.int64),
        learner=rater,
        elder=rater,
        w=thumb_weights(game, 2),
        choices=np.zeros(MAX_ACTIONS, np.int64),
        out=np.zeros(MAX_ACTIONS, np.int64),
        patient=0,
    )
    lost, met = np.zeros((ROWS, COLUMNS)), np.zeros(ROWS * COLUMNS, np.int64)
    count_habits(play, ROUNDS, lost, met)
    seen = met.reshape(lost.shape)
    loss = np.where(seen > 0, lost / np.maximum(seen, 1), _NEVER)
    loss[:, HOLD] += (seen[:, HOLD] == 0) * _NEVER
    return np.argsort(np.argsort(-loss, axis=1, kind="stable"), axis=1).astype(np.int8).ravel()

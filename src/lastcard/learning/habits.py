"""Habits of a player with practice (``mind.habits``): counted between two, found by trying at larger tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from lastcard.bots.desk import count_deck
from lastcard.bots.learned import thumb_weights
from lastcard.engine.layout import MAX_ACTIONS, MAX_SEATS
from lastcard.learning.compiled.habits import count_habits
from lastcard.learning.compiled.selfplay import Play
from lastcard.learning.compiled.trials import Trials, try_habits
from lastcard.learning.lessons import Source, new_dice, new_tables
from lastcard.mind.actor import ROOM, Rater
from lastcard.mind.habits import COLUMNS, HOLD, ROWS, ROWS_OF_TWO
from lastcard.mind.memory import MEMORY

ROUNDS: Final = 40_000
"""In how many the acts of the player are counted between two; 20,000 are enough."""
TRIALS: Final = 32_000_000
"""How many rounds are tried at larger tables."""
_TABLES: Final = (3, 4, 4, 5, 6, 8, 4, 7, 10)
"""Seats of the tables that are tried, in turn."""
_STAGES: Final = ((0.3, 0.2), (0.4, 0.08), (0.3, 0.02))
"""Of the trials, what share is made with what share of acts chosen by chance."""
_ACTS: Final = 1000
"""Of a round, how many acts are learned from at most."""
_PART: Final = 500_000
"""Rounds between two words of progress."""
_NEVER: Final = 1e9
"""More than any act loses."""


def form_habits(game: str, net: Any, seed: int, told: Callable[[int, int], None] = lambda done, of: None) -> Any:
    """The habits of a game: in every row the kinds of acts in the order of what they lose in the mean.

    Args:
        game: by name, one of ``bots.learned.WITH_HABITS``.
        net: parameters of the player (``mind.actor``) whose habits those between two are.
        seed: of all chance.
        told: how many rounds have been tried at larger tables, and of how many.

    Returns:
        int8[HABITS]: 0 for the worst of a row, 1 for the next, …; what was never met is worst, and holding first.
    """
    return to_order(np.concatenate([count_losses(game, net, seed), try_losses(game, seed, told)]))


def to_order(loss: Any) -> Any:
    """In every row 0 for what loses most, 1 for the next, …: int8, row after row.

    Args:
        loss: float64[n, COLUMNS].
    """
    return np.argsort(np.argsort(-loss, axis=1, kind="stable"), axis=1).astype(np.int8).ravel()


def count_losses(game: str, net: Any, seed: int) -> Any:
    """What acts lose between two, as a learned player rates them: float64[ROWS_OF_TWO, COLUMNS].

    Args:
        game: see ``form_habits``.
        net: parameters of the player.
        seed: of all chance.
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
    lost, met = np.zeros((ROWS_OF_TWO, COLUMNS)), np.zeros(ROWS_OF_TWO * COLUMNS, np.int64)
    count_habits(play, ROUNDS, lost, met)
    seen = met.reshape(lost.shape)
    loss: Any = np.where(seen > 0, lost / np.maximum(seen, 1), _NEVER)
    loss[:, HOLD] += (seen[:, HOLD] == 0) * _NEVER
    return loss


def try_losses(game: str, seed: int, told: Callable[[int, int], None]) -> Any:
    """What acts lose at larger tables, as trials say: float64[ROWS - ROWS_OF_TWO, COLUMNS].

    After a draw only laying the card or keeping it can be done, so there kinds are those that are worth laying or not.

    Args:
        game: see ``form_habits``.
        seed: of all chance.
        told: see ``form_habits``.
    """
    trials = Trials(
        tables=np.concatenate([new_tables(Source(game, players, seed))[:1] for players in _TABLES]),
        w=thumb_weights(game, max(_TABLES)),
        worth=np.full((ROWS, COLUMNS), 0.5),
        tried=np.zeros((ROWS, COLUMNS), np.int64),
        done=np.zeros((_ACTS, 3), np.int64),
        out=np.zeros(MAX_ACTIONS, np.int64),
        dice=new_dice(Source(game, max(_TABLES), seed)),
    )
    first = 0
    for share, stray in _STAGES:
        last = min(TRIALS, first + round(TRIALS * share))
        while first < last:
            told(first, TRIALS)
            rounds = min(_PART, last - first)
            try_habits(trials, first, rounds, stray)
            first += rounds
    told(TRIALS, TRIALS)
    loss: Any = np.where(trials.tried > 0, -trials.worth, _NEVER)[ROWS_OF_TWO:]
    loss[:, HOLD] += (loss[:, HOLD] == _NEVER) * _NEVER
    drawn = loss[len(loss) // 2 :]
    drawn[:] = np.where(drawn < drawn[:, HOLD, None], 0, 2) - (np.arange(COLUMNS) == HOLD)
    return loss

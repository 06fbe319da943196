"""A player that has learned from play, and searches nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from lastcard.actions import DRAW, Move
from lastcard.bots.base import ATTENTIVE, Manners
from lastcard.bots.dice import Dice
from lastcard.bots.heuristic import HeuristicBot
from lastcard.bots.learned import policy
from lastcard.bots.search import Prior
from lastcard.kernel.actor import ROOM, rate_acts
from lastcard.kernel.layout import PAST_ACT, PLAY

if TYPE_CHECKING:
    from lastcard.view import View


_LATE: Final = 20
"""Turns after which it does not draw for choice."""


class TrainedBot(HeuristicBot):
    """Chooses by a small network (``kernel.actor``); what that was not taught, as team play, by rules of thumb.

    It has learned that drawing may be better than laying a card. Two that both think so would wait for each other
    for ever, so it does not draw for choice on two turns in succession, nor late in a round.
    """

    name = "trained"

    def __init__(self, seed: bytes = b"", manners: Manners = ATTENTIVE, slips: int = 0) -> None:
        super().__init__(seed, manners, slips)
        self._prior = Prior(policy, rate_acts, ROOM)

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """See ``SeededBot.pick``."""
        plays = [move for move in moves if move.verb == "play"]
        if plays and view.decision == "play" and has_waited(view):
            moves = plays
        worth = self._prior.rate(view, moves)
        return moves[int(worth.argmax())] if worth.any() else super().pick(view, moves, dice)


def has_waited(view: View) -> bool:
    """Whether the seat drew on its last turn, or has had many."""
    assert view.seat is not None
    words = np.frombuffer(view.past, np.int32)
    turns = np.flatnonzero((words & 0xFFFFFF) == PAST_ACT | (view.seat + 1) << 8 | (PLAY + 1) << 16)
    return turns.size > _LATE or bool(turns.size and int(words[turns[-1] + 1]) >> 8 & 255 == DRAW)

"""A player that has learned from play, and searches nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lastcard.bots.base import ATTENTIVE, Manners
from lastcard.bots.dice import Dice
from lastcard.bots.heuristic import HeuristicBot
from lastcard.bots.learned import policy
from lastcard.bots.patience import without_waiting
from lastcard.bots.search import Prior
from lastcard.game.actions import Move
from lastcard.mind.actor import ROOM, rate_acts

if TYPE_CHECKING:
    from lastcard.play.view import View

_LATE: Final = 20
"""Turns after which it does not draw for choice."""


class TrainedBot(HeuristicBot):
    """Chooses by a small network (``mind.actor``); what that was not taught, as team play, by rules of thumb.

    It has learned that drawing may be better than laying a card. Two that both think so would wait for each other
    for ever, so it does not draw for choice on two turns in succession, nor late in a round.
    """

    name = "trained"

    def __init__(self, seed: bytes = b"", manners: Manners = ATTENTIVE, slips: int = 0) -> None:
        super().__init__(seed, manners, slips)
        self._prior = Prior(policy, rate_acts, ROOM)

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """See ``SeededBot.pick``."""
        moves = without_waiting(view, moves, _LATE, twice=False)
        worth = self._prior.rate(view, moves)
        return moves[int(worth.argmax())] if worth.any() else super().pick(view, moves, dice)

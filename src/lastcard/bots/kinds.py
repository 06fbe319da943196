"""The kinds of bots that search nothing: by chance, by rules of thumb, by what was learned from play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lastcard.bots.base import ATTENTIVE, Dice, Manners, SeededBot, pick_anything
from lastcard.bots.learned import policy, thumb_weights
from lastcard.bots.search import Prior, without_waiting
from lastcard.engine.layout import MAX_ACTIONS
from lastcard.engine.table import TABLE
from lastcard.game.actions import Move, action_move
from lastcard.mind import search
from lastcard.mind.actor import ROOM, rate_acts

if TYPE_CHECKING:
    from lastcard.play.view import View

_LATE: Final = 20
"""Turns after which it does not draw for choice."""


class RandomBot(SeededBot):
    """Lays any card that fits: the yardstick that every other bot is measured by."""

    name = "random"

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """Any card that fits, all as likely."""
        return pick_anything(view, moves, dice)


class HeuristicBot(SeededBot):
    """Lays the card that is worth most by ``mind.policy``, which remembers nothing.

    It keeps its wilds, minds who is nearly out, and hits the next player then.
    """

    name = "heuristic"

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """The move of most worth."""
        best = action_move(search.choose_plainly(*_knowledge(view)))
        return best if best in moves else moves[dice.below(len(moves))]

    def jump(self, view: View, moves: Sequence[Move], dice: Dice) -> Move | None:
        """A card fewer is worth it, unless the card should be kept for later."""
        assert view.seat is not None
        action = search.choose_jump(*_knowledge(view), view.seat)
        return action_move(action) if action >= 0 else None


def _knowledge(view: View) -> tuple[Any, Any, Any]:
    """The table as the seat knows it, the weights, and room for actions."""
    table = np.frombuffer(view.table, TABLE).copy()
    return table, thumb_weights(view.rules, view.players), np.zeros(MAX_ACTIONS, np.int64)


class TrainedBot(HeuristicBot):
    """Chooses by a small network that has learned from play (``mind.actor``).

    What that was not taught, as team play, it decides by rules of thumb.

    It has learned that drawing may be better than laying a card. Two that both think so would wait for each other
    for ever, so it does not draw for choice on two turns in succession, nor late in a round.
    """

    name = "trained"

    def __init__(self, seed: bytes = b"", manners: Manners = ATTENTIVE, slips: int = 0) -> None:
        super().__init__(seed, manners, slips)
        self._prior = Prior(policy, rate_acts, ROOM)

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """The move the network rates highest."""
        moves = without_waiting(view, moves, _LATE, twice=False)
        worth = self._prior.rate(view, moves)
        return moves[int(worth.argmax())] if worth.any() else super().pick(view, moves, dice)

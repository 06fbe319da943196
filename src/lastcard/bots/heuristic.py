"""A sensible player by rules of thumb: keeps its wilds, minds who is nearly out, hits the next player then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lastcard.bots.base import SeededBot
from lastcard.bots.dice import Dice
from lastcard.bots.learned import thumb_weights
from lastcard.engine.layout import MAX_ACTIONS
from lastcard.engine.table import TABLE
from lastcard.game.actions import Move, action_move
from lastcard.mind import search

if TYPE_CHECKING:
    from lastcard.play.view import View


class HeuristicBot(SeededBot):
    """Lays the card that is worth most by ``mind.policy``, which searches nothing and remembers nothing."""

    name = "heuristic"

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """See ``SeededBot.pick``."""
        best = action_move(search.choose_plainly(*_knowledge(view)))
        return best if best in moves else moves[dice.below(len(moves))]

    def jump(self, view: View, moves: Sequence[Move], dice: Dice) -> Move | None:
        """See ``SeededBot.jump``: a card fewer is worth it unless the card should be kept for later."""
        assert view.seat is not None
        action = search.choose_jump(*_knowledge(view), view.seat)
        return action_move(action) if action >= 0 else None


def _knowledge(view: View) -> tuple[Any, Any, Any]:
    """The table as the seat knows it, the weights, and room for actions."""
    table = np.frombuffer(view.table, TABLE).copy()
    return table, thumb_weights(view.rules, view.players), np.zeros(MAX_ACTIONS, np.int64)

"""Play-if-you-can: the yardstick that every other bot is measured by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lastcard.actions import Move
from lastcard.bots.base import SeededBot
from lastcard.bots.dice import Dice

if TYPE_CHECKING:
    from lastcard.view import View


class RandomBot(SeededBot):
    """Lays any card that fits, uniformly over the distinct cards and then over what each may name.

    It draws only when no card fits, plays the drawn card when that fits, and answers every other
    decision uniformly. ``kernel.batch`` plays the same way in compiled code, calls and catches aside.
    """

    name = "random"

    def pick(self, view: View, dice: Dice) -> Move:
        """See ``SeededBot.pick``."""
        moves = [move for move in view.legal if move.verb not in ("uno", "catch")]
        if view.decision in ("play", "drawn"):
            cards = sorted({move.card for move in moves if move.verb == "play" and move.card is not None})
            if cards:
                card = cards[dice.below(len(cards))]
                moves = [move for move in moves if move.card == card]
        return moves[dice.below(len(moves))]

"""Play-if-you-can: the yardstick that every other bot is measured by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lastcard.bots.base import SeededBot, pick_anything
from lastcard.bots.dice import Dice
from lastcard.game.actions import Move

if TYPE_CHECKING:
    from lastcard.play.view import View


class RandomBot(SeededBot):
    """Lays any card that fits; see ``base.pick_anything``."""

    name = "random"

    def pick(self, view: View, moves: Sequence[Move], dice: Dice) -> Move:
        """See ``SeededBot.pick``."""
        return pick_anything(view, moves, dice)

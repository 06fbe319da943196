"""Where a bot decides: what its seat sees, what was learned before, and room to think in, for compiled code."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lastcard.ai.scene import Learned, Scene, keep, new_room, new_sight
from lastcard.ai.weighing import new_weighings
from lastcard.bots.learned import ALL_UNASKED, Library
from lastcard.game.cards import CARD_SLOTS
from lastcard.game.rulesets import known_deck, ruleset
from lastcard.rules.layout import DICE
from lastcard.rules.table import TABLE

if TYPE_CHECKING:
    from lastcard.match.view import View

_WORDS = 1024
"""Of a past, as many as most rounds come to."""


@lru_cache(1000)
def count_deck(rules: str) -> Any:
    """How many there are of every card, for all that players know; not to be changed."""
    return keep(np.bincount(known_deck(ruleset(rules)), minlength=CARD_SLOTS))


class Desk:
    """Where one decision after another is made; between them it keeps nothing.

    Args:
        library: what was learned before, as far as it is asked for.
    """

    def __init__(self, library: Library = ALL_UNASKED) -> None:
        self._library = library
        self.weighings: Any = new_weighings()
        self.room = new_room()
        self._tables: Any = new_sight()
        self._bytes: Any = self._tables.view(np.uint8)
        self._words: Any = keep(np.zeros(_WORDS, np.int32))
        self._dice: Any = keep(np.zeros(DICE, np.int64))
        self.scene: Scene
        """What the seat sees."""
        self.learned: Learned
        """What was learned for its game."""

    def __reduce__(self) -> Any:
        # A copy is a desk of its own with nothing on it: copied arrays would no longer share their memory.
        return Desk, (self._library,)

    def show(self, view: View) -> None:
        """Make a view the scene."""
        assert view.seat is not None, "a spectator decides nothing"
        self._bytes[: TABLE.itemsize] = np.frombuffer(view.table, np.uint8)
        count = len(view.past) // self._words.itemsize
        if count > self._words.size:
            self._words = keep(np.zeros(2 * count, np.int32))
        words = self._words[:count]
        words[:] = np.frombuffer(view.past, np.int32)
        self.scene = Scene(self._tables, words, count_deck(view.rules), view.seat)
        self.learned = self._library.learned(view.rules, view.players)

    def lay_out(self, state: Any) -> Any:
        """The state of a decision's Dice, where doors go on with it in place."""
        self._dice[:] = state
        return self._dice

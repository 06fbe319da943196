"""The workspace of a bot: its seat's view, its weights, and scratch memory, for compiled code."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lastcard.ai.decision_input import DecisionInput, Weights, kernel_copy, new_input_states, new_scratch
from lastcard.ai.sequential_halving import new_search_states
from lastcard.bots.weights import HEURISTIC_ONLY, WeightLoader
from lastcard.game.cards import CARD_SLOTS
from lastcard.game.rulesets import possible_deck, ruleset
from lastcard.rules.layout import DICE
from lastcard.rules.round_state import ROUND_STATE

if TYPE_CHECKING:
    from lastcard.match.view import View

_HISTORY_WORDS = 1024
"""Size of an event log that suffices for most rounds."""


@lru_cache(1000)
def count_deck(rules: str) -> Any:
    """The number of every card, as far as players know; not to be changed."""
    return kernel_copy(np.bincount(possible_deck(ruleset(rules)), minlength=CARD_SLOTS))


class Workspace:
    """The arrays for one decision after another; it has no state between them."""

    def __init__(self, weight_loader: WeightLoader = HEURISTIC_ONLY) -> None:
        self._weight_loader = weight_loader
        self.search_states: Any = new_search_states()
        self.scratch = new_scratch()
        self._states: Any = new_input_states()
        self._state_bytes: Any = self._states.view(np.uint8)
        self._history: Any = kernel_copy(np.zeros(_HISTORY_WORDS, np.int32))
        self._dice: Any = kernel_copy(np.zeros(DICE, np.int64))
        self.decision_input: DecisionInput
        """The seat's view."""
        self.weights: Weights
        """The weights and networks of its game."""

    def __reduce__(self) -> Any:
        # A copy is a new, empty workspace: copied arrays would no longer share their memory.
        return Workspace, (self._weight_loader,)

    def load_view(self, view: View) -> None:
        """Load a view into the workspace."""
        assert view.seat is not None, "a spectator decides nothing"
        self._state_bytes[: ROUND_STATE.itemsize] = np.frombuffer(view.information_state, np.uint8)
        count = len(view.history) // self._history.itemsize
        if count > self._history.size:
            self._history = kernel_copy(np.zeros(2 * count, np.int32))
        words = self._history[:count]
        words[:] = np.frombuffer(view.history, np.int32)
        self.decision_input = DecisionInput(self._states, words, count_deck(view.rules), view.seat)
        self.weights = self._weight_loader.load(view.rules, view.players)

    def load_dice(self, state: Any) -> Any:
        """The state of a decision's ``Dice``, which compiled code updates in place."""
        self._dice[:] = state
        return self._dice

"""Reasons for a move, as facts of the position that the seat can check for itself (``ai.reasons``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lastcard.ai import reasons
from lastcard.ai.decision_input import DecisionInput, new_input_states
from lastcard.ai.evaluation import EVALUATION
from lastcard.bots.search import RatedMove, action_or_nothing
from lastcard.bots.workspace import count_deck
from lastcard.kernel.arrays import zeros
from lastcard.rules.round_state import ROUND_STATE

if TYPE_CHECKING:
    from lastcard.match.view import View


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason, to be put in words."""

    name: str
    """Name of the reason; its words are the text ``advice.<name>``."""
    n: int = 0
    """Number in it, which selects its plural."""
    player: int | None = None
    """Seat in it, as the card and the color below."""
    card: int | None = None
    color: int | None = None
    hands: tuple[int, int] = (0, 0)
    """Numbers of cards before and after a swap."""


def find_reason(view: View, choice: RatedMove, choices: Sequence[RatedMove]) -> Reason:
    """The weightiest reason for a move among the rated ones, best first; else that hidden cards were sampled."""
    assert view.seat is not None
    states, evaluations, facts = new_input_states(), zeros(1, EVALUATION), zeros(reasons.FACTS, np.int64)
    states[:1] = np.frombuffer(view.information_state, ROUND_STATE)
    rated: Any = evaluations[0]
    rated["choices"] = len(choices)
    for i, each in enumerate(choices):
        rated["actions"][i], rated["rollouts"][i] = action_or_nothing(each.move), each.rollouts
        rated["chances"][i, 0] = each.chance
    inputs = DecisionInput(states, zeros(0, np.int32), count_deck(view.rules), view.seat)
    index = next(i for i, each in enumerate(choices) if each is choice)
    name = reasons.NAMES[reasons.find_reason(inputs, evaluations, index, facts)]
    n, *named, mine, theirs = facts.tolist()
    player, card, color = (None if fact < 0 else fact for fact in named)
    return Reason(name, max(n, 0), player, card, color, (max(mine, 0), max(theirs, 0)))

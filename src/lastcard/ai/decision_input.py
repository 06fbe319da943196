"""What a decision is made with: what a seat sees and has seen, what was learned before, and room to think in."""

from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.ai import opponent_memory, policy_net, prior_net, value_net
from lastcard.kernel.arrays import copy, zeros
from lastcard.kernel.records import Float32s, Float64s, Float64s2, Int8s, Int32s, Int64s, Int64s2
from lastcard.rules import layout
from lastcard.rules.round_state import RoundStates, new_round_states

NET_SCRATCH: Final = max(policy_net.SCRATCH, prior_net.SCRATCH, value_net.SCRATCH)
"""Numbers that any network reads and writes."""


class DecisionInput(NamedTuple):
    """A table as a seat sees it, and what it has seen."""

    states: RoundStates
    """Two TABLE; 0 is the table as the seat sees it, 1 is scratch."""
    words: Int32s
    """int32, the past as the seat saw it (``engine.past``)."""
    deck: Int64s
    """int64[CARD_SLOTS], the cards of the game, for all that players know."""
    seat: int


class Weights(NamedTuple):
    """What was learned before, for one game; of what is not asked for, an empty array."""

    w: Float64s
    """float64[weight.COUNT], the weights of the rules of thumb."""
    value_net: Float32s
    """float32[network.PARAMETERS], which tells how a round ends."""
    policy_net: Float32s
    """float32[actor.PARAMETERS], the learned player."""
    prior_net: Float32s
    """float32[adviser.PARAMETERS], which rates the choices of a search."""
    habits: Int8s
    """int8[habits.HABITS], by which a search plays rounds out."""


class Scratch(NamedTuple):
    """Room for one thread to think in."""

    states: RoundStates
    """Two TABLE."""
    out: Int64s
    """int64[MAX_ACTIONS + DICE]: actions, and a Dice."""
    x: Float32s
    """float32[ROOM]: what networks read, and their units."""
    m: Int64s2
    """int64[MAX_SEATS, MEMORY] (``memory``)."""
    values: Float64s
    """float64[MAX_ACTIONS]: what a network thinks of acts."""
    wins: Float64s2
    """float64[MAX_ACTIONS, MAX_SEATS], written: who won the rounds that this thread played, by act."""


def kernel_copy(weights: Any) -> Any:
    """A copy of what was learned, where doors read it in place."""
    return copy(weights)


def new_input_states() -> RoundStates:
    """The tables of a scene."""
    return new_round_states(2)


def new_scratch() -> Scratch:
    """Room for one thread."""
    return Scratch(
        new_round_states(2),
        zeros(layout.MAX_ACTIONS + layout.DICE, np.int64),
        zeros(NET_SCRATCH, np.float32),
        zeros((layout.MAX_SEATS, opponent_memory.MEMORY_COLUMNS), np.int64),
        zeros(layout.MAX_ACTIONS, np.float64),
        zeros((layout.MAX_ACTIONS, layout.MAX_SEATS), np.float64),
    )

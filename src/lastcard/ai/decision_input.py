"""Arguments of a decision: the information of a seat, learned weights, and scratch arrays."""

from typing import Any, Final, NamedTuple

import numpy as np

from lastcard.ai import opponent_memory, policy_net, prior_net, value_net
from lastcard.kernel.arrays import copy, zeros
from lastcard.kernel.records import Float32s, Float64s, Float64s2, Int8s, Int32s, Int64s, Int64s2
from lastcard.rules import layout
from lastcard.rules.round_state import RoundStates, new_round_states

NET_SCRATCH: Final = max(policy_net.SCRATCH, prior_net.SCRATCH, value_net.SCRATCH)
"""Size of the scratch of any network."""


class DecisionInput(NamedTuple):
    """Information state and history of a seat."""

    states: RoundStates
    """Two ROUND_STATE; 0 is the information state of the seat, 1 is scratch."""
    words: Int32s
    """int32, the history as the seat saw it (``rules.history``)."""
    deck: Int64s
    """int64[CARD_SLOTS], the cards of the game as far as players know."""
    seat: int


class Weights(NamedTuple):
    """Learned weights for one game; unused ones are empty arrays."""

    w: Float64s
    """float64[weight_index.COUNT], the weights of the heuristics."""
    value_net: Float32s
    """float32[value_net.PARAMETERS], which estimates the chance to win."""
    policy_net: Float32s
    """float32[policy_net.PARAMETERS], which rates moves."""
    prior_net: Float32s
    """float32[prior_net.PARAMETERS], which rates the choices of a search."""
    habits: Int8s
    """int8[habits.HABIT_COUNT], a rollout policy."""


class Scratch(NamedTuple):
    """Scratch arrays of one thread."""

    states: RoundStates
    """Two ROUND_STATE."""
    out: Int64s
    """int64[MAX_ACTIONS + DICE]: actions, and a Dice."""
    x: Float32s
    """float32[NET_SCRATCH]: inputs and units of networks."""
    m: Int64s2
    """int64[MAX_SEATS, MEMORY_COLUMNS] (``opponent_memory``)."""
    values: Float64s
    """float64[MAX_ACTIONS]: ratings of actions by a network."""
    wins: Float64s2
    """float64[MAX_ACTIONS, MAX_SEATS], written: rounds of this thread that a seat won, by action."""


def kernel_copy(weights: Any) -> Any:
    """Returns a copy of learned weights that exports read in place."""
    return copy(weights)


def new_input_states() -> RoundStates:
    """Returns the states of a DecisionInput."""
    return new_round_states(2)


def new_scratch() -> Scratch:
    """Returns scratch arrays for one thread."""
    return Scratch(
        new_round_states(2),
        zeros(layout.MAX_ACTIONS + layout.DICE, np.int64),
        zeros(NET_SCRATCH, np.float32),
        zeros((layout.MAX_SEATS, opponent_memory.MEMORY_COLUMNS), np.int64),
        zeros(layout.MAX_ACTIONS, np.float64),
        zeros((layout.MAX_ACTIONS, layout.MAX_SEATS), np.float64),
    )

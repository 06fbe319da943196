"""The policy net: a small network that rates moves.

Its inputs are the observation (``policy_features``) and the memory (``opponent_memory``) of one player. It has one
layer of rectified units; the part of the state is computed once for all actions. ``lastcard.training`` trains it.
"""

from typing import Final, NamedTuple

from lastcard.ai import dense_layer, heuristic_policy, opponent_memory, policy_features
from lastcard.kernel import floats16
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Float32s, Float64s, Int64s
from lastcard.rules import legal, phases, turn
from lastcard.rules.round_state import RoundState

HIDDEN_UNITS: Final = 64
INPUTS: Final = policy_features.STATE + policy_features.ACTION
PARAMETERS: Final = INPUTS * HIDDEN_UNITS + 2 * HIDDEN_UNITS
SCRATCH: Final = INPUTS + 2 * HIDDEN_UNITS + policy_features.UNSEEN


class Rater(NamedTuple):
    """A network that rates actions, with its inputs and outputs."""

    net: Float32s
    """float32[PARAMETERS]: weights by input, biases, output weights; ``prior_net`` has two layers."""
    deck: Int64s
    """int64[CARD_SLOTS], the cards of the game."""
    x: Float32s
    """float32[SCRATCH], scratch."""
    values: Float64s
    """float64, one for each action, written: win rates, of which only the differences count."""


@kernel
def is_trained_for(t: RoundState) -> bool:
    """Whether the network was trained for this decision; the others are rare and easy (``heuristic_policy``)."""
    return (
        t.phase == phases.PLAY
        or t.phase == phases.DRAWN
        or t.phase == phases.CHALLENGE
        or t.phase == phases.STACK
        or t.phase == phases.COLOR
    )


@kernel
def rate(base: Float32s, units: Float32s, action_inputs: Float32s, net: Float32s) -> float:
    """Returns the value of one action; ``base`` is the part of the state in the units."""
    dense_layer.set_units(units, base, HIDDEN_UNITS)
    weights = net[policy_features.STATE * HIDDEN_UNITS :]
    dense_layer.add_inputs(action_inputs, policy_features.ACTION, HIDDEN_UNITS, weights, units)
    last = net[INPUTS * HIDDEN_UNITS + HIDDEN_UNITS :]
    for j in range(0, HIDDEN_UNITS, floats16.FLOATS):
        floats16.rectify(units, last, j)
    half = HIDDEN_UNITS // 2
    while half >= floats16.FLOATS:
        for j in range(0, half, floats16.FLOATS):
            floats16.add_scaled(units, j, 1.0, units, j + half)
        half //= 2
    while half > 0:
        for j in range(half):
            units[j] += units[j + half]
        half //= 2
    return units[0]


@kernel
def rate_all(t: RoundState, m: Int64s, seat: int, rater: Rater, actions: Int64s) -> None:
    """Write the values of several actions for a seat to ``rater.values``.

    Args:
        m: memory after ``update_hand_sizes``.
        rater: policy net.
        actions: int64, the actions.
    """
    net = rater.net
    x = rater.x
    action_inputs = x[policy_features.STATE : INPUTS]
    base = x[INPUTS : INPUTS + HIDDEN_UNITS]
    units = x[INPUTS + HIDDEN_UNITS : INPUTS + 2 * HIDDEN_UNITS]
    unseen = x[INPUTS + 2 * HIDDEN_UNITS :]
    policy_features.read_state(t, m, seat, x)
    policy_features.count_unseen(t, seat, rater.deck, unseen)
    dense_layer.set_units(base, net[INPUTS * HIDDEN_UNITS :], HIDDEN_UNITS)
    dense_layer.add_inputs(x, policy_features.STATE, HIDDEN_UNITS, net, base)
    for i in range(actions.size):
        policy_features.read_action(t, m, seat, int(actions[i]), unseen, action_inputs)
        rater.values[i] = rate(base, units, action_inputs, net)


@kernel
def choose_rated(t: RoundState, m: Int64s, seat: int, rater: Rater, actions: Int64s) -> int:
    """Returns the action of the highest value for a seat; see ``rate_all``."""
    rate_all(t, m, seat, rater, actions)
    best = 0
    for i in range(1, actions.size):
        if rater.values[i] > rater.values[best]:
            best = i
    return int(actions[best])


@kernel
def choose_by_policy_net(t: RoundState, m: Int64s, rater: Rater, w: Float64s, out: Int64s) -> int:
    """Returns the action of the seat on turn, calls aside.

    Args:
        m: memory after ``update_hand_sizes``.
        rater: policy net; its values are float64[MAX_ACTIONS].
        w: weights of the heuristics, for decisions that the network was not trained for.
        out: int64[MAX_ACTIONS], scratch.
    """
    seat = t.turn & 15
    if not is_trained_for(t):
        return heuristic_policy.choose_rare(t, w, seat, out)
    n = legal.list_choices(t, seat, out)
    return int(out[0]) if n == 1 else choose_rated(t, m, seat, rater, out[:n])


@kernel
def play_out_by_policy_net(t: RoundState, m: Int64s, rater: Rater, w: Float64s, out: Int64s, limit: int) -> None:
    """Play a round to its end by the policy net; see ``choose_by_policy_net``."""
    plies = 0
    while t.phase != phases.OVER and plies < limit:
        opponent_memory.update_hand_sizes(t, m)
        action = choose_by_policy_net(t, m, rater, w, out)
        opponent_memory.record_action(t, m, t.turn & 15, action)
        turn.apply(t, t.turn & 15, action)
        plies += 1

"""The prior net: a network that rates the choices of a search, with the inputs of ``policy_net`` and more units.

It runs once for every choice, while the policy net runs at every move of a round, so it may be twenty times as large.
It has two layers of rectified units; ``lastcard.training`` trains it.
"""

from typing import Final

from lastcard.ai import dense_layer, policy_features, policy_net
from lastcard.ai.policy_net import Rater
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Float32s, Int64s
from lastcard.rules.round_state import RoundState

HIDDEN_UNITS: Final = 256
SECOND_UNITS: Final = 64
_BIASES: Final = policy_net.INPUTS * HIDDEN_UNITS
_SECOND: Final = _BIASES + HIDDEN_UNITS
_BIASES_TWO: Final = _SECOND + HIDDEN_UNITS * SECOND_UNITS
_LAST: Final = _BIASES_TWO + SECOND_UNITS
PARAMETERS: Final = _LAST + SECOND_UNITS
SCRATCH: Final = policy_net.INPUTS + 2 * HIDDEN_UNITS + SECOND_UNITS + policy_features.UNSEEN


@kernel
def rate(base: Float32s, action_inputs: Float32s, net: Float32s, units: Float32s, second: Float32s) -> float:
    """Returns the value of one action; ``base`` is the part of the state in the first units."""
    dense_layer.set_units(units, base, HIDDEN_UNITS)
    weights = net[policy_features.STATE * HIDDEN_UNITS :]
    dense_layer.add_inputs(action_inputs, policy_features.ACTION, HIDDEN_UNITS, weights, units)
    for j in range(HIDDEN_UNITS):
        units[j] = max(units[j], 0.0)
    dense_layer.set_units(second, net[_BIASES_TWO:], SECOND_UNITS)
    dense_layer.add_inputs(units, HIDDEN_UNITS, SECOND_UNITS, net[_SECOND:], second)
    value = 0.0
    for j in range(SECOND_UNITS):
        value += max(second[j], 0.0) * net[_LAST + j]
    return value


@kernel
def rate_all(t: RoundState, m: Int64s, seat: int, rater: Rater, actions: Int64s) -> None:
    """Write the values of several actions for a seat, as ``policy_net.rate_all``.

    Args:
        rater: network with float32[PARAMETERS], layer after layer, weights by input, then biases except in the last
            layer; and scratch float32[SCRATCH].
    """
    net = rater.net
    x = rater.x
    action_inputs = x[policy_features.STATE : policy_net.INPUTS]
    base = x[policy_net.INPUTS : policy_net.INPUTS + HIDDEN_UNITS]
    units = x[policy_net.INPUTS + HIDDEN_UNITS : policy_net.INPUTS + 2 * HIDDEN_UNITS]
    second = x[policy_net.INPUTS + 2 * HIDDEN_UNITS : policy_net.INPUTS + 2 * HIDDEN_UNITS + SECOND_UNITS]
    unseen = x[policy_net.INPUTS + 2 * HIDDEN_UNITS + SECOND_UNITS :]
    policy_features.read_state(t, m, seat, x)
    policy_features.count_unseen(t, seat, rater.deck, unseen)
    dense_layer.set_units(base, net[_BIASES:], HIDDEN_UNITS)
    dense_layer.add_inputs(x, policy_features.STATE, HIDDEN_UNITS, net, base)
    for i in range(actions.size):
        policy_features.read_action(t, m, seat, int(actions[i]), unseen, action_inputs)
        rater.values[i] = rate(base, action_inputs, net, units, second)

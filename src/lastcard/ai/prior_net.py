"""The prior net: a network that rates the choices of a search, with the inputs of ``policy_net`` and more units.

It runs once for every choice, while the policy net runs at every move of a round, so it may be twenty times as large.
It has two layers of rectified units; ``lastcard.training`` trains it.
"""

from typing import Final

from lastcard.ai import policy_features, policy_net
from lastcard.ai.policy_net import Rater
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Float32s, Int64s
from lastcard.rules.round_state import RoundState

WIDTH: Final = 256
WIDTH_TWO: Final = 64
_BIASES: Final = policy_net.INPUTS * WIDTH
_SECOND: Final = _BIASES + WIDTH
_BIASES_TWO: Final = _SECOND + WIDTH * WIDTH_TWO
_LAST: Final = _BIASES_TWO + WIDTH_TWO
PARAMETERS: Final = _LAST + WIDTH_TWO
SCRATCH: Final = policy_net.INPUTS + 2 * WIDTH + WIDTH_TWO + policy_features.UNSEEN


@kernel
def rate(base: Float32s, action_inputs: Float32s, net: Float32s, units: Float32s, second: Float32s) -> float:
    """Returns the value of one action; ``base`` is the part of the state in the first units."""
    for j in range(WIDTH):
        units[j] = base[j]
    policy_net.add_inputs(action_inputs, policy_features.ACTION, WIDTH, net[policy_features.STATE * WIDTH :], units)
    for j in range(WIDTH):
        units[j] = max(units[j], 0.0)
    for j in range(WIDTH_TWO):
        second[j] = net[_BIASES_TWO + j]
    policy_net.add_inputs(units, WIDTH, WIDTH_TWO, net[_SECOND:], second)
    value = 0.0
    for j in range(WIDTH_TWO):
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
    base = x[policy_net.INPUTS : policy_net.INPUTS + WIDTH]
    units = x[policy_net.INPUTS + WIDTH : policy_net.INPUTS + 2 * WIDTH]
    second = x[policy_net.INPUTS + 2 * WIDTH : policy_net.INPUTS + 2 * WIDTH + WIDTH_TWO]
    unseen = x[policy_net.INPUTS + 2 * WIDTH + WIDTH_TWO :]
    policy_features.read_state(t, m, seat, x)
    policy_features.count_unseen(t, seat, rater.deck, unseen)
    for j in range(WIDTH):
        base[j] = net[_BIASES + j]
    policy_net.add_inputs(x, policy_features.STATE, WIDTH, net, base)
    for i in range(actions.size):
        policy_features.read_action(t, m, seat, int(actions[i]), unseen, action_inputs)
        rater.values[i] = rate(base, action_inputs, net, units, second)

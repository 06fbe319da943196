"""A network that rates the choices of a search before it begins: what ``actor`` reads, and more units.

It is asked once for every choice, where the actor is asked at every act of a whole round, so it may be twenty times as
large. Two layers of rectified units; ``learning`` trains it.
"""

from typing import Final

from lastcard.ai import actor, sight
from lastcard.ai.actor import Rater
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Float32s, Int64s
from lastcard.rules.table import Table

WIDTH: Final = 256
WIDTH_TWO: Final = 64
_BIASES: Final = actor.INPUTS * WIDTH
_SECOND: Final = _BIASES + WIDTH
_BIASES_TWO: Final = _SECOND + WIDTH * WIDTH_TWO
_LAST: Final = _BIASES_TWO + WIDTH_TWO
PARAMETERS: Final = _LAST + WIDTH_TWO
ROOM: Final = actor.INPUTS + 2 * WIDTH + WIDTH_TWO + sight.UNSEEN


@kernel
def advise(base: Float32s, act: Float32s, net: Float32s, units: Float32s, second: Float32s) -> float:
    """The worth of one act, given what the decision adds to the first units."""
    for j in range(WIDTH):
        units[j] = base[j]
    actor.add_inputs(act, sight.ACT, WIDTH, net[sight.STATE * WIDTH :], units)
    for j in range(WIDTH):
        units[j] = max(units[j], 0.0)
    for j in range(WIDTH_TWO):
        second[j] = net[_BIASES_TWO + j]
    actor.add_inputs(units, WIDTH, WIDTH_TWO, net[_SECOND:], second)
    worth = 0.0
    for j in range(WIDTH_TWO):
        worth += max(second[j], 0.0) * net[_LAST + j]
    return worth


@kernel
def advise_all(t: Table, m: Int64s, seat: int, rater: Rater, actions: Int64s) -> None:
    """What each of several acts is worth to a seat, as ``actor.rate_all``.

    Args:
        rater: with float32[PARAMETERS], layer after layer, weights by input, then biases, of which the last layer has
            none; and float32[ROOM].
    """
    net = rater.net
    x = rater.x
    act = x[sight.STATE : actor.INPUTS]
    base = x[actor.INPUTS : actor.INPUTS + WIDTH]
    units = x[actor.INPUTS + WIDTH : actor.INPUTS + 2 * WIDTH]
    second = x[actor.INPUTS + 2 * WIDTH : actor.INPUTS + 2 * WIDTH + WIDTH_TWO]
    unseen = x[actor.INPUTS + 2 * WIDTH + WIDTH_TWO :]
    sight.read_state(t, m, seat, x)
    sight.count_unseen(t, seat, rater.deck, unseen)
    for j in range(WIDTH):
        base[j] = net[_BIASES + j]
    actor.add_inputs(x, sight.STATE, WIDTH, net, base)
    for i in range(actions.size):
        sight.read_act(t, m, seat, int(actions[i]), unseen, act)
        rater.worth[i] = advise(base, act, net, units, second)

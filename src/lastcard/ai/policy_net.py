"""A learned player: a small network that says which act is worth more than another.

It sees what one player sees (``sight``) and keeps in mind (``memory``). One layer of rectified units; what a decision
adds to them is the same for all its acts and computed once. ``learning`` trains it.
"""

from typing import Any, Final, NamedTuple

from lastcard.ai import heuristic_policy, opponent_memory, policy_features
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Float32s, Float64s, Int64s
from lastcard.rules import legal, phases, turn
from lastcard.rules.round_state import RoundState

HIDDEN_UNITS: Final = 64
INPUTS: Final = policy_features.STATE + policy_features.ACTION
PARAMETERS: Final = INPUTS * HIDDEN_UNITS + 2 * HIDDEN_UNITS
SCRATCH: Final = INPUTS + 2 * HIDDEN_UNITS + policy_features.UNSEEN


class Rater(NamedTuple):
    """A network that says what acts are worth, and what it reads and writes."""

    net: Float32s
    """float32[PARAMETERS]: weights by input, biases, weights of the units; see ``adviser`` for one with two layers."""
    deck: Int64s
    """int64[CARD_SLOTS], the cards of the game."""
    x: Float32s
    """float32[ROOM], scratch."""
    values: Float64s
    """float64, one for each act, written: shares of rounds won, of which only the differences count."""


@kernel
def is_trained_for(t: RoundState) -> bool:
    """Whether the network was taught this decision; the others are rare and easy (``policy``)."""
    return (
        t.phase == phases.PLAY
        or t.phase == phases.DRAWN
        or t.phase == phases.CHALLENGE
        or t.phase == phases.STACK
        or t.phase == phases.COLOR
    )


@inlined
def add_inputs(x: Float32s, size: int, width: int, net: Float32s, to: Any) -> None:
    """Add what inputs give to so many units."""
    for i in range(size):
        value = x[i]
        if value != 0.0:
            row = net[i * width : (i + 1) * width]
            for j in range(width):
                to[j] += value * row[j]


@kernel
def rate(base: Float32s, units: Float32s, action_inputs: Float32s, net: Float32s) -> float:
    """The worth of one act, given what the decision adds to the units."""
    for j in range(HIDDEN_UNITS):
        units[j] = base[j]
    add_inputs(action_inputs, policy_features.ACTION, HIDDEN_UNITS, net[policy_features.STATE * HIDDEN_UNITS :], units)
    last = net[INPUTS * HIDDEN_UNITS + HIDDEN_UNITS :]
    for j in range(HIDDEN_UNITS):
        units[j] = max(units[j], 0.0) * last[j]
    half = HIDDEN_UNITS // 2
    while half > 0:  # in halves, so that the compiler may add several at once
        for j in range(half):
            units[j] += units[j + half]
        half //= 2
    return units[0]


@kernel
def rate_all(t: RoundState, m: Int64s, seat: int, rater: Rater, actions: Int64s) -> None:
    """What each of several acts is worth to a seat.

    Args:
        m: a memory to which ``update_hand_sizes`` has shown the table.
        rater: the learned player.
        actions: int64, the acts.
    """
    net = rater.net
    x = rater.x
    action_inputs = x[policy_features.STATE : INPUTS]
    base = x[INPUTS : INPUTS + HIDDEN_UNITS]
    units = x[INPUTS + HIDDEN_UNITS : INPUTS + 2 * HIDDEN_UNITS]
    unseen = x[INPUTS + 2 * HIDDEN_UNITS :]
    policy_features.read_state(t, m, seat, x)
    policy_features.count_unseen(t, seat, rater.deck, unseen)
    biases = net[INPUTS * HIDDEN_UNITS :]
    for j in range(HIDDEN_UNITS):
        base[j] = biases[j]
    add_inputs(x, policy_features.STATE, HIDDEN_UNITS, net, base)
    for i in range(actions.size):
        policy_features.read_action(t, m, seat, int(actions[i]), unseen, action_inputs)
        rater.values[i] = rate(base, units, action_inputs, net)


@kernel
def choose_rated(t: RoundState, m: Int64s, seat: int, rater: Rater, actions: Int64s) -> int:
    """That of several acts which is worth most to a seat; see ``rate_all``."""
    rate_all(t, m, seat, rater, actions)
    best = 0
    for i in range(1, actions.size):
        if rater.values[i] > rater.values[best]:
            best = i
    return int(actions[best])


@kernel
def choose_by_policy_net(t: RoundState, m: Int64s, rater: Rater, w: Float64s, out: Int64s) -> int:
    """The act of the seat the table waits for, calls aside.

    Args:
        m: a memory to which ``update_hand_sizes`` has shown the table.
        rater: the learned player; its worth is float64[MAX_ACTIONS].
        w: weights of the rules of thumb, for decisions the network was not taught.
        out: int64[MAX_ACTIONS], scratch.
    """
    seat = t.turn & 15
    if not is_trained_for(t):
        return heuristic_policy.choose_rare(t, w, seat, out)
    n = legal.list_choices(t, seat, out)
    return int(out[0]) if n == 1 else choose_rated(t, m, seat, rater, out[:n])


@kernel
def play_out_by_policy_net(t: RoundState, m: Int64s, rater: Rater, w: Float64s, out: Int64s, limit: int) -> None:
    """Play a round to its end as the learned player does; see ``choose_by_policy_net``."""
    plies = 0
    while t.phase != phases.OVER and plies < limit:
        opponent_memory.update_hand_sizes(t, m)
        action = choose_by_policy_net(t, m, rater, w, out)
        opponent_memory.record_action(t, m, t.turn & 15, action)
        turn.apply(t, t.turn & 15, action)
        plies += 1

"""Decisions for training: states of play, and how often each move won from there with the same luck."""

from typing import Final, NamedTuple

from lastcard.ai import heuristic_policy, opponent_memory, policy_features, policy_net
from lastcard.ai.policy_net import Rater
from lastcard.kernel.jit import export_nogil, inlined, kernel
from lastcard.kernel.records import Float32s, Float32s2, Float64s, Int32s, Int64s, Int64s3
from lastcard.rules import chance, layout, legal, opening, phases, random_policy, turn
from lastcard.rules.round_state import RoundState, RoundStates
from lastcard.training.compiled import position_data

_EXPLORE_PER_65536: Final = 4096
"""Random moves per 65,536 moves."""
_BASE_PLIES: Final = 100
_PLIES_PER_SEAT: Final = 30
_SAMPLE_EVERY: Final = 5
"""One of this many decisions is taken, because those of one round resemble each other."""


class RolloutSetup(NamedTuple):
    """Data for the rollouts of a decision."""

    states: RoundStates
    """Two tables; play is at table 0."""
    memories: Int64s3
    """int64[2, MAX_SEATS, MEMORY_COLUMNS]."""
    rater: Rater
    """The policy net by which all play; without parameters all play by rules of thumb."""
    w: Float64s
    """The weights of the rules of thumb."""
    choices: Int64s
    """Scratch: MAX_ACTIONS int64."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64 and a Dice."""
    repeats: int
    """Number of rollouts of each move."""


class Decisions(NamedTuple):
    """Decisions, and the outcomes of their moves."""

    xs: Float32s2
    """float32[n, STATE], written."""
    action_inputs: Float32s2
    """float32[rows, ACTION], written: the moves of all decisions, one after another."""
    ends: Int64s
    """int64[n], written: the row behind the last move of each decision."""
    ys: Float32s
    """float32[rows], written: the share of rounds won."""


@inlined
def max_plies(t: RoundState) -> int:
    """Number of moves after which nobody wins a round, so that waiting does not win."""
    return _BASE_PLIES + _PLIES_PER_SEAT * t.players


@kernel
def roll_out_actions(p: RolloutSetup, seat: int, actions: Int64s, seed: int, ys: Float32s) -> None:
    """Write the share of rounds a seat wins after each move, all with the same luck; see ``fill_decisions``."""
    dice = p.out[-layout.DICE :]
    scratch = p.out[: -layout.DICE]
    for a in range(ys.size):
        ys[a] = 0.0
    for r in range(p.repeats):
        for a in range(ys.size):
            chance.seed_dice(dice, seed, r)
            p.states[1] = p.states[0]
            u = p.states[1]
            chance.reseed_chance(u, dice)
            if p.rater.net.size > 0:
                opponent_memory.copy_memory(p.memories[0], p.memories[1])
                opponent_memory.record_action(u, p.memories[1], seat, int(actions[a]))
                turn.apply(u, seat, int(actions[a]))
                policy_net.play_out_by_policy_net(u, p.memories[1], p.rater, p.w, scratch, max_plies(u))
            else:
                turn.apply(u, seat, int(actions[a]))
                heuristic_policy.play_out_by_heuristic(u, p.w, scratch, heuristic_policy.MAX_PLIES)
            if u.phase == phases.OVER and u.winner == seat:
                ys[a] += 1.0 / p.repeats


@kernel
def choose_exploring(p: RolloutSetup, dice: Int64s) -> int:
    """The move of the seat on turn as all play (see ``fill_decisions``), sometimes a random one to explore."""
    t = p.states[0]
    out = p.out[: -layout.DICE]
    if p.rater.net.size == 0:
        return position_data.choose_heuristic_exploring(t, p.w, _EXPLORE_PER_65536, dice, out)
    if chance.roll_below(dice, 65536) < _EXPLORE_PER_65536:
        return random_policy.choose_random(t, dice, out)
    return policy_net.choose_by_policy_net(t, p.memories[0], p.rater, p.w, out)


@kernel
def read_decision(p: RolloutSetup, seat: int, choices: Int64s, xs: Float32s, action_inputs: Float32s) -> None:
    """Write the network's inputs for a decision and for each choice in it."""
    t = p.states[0]
    m = p.memories[0]
    unseen = p.rater.x[-policy_features.UNSEEN :]
    policy_features.read_state(t, m, seat, xs)
    policy_features.count_unseen(t, seat, p.rater.deck, unseen)
    for a in range(choices.size):
        policy_features.read_action(t, m, seat, int(choices[a]), unseen, action_inputs[a])


@export_nogil
def fill_decisions(p: RolloutSetup, first: int, dice: Int64s, decisions: Decisions) -> int:
    """Fill a batch of decisions with the outcomes of every move.

    Hidden cards stay as they are: over many decisions they average to the player's expectation.

    Args:
        p: setup whose first table has the rules, the deck and the seed.

    Returns:
        Number of decisions written: n, or fewer if the rows did not suffice.
    """
    t = p.states[0]
    m = p.memories[0]
    xs, action_inputs, ends, ys = decisions
    number = first
    n = 0
    row = 0
    while n < ends.size:
        opening.deal(t, number % t.players, number, 0)
        number += 1
        opponent_memory.reset(m)
        plies = 0
        while t.phase != phases.OVER and plies < heuristic_policy.MAX_PLIES:
            plies += 1
            opponent_memory.update_hand_sizes(t, m)
            seat = t.turn & 15
            k = (
                legal.list_choices(t, seat, p.choices)
                if policy_net.is_trained_for(t) and chance.roll_below(dice, _SAMPLE_EVERY) == 0
                else 0
            )
            if k > 1:
                if n == ends.size or row + k > ys.size:
                    return n
                read_decision(p, seat, p.choices[:k], xs[n], action_inputs[row : row + k])
                roll_out_actions(p, seat, p.choices, chance.roll_below(dice, 1 << 30), ys[row : row + k])
                row += k
                ends[n] = row
                n += 1
            action = choose_exploring(p, dice)
            opponent_memory.record_action(t, m, seat, action)
            turn.apply(t, seat, action)
    return n


@export_nogil
def fill_decision(
    p: RolloutSetup, history: Int32s, seed: int, xs: Float32s, action_inputs: Float32s2, ys: Float32s
) -> int:
    """Look at one decision as ``fill_decisions`` does.

    Args:
        p: setup whose first table is at the decision, with all hands; its memory is zeros.
        history: int32, the redacted event log of the deciding seat.
        xs: float32[STATE], written.
        action_inputs: float32[most, ACTION], written.
        ys: float32[most], written.

    Returns:
        Number of moves; 0 if the network is not trained on such a decision, or there are more than ``most``.
    """
    t = p.states[0]
    if not policy_net.is_trained_for(t):
        return 0
    opponent_memory.fill_memory(p.states, p.memories[0], history)
    seat = t.turn
    n = legal.list_choices(t, seat, p.choices)
    if n < 2 or n > ys.size:
        return 0
    read_decision(p, seat, p.choices[:n], xs, action_inputs)
    roll_out_actions(p, seat, p.choices, seed, ys[:n])
    return n

"""Positions for training: random states of random play, and how often each seat won from there."""

from typing import Final, NamedTuple

from lastcard.ai import heuristic_policy, value_net
from lastcard.kernel.jit import export_nogil, kernel
from lastcard.kernel.records import Float32s, Float32s2, Float64s, Int64s
from lastcard.rules import chance, layout, opening, phases, random_policy, turn
from lastcard.rules.round_state import RoundState, RoundStates

_EXPLORE_PER_65536: Final = 8192
"""Random moves per 65,536 moves."""


@kernel
def choose_heuristic_exploring(t: RoundState, w: Float64s, explore_per_65536: int, dice: Int64s, out: Int64s) -> int:
    """A move by rules of thumb for the seat on turn, or a random one at ``explore_per_65536``, to visit more states."""
    if chance.roll_below(dice, 65536) < explore_per_65536:
        return random_policy.choose_random(t, dice, out)
    return heuristic_policy.choose_by_heuristic(t, w, out)


class Positions(NamedTuple):
    """Positions with their outcomes, and how they are sampled."""

    xs: Float32s2
    """float32[n, FEATURES], written."""
    ys: Float32s
    """float32[n], written: the share of rounds that the seat won."""
    max_plies: int
    """Largest number of moves before a position is taken."""
    repeats: int
    """Number of rollouts from each position, each with new chance."""


@export_nogil
def fill_positions(states: RoundStates, first: int, w: Float64s, out: Int64s, positions: Positions) -> int:
    """Fill a batch of positions with their outcomes.

    Returns the number of the next round.

    Args:
        states: two tables; 0 has the rules, the deck and the seed.
        w: weights of the rules of thumb, by which all play.
        out: scratch: MAX_ACTIONS int64 and a Dice.
    """
    xs, ys, max_plies, repeats = positions
    dice = out[-layout.DICE :]
    scratch = out[: -layout.DICE]
    t = states[0]
    number = first
    n = 0
    while n < ys.size:
        opening.deal(t, number % t.players, number, 0)
        number += 1
        for _ in range(chance.roll_below(dice, max_plies)):
            if t.phase == phases.OVER:
                break
            turn.apply(t, t.turn & 15, choose_heuristic_exploring(t, w, _EXPLORE_PER_65536, dice, scratch))
        if t.phase == phases.OVER:
            continue
        seat = chance.roll_below(dice, t.players)
        if chance.roll_below(dice, 2) == 0:
            seat = t.turn
        value_net.read_features(t, seat, xs[n])
        won = 0
        for _ in range(repeats):
            states[1] = states[0]
            u = states[1]
            chance.reseed_chance(u, dice)
            heuristic_policy.play_out_by_heuristic(u, w, scratch, heuristic_policy.MAX_PLIES)
            if u.phase == phases.OVER and u.winner == seat:
                won += 1
        ys[n] = won / repeats
        n += 1
    return number

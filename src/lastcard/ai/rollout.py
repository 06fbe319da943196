"""Rollouts: plays rounds to their end from many states by heuristics.

All jobs use the same random numbers, so that chance does not add to the difference between two of them.
"""

from typing import Final, NamedTuple

from lastcard.ai import heuristic_policy
from lastcard.game import action_codes
from lastcard.kernel.jit import export, export_nogil
from lastcard.kernel.records import Float64s, Int8s2, Int64s, Int64s2
from lastcard.rules import chance, layout, legal, opening, phases, turn
from lastcard.rules.round_state import RoundStates

DEAL_AGAIN: Final = -2
"""Action of a job that deals its round again."""

_CALL: Final = 1 << action_codes.UNO_SHIFT


class RolloutScratch(NamedTuple):
    """Scratch arrays of one thread for rollouts."""

    states: RoundStates
    """One state."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64 and a Dice."""


class JobRange(NamedTuple):
    """A part of the jobs, from ``first`` to ``last``, and the seed that all of them share."""

    first: int
    last: int
    seed: int


@export_nogil
def run_rollouts(
    states: RoundStates, jobs: Int64s2, winners: Int8s2, w: Float64s, scratch: RolloutScratch, job_range: JobRange
) -> None:
    """Play a part of the jobs, each ``winners.shape[1]`` times.

    Args:
        states: states with every card.
        jobs: int64[n, 3]: index of a state, seat, and its action, or NOTHING or DEAL_AGAIN.
        winners: int8[n, rollouts], written: the winner, -1 for none.
        w: weights of the heuristics of all players.
        job_range: part of the jobs.
    """
    dice = scratch.out[-layout.DICE :]
    actions = scratch.out[: -layout.DICE]
    t = scratch.states[0]
    for job in range(job_range.first, job_range.last):
        for number in range(winners.shape[1]):
            scratch.states[0] = states[jobs[job, 0]]
            chance.seed_dice(dice, job_range.seed, number)
            chance.reseed_chance(t, dice)
            action = jobs[job, 2]
            if action == DEAL_AGAIN:
                opening.deal(t, t.dealer, t.number, 0)
            elif action != layout.NOTHING:
                turn.apply(t, jobs[job, 1], action)
            heuristic_policy.play_out_by_heuristic(t, w, actions, heuristic_policy.MAX_PLIES)
            winners[job, number] = t.winner if t.phase == phases.OVER else -1


@export_nogil
def play_plies(states: RoundStates, i: int, plies: int, w: Float64s, out: Int64s) -> None:
    """Play at most ``plies`` plies in state ``i`` by heuristics, with its own chance."""
    heuristic_policy.play_out_by_heuristic(states[i], w, out, plies)


@export
def heuristic_action(states: RoundStates, i: int, w: Float64s, out: Int64s) -> int:
    """Returns the heuristic action of the seat on turn in state ``i``."""
    return heuristic_policy.heuristic_action(states[i], w, out)


@export
def canonical_action(states: RoundStates, i: int, seat: int, action: int) -> int:
    """Returns an action in state ``i`` without a call, and without a color or target that has no effect (LC-6)."""
    return legal.canonical(states[i], seat, action & ~_CALL)

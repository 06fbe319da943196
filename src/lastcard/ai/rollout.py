"""Chances: how rounds go on from many moments if everybody plays by rules of thumb.

All moments meet the same chance, so that what differs between two of them is not drawn twice.
"""

from typing import Final, NamedTuple

from lastcard.ai import heuristic_policy
from lastcard.game import action_codes
from lastcard.kernel.jit import export, export_nogil
from lastcard.kernel.records import Float64s, Int8s2, Int64s, Int64s2
from lastcard.rules import chance, layout, legal, opening, phases, turn
from lastcard.rules.round_state import RoundStates

DEAL_AGAIN: Final = -2
"""The act of a job that deals the round of its moment anew."""

_CALL: Final = 1 << action_codes.UNO_SHIFT


class RolloutScratch(NamedTuple):
    """Room for one thread to play rollouts in."""

    states: RoundStates
    """One table."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64 and a Dice."""


class JobRange(NamedTuple):
    """A part of the jobs, from ``first`` to ``last``, and the chance that all of them have in common."""

    first: int
    last: int
    seed: int


@export_nogil
def run_rollouts(
    states: RoundStates, jobs: Int64s2, winners: Int8s2, w: Float64s, scratch: RolloutScratch, job_range: JobRange
) -> None:
    """Play a part of the jobs, each as often as ``winners`` is wide.

    Args:
        states: the moments, with every card.
        jobs: int64[n, 3]: a moment, a seat and what it does there, or NOTHING or DEAL.
        winners: int8[n, rollouts], written: who won, -1 for nobody.
        w: weights by which all play on.
        job_range: of the jobs.
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
    """Play at most so many plies at table ``i`` by rules of thumb, with the chance it has."""
    heuristic_policy.play_out_by_heuristic(states[i], w, out, plies)


@export
def heuristic_action(states: RoundStates, i: int, w: Float64s, out: Int64s) -> int:
    """What the seat on turn at table ``i`` does by rules of thumb."""
    return heuristic_policy.heuristic_action(states[i], w, out)


@export
def canonical_action(states: RoundStates, i: int, seat: int, action: int) -> int:
    """An act at table ``i`` without a call, and without a color or target that binds nobody (LC-6)."""
    return legal.canonical(states[i], seat, action & ~_CALL)

"""Chances: how rounds go on from many moments if everybody plays by rules of thumb.

All moments meet the same chance, so that what differs between two of them is not drawn twice.
"""

from typing import Final, NamedTuple

from lastcard.ai import policy
from lastcard.game import act
from lastcard.kernel.jit import door, long_door
from lastcard.kernel.records import Float64s, Int8s2, Int64s, Int64s2
from lastcard.rules import chance, layout, legal, opening, phase, turn
from lastcard.rules.table import Tables

DEAL: Final = -2
"""The act of a job that deals the round of its moment anew."""

_CALL: Final = 1 << act.UNO_SHIFT


class Bench(NamedTuple):
    """Room for one thread to play rollouts in."""

    room: Tables
    """One table."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64 and a Dice."""


class Part(NamedTuple):
    """A part of the jobs, from ``first`` to ``last``, and the chance that all of them have in common."""

    first: int
    last: int
    seed: int


@long_door
def play_on(tables: Tables, jobs: Int64s2, winners: Int8s2, w: Float64s, bench: Bench, part: Part) -> None:
    """Play a part of the jobs, each as often as ``winners`` is wide.

    Args:
        tables: the moments, with every card.
        jobs: int64[n, 3]: a moment, a seat and what it does there, or NOTHING or DEAL.
        winners: int8[n, rollouts], written: who won, -1 for nobody.
        w: weights by which all play on.
        part: of the jobs.
    """
    dice = bench.out[-layout.DICE :]
    scratch = bench.out[: -layout.DICE]
    t = bench.room[0]
    for job in range(part.first, part.last):
        for number in range(winners.shape[1]):
            bench.room[0] = tables[jobs[job, 0]]
            chance.throw_dice(dice, part.seed, number)
            chance.renew_chance(t, dice)
            action = jobs[job, 2]
            if action == DEAL:
                opening.deal(t, t.dealer, t.number, 0)
            elif action != layout.NOTHING:
                turn.apply(t, jobs[job, 1], action)
            policy.play_out_by_thumb(t, w, scratch, policy.LONGEST)
            winners[job, number] = t.winner if t.phase == phase.OVER else -1


@long_door
def play_some(tables: Tables, i: int, plies: int, w: Float64s, out: Int64s) -> None:
    """Play at most so many plies at table ``i`` by rules of thumb, with the chance it has."""
    policy.play_out_by_thumb(tables[i], w, out, plies)


@door
def usual_act(tables: Tables, i: int, w: Float64s, out: Int64s) -> int:
    """What the seat on turn at table ``i`` does by rules of thumb."""
    return policy.usual_act(tables[i], w, out)


@door
def plain_act(tables: Tables, i: int, seat: int, action: int) -> int:
    """An act at table ``i`` without a call, and without a color or target that binds nobody (LC-6)."""
    return legal.canonical(tables[i], seat, action & ~_CALL)

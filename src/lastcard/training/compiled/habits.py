"""Habits counted: how much each kind of act loses, as a learned player rates it, by what the hands amount to."""

from typing import Final

from lastcard.ai import actor, habits, policy
from lastcard.kernel.jit import kernel, long_door
from lastcard.kernel.records import Float64s2, Int64s
from lastcard.rules import legal, phase
from lastcard.training.compiled.drills import longest
from lastcard.training.compiled.selfplay import Play, do, list_open, start

_NONE: Final = -1e9


@kernel
def _count(p: Play, k: int, lost: Float64s2, met: Int64s) -> int:
    """Add what the acts of a decision lose against the best one; returns that."""
    t = p.tables[0]
    seat = t.turn & 15
    actor.rate_all(t, p.m, seat, p.learner, p.choices[:k])
    worth = p.learner.worth
    best = 0
    for i in range(1, k):
        if worth[i] > worth[best]:
            best = i
    if t.phase == phase.PLAY or t.phase == phase.DRAWN:
        row = habits.find_row(t, seat)
        for column in range(habits.COLUMNS):
            most = _NONE
            for i in range(k):
                if habits.column_of(int(p.choices[i])) == column:
                    most = max(most, worth[i])
            if most > _NONE:
                lost[row, column] += worth[best] - most
                met[row * habits.COLUMNS + column] += 1
    return int(p.choices[best])


@long_door
def count_habits(p: Play, rounds: int, lost: Float64s2, met: Int64s) -> None:
    """Play rounds at a table of two, and count what acts lose.

    In every other round one of the two plays by rules of thumb. Nobody draws for choice on two turns in succession or
    late in a round, as at real tables.

    Args:
        p: its learner plays, what it thinks best; its table has the rules, the deck and the seed.
        rounds: how many.
        lost: float64[ROWS, COLUMNS], added to: by how much each act was rated below the best one.
        met: int64[ROWS * COLUMNS], added to: how often.
    """
    t = p.tables[0]
    for number in range(rounds):
        start(p, number)
        thumb = number % 4  # 2 and 3 are nobody
        plies = 0
        while t.phase != phase.OVER and plies < longest(t):
            plies += 1
            seat = t.turn & 15
            k = list_open(p, seat)
            if k == 0:
                action = policy.choose_rarely(t, p.w, seat, p.out)
            elif seat == thumb:
                action = policy.choose_by_thumb(t, p.w, p.out)
            elif k == 1:
                action = int(p.choices[0])
            else:
                action = _count(p, k, lost, met)
            do(t, p.m, p.waits, seat, legal.canonical(t, seat, action))

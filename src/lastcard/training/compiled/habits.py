"""Counting habits: the loss of each kind of move in a situation, as the policy net rates it."""

from typing import Final

from lastcard.ai import habits, heuristic_policy, policy_net
from lastcard.kernel.jit import export_nogil, kernel
from lastcard.kernel.records import Float64s2, Int64s
from lastcard.rules import legal, phases
from lastcard.training.compiled.rollout_targets import max_plies
from lastcard.training.compiled.selfplay import SelfPlay, apply_action, list_taught_choices, start_round

_NONE: Final = -1e9


@kernel
def _count_decision(p: SelfPlay, k: int, lost: Float64s2, counts: Int64s) -> int:
    """Add the losses of a decision's moves against the best one; returns the best."""
    t = p.states[0]
    seat = t.turn & 15
    policy_net.rate_all(t, p.opponent_memory, seat, p.learner, p.choices[:k])
    worth = p.learner.values
    best = 0
    for i in range(1, k):
        if worth[i] > worth[best]:
            best = i
    if t.phase == phases.PLAY or t.phase == phases.DRAWN:
        row = habits.find_row(t, seat)
        for column in range(habits.COLUMNS):
            most = _NONE
            for i in range(k):
                if habits.column_of(int(p.choices[i])) == column:
                    most = max(most, worth[i])
            if most > _NONE:
                lost[row, column] += worth[best] - most
                counts[row * habits.COLUMNS + column] += 1
    return int(p.choices[best])


@export_nogil
def count_habits(p: SelfPlay, rounds: int, lost: Float64s2, counts: Int64s) -> None:
    """Play rounds of two players, and add up the loss of each move.

    In every other round one of the two plays by rules of thumb. As at real tables, nobody draws voluntarily on two
    turns in succession or late in a round.

    Args:
        p: setup whose learner plays its best-rated moves; its table has the rules, the deck and the seed.
        lost: float64[ROWS, COLUMNS], added to: loss of each move against the best one.
        counts: int64[ROWS * COLUMNS], added to: number of ratings.
    """
    t = p.states[0]
    for number in range(rounds):
        start_round(p, number)
        heuristic_seat = number % 4  # 2 and 3: no seat plays by heuristics
        plies = 0
        while t.phase != phases.OVER and plies < max_plies(t):
            plies += 1
            seat = t.turn & 15
            k = list_taught_choices(p, seat)
            if k == 0:
                action = heuristic_policy.choose_rare(t, p.w, seat, p.out)
            elif seat == heuristic_seat:
                action = heuristic_policy.choose_by_heuristic(t, p.w, p.out)
            elif k == 1:
                action = int(p.choices[0])
            else:
                action = _count_decision(p, k, lost, counts)
            apply_action(t, p.opponent_memory, p.draw_history, seat, legal.canonical(t, seat, action))

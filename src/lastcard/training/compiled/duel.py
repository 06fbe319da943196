"""Two sets of weights of the rules of thumb against each other, on the same deals from every seat."""

from typing import Final

from lastcard.ai import heuristic_policy
from lastcard.kernel.jit import export_nogil
from lastcard.kernel.records import Float64s2, Int64s
from lastcard.rules import layout, opening, phases, random_policy, turn
from lastcard.rules.round_state import RoundStates

_MAX_PLIES: Final = 5000


@export_nogil
def play_duel(states: RoundStates, first: int, deals: int, weights: Float64s2, out: Int64s, wins: Int64s) -> None:
    """Play every deal once for each seat: the first plays that seat, the second all others.

    Args:
        states: one dealt table.
        weights: float64[2, weight_index.COUNT]: of the first and of the second; only of the first if the second plays
            *play-if-you-can*.
        out: scratch: MAX_ACTIONS int64 and a Dice.
        wins: int64[3], added to: wins of the first, of the second, of nobody.
    """
    t = states[0]
    dice = out[-layout.DICE :]
    scratch = out[: -layout.DICE]
    for number in range(first, first + deals):
        for seat in range(t.players):
            opening.deal(t, number % t.players, number, 0)
            plies = 0
            while t.phase != phases.OVER and plies < _MAX_PLIES:
                if t.turn == seat:
                    action = heuristic_policy.choose_by_heuristic(t, weights[0], scratch)
                elif weights.shape[0] == 1:
                    action = random_policy.choose_random(t, dice, scratch)
                else:
                    action = heuristic_policy.choose_by_heuristic(t, weights[1], scratch)
                turn.apply(t, t.turn & 15, action)
                plies += 1
            wins[2 if t.phase != phases.OVER or t.winner < 0 else 0 if t.winner == seat else 1] += 1

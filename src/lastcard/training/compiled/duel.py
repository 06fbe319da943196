"""Two sets of weights of the rules of thumb against each other, on the same deals from every seat."""

from typing import Final

from lastcard.ai import policy
from lastcard.kernel.jit import long_door
from lastcard.kernel.records import Float64s2, Int64s
from lastcard.rules import batch, layout, opening, phase, turn
from lastcard.rules.table import Tables

_LIMIT: Final = 5000


@long_door
def play_duel(tables: Tables, first: int, deals: int, weights: Float64s2, out: Int64s, wins: Int64s) -> None:
    """Play every deal once for each seat: the first plays that seat, the second all others.

    Args:
        tables: one table that has been dealt.
        first: number of the first deal.
        deals: how many.
        weights: float64[2, weight.COUNT]: of the first and of the second; of the first alone where the second plays
            *play-if-you-can*.
        out: scratch: MAX_ACTIONS int64 and a Dice.
        wins: int64[3], added to: won by the first, by the second, by nobody.
    """
    t = tables[0]
    dice = out[-layout.DICE :]
    scratch = out[: -layout.DICE]
    for number in range(first, first + deals):
        for seat in range(t.players):
            opening.deal(t, number % t.players, number, 0)
            plies = 0
            while t.phase != phase.OVER and plies < _LIMIT:
                if t.turn == seat:
                    act = policy.choose_by_thumb(t, weights[0], scratch)
                elif weights.shape[0] == 1:
                    act = batch.choose_if_you_can(t, dice, scratch)
                else:
                    act = policy.choose_by_thumb(t, weights[1], scratch)
                turn.apply(t, t.turn & 15, act)
                plies += 1
            wins[2 if t.phase != phase.OVER or t.winner < 0 else 0 if t.winner == seat else 1] += 1

"""Two sets of weights of the rules of thumb against each other, on the same deals from every seat."""

from __future__ import annotations

from typing import Final

from lastcard.engine import phase
from lastcard.engine.batch import choose_if_you_can
from lastcard.engine.jit import door
from lastcard.engine.opening import deal
from lastcard.engine.records import Float64s, Int64s, Records
from lastcard.engine.turn import apply
from lastcard.mind.policy import choose_by_thumb

_LIMIT: Final = 5000


@door
def play_duel(
    tables: Records,
    first: int,
    deals: int,
    one: Float64s,
    two: Float64s,
    two_is_random: int,
    dice: Int64s,
    out: Int64s,
    wins: Int64s,
) -> None:
    """Play every deal once for each seat: the first plays that seat, the second all others.

    Args:
        tables: one table that has been dealt.
        first: number of the first deal.
        deals: how many.
        one: weights of the first.
        two: weights of the second.
        two_is_random: 1 to let the second play *play-if-you-can* instead.
        dice: Dice.
        out: scratch for actions.
        wins: int64[3], added to: won by the first, by the second, by nobody.
    """
    t = tables[0]
    for number in range(first, first + deals):
        for seat in range(t.players):
            deal(t, number % t.players, number, 0)
            plies = 0
            while t.phase != phase.OVER and plies < _LIMIT:
                if t.turn == seat:
                    act = choose_by_thumb(t, one, out)
                elif two_is_random != 0:
                    act = choose_if_you_can(t, dice, out)
                else:
                    act = choose_by_thumb(t, two, out)
                apply(t, t.turn & 15, act)
                plies += 1
            wins[2 if t.phase != phase.OVER or t.winner < 0 else 0 if t.winner == seat else 1] += 1

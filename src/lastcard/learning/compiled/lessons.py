"""Positions to learn from: random moments of random play, and how often each seat won from there."""

from __future__ import annotations

from typing import Final, NamedTuple

from lastcard.engine import phase
from lastcard.engine.batch import choose_if_you_can
from lastcard.engine.chance import renew_chance, roll_below
from lastcard.engine.jit import door, kernel
from lastcard.engine.layout import DICE
from lastcard.engine.opening import deal
from lastcard.engine.records import Float32s, Float64s, Int64s, Records
from lastcard.engine.table import Table
from lastcard.engine.turn import apply
from lastcard.mind.network import read_features
from lastcard.mind.policy import LONGEST, choose_by_thumb, play_out_by_thumb

_WANDER: Final = 8192
"""Of 65,536 acts, how many are any act."""


@kernel
def choose_or_wander(t: Table, w: Float64s, often: int, dice: Int64s, out: Int64s) -> int:
    """The act of the seat on turn by rules of thumb; ``often`` of 65,536 times any act, to see what is unusual."""
    if roll_below(dice, 65536) < often:
        return choose_if_you_can(t, dice, out)
    return choose_by_thumb(t, w, out)


class Positions(NamedTuple):
    """Positions and what became of them, and how they are found."""

    xs: Float32s
    """float32[n, FEATURES], written."""
    ys: Float32s
    """float32[n], written: the share of rounds that seat won."""
    longest: int
    """Most acts before a position is taken."""
    repeats: int
    """How often each is played to its end, with a new chance each time."""


@door
def make_lessons(tables: Records, first: int, w: Float64s, out: Int64s, positions: Positions) -> int:
    """Fill a batch of positions with what became of them.

    Args:
        tables: two tables; 0 has the rules, the deck and the seed.
        first: number of the first round.
        w: weights of the rules of thumb, by which all play.
        out: scratch: MAX_ACTIONS int64 and a Dice.
        positions: written.

    Returns:
        The number of the next round.
    """
    xs, ys, longest, repeats = positions
    dice = out[-DICE:]
    scratch = out[:-DICE]
    t = tables[0]
    number = first
    n = 0
    while n < ys.size:
        deal(t, number % t.players, number, 0)
        number += 1
        for _ in range(roll_below(dice, longest)):
            if t.phase == phase.OVER:
                break
            apply(t, t.turn & 15, choose_or_wander(t, w, _WANDER, dice, scratch))
        if t.phase == phase.OVER:
            continue
        seat = roll_below(dice, t.players)
        if roll_below(dice, 2) == 0:
            seat = t.turn
        read_features(t, seat, xs[n])
        won = 0
        for _ in range(repeats):
            tables[1] = tables[0]
            u = tables[1]
            renew_chance(u, dice)
            play_out_by_thumb(u, w, scratch, LONGEST)
            if u.phase == phase.OVER and u.winner == seat:
                won += 1
        ys[n] = won / repeats
        n += 1
    return number

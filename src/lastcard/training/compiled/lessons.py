"""Positions to learn from: random moments of random play, and how often each seat won from there."""

from typing import Final, NamedTuple

from lastcard.ai import network, policy
from lastcard.kernel.jit import kernel, long_door
from lastcard.kernel.records import Float32s, Float32s2, Float64s, Int64s
from lastcard.rules import batch, chance, layout, opening, phase, turn
from lastcard.rules.table import Table, Tables

_WANDER: Final = 8192
"""Of 65,536 acts, how many are any act."""


@kernel
def choose_or_wander(t: Table, w: Float64s, often: int, dice: Int64s, out: Int64s) -> int:
    """The act of the seat on turn by rules of thumb; ``often`` of 65,536 times any act, to see what is unusual."""
    if chance.roll_below(dice, 65536) < often:
        return batch.choose_if_you_can(t, dice, out)
    return policy.choose_by_thumb(t, w, out)


class Positions(NamedTuple):
    """Positions and what became of them, and how they are found."""

    xs: Float32s2
    """float32[n, FEATURES], written."""
    ys: Float32s
    """float32[n], written: the share of rounds that seat won."""
    longest: int
    """Most acts before a position is taken."""
    repeats: int
    """How often each is played to its end, with a new chance each time."""


@long_door
def make_lessons(tables: Tables, first: int, w: Float64s, out: Int64s, positions: Positions) -> int:
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
    dice = out[-layout.DICE :]
    scratch = out[: -layout.DICE]
    t = tables[0]
    number = first
    n = 0
    while n < ys.size:
        opening.deal(t, number % t.players, number, 0)
        number += 1
        for _ in range(chance.roll_below(dice, longest)):
            if t.phase == phase.OVER:
                break
            turn.apply(t, t.turn & 15, choose_or_wander(t, w, _WANDER, dice, scratch))
        if t.phase == phase.OVER:
            continue
        seat = chance.roll_below(dice, t.players)
        if chance.roll_below(dice, 2) == 0:
            seat = t.turn
        network.read_features(t, seat, xs[n])
        won = 0
        for _ in range(repeats):
            tables[1] = tables[0]
            u = tables[1]
            chance.renew_chance(u, dice)
            policy.play_out_by_thumb(u, w, scratch, policy.LONGEST)
            if u.phase == phase.OVER and u.winner == seat:
                won += 1
        ys[n] = won / repeats
        n += 1
    return number

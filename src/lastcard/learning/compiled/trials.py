"""Habits of larger tables found by trying: Monte Carlo control, a player against itself and rules of thumb.

Source: R. S. Sutton, A. G. Barto, "Reinforcement Learning: An Introduction" (2018), section 5.4.
"""

from typing import Final, NamedTuple

from lastcard.engine import bits, chance, legal, opening, phase, reason, turn
from lastcard.engine.jit import kernel, long_door
from lastcard.engine.records import Float64s, Float64s2, Int64s, Int64s2
from lastcard.engine.table import Table, Tables
from lastcard.game import act, cards
from lastcard.learning.compiled.drills import longest
from lastcard.mind import habits, policy, worth

_GRAIN: Final = 1 << 20
_SLOWEST: Final = 1e-4
"""How far what an act is worth moves with each round at least, so that what came of earlier habits is forgotten."""


class Trials(NamedTuple):
    """What is tried, and what came of it."""

    tables: Tables
    """Tables that have been dealt, played at in turn."""
    w: Float64s
    """The weights of the rules of thumb."""
    worth: Float64s2
    """float64[ROWS, COLUMNS]: which share of rounds was won after an act; changed."""
    tried: Int64s2
    """int64[ROWS, COLUMNS]: how often it was done; added to."""
    done: Int64s2
    """int64[n, 3], scratch: the row, the column and the seat of each act of a round."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64."""
    dice: Int64s
    """Dice."""


@kernel
def _list_acts(t: Table, seat: int, free: bool, out: Int64s) -> int:
    """List what one can do on a turn or with a drawn card, naming nothing yet; drawing and keeping come last."""
    n = 0
    if t.phase == phase.DRAWN:
        if legal.why_not_card(t, seat, t.drawn, False) == reason.OK:
            out[n] = t.drawn
            n += 1
        if legal.why_not_pass(t, seat) == reason.OK:
            out[n] = act.PASS | act.BARE
            n += 1
        return n
    mask = t.wilds[seat & 15]
    while mask != 0:
        card = cards.WILDS_FROM + bits.lowest_bit(mask)
        mask &= mask - 1
        if legal.why_not_card(t, seat, card, False) == reason.OK:
            out[n] = card
            n += 1
    if (free or n == 0) and legal.why_not_draw(t, seat) == reason.OK:
        out[n] = act.DRAW | act.BARE
        n += 1
    return n


@kernel
def _choose(p: Trials, row: int, n: int, stray: int) -> int:
    """The number of the act that was worth most so far, or by chance any of them: ``stray`` times of ``_GRAIN``."""
    if chance.roll_below(p.dice, _GRAIN) < stray:
        return chance.roll_below(p.dice, n)
    best = 0
    for i in range(1, n):
        if p.worth[row, habits.column_of(int(p.out[i]))] > p.worth[row, habits.column_of(int(p.out[best]))]:
            best = i
    return best


@kernel
def _learn(p: Trials, n: int, winner: int) -> None:
    """Take in who won the round of which n acts stand in ``done``."""
    for i in range(n):
        row, column = p.done[i, 0], p.done[i, 1]
        p.tried[row, column] += 1
        won = 1.0 if p.done[i, 2] == winner else 0.0
        step = max(2.0 / (p.tried[row, column] + 1), _SLOWEST)
        p.worth[row, column] += step * (won - p.worth[row, column])


@kernel
def _play_round(p: Trials, t: Table, one: int, stray: int) -> int:
    """Play a round that has been dealt; returns how many acts stand in ``done``.

    Args:
        one: the seat that learns among rules of thumb; -1 where all learn.
    """
    n = turns = drew = plies = 0
    while t.phase != phase.OVER and plies < longest(t):
        plies += 1
        seat = t.turn & 15
        asked = t.phase
        if (one >= 0 and seat != one) or (asked != phase.PLAY and asked != phase.DRAWN):
            action = policy.choose_by_thumb(t, p.w, p.out)
        else:
            k = _list_acts(t, seat, habits.may_hold(t, seat, turns, drew), p.out)
            row = habits.find_row(t, seat)
            action = int(p.out[_choose(p, row, k, stray) if k > 1 else 0])
            if k > 1 and n < p.done.shape[0]:
                p.done[n, 0] = row
                p.done[n, 1] = habits.column_of(action)
                p.done[n, 2] = seat
                n += 1
            if action < cards.CARD_SLOTS:
                action |= worth.best_arg(t, seat, action) << 8
        if asked == phase.PLAY:
            turns += 1
            drew = (drew & ~(1 << seat)) | (1 << seat if action & 255 == act.DRAW else 0)
        turn.apply(t, seat, action)
    return n


@long_door
def try_habits(p: Trials, first: int, rounds: int, stray: float) -> None:
    """Play rounds, and learn from who wins them. In every second one a single seat plays among rules of thumb.

    Args:
        p: what is tried.
        first: the number of the first round.
        rounds: how many.
        stray: how often an act is chosen by chance, 0 to 1.
    """
    for number in range(first, first + rounds):
        t = p.tables[number % p.tables.shape[0]]
        opening.deal(t, number % t.players, number, 0)
        one = chance.roll_below(p.dice, 2 * t.players)
        n = _play_round(p, t, one if one < t.players else -1, int(stray * _GRAIN))
        if t.phase == phase.OVER:
            _learn(p, n, t.winner)

"""Decisions to learn from: moments of play, and how often each act won from there with the same luck."""

from __future__ import annotations

from typing import Final

from lastcard.engine import phase
from lastcard.engine.batch import choose_if_you_can
from lastcard.engine.chance import renew_chance, roll_below, throw_dice
from lastcard.engine.jit import door, kernel
from lastcard.engine.layout import DICE, MAX_ACTIONS
from lastcard.engine.legal import list_choices
from lastcard.engine.opening import deal
from lastcard.engine.records import Float32s, Float64s, Int32s, Int64s, Records
from lastcard.engine.table import Table
from lastcard.engine.turn import apply
from lastcard.learning.compiled.lessons import choose_or_wander
from lastcard.mind.actor import choose_by_actor, decides, play_out_by_actor
from lastcard.mind.memory import copy_memory, forget, notice, recollect_table, remember
from lastcard.mind.policy import LONGEST, play_out_by_thumb
from lastcard.mind.sight import UNSEEN, count_unseen, read_act, read_state

_WANDER: Final = 4096
"""Of 65,536 acts, how many are any act."""
_LONG: Final = 100
_LONG_SEAT: Final = 30
"""Acts, at any table and more for each seat, after which a round is won by nobody: who only waits shall not win."""
_RARE: Final = 5
"""One decision of so many is taken: those of one round are much alike."""


@kernel
def try_acts(
    tables: Records, minds: Int64s, seat: int, acts: Int64s, w: Float64s, net: Float32s, deck: Int64s, x: Float32s,
    worth: Float64s, seed: int,
    repeats: int, out: Int64s, ys: Float32s,
) -> None:  # fmt: skip
    """The share of rounds that a seat wins after each act, all played on with the same luck; see ``make_drills``."""
    chance = out[-DICE:]
    for a in range(ys.size):
        ys[a] = 0.0
    for r in range(repeats):
        for a in range(ys.size):
            throw_dice(chance, seed, r)
            tables[1] = tables[0]
            u = tables[1]
            renew_chance(u, chance)
            if net.size > 0:
                copy_memory(minds[0], minds[1])
                remember(u, minds[1], seat, int(acts[a]))
                apply(u, seat, int(acts[a]))
                play_out_by_actor(u, minds[1], w, net, deck, x, worth, out, _LONG + _LONG_SEAT * u.players)
            else:
                apply(u, seat, int(acts[a]))
                play_out_by_thumb(u, w, out, LONGEST)
            if u.phase == phase.OVER and u.winner == seat:
                ys[a] += 1.0 / repeats


@kernel
def choose_or_stray(
    t: Table,
    m: Int64s,
    w: Float64s,
    net: Float32s,
    deck: Int64s,
    x: Float32s,
    worth: Float64s,
    dice: Int64s,
    out: Int64s,
) -> int:
    """The act of the seat on turn as all play (see ``make_drills``); now and then any act, to see what is unusual."""
    if net.size == 0:
        return choose_or_wander(t, w, _WANDER, dice, out)
    if roll_below(dice, 65536) < _WANDER:
        return choose_if_you_can(t, dice, out)
    return choose_by_actor(t, m, w, net, deck, x, worth, out)


@kernel
def read_decision(
    t: Table, m: Int64s, seat: int, choices: Int64s, deck: Int64s, unseen: Float32s, xs: Float32s, acts: Float32s
) -> None:
    """Write what the network sees of a decision and of each choice in it."""
    read_state(t, m, seat, xs)
    count_unseen(t, seat, deck, unseen)
    for a in range(choices.size):
        read_act(t, m, seat, int(choices[a]), unseen, acts[a])


@door
def make_drills(
    tables: Records, first: int, w: Float64s, net: Float32s, deck: Int64s, minds: Int64s, x: Float32s,
    worth: Float64s, dice: Int64s, out: Int64s,
    repeats: int, xs: Float32s, acts: Float32s, ends: Int64s, ys: Float32s,
) -> int:  # fmt: skip
    """Fill a batch of decisions with what became of every act.

    Hidden cards stay as they are: over many decisions they are what the player could expect.

    Args:
        tables: two tables; 0 has the rules, the deck and the seed.
        first: number of the first round.
        w: weights of the rules of thumb.
        net: float32[actor.PARAMETERS], by which all play; empty for by rules of thumb.
        deck: int64[CARD_SLOTS], the cards of the game.
        minds: int64[2, MAX_SEATS, MEMORY].
        x: float32[actor.ROOM].
        worth: float64[MAX_ACTIONS].
        dice: Dice.
        out: scratch: twice MAX_ACTIONS int64 and a Dice.
        repeats: how often each act is played to the end.
        xs: float32[n, STATE], written.
        acts: float32[rows, ACT], written: the acts of all decisions, one after another.
        ends: int64[n], written: the row behind the last act of each decision.
        ys: float32[rows], written: the share of rounds won.

    Returns:
        How many decisions were made: n, or fewer where the rows did not suffice.
    """
    t = tables[0]
    m = minds[0]
    choices = out[:MAX_ACTIONS]
    scratch = out[MAX_ACTIONS:]
    unseen = x[-UNSEEN:]
    number = first
    n = 0
    row = 0
    while n < ends.size:
        deal(t, number % t.players, number, 0)
        number += 1
        forget(m)
        plies = 0
        while t.phase != phase.OVER and plies < LONGEST:
            plies += 1
            notice(t, m)
            seat = t.turn & 15
            k = list_choices(t, seat, choices) if decides(t) and roll_below(dice, _RARE) == 0 else 0
            if k > 1:
                if n == ends.size or row + k > ys.size:
                    return n
                read_decision(t, m, seat, choices[:k], deck, unseen, xs[n], acts[row : row + k])
                seed = roll_below(dice, 1 << 30)
                rows = ys[row : row + k]
                try_acts(tables, minds, seat, choices, w, net, deck, x, worth, seed, repeats, scratch, rows)
                row += k
                ends[n] = row
                n += 1
            act = choose_or_stray(t, m, w, net, deck, x, worth, dice, scratch)
            remember(t, m, seat, act)
            apply(t, seat, act)
    return n


@door
def drill(
    tables: Records, words: Int32s, minds: Int64s, w: Float64s, net: Float32s, deck: Int64s, x: Float32s,
    worth: Float64s, seed: int, repeats: int,
    out: Int64s, xs: Float32s, acts: Float32s, ys: Float32s,
) -> int:  # fmt: skip
    """Look at one decision as ``make_drills`` does.

    Args:
        tables: two tables; 0 stands at the decision, with all hands.
        words: int32, the past as the seat that decides saw it.
        minds: int64[2, MAX_SEATS, MEMORY], zeros.
        w, net, deck, x, worth, repeats: as there.
        seed: of the luck.
        out: scratch: three times MAX_ACTIONS int64 and a Dice.
        xs: float32[STATE], written.
        acts: float32[most, ACT], written.
        ys: float32[most], written.

    Returns:
        How many acts there are; 0 where the network is not taught such a decision, or there are more than ``most``.
    """
    t = tables[0]
    if not decides(t):
        return 0
    m = minds[0]
    recollect_table(tables, m, words)
    seat = t.turn
    choices = out[:MAX_ACTIONS]
    n = list_choices(t, seat, choices)
    if n < 2 or n > ys.size:
        return 0
    unseen = x[-UNSEEN:]
    read_decision(t, m, seat, choices[:n], deck, unseen, xs, acts)
    try_acts(tables, minds, seat, choices, w, net, deck, x, worth, seed, repeats, out[MAX_ACTIONS:], ys[:n])
    return n

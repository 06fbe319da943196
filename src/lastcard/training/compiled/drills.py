"""Decisions to learn from: moments of play, and how often each act won from there with the same luck."""

from typing import Final, NamedTuple

from lastcard.ai import actor, memory, policy, sight
from lastcard.ai.actor import Rater
from lastcard.kernel.jit import inlined, kernel, long_door
from lastcard.kernel.records import Float32s, Float32s2, Float64s, Int32s, Int64s, Int64s3
from lastcard.rules import batch, chance, layout, legal, opening, phase, turn
from lastcard.rules.table import Table, Tables
from lastcard.training.compiled import lessons

_WANDER: Final = 4096
"""Of 65,536 acts, how many are any act."""
_LONG: Final = 100
_LONG_SEAT: Final = 30
_RARE: Final = 5
"""One decision of so many is taken: those of one round are much alike."""


class Playouts(NamedTuple):
    """What every act of a decision is played out with."""

    tables: Tables
    """Two tables; 0 is the one that is played at."""
    minds: Int64s3
    """int64[2, MAX_SEATS, MEMORY]."""
    rater: Rater
    """The learned player by which all play; without parameters all play by rules of thumb."""
    w: Float64s
    """The weights of the rules of thumb."""
    choices: Int64s
    """Scratch: MAX_ACTIONS int64."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64 and a Dice."""
    repeats: int
    """How often each act is played to the end."""


class Decisions(NamedTuple):
    """Decisions, and what became of every act."""

    xs: Float32s2
    """float32[n, STATE], written."""
    acts: Float32s2
    """float32[rows, ACT], written: the acts of all decisions, one after another."""
    ends: Int64s
    """int64[n], written: the row behind the last act of each decision."""
    ys: Float32s
    """float32[rows], written: the share of rounds won."""


@inlined
def longest(t: Table) -> int:
    """Acts after which a round is won by nobody: who only waits shall not win."""
    return _LONG + _LONG_SEAT * t.players


@kernel
def try_acts(p: Playouts, seat: int, acts: Int64s, seed: int, ys: Float32s) -> None:
    """The share of rounds that a seat wins after each act, all played on with the same luck; see ``make_drills``."""
    dice = p.out[-layout.DICE :]
    scratch = p.out[: -layout.DICE]
    for a in range(ys.size):
        ys[a] = 0.0
    for r in range(p.repeats):
        for a in range(ys.size):
            chance.throw_dice(dice, seed, r)
            p.tables[1] = p.tables[0]
            u = p.tables[1]
            chance.renew_chance(u, dice)
            if p.rater.net.size > 0:
                memory.copy_memory(p.minds[0], p.minds[1])
                memory.remember(u, p.minds[1], seat, int(acts[a]))
                turn.apply(u, seat, int(acts[a]))
                actor.play_out_by_actor(u, p.minds[1], p.rater, p.w, scratch, longest(u))
            else:
                turn.apply(u, seat, int(acts[a]))
                policy.play_out_by_thumb(u, p.w, scratch, policy.LONGEST)
            if u.phase == phase.OVER and u.winner == seat:
                ys[a] += 1.0 / p.repeats


@kernel
def choose_or_stray(p: Playouts, dice: Int64s) -> int:
    """The act of the seat on turn as all play (see ``make_drills``); now and then any act, to see what is unusual."""
    t = p.tables[0]
    out = p.out[: -layout.DICE]
    if p.rater.net.size == 0:
        return lessons.choose_or_wander(t, p.w, _WANDER, dice, out)
    if chance.roll_below(dice, 65536) < _WANDER:
        return batch.choose_if_you_can(t, dice, out)
    return actor.choose_by_actor(t, p.minds[0], p.rater, p.w, out)


@kernel
def read_decision(p: Playouts, seat: int, choices: Int64s, xs: Float32s, acts: Float32s) -> None:
    """Write what the network sees of a decision and of each choice in it."""
    t = p.tables[0]
    m = p.minds[0]
    unseen = p.rater.x[-sight.UNSEEN :]
    sight.read_state(t, m, seat, xs)
    sight.count_unseen(t, seat, p.rater.deck, unseen)
    for a in range(choices.size):
        sight.read_act(t, m, seat, int(choices[a]), unseen, acts[a])


@long_door
def make_drills(p: Playouts, first: int, dice: Int64s, decisions: Decisions) -> int:
    """Fill a batch of decisions with what became of every act.

    Hidden cards stay as they are: over many decisions they are what the player could expect.

    Args:
        p: its first table has the rules, the deck and the seed.
        first: number of the first round.
        dice: Dice.
        decisions: written.

    Returns:
        How many decisions were made: n, or fewer where the rows did not suffice.
    """
    t = p.tables[0]
    m = p.minds[0]
    xs, acts, ends, ys = decisions
    number = first
    n = 0
    row = 0
    while n < ends.size:
        opening.deal(t, number % t.players, number, 0)
        number += 1
        memory.forget(m)
        plies = 0
        while t.phase != phase.OVER and plies < policy.LONGEST:
            plies += 1
            memory.notice(t, m)
            seat = t.turn & 15
            k = (
                legal.list_choices(t, seat, p.choices)
                if actor.decides(t) and chance.roll_below(dice, _RARE) == 0
                else 0
            )
            if k > 1:
                if n == ends.size or row + k > ys.size:
                    return n
                read_decision(p, seat, p.choices[:k], xs[n], acts[row : row + k])
                try_acts(p, seat, p.choices, chance.roll_below(dice, 1 << 30), ys[row : row + k])
                row += k
                ends[n] = row
                n += 1
            act = choose_or_stray(p, dice)
            memory.remember(t, m, seat, act)
            turn.apply(t, seat, act)
    return n


@long_door
def drill(p: Playouts, words: Int32s, seed: int, xs: Float32s, acts: Float32s2, ys: Float32s) -> int:
    """Look at one decision as ``make_drills`` does.

    Args:
        p: its first table stands at the decision, with all hands; its minds are zeros.
        words: int32, the past as the seat that decides saw it.
        seed: of the luck.
        xs: float32[STATE], written.
        acts: float32[most, ACT], written.
        ys: float32[most], written.

    Returns:
        How many acts there are; 0 where the network is not taught such a decision, or there are more than ``most``.
    """
    t = p.tables[0]
    if not actor.decides(t):
        return 0
    memory.recollect_table(p.tables, p.minds[0], words)
    seat = t.turn
    n = legal.list_choices(t, seat, p.choices)
    if n < 2 or n > ys.size:
        return 0
    read_decision(p, seat, p.choices[:n], xs, acts)
    try_acts(p, seat, p.choices, seed, ys[:n])
    return n

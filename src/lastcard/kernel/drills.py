"""Decisions to learn from: moments of play, and how often each act won from there with the same luck."""

from __future__ import annotations

from typing import Any, Final

from lastcard.actions import CATCH, UNO
from lastcard.kernel.actor import decides
from lastcard.kernel.chance import renew_chance, roll_below, throw_dice
from lastcard.kernel.jit import door, kernel
from lastcard.kernel.layout import DICE, MAX_ACTIONS, OVER
from lastcard.kernel.legal import list_actions
from lastcard.kernel.lessons import choose_or_wander
from lastcard.kernel.memory import forget, notice, remember
from lastcard.kernel.opening import deal
from lastcard.kernel.policy import LONGEST, play_out_by_thumb
from lastcard.kernel.sight import count_unseen, read_act, read_state
from lastcard.kernel.turn import apply

_WANDER: Final = 4096
"""Of 65,536 acts, how many are any act."""
_RARE: Final = 5
"""One decision of so many is taken: those of one round are much alike."""


@kernel
def list_choices(t: Any, seat: int, out: Any) -> int:
    """Write the acts of a seat, calls and catches aside, into ``out`` (MAX_ACTIONS); returns how many."""
    n = 0
    for i in range(list_actions(t, seat, out)):
        code = int(out[i]) & 255
        if code != UNO and code != CATCH:
            out[n] = out[i]
            n += 1
    return n


@kernel
def try_acts(tables: Any, seat: int, acts: Any, w: Any, seed: int, repeats: int, out: Any, ys: Any) -> None:
    """The share of rounds that a seat wins after each act, played on by rules of thumb with the same luck."""
    chance = out[-DICE:]
    for a in range(ys.size):
        ys[a] = 0.0
    for r in range(repeats):
        for a in range(ys.size):
            throw_dice(chance, seed, r)
            tables[1] = tables[0]
            u = tables[1]
            renew_chance(u, chance)
            apply(u, seat, int(acts[a]))
            play_out_by_thumb(u, w, out, LONGEST)
            if u.phase == OVER and u.winner == seat:
                ys[a] += 1.0 / repeats


@door
def make_drills(
    tables: Any, first: int, w: Any, deck: Any, m: Any, unseen: Any, dice: Any, out: Any, repeats: int, xs: Any,
    acts: Any, ends: Any, ys: Any,
) -> int:  # fmt: skip
    """Fill a batch of decisions with what became of every act.

    Hidden cards stay as they are: over many decisions they are what the player could expect.

    Args:
        tables: two tables; 0 has the rules, the deck and the seed.
        first: number of the first round.
        w: weights of the rules of thumb, by which all play.
        deck: int64[CARD_SLOTS], the cards of the game.
        m: int64[MAX_SEATS, MEMORY].
        unseen: float32[UNSEEN].
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
    choices = out[:MAX_ACTIONS]
    scratch = out[MAX_ACTIONS:]
    number = first
    n = 0
    row = 0
    while n < ends.size:
        deal(t, number % t.players, number, 0)
        number += 1
        forget(m)
        plies = 0
        while t.phase != OVER and plies < LONGEST:
            plies += 1
            notice(t, m)
            seat = t.turn & 15
            k = list_choices(t, seat, choices) if decides(t) and roll_below(dice, _RARE) == 0 else 0
            if k > 1:
                if n == ends.size or row + k > ys.size:
                    return n
                read_state(t, m, seat, xs[n])
                count_unseen(t, seat, deck, unseen)
                for a in range(k):
                    read_act(t, m, seat, int(choices[a]), unseen, acts[row + a])
                try_acts(tables, seat, choices, w, roll_below(dice, 1 << 30), repeats, scratch, ys[row : row + k])
                row += k
                ends[n] = row
                n += 1
            act = choose_or_wander(t, w, _WANDER, dice, scratch)
            remember(t, m, seat, act)
            apply(t, seat, act)
    return n

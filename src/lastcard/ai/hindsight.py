"""Hindsight: with all cards open and chance as it really was, how a seat could have won after all."""

from typing import Final, NamedTuple

from lastcard.ai import actor, policy
from lastcard.kernel.jit import kernel, long_door
from lastcard.kernel.records import Float64s, Int64s, Int64s2
from lastcard.rules import layout, legal, phase, turn
from lastcard.rules.table import Table, Tables

LONGEST: Final = 400
"""Acts in a line, at most."""
_TRIES: Final = 300
"""Later turns at which every other act is tried, at most."""


class Search(NamedTuple):
    """What a line is searched with."""

    tables: Tables
    """Three tables: the moment, how the round goes on from it, and a copy to try an act on."""
    choices: Int64s
    """Scratch: 2 * MAX_ACTIONS int64, for the acts of a turn and for those of the first."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64."""
    tried: Int64s2
    """Scratch: int64[LONGEST, 2]."""
    line: Int64s2
    """int64[LONGEST, 2], written: who does what until the round is won."""


@kernel
def wins(t: Table, seat: int) -> bool:
    """Whether a round is over and a seat, or its partner (6.8), has won it."""
    if t.phase != phase.OVER or t.winner < 0:
        return False
    return t.winner == seat or (t.team_play != 0 and (t.winner + 2) % t.players == seat)


@kernel
def do(t: Table, seat: int, action: int, line: Int64s2, n: int) -> int:
    """Do an act and write it into a line; returns how many are in it then."""
    line[n, 0] = seat
    line[n, 1] = action
    turn.apply(t, seat, action)
    return n + 1


@kernel
def try_act(s: Search, seat: int, action: int, before: int, w: Float64s, shortest: int) -> int:
    """Play on from table 1 with an act, then by rules of thumb; a line that wins and is shorter is kept.

    Args:
        before: acts in the line so far.
        shortest: acts of the shortest line found.

    Returns:
        The same, as it is now.
    """
    s.tables[2] = s.tables[1]
    t = s.tables[2]
    n = do(t, seat, action, s.tried, before)
    while t.phase != phase.OVER and n < shortest - 1:
        n = do(t, t.turn & 15, policy.usual_act(t, w, s.out), s.tried, n)
    if n >= shortest or not wins(t, seat):
        return shortest
    for i in range(n):
        s.line[i, 0] = s.tried[i, 0]
        s.line[i, 1] = s.tried[i, 1]
    return n


@kernel
def try_others(s: Search, seat: int, known: int, before: int, w: Float64s, shortest: int) -> int:
    """Try every act of a seat on turn at table 1 but one; arguments and answer as of ``try_act``."""
    acts = s.choices[: layout.MAX_ACTIONS]
    for i in range(legal.list_choices(s.tables[1], seat, acts)):
        if acts[i] != known:
            shortest = try_act(s, seat, int(acts[i]), before, w, shortest)
    return shortest


@long_door
def find_line(s: Search, made: int, w: Float64s) -> int:
    """How the seat on turn could win by another act, all others playing by rules of thumb and chance being what it was.

    It plays by them too but for that act and, where none wins so, for one more later. The shortest such line is found.

    Args:
        s: table 0 is the moment, with every card.
        made: the act that was made.
        w: weights of the rules of thumb.

    Returns:
        How many acts the line has; 0 where there is none, or the decision is a rare one.
    """
    if not actor.decides(s.tables[0]):
        return 0
    seat = s.tables[0].turn & 15
    none = s.line.shape[0] + 1
    s.tables[1] = s.tables[0]
    shortest = try_others(s, seat, made, 0, w, none)
    if shortest < none:
        return shortest
    first = s.choices[layout.MAX_ACTIONS :]
    tries = _TRIES
    for i in range(legal.list_choices(s.tables[0], seat, first)):
        if first[i] == made:
            continue
        s.tables[1] = s.tables[0]
        t = s.tables[1]
        n = 0
        act = int(first[i])
        while t.phase != phase.OVER and n < shortest - 1 and tries > 0:
            if n > 0:
                act = policy.usual_act(t, w, s.out)
                if (t.turn & 15) == seat and actor.decides(t):
                    shortest = try_others(s, seat, act, n, w, shortest)
                    tries -= 1
            n = do(t, t.turn & 15, act, s.tried, n)
    return 0 if shortest == none else shortest

"""Hindsight: with all cards open and chance as it really was, how a seat could have won after all."""

from typing import Final, NamedTuple

from lastcard.engine import layout, legal, phase, turn
from lastcard.engine.jit import kernel, long_door
from lastcard.engine.records import Float64s, Int64s, Int64s2
from lastcard.engine.table import Table, Tables
from lastcard.mind import actor, policy

LONGEST: Final = 400
"""Acts in a line, at most."""
_TRIES: Final = 2000
"""Rounds that are played in search of a line, at most."""


class Search(NamedTuple):
    """What a line is searched with."""

    tables: Tables
    """Three tables: the moment, how the round goes on from it, and a copy to try an act on."""
    choices: Int64s
    """Scratch: 2 * MAX_ACTIONS int64."""
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
def note(line: Int64s2, n: int, seat: int, action: int) -> int:
    """Write an act into a line; returns how many there are then."""
    line[n, 0] = seat
    line[n, 1] = action
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
    n = note(s.tried, before, seat, action)
    turn.apply(t, seat, action)
    while t.phase != phase.OVER and n < shortest - 1:
        usual = policy.choose_by_thumb(t, w, s.out)
        n = note(s.tried, n, t.turn & 15, legal.canonical(t, t.turn & 15, usual))
        turn.apply(t, t.turn & 15, usual)
    if n >= shortest or not wins(t, seat):
        return shortest
    for i in range(n):
        s.line[i, 0] = s.tried[i, 0]
        s.line[i, 1] = s.tried[i, 1]
    return n


@kernel
def try_twice(s: Search, seat: int, w: Float64s, tries: int, shortest: int) -> tuple[int, int]:
    """From table 1 on, where the line has one act, everybody plays by rules of thumb, and the seat tries any act once.

    Returns:
        How many more may be tried, and the acts of the shortest line.
    """
    t = s.tables[1]
    later = s.choices[layout.MAX_ACTIONS :]
    n = 1
    while t.phase != phase.OVER and n < shortest - 1 and tries > 0:
        usual = legal.canonical(t, t.turn & 15, policy.choose_by_thumb(t, w, s.out))
        if (t.turn & 15) == seat and actor.decides(t):
            for i in range(legal.list_choices(t, seat, later)):
                if later[i] != usual:
                    shortest = try_act(s, seat, int(later[i]), n, w, shortest)
                    tries -= 1
        n = note(s.tried, n, t.turn & 15, usual)
        turn.apply(t, t.turn & 15, usual)
    return tries, shortest


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
    others = s.choices[: layout.MAX_ACTIONS]
    count = 0
    for i in range(legal.list_choices(s.tables[0], seat, others)):
        if others[i] != made:
            others[count] = others[i]
            count += 1
    none = s.line.shape[0] + 1
    shortest = none
    for i in range(count):
        s.tables[1] = s.tables[0]
        shortest = try_act(s, seat, int(others[i]), 0, w, shortest)
    tries = _TRIES if shortest == none else 0
    for i in range(count):
        s.tables[1] = s.tables[0]
        note(s.tried, 0, seat, int(others[i]))
        turn.apply(s.tables[1], seat, int(others[i]))
        tries, shortest = try_twice(s, seat, w, tries, shortest)
    return 0 if shortest == none else shortest

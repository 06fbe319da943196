"""Hindsight: with all cards open and chance as it really was, how a seat could have won after all."""

from typing import Final, NamedTuple

from lastcard.ai import heuristic_policy, policy_net
from lastcard.kernel.jit import export_nogil, kernel
from lastcard.kernel.records import Float64s, Int64s, Int64s2
from lastcard.rules import layout, legal, phases, turn
from lastcard.rules.round_state import RoundState, RoundStates

MAX_LINE_PLIES: Final = 400
"""Acts in a line, at most."""
_MAX_TRIES: Final = 300
"""Later turns at which every other act is tried, at most."""


class LineSearch(NamedTuple):
    """What a line is searched with."""

    states: RoundStates
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
def has_won(t: RoundState, seat: int) -> bool:
    """Whether a round is over and a seat, or its partner (6.8), has won it."""
    if t.phase != phases.OVER or t.winner < 0:
        return False
    return t.winner == seat or (t.team_play != 0 and (t.winner + 2) % t.players == seat)


@kernel
def apply_and_log(t: RoundState, seat: int, action: int, line: Int64s2, n: int) -> int:
    """Do an act and write it into a line; returns how many are in it then."""
    line[n, 0] = seat
    line[n, 1] = action
    turn.apply(t, seat, action)
    return n + 1


@kernel
def try_action(s: LineSearch, seat: int, action: int, before: int, w: Float64s, shortest: int) -> int:
    """Play on from table 1 with an act, then by rules of thumb; a line that wins and is shorter is kept.

    Args:
        before: acts in the line so far.
        shortest: acts of the shortest line found.

    Returns:
        The same, as it is now.
    """
    s.states[2] = s.states[1]
    t = s.states[2]
    n = apply_and_log(t, seat, action, s.tried, before)
    while t.phase != phases.OVER and n < shortest - 1:
        n = apply_and_log(t, t.turn & 15, heuristic_policy.heuristic_action(t, w, s.out), s.tried, n)
    if n >= shortest or not has_won(t, seat):
        return shortest
    for i in range(n):
        s.line[i, 0] = s.tried[i, 0]
        s.line[i, 1] = s.tried[i, 1]
    return n


@kernel
def try_other_actions(s: LineSearch, seat: int, known: int, before: int, w: Float64s, shortest: int) -> int:
    """Try every act of a seat on turn at table 1 but one; arguments and answer as of ``try_action``."""
    actions = s.choices[: layout.MAX_ACTIONS]
    for i in range(legal.list_choices(s.states[1], seat, actions)):
        if actions[i] != known:
            shortest = try_action(s, seat, int(actions[i]), before, w, shortest)
    return shortest


@export_nogil
def find_line(s: LineSearch, made: int, w: Float64s) -> int:
    """How the seat on turn could win by another act, all others playing by rules of thumb and chance being what it was.

    It plays by them too but for that act and, where none wins so, for one more later. The shortest such line is found.

    Args:
        s: table 0 is the moment, with every card.
        made: the act that was made.
        w: weights of the rules of thumb.

    Returns:
        How many acts the line has; 0 where there is none, or the decision is a rare one.
    """
    if not policy_net.is_trained_for(s.states[0]):
        return 0
    seat = s.states[0].turn & 15
    none = s.line.shape[0] + 1
    s.states[1] = s.states[0]
    shortest = try_other_actions(s, seat, made, 0, w, none)
    if shortest < none:
        return shortest
    first = s.choices[layout.MAX_ACTIONS :]
    tries = _MAX_TRIES
    for i in range(legal.list_choices(s.states[0], seat, first)):
        if first[i] == made:
            continue
        s.states[1] = s.states[0]
        t = s.states[1]
        n = 0
        action = int(first[i])
        while t.phase != phases.OVER and n < shortest - 1 and tries > 0:
            if n > 0:
                action = heuristic_policy.heuristic_action(t, w, s.out)
                if (t.turn & 15) == seat and policy_net.is_trained_for(t):
                    shortest = try_other_actions(s, seat, action, n, w, shortest)
                    tries -= 1
            n = apply_and_log(t, t.turn & 15, action, s.tried, n)
    return 0 if shortest == none else shortest

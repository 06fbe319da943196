"""Open-card solver: finds how a seat could have won, with all cards and the actual chance known."""

from typing import Final, NamedTuple

from lastcard.ai import heuristic_policy, policy_net
from lastcard.kernel.jit import export_nogil, kernel
from lastcard.kernel.records import Float64s, Int64s, Int64s2
from lastcard.rules import layout, legal, phases, turn
from lastcard.rules.round_state import RoundState, RoundStates

MAX_LINE_PLIES: Final = 400
"""Maximum number of moves in a line."""
_MAX_TRIES: Final = 300
"""Maximum number of later turns at which all other actions are tried."""


class LineSearch(NamedTuple):
    """State and scratch arrays of the search for a line."""

    states: RoundStates
    """Three states: the decision, the continuation of the round, and a copy to try an action on."""
    choices: Int64s
    """Scratch: 2 * MAX_ACTIONS int64, for the actions of a turn and for those of the first."""
    out: Int64s
    """Scratch: MAX_ACTIONS int64."""
    tried: Int64s2
    """Scratch: int64[MAX_LINE_PLIES, 2]."""
    line: Int64s2
    """int64[MAX_LINE_PLIES, 2], written: seat and action of each move until the round is won."""


@kernel
def has_won(t: RoundState, seat: int) -> bool:
    """Whether a round is over, and a seat or its partner (6.8) has won it."""
    if t.phase != phases.OVER or t.winner < 0:
        return False
    return t.winner == seat or (t.team_play != 0 and (t.winner + 2) % t.players == seat)


@kernel
def apply_and_log(t: RoundState, seat: int, action: int, line: Int64s2, n: int) -> int:
    """Apply an action and append it to a line; returns the new length."""
    line[n, 0] = seat
    line[n, 1] = action
    turn.apply(t, seat, action)
    return n + 1


@kernel
def try_action(s: LineSearch, seat: int, action: int, before: int, w: Float64s, shortest: int) -> int:
    """Continue state 1 with an action, then by heuristics; stores the line if it wins and is shorter.

    Args:
        before: number of moves in the line so far.
        shortest: length of the shortest line found.

    Returns:
        Length of the shortest line found now.
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
    """Try every action but ``known`` of a seat on turn in state 1; other arguments and result as of ``try_action``."""
    actions = s.choices[: layout.MAX_ACTIONS]
    for i in range(legal.list_choices(s.states[1], seat, actions)):
        if actions[i] != known:
            shortest = try_action(s, seat, int(actions[i]), before, w, shortest)
    return shortest


@export_nogil
def find_line(s: LineSearch, made: int, w: Float64s) -> int:
    """Find how the seat on turn could win by another action, if the others use heuristics and chance is the same.

    It uses heuristics too, except for that action and, if none wins, for one more later. The shortest line is found.

    Args:
        s: state 0 is the decision, with every card.
        made: action that was chosen.
        w: weights of the heuristics.

    Returns:
        Length of the line; 0 if there is none, or the decision is a rare one.
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

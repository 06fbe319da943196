"""State of a search: how often each choice was tried, its results, and which choices are still active.

Sequential halving gives the better choices more deals: Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in
Multi-Armed Bandits" (2013).
"""

from __future__ import annotations

import math
from typing import Annotated, Final

from lastcard.kernel.arrays import zeros
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Float64s, Int64s, Records, array_of, record_type, shape
from lastcard.rules import layout
from lastcard.rules.round_state import RoundState


class SearchState:
    """A decision; its creator writes the choices and the seed."""

    choices: int  # number of choices
    seed: int  # seed of all random numbers, 0 to 2**32 - 1
    seat: int
    partner: int  # the seat that wins together with the seat (6.8), -1 for none
    rollouts: int  # rounds to be played, all choices and halvings together
    plies: int  # plies of a round after which the value net rates it; 0 to play to the end
    by_habit: int  # 1 if rollouts use habits, 0 for heuristics
    halvings: int
    halving: int  # current one, from 1; more than ``halvings`` when the search is done
    deals: int  # number of deals played
    halving_end: int  # number of deals after which the halving ends
    reference: int  # the choice with which others are compared on each deal, -1 for none
    actions: Int64s = shape(layout.MAX_ACTIONS)  # the choices; NOTHING to make no move
    active: Int64s = shape(layout.MAX_ACTIONS)  # 1 if the choice is still tried, else 0
    visits: Int64s = shape(layout.MAX_ACTIONS)  # number of deals on which each was played
    order: Int64s = shape(layout.MAX_ACTIONS)  # after a halving: the choices, best first
    squares: Float64s = shape(layout.MAX_ACTIONS)  # sum of squared differences to the reference, while it is active
    prior: Float64s = shape(layout.MAX_ACTIONS)  # added to the win rate of each to rank them
    win_rate: Float64s = shape(layout.MAX_ACTIONS)  # share of rounds that the seat or its partner won
    wins: Float64s = shape(layout.MAX_ACTIONS, layout.MAX_SEATS)  # by seat, or the value net's chances


_FAR_BEHIND_ERRORS: Final = 4.0
"""Number of standard errors by which a choice is so far behind that it is dropped before the end of a halving."""
SEARCH_STATE: Final = record_type(SearchState)
SearchStates = Annotated[Records, array_of(SEARCH_STATE)]


def new_search_states() -> SearchStates:
    """Returns an array of one search state."""
    return zeros(1, SEARCH_STATE)


@inlined
def is_done(v: SearchState) -> bool:
    """Whether the last halving is over."""
    return v.halving > v.halvings


@kernel
def open_search(v: SearchState, t: RoundState, seat: int, rollouts: int, halvings: int) -> None:
    """Begin a search with the choices in it.

    Args:
        rollouts: number of rounds to be played.
        halvings: number of halvings; 0 for as many as reduce the choices to one.
    """
    v.seat = seat
    v.partner = (seat + 2) % t.players if t.team_play != 0 else -1
    v.rollouts = rollouts
    v.halvings = halvings
    if halvings == 0:
        v.halvings = 1
        while 1 << v.halvings < v.choices:
            v.halvings += 1
    v.deals = 0
    v.reference = -1
    for a in range(v.choices):
        v.active[a] = 1
        v.visits[a] = 0
        v.order[a] = a
        v.squares[a] = 0.0
        v.prior[a] = 0.0
        v.win_rate[a] = 0.0
        for s in range(layout.MAX_SEATS):
            v.wins[a, s] = 0.0
    v.halving = 0
    open_halving(v)


@inlined
def _count_left(v: SearchState, halvings: int) -> int:
    """Returns the number of choices that some halvings leave; fewer are active if ``drop_losers`` dropped some."""
    return (v.choices + (1 << halvings) - 1) >> halvings


@kernel
def open_halving(v: SearchState) -> None:
    """Start the next halving, and set its number of deals."""
    v.halving += 1
    if not is_done(v):
        v.halving_end = v.deals + max(1, v.rollouts // (v.halvings * _count_left(v, v.halving - 1)))


@inlined
def is_ahead(v: SearchState, a: int, b: int) -> bool:
    """Whether a choice ranks before another: active ones first, then those tried more often, then the better ones."""
    if v.active[a] != v.active[b]:
        return v.active[a] > v.active[b]
    if v.visits[a] != v.visits[b]:
        return v.visits[a] > v.visits[b]
    one = v.win_rate[a] + v.prior[a]
    two = v.win_rate[b] + v.prior[b]
    return one > two if one != two else a < b


@kernel
def _set_win_rates(v: SearchState) -> None:
    """Write the win rates of all choices."""
    for a in range(v.choices):
        won = v.wins[a, v.seat]
        if v.partner >= 0:
            won += v.wins[a, v.partner]
        v.win_rate[a] = won / v.visits[a]


@inlined
def add_squares(v: SearchState, values: Float64s) -> None:
    """Add the results of one deal, by choice, to the squared differences."""
    if v.active[v.reference] == 0:
        return
    for a in range(v.choices):
        if v.active[a] != 0:
            v.squares[a] += (values[a] - values[v.reference]) * (values[a] - values[v.reference])


@kernel
def lead_error(v: SearchState, a: int) -> float:
    """Returns the standard error of the difference between a choice and the reference, over the deals of both."""
    return 0.0 if a == v.reference else math.sqrt(v.squares[a] + 1.0) / min(v.visits[a], v.visits[v.reference])


@kernel
def drop_losers(v: SearchState) -> None:
    """Drop choices that are far behind the best; if all others are, end the search.

    The reference is dropped only then, since errors are known from the differences to it.
    """
    if v.active[v.reference] == 0:
        return
    _set_win_rates(v)
    best = v.reference
    for a in range(v.choices):
        if is_ahead(v, a, best):
            best = a
    left = 0
    for a in range(v.choices):
        if v.active[a] == 0:
            continue
        behind = v.win_rate[best] + v.prior[best] - v.win_rate[a] - v.prior[a]
        if a == best or behind <= _FAR_BEHIND_ERRORS * (lead_error(v, a) + lead_error(v, best)):
            left += 1
        elif a != v.reference:
            v.active[a] = 0
    if left == 1:
        v.active[v.reference] = 1 if best == v.reference else 0
        end_halving(v)
        v.halving = v.halvings + 1


@kernel
def end_halving(v: SearchState) -> None:
    """Sort the choices and drop the worse half."""
    _set_win_rates(v)
    for a in range(v.choices):
        k = a
        while k > 0 and is_ahead(v, a, v.order[k - 1]):
            v.order[k] = v.order[k - 1]
            k -= 1
        v.order[k] = a
    for k in range(_count_left(v, v.halving), v.choices):
        v.active[v.order[k]] = 0
    open_halving(v)


@kernel
def add_wins(v: SearchState, wins: Float64s, last: int) -> None:
    """Add the results of the deals up to ``last``; at ``halving_end`` the halving ends."""
    for a in range(v.choices):
        for s in range(layout.MAX_SEATS):
            v.wins[a, s] += wins[a, s]
        if v.active[a] != 0:
            v.visits[a] += last - v.deals
    v.deals = last
    if last >= v.halving_end:
        end_halving(v)

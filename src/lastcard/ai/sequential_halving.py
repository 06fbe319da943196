"""A decision while its choices are weighed: how often each was tried, what came of it, which are still tried.

Sequential halving gives the better choices more deals: Z. Karnin, T. Koren, O. Somekh, "Almost Optimal Exploration in
Multi-Armed Bandits" (2013).
"""

from __future__ import annotations

from typing import Annotated, Final

from lastcard.kernel.arrays import zeros
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Float64s, Int64s, Records, array_of, record_type, shape
from lastcard.rules import layout
from lastcard.rules.round_state import RoundState


class SearchState:
    """A decision; whoever opens it writes the choices and the seed."""

    choices: int  # how many there are
    seed: int  # of all chance, 0 to 2**32 - 1
    seat: int
    partner: int  # who wins together with the seat (6.8), -1 for nobody
    rollouts: int  # rounds to be played, all choices and heats together
    plies: int  # acts of a round after which the network judges; 0 for none: to the end
    by_habit: int  # 1 where rounds are played out by habit, 0 for by rules of thumb
    halvings: int
    halving: int  # from 1; more than ``halvings`` when it is done
    deals: int  # played
    halving_end: int  # with which the heat ends
    actions: Int64s = shape(layout.MAX_ACTIONS)  # the choices; NOTHING to let the table go on
    active: Int64s = shape(layout.MAX_ACTIONS)  # 1 for those that are tried, else 0
    visits: Int64s = shape(layout.MAX_ACTIONS)  # deals on which each was played
    order: Int64s = shape(layout.MAX_ACTIONS)  # after a heat: which choice stands first, second, …
    prior: Float64s = shape(layout.MAX_ACTIONS)  # is added to the share of each when the best are sought
    win_rate: Float64s = shape(layout.MAX_ACTIONS)  # of the rounds that the seat or its partner won
    wins: Float64s = shape(layout.MAX_ACTIONS, layout.MAX_SEATS)  # who won; where the network judged, the seat's chance


SEARCH_STATE: Final = record_type(SearchState)
SearchStates = Annotated[Records, array_of(SEARCH_STATE)]


def new_search_states() -> SearchStates:
    """One."""
    return zeros(1, SEARCH_STATE)


@inlined
def is_done(v: SearchState) -> bool:
    """Whether the last heat is over."""
    return v.halving > v.halvings


@kernel
def open_search(v: SearchState, t: RoundState, seat: int, rollouts: int, halvings: int) -> None:
    """Begin with the choices that stand in it.

    Args:
        rollouts: to be played.
        halvings: 0 for as many as halve the choices down to one.
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
    for a in range(v.choices):
        v.active[a] = 1
        v.visits[a] = 0
        v.order[a] = a
        v.prior[a] = 0.0
        v.win_rate[a] = 0.0
        for s in range(layout.MAX_SEATS):
            v.wins[a, s] = 0.0
    v.halving = 0
    open_halving(v)


@kernel
def count_active(v: SearchState) -> int:
    """How many choices are still tried."""
    n = 0
    for a in range(v.choices):
        n += v.active[a]
    return n


@kernel
def open_halving(v: SearchState) -> None:
    """Go on to the next heat, and say how many deals are its share."""
    v.halving += 1
    if not is_done(v):
        v.halving_end = v.deals + max(1, v.rollouts // (v.halvings * count_active(v)))


@inlined
def is_ahead(v: SearchState, a: int, b: int) -> bool:
    """Whether a choice stands before another: those still tried first, then those tried more, then the better ones."""
    if v.active[a] != v.active[b]:
        return v.active[a] > v.active[b]
    if v.visits[a] != v.visits[b]:
        return v.visits[a] > v.visits[b]
    one = v.win_rate[a] + v.prior[a]
    two = v.win_rate[b] + v.prior[b]
    return one > two if one != two else a < b


@kernel
def end_halving(v: SearchState) -> None:
    """Put the choices in order and give up the worse half."""
    for a in range(v.choices):
        won = v.wins[a, v.seat]
        if v.partner >= 0:
            won += v.wins[a, v.partner]
        v.win_rate[a] = won / v.visits[a]
    for a in range(v.choices):
        k = a
        while k > 0 and is_ahead(v, a, v.order[k - 1]):
            v.order[k] = v.order[k - 1]
            k -= 1
        v.order[k] = a
    remaining = (count_active(v) + 1) // 2
    for k in range(remaining, v.choices):
        v.active[v.order[k]] = 0
    open_halving(v)


@kernel
def add_wins(v: SearchState, wins: Float64s, last: int) -> None:
    """Take in what came of the deals up to ``halving_end``; the heat ends where those were its share."""
    for a in range(v.choices):
        for s in range(layout.MAX_SEATS):
            v.wins[a, s] += wins[a, s]
        if v.active[a] != 0:
            v.visits[a] += last - v.deals
    v.deals = last
    if last >= v.halving_end:
        end_halving(v)

"""The doors through which Python enters the kernel: checked acts on one table of an array."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Final

import numpy as np

from lastcard.game import cards
from lastcard.kernel import arrays
from lastcard.kernel.jit import door
from lastcard.kernel.records import Int32s, Int64s
from lastcard.rules import layout, legal, opening, past, phase, piles, reason, scoring, tape, turn
from lastcard.rules.table import Tables, new_tables

_WORDS: Final = 1024
"""Of a past, as many as most rounds come to."""


class _Scratch(threading.local):
    """Room for what doors write, for a moment: one for each thread, for with every table it would add up."""

    @cached_property
    def actions(self) -> Int64s:
        """Room for the actions of a seat."""
        return arrays.zeros(layout.MAX_ACTIONS, np.int64)

    @cached_property
    def notes(self) -> Int32s:
        """Room for what an act adds to the past."""
        return arrays.zeros(past.NOTES, np.int32)

    @cached_property
    def known(self) -> Tables:
        """Room for one table as a seat knows it."""
        return new_tables(1)

    def words(self, count: int) -> Int32s:
        """Room for so many words of the past, or more."""
        if self._words.size < count:
            self._words = arrays.zeros(2 * count, np.int32)
        return self._words

    @cached_property
    def _words(self) -> Int32s:
        return arrays.zeros(_WORDS, np.int32)

    @cached_property
    def seats(self) -> Int64s:
        """Room for ``show_seats``."""
        return arrays.zeros(layout.MAX_DECK + layout.MAX_SEATS * (2 + layout.MAX_ACTIONS), np.int64)


SCRATCH: Final = _Scratch()


@door
def deal_table(tables: Tables, i: int, dealer: int, number: int, settled: int) -> None:
    """Deal a round at table ``i``; see ``opening.deal``."""
    opening.deal(tables[i], dealer, number, settled)


@door
def do_action(tables: Tables, i: int, seat: int, action: int) -> int:
    """Do an action at table ``i`` if it is legal; returns OK or the reason (CO-5)."""
    t = tables[i]
    action = legal.canonical(t, seat, action)
    why = legal.why_not(t, seat, action)
    if why == reason.OK:
        turn.apply(t, seat, action)
    return why


@door
def do_noted(tables: Tables, i: int, seat: int, action: int, notes: Int32s) -> int:
    """``do_action`` that writes down what happened.

    Args:
        notes: int32[NOTES], written: how many words of the past follow, and those (``past.py``).
    """
    t = tables[i]
    action = legal.canonical(t, seat, action)
    why = legal.why_not(t, seat, action)
    if why == reason.OK:
        n = past.note_act(t, seat, action, notes[1:])
        turn.apply(t, seat, action)
        notes[0] = past.note_tape(t, notes[1:], n)
    return why


@door
def note_hands(tables: Tables, i: int, notes: Int32s) -> None:
    """Write the hands of table ``i``, just dealt, and the tape of the deal, as ``do_noted`` writes an act."""
    t = tables[i]
    notes[0] = past.note_tape(t, notes[1:], past.note_deal(t, notes[1:]))


@door
def show_own(tables: Tables, known: Tables, seat: int) -> None:
    """Add to a table with everything hidden left blank what a seat (-1: a spectator) knows besides.

    Args:
        tables: the truth.
        known: the blank table.
    """
    t = tables[0]
    k = known[0]
    k.drawn = -1
    used = 0
    for i in range(t.used_n):
        used |= 1 << int(t.used[i])
    n = 0
    for card in range(t.rule_n):  # which rule cards are left is known, their order is not
        if used >> card & 1 == 0:
            k.stack[n] = card
            n += 1
    if seat < 0:
        return
    for card in range(cards.CARD_SLOTS):
        k.counts[seat, card] = t.counts[seat, card]
    k.colored[seat] = t.colored[seat]
    k.wilds[seat] = t.wilds[seat]
    k.barred = t.barred & 1 << seat
    if k.barred != 0:
        for card in range(cards.CARD_SLOTS):
            k.free_cards[seat, card] = t.free_cards[seat, card]
    if seat == t.turn and t.phase == phase.DRAWN:
        k.drawn = t.drawn


@door
def veil_past(words: Int32s, count: int, viewer: int) -> None:
    """Take out of so many words of the past the cards that a seat (-1: a spectator) did not see."""
    past.veil(words[:count], viewer, words)


@door
def check_action(tables: Tables, i: int, seat: int, action: int) -> int:
    """Why an action is refused at table ``i``, or OK; changes nothing."""
    t = tables[i]
    return legal.why_not(t, seat, legal.canonical(t, seat, action))


@door
def find_actions(tables: Tables, i: int, seat: int, out: Int64s) -> int:
    """List the legal actions of a seat at table ``i`` into ``out``; returns how many."""
    return legal.list_actions(tables[i], seat, out)


@door
def show_seats(tables: Tables, i: int, out: Int64s) -> int:
    """Write for each seat of table ``i`` how many cards it holds, the cards in order, how many legal actions it has,
    and those; returns how much that is.
    """
    t = tables[i]
    n = 0
    for seat in range(t.players):
        held = n
        for card in range(cards.CARD_SLOTS):
            for _ in range(t.counts[seat, card]):
                n += 1
                out[n] = card
        out[held] = n - held
        found = legal.list_actions(t, seat, out[n + 2 :])
        out[n + 1] = found
        n += 2 + found
    return n


@door
def count_points(tables: Tables, i: int, out: Int64s) -> None:
    """Write the points of each hand at table ``i`` into ``out``."""
    scoring.count_hands(tables[i], out)


@door
def score_round(tables: Tables, i: int, points: Int64s, scores: Int64s) -> int:
    """Add to the scores of a match what the round that is over at table ``i`` has brought.

    Args:
        points: int64, those left in each hand; written: those that each seat scores.
        scores: int64, of each seat before the round; written.

    Returns:
        Mask of the seats that have won the match by it; 0 while that goes on.
    """
    t = tables[i]
    scoring.score_round(t, points)
    for seat in range(t.players):
        scores[seat] += points[seat]
    return scoring.find_winners(t, scores)


@door
def round_winners(tables: Tables, i: int) -> int:
    """Mask of the seats that have won the round that is over at table ``i``; 0 where it is void."""
    return scoring.round_winners(tables[i])


@door
def find_dealer(tables: Tables, i: int, held: Int64s) -> int:
    """Who deals after the round that is over at table ``i``; -1 where cards are drawn for it (``draw_dealer``).

    Args:
        held: int64, the points left in each hand.
    """
    return scoring.find_dealer(tables[i], held)


@door
def draw_dealer(tables: Tables, i: int, number: int, room: Int64s) -> int:
    """The seat that chance makes dealer at table ``i``, whose rules, key and deck are set.

    Args:
        number: of the round to be dealt.
        room: int64[scoring.DRAWING], scratch.
    """
    return scoring.draw_dealer(tables[i], number, room)


@door
def settle_numbers(tables: Tables, i: int, room: Int64s) -> None:
    """Strike out of the deck of table ``i`` what chance leaves out of it (LC-24); see ``opening.settle_numbers``."""
    opening.settle_numbers(tables[i], room)


@door
def set_matching(tables: Tables, i: int) -> None:
    """Derive what matches from the top card and color written at table ``i``."""
    t = tables[i]
    piles.set_top(t, t.top, t.color)


@door
def unroll_pile(tables: Tables, i: int, out: Int64s) -> int:
    """Draw the whole draw pile of table ``i`` into ``out``, next card first; the table is used up by it."""
    t = tables[i]
    n = t.pile_n
    for k in range(n):
        out[k] = piles.take_top(t, tape.BY_TURN)
    return n

"""Functions of the rules that Python calls: checked moves in one round state of an array."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Final

import numpy as np

from lastcard.game import cards
from lastcard.kernel import arrays
from lastcard.kernel.jit import BoundExport, bind, export, kernel
from lastcard.kernel.records import Int32s, Int64s
from lastcard.rules import event_codes, history, layout, legal, opening, phases, piles, refusal_reasons, scoring, turn
from lastcard.rules.round_state import RoundState, RoundStates, new_round_states

_HISTORY_WORDS: Final = 1024
"""Initial size of the scratch history, which suffices for most rounds."""


class _Scratch(threading.local):
    """Scratch arrays for the results of exports, one set per thread rather than per round state."""

    @cached_property
    def actions(self) -> Int64s:
        """Scratch for the legal actions of a seat."""
        return arrays.zeros(layout.MAX_ACTIONS, np.int64)

    @cached_property
    def apply_and_list(self) -> BoundExport:
        """``apply_and_list`` with ``move_record`` and ``legal``."""
        found: Int64s = arrays.zeros(1 + layout.MAX_ACTIONS, np.int64)
        self.legal, self.recorded = found.data, self.move_record.data
        return bind(apply_and_list, (self.move_record, found), (new_round_states(1), 0, 0))

    legal: memoryview
    """What ``apply_and_list`` has found."""
    recorded: memoryview
    """What it has recorded."""

    @cached_property
    def move_record(self) -> Int32s:
        """Scratch for the words that a move adds to a history."""
        return arrays.zeros(history.MOVE_RECORD_WORDS, np.int32)

    @cached_property
    def information_state(self) -> RoundStates:
        """Scratch for one information state."""
        return new_round_states(1)

    @cached_property
    def information_words(self) -> Int64s:
        """The same as int64."""
        return self.information_state.view(np.int64)

    def words(self, count: int) -> Int32s:
        """Returns scratch for at least ``count`` words of a history."""
        if self._words.size < count:
            self._words = arrays.zeros(2 * count, np.int32)
        return self._words

    @cached_property
    def _words(self) -> Int32s:
        return arrays.zeros(_HISTORY_WORDS, np.int32)

    @cached_property
    def seats(self) -> Int64s:
        """Scratch for ``write_seats``."""
        return arrays.zeros(layout.MAX_DECK + layout.MAX_SEATS * (2 + layout.MAX_ACTIONS), np.int64)


SCRATCH: Final = _Scratch()


@export
def deal_round(states: RoundStates, i: int, dealer: int, number: int, ordered: int) -> None:
    """Deal a round into state ``i``; see ``opening.deal``."""
    opening.deal(states[i], dealer, number, ordered)


@export
def apply_action(states: RoundStates, i: int, seat: int, action: int) -> int:
    """Apply an action to state ``i`` if it is legal; returns OK or the refusal reason (CO-5)."""
    t = states[i]
    action = legal.canonical(t, seat, action)
    refusal = legal.refusal_reason(t, seat, action)
    if refusal == refusal_reasons.OK:
        turn.apply(t, seat, action)
    return refusal


@export
def apply_action_recorded(states: RoundStates, i: int, seat: int, action: int, record: Int32s) -> int:
    """``apply_action`` that also records the move and its events.

    The record is int32[history.MOVE_RECORD_WORDS]: the number of words, then the words (``history.py``).
    """
    return _apply_recorded(states[i], seat, action, record)


@kernel
def _apply_recorded(t: RoundState, seat: int, action: int, record: Int32s) -> int:
    action = legal.canonical(t, seat, action)
    refusal = legal.refusal_reason(t, seat, action)
    if refusal == refusal_reasons.OK:
        n = history.record_action(t, seat, action, record[1:])
        turn.apply(t, seat, action)
        record[0] = history.record_events(t, record[1:], n)
    return refusal


@export
def apply_and_list(record: Int32s, found: Int64s, states: RoundStates, seat: int, action: int) -> int:
    """``apply_action_recorded`` in state 0 that also lists the legal actions of the seat on turn afterwards.

    ``found`` is int64[1 + MAX_ACTIONS]: their number, then the actions.
    """
    t = states[0]
    refusal = _apply_recorded(t, seat, action, record)
    if refusal == refusal_reasons.OK:
        found[0] = legal.list_actions(t, t.turn, found[1:])
    return refusal


@export
def record_deal(states: RoundStates, i: int, record: Int32s) -> None:
    """Write the hands of state ``i``, just dealt, and the event log of the deal, as ``apply_action_recorded`` does."""
    t = states[i]
    record[0] = history.record_events(t, record[1:], history.record_deal(t, record[1:]))


@export
def fill_information_state(states: RoundStates, information_states: RoundStates, seat: int) -> None:
    """Add the private knowledge of a seat (-1: a spectator) to a state that has only public information."""
    t = states[0]
    k = information_states[0]
    k.drawn = -1
    used = 0
    for i in range(t.used_n):
        used |= 1 << int(t.used[i])
    n = 0
    for card in range(t.rule_n):  # the remaining rule cards are known, their order is not
        if used >> card & 1 == 0:
            k.dispenser[n] = card
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
    if seat == t.turn and t.phase == phases.DRAWN:
        k.drawn = t.drawn


@export
def redact_history(words: Int32s, count: int, viewer: int) -> None:
    """Remove from the first ``count`` words of a history the cards that a seat (-1: a spectator) did not see."""
    history.redact(words[:count], viewer, words)


@export
def check_action(states: RoundStates, i: int, seat: int, action: int) -> int:
    """Returns the reason why an action is refused in state ``i``, or OK; changes nothing."""
    t = states[i]
    return legal.refusal_reason(t, seat, legal.canonical(t, seat, action))


@export
def list_actions(states: RoundStates, i: int, seat: int, out: Int64s) -> int:
    """Write the legal actions of a seat in state ``i`` to ``out``; returns how many."""
    return legal.list_actions(states[i], seat, out)


@export
def write_seats(states: RoundStates, i: int, out: Int64s) -> int:
    """Write hand and legal actions of each seat of state ``i``, each after its count; returns the total length."""
    t = states[i]
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


@export
def count_points(states: RoundStates, i: int, out: Int64s) -> None:
    """Write the points of each hand in state ``i`` to ``out``."""
    scoring.count_hands(states[i], out)


@export
def score_round(states: RoundStates, i: int, points: Int64s, scores: Int64s) -> int:
    """Add the points of the finished round in state ``i`` to the scores of a match.

    Args:
        points: int64, points left in each hand; written: points that each seat scores.
        scores: int64, scores of the seats before the round; written.

    Returns:
        Mask of the seats that have won the match; 0 while it continues.
    """
    t = states[i]
    scoring.score_round(t, points)
    for seat in range(t.players):
        scores[seat] += points[seat]
    return scoring.find_winners(t, scores)


@export
def round_winners(states: RoundStates, i: int) -> int:
    """Returns the mask of the seats that have won the finished round in state ``i``; 0 if it is void."""
    return scoring.round_winners(states[i])


@export
def find_dealer(states: RoundStates, i: int, held: Int64s) -> int:
    """Returns the dealer after the finished round in state ``i``; -1 if cards are drawn for it (``draw_dealer``).

    ``held`` is the points left in each hand.
    """
    return scoring.find_dealer(states[i], held)


@export
def draw_dealer(states: RoundStates, i: int, number: int, scratch: Int64s) -> int:
    """Returns the seat that chance makes dealer in state ``i``, whose rules, key and deck are set.

    Args:
        number: number of the round to be dealt.
        scratch: int64[scoring.DEALER_SCRATCH_WORDS], scratch.
    """
    return scoring.draw_dealer(states[i], number, scratch)


@export
def apply_number_distribution(states: RoundStates, i: int, scratch: Int64s) -> None:
    """Remove cards from the deck of state ``i`` by chance (LC-24); see ``opening.apply_number_distribution``."""
    opening.apply_number_distribution(states[i], scratch)


@export
def set_matching(states: RoundStates, i: int) -> None:
    """Derive the matching cards from the top card and color of state ``i``."""
    t = states[i]
    piles.set_top(t, t.top, t.color)


@export
def draw_whole_pile(states: RoundStates, i: int, out: Int64s) -> int:
    """Draw the whole draw pile of state ``i`` into ``out``, next card first; the state is unusable afterwards."""
    t = states[i]
    n = t.pile_n
    for k in range(n):
        out[k] = piles.take_top(t, event_codes.BY_TURN)
    return n

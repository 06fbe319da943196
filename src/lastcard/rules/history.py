"""The history of a round as words: the event logs of its moves, each after the public state before the move.

A word has a kind in its lowest byte and values in the other three. Words of the event log are events (``piles.emit``).
``HISTORY_MOVE`` has the seat that moved and the decision; the six words after it, of kind 0, are the action, the card
on top with color, direction and pending draw, and the hand sizes. ``HISTORY_SEEN`` is a card of a hand that a seat
saw: in a challenge, or as its own after hands moved. Dealt cards come first, as drawn.
"""

from typing import Final

from lastcard.game import action_codes, cards
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Int32s
from lastcard.rules import event_codes, layout, piles
from lastcard.rules.round_state import RoundState

HEADER_WORDS: Final = 6
"""Words between ``HISTORY_MOVE`` and the event log: the action, the top card, four of hand sizes."""
MOVE_RECORD_WORDS: Final = 2 + HEADER_WORDS + 2 * layout.MAX_DECK + layout.EVENT_LOG_WORDS
"""Maximum number of words that one move adds, with their count in front."""

_MAX_HAND_CARDS: Final = 255
_HAND_SIZES_AT: Final = 3


@kernel
def _pack(event: int, seat: int, a: int, b: int) -> int:
    return event | (seat + 1) << 8 | (a + 1) << 16 | (b + 1) << 24


@kernel
def _record_hand(t: RoundState, event: int, seat: int, a: int, b: int, out: Int32s) -> int:
    """Write a word for each card of a hand, the card in place of the value that is -2; returns the number of words."""
    n = 0
    for card in range(cards.CARD_SLOTS):
        for _ in range(t.counts[seat, card]):
            out[n] = _pack(event, seat, card if a == -2 else a, card if b == -2 else b)
            n += 1
    return n


@kernel
def record_action(t: RoundState, seat: int, action: int, out: Int32s) -> int:
    """Write the next move and the public state before it; returns the number of words."""
    out[0] = _pack(event_codes.HISTORY_MOVE, seat, t.phase, -1)
    out[1] = action << 8
    out[2] = t.top << 8 | (t.color + 1) << 16 | (1 if t.direction > 0 else 0) << 20
    for i in range(4):
        word = 0
        for k in range(3):
            other = 3 * i + k
            if other < layout.MAX_SEATS:
                word |= min(t.held[other], _MAX_HAND_CARDS) << (8 + 8 * k)
        out[_HAND_SIZES_AT + i] = word
    n = 1 + HEADER_WORDS
    if action & 255 == action_codes.CHALLENGE:
        n += _record_hand(t, event_codes.HISTORY_SEEN, t.challenged_seat, seat, -2, out[n:])
    return n


@kernel
def record_events(t: RoundState, out: Int32s, n: int) -> int:
    """Append the event log of the last move, and new hands that players see; returns the new number of words."""
    moved = False
    for i in range(t.event_log_n):
        out[n + i] = t.event_log[i]
        kind = int(t.event_log[i]) & 255
        moved = moved or kind == event_codes.SWAPPED or kind == event_codes.HANDS_PASSED
    n += t.event_log_n
    if moved:  # players see the hands they have received
        for seat in range(t.players):
            n += _record_hand(t, event_codes.HISTORY_SEEN, seat, seat, -2, out[n:])
    return n


@kernel
def record_deal(t: RoundState, out: Int32s) -> int:
    """Write the hands as dealt; returns the number of words."""
    n = 0
    for seat in range(t.players):
        n += _record_hand(t, event_codes.DREW, seat, -2, event_codes.BY_DEAL, out[n:])
    return n


@kernel
def redact(words: Int32s, viewer: int, out: Int32s) -> None:
    """Copy words without the cards that a seat (-1: a spectator) did not see."""
    for i in range(words.size):
        word = int(words[i])
        kind = word & 255
        seat = (word >> 8 & 255) - 1
        if kind == event_codes.DREW and seat != viewer:
            word &= ~0xFF0000
        elif (
            (kind == event_codes.TOOK or kind == event_codes.HISTORY_SEEN)
            and seat != viewer
            and (word >> 16 & 255) - 1 != viewer
        ):
            word &= 0xFFFFFF
        out[i] = word


@kernel
def restore_public_state(g: RoundState, words: Int32s, at: int) -> None:
    """Set a state to the public information before the move whose ``HISTORY_MOVE`` is at ``at``."""
    g.turn = (int(words[at]) >> 8 & 255) - 1
    g.phase = (int(words[at]) >> 16 & 255) - 1
    word = int(words[at + 2])
    g.direction = 1 if word >> 20 & 1 != 0 else -1
    piles.set_top(g, word >> 8 & 255, (word >> 16 & 15) - 1)
    for seat in range(g.players):
        g.held[seat] = int(words[at + _HAND_SIZES_AT + seat // 3]) >> (8 + 8 * (seat % 3)) & 255

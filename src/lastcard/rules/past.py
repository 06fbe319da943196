"""What has happened in a round, as words: the tapes of its acts, each behind the sight on which it was decided.

A word is a byte of kind and three of values. A tape word is an event (``piles.note``). ``PAST_ACT`` says who acted in
which decision; the six words after it, of kind 0, are the act, the card on top with color, direction and pending
draw, and the hand sizes. ``PAST_SEEN`` is a card of a hand that a seat looked into: in a challenge, or as its own after
hands moved. Dealt cards stand first, as drawn.
"""

from typing import Final

from lastcard.game import act, cards
from lastcard.kernel.jit import kernel
from lastcard.kernel.records import Int32s
from lastcard.rules import layout, piles, tape
from lastcard.rules.table import Table

SIGHT: Final = 6
"""Words between ``PAST_ACT`` and the tape: the act, the top, four of hand sizes."""
NOTES: Final = 2 + SIGHT + 2 * layout.MAX_DECK + layout.TAPE_LENGTH
"""Words that one act adds at most, with their number in front."""

_HAND_CARD: Final = 255
_FIRST_HELD: Final = 3


@kernel
def _pack(event: int, seat: int, a: int, b: int) -> int:
    return event | (seat + 1) << 8 | (a + 1) << 16 | (b + 1) << 24


@kernel
def _note_hand(t: Table, event: int, seat: int, a: int, b: int, out: Int32s) -> int:
    """A word for each card of a hand, the card in place of the value that is -2; returns the number of words."""
    n = 0
    for card in range(cards.CARD_SLOTS):
        for _ in range(t.counts[seat, card]):
            out[n] = _pack(event, seat, card if a == -2 else a, card if b == -2 else b)
            n += 1
    return n


@kernel
def note_act(t: Table, seat: int, action: int, out: Int32s) -> int:
    """Write who is about to act, on what sight; returns the number of words."""
    out[0] = _pack(tape.PAST_ACT, seat, t.phase, -1)
    out[1] = action << 8
    out[2] = t.top << 8 | (t.color + 1) << 16 | (1 if t.direction > 0 else 0) << 20
    for i in range(4):
        word = 0
        for k in range(3):
            other = 3 * i + k
            if other < layout.MAX_SEATS:
                word |= min(t.held[other], _HAND_CARD) << (8 + 8 * k)
        out[_FIRST_HELD + i] = word
    n = 1 + SIGHT
    if action & 255 == act.CHALLENGE:
        n += _note_hand(t, tape.PAST_SEEN, t.accused, seat, -2, out[n:])
    return n


@kernel
def note_tape(t: Table, out: Int32s, n: int) -> int:
    """Add the tape of the act just done, and what players see of new hands; returns the new number of words."""
    moved = False
    for i in range(t.tape_n):
        out[n + i] = t.tape[i]
        kind = int(t.tape[i]) & 255
        moved = moved or kind == tape.SWAPPED or kind == tape.HANDS_PASSED
    n += t.tape_n
    if moved:  # who has another hand now looks into it
        for seat in range(t.players):
            n += _note_hand(t, tape.PAST_SEEN, seat, seat, -2, out[n:])
    return n


@kernel
def note_deal(t: Table, out: Int32s) -> int:
    """Write the hands as dealt; returns the number of words."""
    n = 0
    for seat in range(t.players):
        n += _note_hand(t, tape.DREW, seat, -2, tape.BY_DEAL, out[n:])
    return n


@kernel
def veil(words: Int32s, viewer: int, out: Int32s) -> None:
    """Copy words, without the cards that a seat (-1: a spectator) did not see."""
    for i in range(words.size):
        word = int(words[i])
        kind = word & 255
        seat = (word >> 8 & 255) - 1
        if kind == tape.DREW and seat != viewer:
            word &= ~0xFF0000
        elif (kind == tape.TOOK or kind == tape.PAST_SEEN) and seat != viewer and (word >> 16 & 255) - 1 != viewer:
            word &= 0xFFFFFF
        out[i] = word


@kernel
def set_sight(g: Table, words: Int32s, at: int) -> None:
    """Set a table to what lay open when the act whose ``PAST_ACT`` is at ``at`` was decided."""
    g.turn = (int(words[at]) >> 8 & 255) - 1
    g.phase = (int(words[at]) >> 16 & 255) - 1
    word = int(words[at + 2])
    g.direction = 1 if word >> 20 & 1 != 0 else -1
    piles.set_top(g, word >> 8 & 255, (word >> 16 & 15) - 1)
    for seat in range(g.players):
        g.held[seat] = int(words[at + _FIRST_HELD + seat // 3]) >> (8 + 8 * (seat % 3)) & 255

"""What a player keeps in mind of the others while a round goes on: who drew under which color, who named which.

A memory is int64[MAX_SEATS, MEMORY]. It is kept from what lies open before every act, so that play in compiled code and
a view's past fill it alike.
"""

from typing import Any, Final

from lastcard.game import act, cards
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int32s, Int64s
from lastcard.rules import choice, past, phase, tape
from lastcard.rules.cards import card_color, is_wild
from lastcard.rules.table import Table, Tables

NAMED: Final = cards.WILD
"""Column of the color a seat named last, plus one; those before it say of each color how many cards the seat got
since it drew for want of that color, plus one; 0 for nothing known."""
HELD: Final = cards.WILD + 1
MEMORY: Final = cards.WILD + 2
_STALE: Final = 4


@kernel
def forget(m: Int64s) -> None:
    """Make a memory as it is before the first act."""
    for seat in range(m.shape[0]):
        for column in range(MEMORY):
            m[seat, column] = 0


@kernel
def copy_memory(m: Int64s, to: Any) -> None:
    """Copy a memory."""
    for seat in range(m.shape[0]):
        for column in range(MEMORY):
            to[seat, column] = m[seat, column]


@kernel
def notice(t: Table, m: Int64s) -> None:
    """Bring a memory up to date with the hand sizes on the table."""
    for seat in range(t.players):
        grown = t.held[seat] - m[seat, HELD]
        m[seat, HELD] = t.held[seat]
        if grown > 0:
            for color in range(cards.WILD):  # without branches, which would be taken by chance
                since = m[seat, color] + grown
                m[seat, color] = since if grown < since <= _STALE else 0
        elif grown < -1:  # another hand
            for column in range(HELD):
                m[seat, column] = 0


@kernel
def remember(t: Table, m: Int64s, seat: int, action: int) -> None:
    """Take in an act that a seat is about to do."""
    notice(t, m)
    if t.game != choice.ALL_WILD:  # which has no colors
        note_colors(t, m, seat, action)


@inlined
def note_colors(t: Table, m: Int64s, seat: int, action: int) -> None:
    """What an act tells of colors, into a memory that has noticed the table."""
    verb = action & 255
    if verb == act.DRAW and t.phase == phase.PLAY:
        if t.color >= 0:
            m[seat, t.color] = 1
            if m[seat, NAMED] == t.color + 1:
                m[seat, NAMED] = 0
    elif not is_wild(verb):
        m[seat, card_color(verb)] = 0
    elif verb < cards.CARD_SLOTS or verb == act.COLOR:
        arg = action >> 8 & 15
        if arg < cards.WILD:
            m[seat, NAMED] = arg + 1
            m[seat, arg] = 0


@kernel
def recollect(t: Table, m: Int64s, words: Int32s) -> None:
    """Fill a memory of zeros from the past.

    Args:
        t: a copy of the table, to be changed.
        words: int32, the past as a seat saw it.
    """
    for i in range(words.size):
        if int(words[i]) & 255 == tape.PAST_ACT:
            past.set_sight(t, words, i)
            remember(t, m, t.turn, int(words[i + 1]) >> 8)


@kernel
def recollect_table(tables: Tables, m: Int64s, words: Int32s) -> None:
    """Fill a memory of zeros as it is at table 0; table 1 is changed."""
    tables[1] = tables[0]
    recollect(tables[1], m, words)
    notice(tables[0], m)

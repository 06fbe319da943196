"""What a player keeps in mind of the others while a round goes on: who drew under which color, who named which.

A memory is int64[MAX_SEATS, MEMORY]. It is kept from what lies open before every act, so that play in compiled code and
a view's past fill it alike.
"""

from typing import Any, Final

from lastcard.game import action_codes, cards
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int32s, Int64s
from lastcard.rules import event_codes, history, option_codes, phases
from lastcard.rules.cards import card_color, is_wild
from lastcard.rules.round_state import RoundState, RoundStates

NAMED: Final = cards.WILD
"""Column of the color a seat named last, plus one; those before it say of each color how many cards the seat got
since it drew for want of that color, plus one; 0 for nothing known."""
HELD: Final = cards.WILD + 1
MEMORY_COLUMNS: Final = cards.WILD + 2
_STALE_CARDS: Final = 4


@kernel
def reset(m: Int64s) -> None:
    """Make a memory as it is before the first act."""
    for seat in range(m.shape[0]):
        for column in range(MEMORY_COLUMNS):
            m[seat, column] = 0


@kernel
def copy_memory(m: Int64s, to: Any) -> None:
    """Copy a memory."""
    for seat in range(m.shape[0]):
        for column in range(MEMORY_COLUMNS):
            to[seat, column] = m[seat, column]


@kernel
def update_hand_sizes(t: RoundState, m: Int64s) -> None:
    """Bring a memory up to date with the hand sizes on the table."""
    for seat in range(t.players):
        grown = t.held[seat] - m[seat, HELD]
        m[seat, HELD] = t.held[seat]
        if grown > 0:
            for color in range(cards.WILD):  # without branches, which would be taken by chance
                since = m[seat, color] + grown
                m[seat, color] = since if grown < since <= _STALE_CARDS else 0
        elif grown < -1:  # another hand
            for column in range(HELD):
                m[seat, column] = 0


@kernel
def record_action(t: RoundState, m: Int64s, seat: int, action: int) -> None:
    """Take in an act that a seat is about to do."""
    update_hand_sizes(t, m)
    if t.game != option_codes.ALL_WILD:  # which has no colors
        update_colors(t, m, seat, action)


@inlined
def update_colors(t: RoundState, m: Int64s, seat: int, action: int) -> None:
    """What an act tells of colors, into a memory that has noticed the table."""
    verb = action & 255
    if verb == action_codes.DRAW and t.phase == phases.PLAY:
        if t.color >= 0:
            m[seat, t.color] = 1
            if m[seat, NAMED] == t.color + 1:
                m[seat, NAMED] = 0
    elif not is_wild(verb):
        m[seat, card_color(verb)] = 0
    elif verb < cards.CARD_SLOTS or verb == action_codes.COLOR:
        arg = action >> 8 & 15
        if arg < cards.WILD:
            m[seat, NAMED] = arg + 1
            m[seat, arg] = 0


@kernel
def replay_history(t: RoundState, m: Int64s, words: Int32s) -> None:
    """Fill a memory of zeros from the past.

    Args:
        t: a copy of the table, to be changed.
        words: int32, the past as a seat saw it.
    """
    for i in range(words.size):
        if int(words[i]) & 255 == event_codes.HISTORY_MOVE:
            history.restore_public_state(t, words, i)
            record_action(t, m, t.turn, int(words[i + 1]) >> 8)


@kernel
def fill_memory(states: RoundStates, m: Int64s, words: Int32s) -> None:
    """Fill a memory of zeros as it is at table 0; table 1 is changed."""
    states[1] = states[0]
    replay_history(states[1], m, words)
    update_hand_sizes(states[0], m)

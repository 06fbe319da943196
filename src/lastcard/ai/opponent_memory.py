"""Memory of opponents during a round: the colors under which they drew, and the colors they named.

A memory is int64[MAX_SEATS, MEMORY_COLUMNS]. It is updated from public information before every move, so compiled play
and the history of a view give the same result.
"""

from typing import Any, Final

from lastcard.game import action_codes, cards
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int32s, Int64s
from lastcard.rules import event_codes, history, option_codes, phases
from lastcard.rules.cards import card_color, is_wild
from lastcard.rules.round_state import RoundState, RoundStates

NAMED: Final = cards.WILD
"""Column of the color that a seat named last, plus one. The columns before it count, for each color, the cards that the
seat received since it drew because it lacked that color, plus one. 0 means unknown."""
HELD: Final = cards.WILD + 1
MEMORY_COLUMNS: Final = cards.WILD + 2
_STALE_CARDS: Final = 4


@kernel
def reset(m: Int64s) -> None:
    """Reset a memory to the state before the first move."""
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
    """Update a memory from the hand sizes in a state."""
    for seat in range(t.players):
        grown = t.held[seat] - m[seat, HELD]
        m[seat, HELD] = t.held[seat]
        if grown > 0:
            for color in range(cards.WILD):  # without branches, which would mispredict
                since = m[seat, color] + grown
                m[seat, color] = since if grown < since <= _STALE_CARDS else 0
        elif grown < -1:  # another hand
            for column in range(HELD):
                m[seat, column] = 0


@kernel
def record_action(t: RoundState, m: Int64s, seat: int, action: int) -> None:
    """Update a memory from the next move of a seat."""
    update_hand_sizes(t, m)
    if t.game != option_codes.ALL_WILD:  # All Wild has no colors
        update_colors(t, m, seat, action)


@inlined
def update_colors(t: RoundState, m: Int64s, seat: int, action: int) -> None:
    """Update the colors of a memory from a move, after ``update_hand_sizes``."""
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
    """Fill a memory of zeros from the history.

    Args:
        t: copy of the state, changed.
        words: int32, the history as a seat saw it.
    """
    for i in range(words.size):
        if int(words[i]) & 255 == event_codes.HISTORY_MOVE:
            history.restore_public_state(t, words, i)
            record_action(t, m, t.turn, int(words[i + 1]) >> 8)


@kernel
def fill_memory(states: RoundStates, m: Int64s, words: Int32s) -> None:
    """Fill a memory of zeros for state 0; state 1 is changed."""
    states[1] = states[0]
    replay_history(states[1], m, words)
    update_hand_sizes(states[0], m)

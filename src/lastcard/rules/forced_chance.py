"""Forced chance: a caller that enumerates all outcomes gives them one after another.

A state whose ``forced_outcomes`` is above 0 takes every drawn card, blindly taken card, outcome of the lever and rule
card from the caller. After the last given outcome, it stores the next candidates in place of its deck, and continues at
random; the caller discards that state. With ``forced_outcomes`` 0, as everywhere else, this costs nothing.
"""

from typing import Any, Final

from lastcard.game import cards
from lastcard.kernel.jit import kernel
from lastcard.rules import layout
from lastcard.rules.round_state import RoundState

# Sources of an outcome.
OF_PILE: Final = 1
OF_HAND: Final = 2
OF_STACK: Final = 3
OF_LEVER: Final = 4
SOURCES: Final = ("", "pile", "hand", "rules", "lever")

MAX_FORCED: Final = 4 * layout.BLOCK_WORDS
"""Maximum number of outcomes given for one move; no move needs so many."""


@kernel
def force(t: RoundState, outcomes: Any, n: int) -> None:
    """Force the next ``n`` outcomes, given as the index of each among its candidates (``list_candidates``), uint8."""
    for i in range(0, n, 4):
        word = 0
        for k in range(4):
            if i + k < n:
                word |= int(outcomes[i + k]) << 8 * k
        t.scratch[i >> 2] = word
    t.forced_outcomes = n + 1
    t.next_forced = 0
    t.word = layout.BLOCK_WORDS  # every draw asks for new words, and gets a forced outcome


@kernel
def clear_forced(t: RoundState) -> None:
    """Return to random outcomes."""
    t.forced_outcomes = 0
    t.next_forced = 0
    t.word = layout.BLOCK_WORDS


@kernel
def next_forced(t: RoundState, source: int, seat: int) -> int:
    """Returns the index of the next outcome of a source (or the hand of ``seat``); NOTHING if none is given."""
    at = t.next_forced
    if at < t.forced_outcomes - 1:
        t.next_forced = at + 1
        return int(t.scratch[at >> 2]) >> 8 * (at & 3) & 255
    list_candidates(t, source, seat)
    t.forced_outcomes = -source
    return layout.NOTHING


@kernel
def list_candidates(t: RoundState, source: int, seat: int) -> None:
    """Write the cards that an outcome can be to ``deck``; the outcomes of the lever are not written."""
    n = 0
    if source == OF_PILE:
        for i in range(t.pile_n):
            t.deck[i] = t.pile[i]
        n = t.pile_n
    elif source == OF_STACK:
        for i in range(t.dispenser_n):
            t.deck[i] = t.dispenser[i]
        n = t.dispenser_n
    elif source == OF_HAND:
        for card in range(cards.CARD_SLOTS):
            for _ in range(t.counts[seat, card]):
                t.deck[n] = card
                n += 1
    t.deck_n = n


@kernel
def word_for(place: int, n: int) -> int:
    """Returns a random word that ``chance.next_below`` maps to this index below n."""
    return ((place << 32) + (1 << 31)) // n

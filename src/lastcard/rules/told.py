"""Chance told in advance: whoever walks through all that could happen says what comes, one event after another.

A table whose ``told`` is above 0 hears of every card drawn, card taken blind, outcome of the lever and rule card. Where
nothing more is told it notes what could come now in place of its deck, and goes on by chance of its own: that is not
what happens, and whoever asked throws it away. With ``told`` 0, as always elsewhere, all this costs nothing.
"""

from typing import Any, Final

from lastcard.game import cards
from lastcard.kernel.jit import kernel
from lastcard.rules import layout
from lastcard.rules.table import Table

# Where what comes is drawn from.
OF_PILE: Final = 1
OF_HAND: Final = 2
OF_STACK: Final = 3
OF_LEVER: Final = 4
SOURCES: Final = ("", "pile", "hand", "rules", "lever")

MOST_TOLD: Final = 4 * layout.BLOCK_WORDS
"""How much can be told for one act; no act asks for so much."""


@kernel
def tell(t: Table, places: Any, n: int) -> None:
    """Say what comes.

    Args:
        places: uint8: of each event its place among what could come (``note_candidates``).
        n: how many of them count.
    """
    for i in range(0, n, 4):
        word = 0
        for k in range(4):
            if i + k < n:
                word |= int(places[i + k]) << 8 * k
        t.scratch[i >> 2] = word
    t.told = n + 1
    t.told_at = 0
    t.word = layout.BLOCK_WORDS  # every draw asks for new words, and is told instead


@kernel
def forget_told(t: Table) -> None:
    """Leave chance to the table again."""
    t.told = 0
    t.told_at = 0
    t.word = layout.BLOCK_WORDS


@kernel
def hear(t: Table, source: int, seat: int) -> int:
    """The place of what comes among what could; NOTHING where no more is told.

    Args:
        source: what it is drawn from.
        seat: whose hand, where it is one.
    """
    at = t.told_at
    if at < t.told - 1:
        t.told_at = at + 1
        return int(t.scratch[at >> 2]) >> 8 * (at & 3) & 255
    note_candidates(t, source, seat)
    t.told = -source
    return layout.NOTHING


@kernel
def note_candidates(t: Table, source: int, seat: int) -> None:
    """Write what could come, in the order of its places, in place of the deck; what the lever can do is known."""
    n = 0
    if source == OF_PILE:
        for i in range(t.pile_n):
            t.deck[i] = t.pile[i]
        n = t.pile_n
    elif source == OF_STACK:
        for i in range(t.stack_n):
            t.deck[i] = t.stack[i]
        n = t.stack_n
    elif source == OF_HAND:
        for card in range(cards.CARD_SLOTS):
            for _ in range(t.counts[seat, card]):
                t.deck[n] = card
                n += 1
    t.deck_n = n


@kernel
def word_for(place: int, n: int) -> int:
    """A word of chance of which ``chance.next_below`` makes this place among n."""
    return ((place << 32) + (1 << 31)) // n

"""What a seat may know of a table as small numbers, in one row: version 1 of the layout in ``lastcard.envs.features``.

A row is written as uint8. Seats are counted from the one who looks. The row ends with the options in force, which never
change. What is long in it, the counts of cards, is kept up to date with every act beside the table and only copied.
"""

from typing import Any, Final, NamedTuple

from lastcard.ai import memory
from lastcard.envs.compiled import acts, knowledge
from lastcard.envs.compiled.acts import Offer
from lastcard.game import cards
from lastcard.kernel import bytes16
from lastcard.kernel.jit import door, inlined, kernel
from lastcard.kernel.records import Int8s, Int32s, Int64s, Int64s2, Uint8s, Uint8s2
from lastcard.rules import choice, phase
from lastcard.rules.table import Table, Tables

PILES: Final = 6  # direction, draw pile, discard pile, pending, whether asked out of turn, passes in succession
JACKPOT: Final = 20  # pulls, cards left to bury, colors thrown off, effect being performed
EFFECTS: Final = 14
SEAT: Final = 17

_MOST: Final = 255

# What is noted of a seat, behind the number of its cards.
_EXPOSED: Final = 1
_CALLED: Final = 2
_EARLY: Final = 3
_MARKED: Final = 4
_ON_TURN: Final = 5
_ACCUSED: Final = 6
_PERFORMS: Final = 7
_SCORE: Final = 8
_LACKS: Final = 9
_COLOR_NAMED: Final = 13


@inlined
def note_count(value: int) -> int:
    """A number that fits a byte."""
    return value if value < _MOST else _MOST


@kernel
def count_laid(t: Table, kinds: Int8s, laid: Uint8s) -> None:
    """Count the discard pile by kinds."""
    for kind in range(laid.size):
        laid[kind] = 0
    for i in range(t.discard_n):
        laid[kinds[int(t.discard[i])]] += 1


@inlined
def copy_counts(x: Uint8s, to: int, counts: Any) -> None:
    """Copy counts, and the zeros that fill them up."""
    for at in range(0, counts.size, bytes16.WIDTH):
        bytes16.copy_part(x, to + at, counts, at)


@inlined
def read_seat(t: Table, m: Int64s, other: int, score: int, x: Any) -> None:
    """What lies open of a seat, and what is remembered of it (``mind.memory``)."""
    x[0] = t.held[other]
    x[_EXPOSED] = t.exposed >> other & 1
    x[_CALLED] = t.called >> other & 1
    x[_EARLY] = t.early >> other & 1
    x[_MARKED] = t.marks >> other & 1
    x[_ON_TURN] = 1 if other == t.turn else 0
    x[_ACCUSED] = 1 if other == t.accused and t.phase == phase.CHALLENGE else 0
    x[_PERFORMS] = 1 if other == t.performer else 0
    x[_SCORE] = note_count(score)
    if t.game != choice.ALL_WILD:
        for color in range(cards.WILD):
            x[_LACKS + color] = m[other, color]
            x[_COLOR_NAMED + color] = 1 if m[other, memory.NAMED] == color + 1 else 0


@kernel
def read_jackpot(t: Table, x: Any) -> None:
    """What the lever and the rule cards of Wild Jackpot ask."""
    x[0] = t.pulls
    if t.phase == phase.BURY:
        x[1] = t.left
    if t.phase == phase.THROW:
        for color in range(cards.WILD):
            x[2 + color] = t.thrown >> color & 1
    if t.performer >= 0:
        x[6 + (int(t.effects[t.rule, t.effect]) & 255)] = 1


class Kept(NamedTuple):
    """What is kept beside a table for a seat that looks."""

    memory: Int64s2
    """int64[seats, MEMORY]: what is remembered."""
    known: Uint8s2
    """uint8[owner, places]: what this seat knows of hands; see ``knowledge``."""
    laid: Uint8s
    """uint8[places]: the discard pile."""
    scores: Int64s
    """int64[seats], percent of the score that wins; a row says 255 for more."""


class Row(NamedTuple):
    """A row of numbers that is written."""

    kinds: Int8s
    """int8[CARD_SLOTS], the kinds of the game's cards."""
    counted: int
    """How many kinds there are."""
    size: int
    """How much of the row changes; the rest are options."""
    options: Uint8s
    """uint8: those."""
    x: Uint8s
    """uint8, the options in it."""


@inlined
def read_row(t: Table, seat: int, reacts: bool, kept: Kept, row: Row) -> None:
    """Write what a seat may know into a row; ``reacts``: it is asked out of turn."""
    kinds = row.kinds
    size = row.size
    x = row.x
    n = row.counted
    # Slices, because the compiler then knows that no place lies before the first.
    changing = x[:size]
    for i in range(size):
        changing[i] = 0
    # Counts are copied with the zeros behind them, so what follows them is written later.
    knowledge.add_hand(t, seat, kinds, x)
    if t.phase == phase.DRAWN and seat == t.turn:
        x[n + int(kinds[t.drawn])] = 1
    if t.topless == 0:
        x[2 * n + int(kinds[t.top])] = 1
    copy_counts(x, 3 * n, kept.laid)
    at = 4 * n
    if t.color >= 0:
        x[at + t.color] = 1
    at += cards.WILD
    if t.phase < phase.OVER:
        x[at + t.phase] = 1
    at += phase.OVER
    x[at] = 1 if t.direction > 0 else 0
    x[at + 1] = t.pile_n
    x[at + 2] = t.discard_n
    x[at + 3] = note_count(t.pending)
    x[at + 4] = 1 if reacts else 0
    x[at + 5] = note_count(t.passes)
    at += PILES
    if t.game == choice.WILD_JACKPOT:
        read_jackpot(t, x[at : at + JACKPOT])
        at += JACKPOT
    other = seat & 15
    for i in range(t.players):
        read_seat(t, kept.memory, other, kept.scores[other], x[at : at + SEAT])
        at += SEAT
        if i > 0:
            copy_counts(x, at, kept.known[other])
            at += n
        other += 1
        if other == t.players:
            other = 0
    bytes16.copy_part(x, size, row.options, 0)


@door
def observe_view(tables: Tables, words: Int32s, seat: int, reacts: bool, kept: Kept, row: Row) -> None:
    """Write a row from what one seat has seen; see ``read_row``.

    Args:
        tables: two tables; 0 is the table as the seat sees it.
        words: int32, the past as the seat saw it.
        kept: zeros but for the scores; written.
    """
    t = tables[0]
    memory.recollect_table(tables, kept.memory, words)
    knowledge.recollect_known(words, seat, t.players, row.kinds, kept.known)
    count_laid(t, row.kinds, kept.laid)
    read_row(t, seat, reacts, kept, row)


@door
def offer_view(tables: Tables, seat: int, reacts: bool, to: Offer) -> None:
    """Write what a seat may do at the table as it sees it; see ``acts.offer_acts``."""
    acts.offer_acts(tables[0], seat, reacts, to)

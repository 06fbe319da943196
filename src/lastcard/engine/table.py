"""The table: one flat NumPy record.

A table holds the whole truth of one deal: hands, piles, whose turn, what is pending, the options in
force, the key of its chance, and a tape of what the last act did. All kernel functions take such a
record (``tables[i]``); copying one is a memory copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lastcard.engine.choice import option_code
from lastcard.engine.layout import (
    BLOCK_WORDS,
    MAX_DECK,
    MAX_EFFECTS,
    MAX_RULE_CARDS,
    MAX_SCRIPT,
    MAX_SEATS,
    TAPE_LENGTH,
)
from lastcard.game.cards import CARD_SLOTS
from lastcard.game.options import OPTIONS, RuleOptions

_SCALARS: Final = (
    "game",
    "players",
    "number",  # of the round in its match, from 0: part of every chance stream
    "dealer",
    "direction",  # +1 clockwise, -1 counter-clockwise
    "turn",  # the seat the table waits for (LC-1)
    "phase",  # one of DECISIONS
    "origin",  # the seat whose act is being resolved; play goes on from it
    "top",  # the card to be matched
    "topless",  # 1 while that card has been shuffled into the draw pile (LC-10)
    "color",  # the color in force, -1 none
    "matching",  # mask of colored cards that match it
    "drawn",  # the card just drawn, in phase DRAWN
    "pending",  # cards waiting to be drawn, in CHALLENGE and STACK
    "pending_face",  # number of the last draw card in the chain: 2 or 4
    "accused",  # who laid the Wild Draw Four
    "guilty",  # 1 if it was a bluff
    "color_before",  # the color in force before it
    "exposed",  # seats that can be caught (bit mask)
    "called",  # seats on one card that have called
    "early",  # seats with an early call
    "declared",  # seats that have played in this act: their early call is now one made with the play
    "single",  # seats that hold exactly one card
    "touched",  # seats whose hand this act has changed
    "passed",  # 1 when the turn has passed on in this act
    "passes",  # passes in succession (CO-35)
    "circles",  # turns in succession on which the card just drawn was laid (LC-8)
    "short",  # 1 when the round ends with this act: a draw fell short (LC-11), or nobody gets anywhere (LC-8)
    "winner",  # -1 none
    "marks",  # seats that lose the coming turn (WJ-43)
    "thrown",  # colors thrown off in this DISCARD
    "named",  # color named for a Wild Jackpot, -1
    "pulls",  # further pulls earned (LC-27)
    "puller",
    "opening",  # 1 while the first card is being resolved
    "performer",  # -1 none
    "performers",  # how many are still to perform after this one
    "perform_step",  # direction in which they follow
    "rule",  # the rule card being performed
    "effect",  # which of its effects
    "left",  # how many cards are still to be buried
    "candidates",  # seats that may be chosen
    "pile_n",
    "settled",  # how many cards on top of the draw pile have a known order
    "discard_n",
    "reshuffles",
    "pulled",  # lever pulls so far in this round
    "dispensed",
    "blinds",  # cards taken blind so far in this round
    "rule_n",  # rule cards defined
    "stack_n",  # rule cards in the dispenser
    "stack_settled",
    "used_n",
    "script_n",  # lever outcomes fixed in advance
    "script_at",
    "told",  # how much of chance is told in advance, plus one; 0: all is the table's own (``told.py``)
    "told_at",  # how much of it was heard
    "word",  # next word of the chance block
    "counter",
    "purpose",
    "index",
    "deck_n",
    "taping",
    "tape_n",
)

_FIELDS: Final[list[tuple[Any, ...]]] = [
    *((name, np.int64) for name in _SCALARS),
    ("held", np.int64, (MAX_SEATS,)),  # hand sizes
    ("colored", np.int64, (MAX_SEATS,)),  # which colored cards a hand has, bit = card
    ("wilds", np.int64, (MAX_SEATS,)),  # which wilds, bit = face
    ("weights", np.int64, (6,)),  # of the lever
    ("key", np.int64, (8,)),  # the 32-byte seed of the match, as words
    ("block", np.uint32, (BLOCK_WORDS,)),  # words of the draw stream
    ("scratch", np.uint32, (BLOCK_WORDS,)),
    ("effects", np.int32, (MAX_RULE_CARDS, MAX_EFFECTS)),
    ("tape", np.int32, (TAPE_LENGTH,)),
    *((name, np.int16) for name in OPTIONS),
    ("counts", np.int8, (MAX_SEATS, CARD_SLOTS)),  # cards of each kind in each hand
    ("pile", np.int8, (MAX_DECK,)),  # draw pile; the last is on top where settled
    ("discard", np.int8, (MAX_DECK,)),  # oldest first
    ("deck", np.int8, (MAX_DECK,)),
    ("stack", np.int8, (MAX_RULE_CARDS,)),
    ("used", np.int8, (MAX_RULE_CARDS,)),
    ("script", np.int8, (MAX_SCRIPT,)),
]
# Named filling up to a multiple of eight: bytes without a name are not copied with a table.
_FILLING: Final = -np.dtype(_FIELDS).itemsize % 8

TABLE: Final = np.dtype([*_FIELDS, ("filling", np.int8, (_FILLING,))] if _FILLING else _FIELDS, align=True)
"""One record = one table."""

Tables = NDArray[np.void]


def part_type(names: Sequence[str]) -> Any:
    """A record type over the memory of a table that has these fields alone, to read them in one step."""
    fields: Any = TABLE.fields
    return np.dtype(
        {
            "names": list(names),
            "formats": [fields[name][0] for name in names],
            "offsets": [fields[name][1] for name in names],
            "itemsize": TABLE.itemsize,
        }
    )


def new_records(kind: Any, count: int = 1) -> Any:
    """An array of records, all zeros; with the JIT off it allows attribute access, as compiled code does."""
    return _open(np.zeros(count, kind))


def read_records(kind: Any, written: bytes) -> Any:
    """An array of the records that were written away as bytes."""
    return _open(np.frombuffer(bytearray(written), kind))


def _open(records: Any) -> Any:
    from numba import config

    return records.view(np.recarray) if config.DISABLE_JIT else records


def new_tables(count: int) -> Tables:
    """``count`` empty tables; see ``new_records``."""
    tables: Tables = new_records(TABLE, count)
    return tables


@cache
def _option_codes(options: RuleOptions) -> tuple[tuple[str, int], ...]:
    return tuple((name, option_code(name, getattr(options, name))) for name in OPTIONS)


def pack_options(table: Any, options: RuleOptions) -> None:
    """Write a table's options and lever weights as small integers."""
    for name, code in _option_codes(options):
        table[name] = code
    weights = options.wj_lever_weights
    table["weights"] = (1,) * 6 if isinstance(weights, str) else weights

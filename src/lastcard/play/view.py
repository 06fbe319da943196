"""What one seat, or a spectator, may know of a table. The only way secrets leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lastcard.engine import doors, phase
from lastcard.engine.layout import MAX_SEATS
from lastcard.engine.table import TABLE, part_type
from lastcard.game.actions import Move
from lastcard.game.options import OPTIONS

_OPEN: Final = part_type(
    (
        "number", "dealer", "phase", "turn", "direction", "top", "color", "discard_n", "pile_n", "pending",
        "exposed", "called", "early", "candidates", "performer", "rule", "winner", "held",
    )
)  # fmt: skip
"""The fields of a table that lie open: the whitelist, in the order of ``Face``."""

_KNOWN: Final = (
    "game", "players", "number", "dealer", "direction", "turn", "phase", "origin", "top", "topless", "color",
    "matching", "pending", "pending_face", "accused", "color_before", "exposed", "called", "early", "declared",
    "single", "touched", "passed", "passes", "circles", "short", "winner", "marks", "thrown", "named", "pulls",
    "puller", "opening", "performer", "performers", "perform_step", "rule", "effect", "left", "candidates", "pile_n",
    "discard_n", "reshuffles", "pulled", "dispensed", "blinds", "rule_n", "stack_n", "used_n", "held", "weights",
    "effects", "discard", "used", *OPTIONS,
)  # fmt: skip
"""The fields that stay when a table is shown to the kernel's own search: the whitelist of ``read_known``."""


def _mask_bytes(names: Sequence[str]) -> NDArray[np.uint8]:
    mask = np.zeros(TABLE.itemsize, np.uint8)
    fields: Any = TABLE.fields
    for name in names:
        kind, at = fields[name][:2]
        mask[at : at + kind.itemsize] = 0xFF
    return mask


_KNOWN_BYTES: Final = _mask_bytes(_KNOWN)


def read_known(tables: Any, seat: int | None) -> bytes:
    """A table as a seat knows it, as a record of ``engine.table``: what is hidden from it is blank.

    Args:
        tables: an array with this one table.
        seat: whose hand stays; None for a spectator.
    """
    known = (tables.view(np.uint8) & _KNOWN_BYTES).view(tables.dtype)
    doors.show_own(tables, known, -1 if seat is None else seat)
    known_bytes: bytes = known.tobytes()
    return known_bytes


class Face(NamedTuple):
    """What lies open on a table, for everybody to see.

    Cards and colors are integers, seats tuples in order; see ``View`` for what each means.
    """

    number: int
    """Of the round in its match, from 0."""
    dealer: int
    decision: str
    turn: int
    direction: int
    top: int
    color: int
    discard_count: int
    draw_count: int
    pending: int
    exposed: tuple[int, ...]
    called: tuple[int, ...]
    early: tuple[int, ...]
    candidates: tuple[int, ...]
    performer: int | None
    rule: int
    """The place of the rule card last performed among those of the round."""
    winner: int | None
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A seat's knowledge of a table; a spectator's where ``seat`` is None. Cards are integers."""

    rules: str
    """The ruleset by name."""
    seat: int | None
    """Whose view it is."""
    players: int
    dealer: int
    decision: str
    """What the table waits for, as in docs/notation.md."""
    turn: int
    """The seat it waits for."""
    direction: int
    """1 clockwise, -1 counter-clockwise."""
    top: int
    """The card to be matched."""
    color: int
    """The color in force, -1 where none is."""
    hand: tuple[int, ...] | None
    """The viewer's own cards, sorted; None for a spectator."""
    hands: tuple[tuple[int, ...], ...] | None
    """All hands, once the round is over and they are counted."""
    counts: tuple[int, ...]
    """How many cards each seat holds."""
    draw_count: int
    discard: tuple[int, ...]
    """The discard pile, oldest first: every card in it was seen."""
    pending: int
    """Cards waiting to be drawn, in decisions challenge and stack."""
    exposed: frozenset[int]
    """Seats that can be caught."""
    called: frozenset[int]
    """Seats on one card that have called."""
    early: frozenset[int]
    """Seats whose early call is waiting."""
    drawn: int | None
    """The card just drawn, known to the seat that must decide on it."""
    candidates: frozenset[int]
    """Seats that may be named now."""
    rule: str | None
    """The rule card being performed."""
    performer: int | None
    legal: tuple[Move, ...]
    """The viewer's possible moves, ``!`` forms left out."""
    winner: int | None
    void: bool
    """Whether the round ended without a winner."""
    points: tuple[int, ...] | None
    """Points left in each hand, once the round is over."""
    table: bytes = field(repr=False)
    """The same knowledge as a table of the kernel, for search: what is hidden is blank."""
    past: bytes = field(repr=False)
    """What the viewer has seen happen in this round, as words of ``engine.past``."""


@cache
def seats_of(mask: int) -> tuple[int, ...]:
    """The seats of a bit mask, in order."""
    return tuple(seat for seat in range(MAX_SEATS) if mask >> seat & 1)


def read_face(tables: Any, players: int) -> Face:
    """What lies open on a table.

    Args:
        tables: an array with this one table.
        players: how many there are.
    """
    (number, dealer, asked, turn, direction, top, color, discards, pile, pending,
     exposed, called, early, candidates, performer, rule, winner, held) = tables.view(_OPEN).item()  # fmt: skip
    return Face(  # by position, at half the time: with every move of every table
        number,
        dealer,
        phase.NAMES[asked],
        turn,
        direction,
        top,
        color,
        discards,
        pile,
        pending,
        seats_of(exposed),
        seats_of(called),
        seats_of(early),
        seats_of(candidates),
        performer if performer >= 0 else None,
        rule,
        winner if winner >= 0 else None,
        tuple(held[:players].tolist()),
    )

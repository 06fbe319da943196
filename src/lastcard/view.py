"""What one seat, or a spectator, may know of a table. The only way secrets leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lastcard.actions import Move

if TYPE_CHECKING:
    from lastcard.round import Round


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


def make_view(table: Round, seat: int | None) -> View:
    """The view of a seat, or of a spectator where ``seat`` is None. Built from a whitelist."""
    over = table.over
    decides = seat is not None and seat == table.turn
    return View(
        rules=str(table.rules),
        seat=seat,
        players=table.players,
        dealer=table.dealer,
        decision=table.decision,
        turn=table.turn,
        direction=table.direction,
        top=table.top,
        color=table.color,
        hand=None if seat is None else table.hand(seat),
        hands=table.hands if over else None,
        counts=table.counts,
        draw_count=table.draw_count,
        discard=table.discard,
        pending=table.pending,
        exposed=table.exposed,
        called=table.called,
        early=table.early,
        drawn=table.drawn if decides else None,
        candidates=table.candidates,
        rule=table.rule,
        performer=table.performer,
        legal=() if seat is None else tuple(table.legal(seat)),
        winner=table.winner,
        void=table.void,
        points=table.held if over else None,
    )

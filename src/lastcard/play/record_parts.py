"""The parts of a match record: its rounds, and the table as one seat may know it. Format: ``docs/records.md``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lastcard.errors import NotationError
from lastcard.game.cards import card_name, parse_card
from lastcard.game.fields import Fields, a_bool, a_number, a_text, numbers
from lastcard.game.moves import act_text, parse_act
from lastcard.game.position import KEYS as POSITION_KEYS
from lastcard.game.position import UNKNOWN_CARD, Position, parse_position, position_table
from lastcard.game.rulesets import Ruleset, ruleset
from lastcard.game.toml import toml_lines, toml_rows
from lastcard.play.view import View

ROUND_KEYS: Final = ("number", "dealer", "moves", "winner", "void", "held", "scores", "check")
_VIEW_KEYS: Final = ("seat", "decision", "top", *(key for key in POSITION_KEYS if key not in ("rules", "options")))

Extra = Mapping[str, Any]
"""Keys that start with ``_``: kept, never looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecord:
    """One round of a record.

    Args:
        dealer: the seat that dealt.
        moves: what was done, in order, as canonical text with seats: ``"0:R5"``.
        winner: the seat that won; None for a void round and one still going on.
        void: whether nobody won it.
        held: points left in each hand at its end; None while it is going on.
        scores: match scores after it; None while it is going on.
        extra: keys that start with ``_``.
    """

    dealer: int
    moves: tuple[str, ...] = ()
    winner: int | None = None
    void: bool = False
    held: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None
    extra: Extra = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether the round has come to its end."""
        return self.void or self.winner is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """The table as one seat may know it, in the record of a match still going on.

    Args:
        seat: whose view; None for somebody who looks on.
        decision: what the table waits for.
        position: the table; cards the seat may not know are ``UNKNOWN_CARD``.
        top: the card to be matched, where it does not lie on the discard pile (LC-10, ``keep_none``).
    """

    seat: int | None
    decision: str
    position: Position
    top: int | None = None


def seat_view(view: View) -> SeatView:
    """What a view shows, to be written down."""
    hands = view.hands or tuple((UNKNOWN_CARD,) * count for count in view.counts)
    if view.hand is not None and view.seat is not None and view.hands is None:
        hands = (*hands[: view.seat], view.hand, *hands[view.seat + 1 :])
    position = Position(
        rules=ruleset(view.rules),
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        discard=tuple(view.discard),
        draw=(UNKNOWN_CARD,) * view.draw_count,
        color=view.color,
        turn=view.turn,
        direction=view.direction,
        dealer=view.dealer,
        called=tuple(sorted(seat for seat in view.called if len(hands[seat]) == 1)),
        scores=(0,) * view.players,
    )
    covered = view.discard and view.discard[-1] == view.top
    return SeatView(seat=view.seat, decision=view.decision, position=position, top=None if covered else view.top)


# --- writing ------------------------------------------------------------------------------------


def round_table(number: int, played: RoundRecord) -> dict[str, Any]:
    """The keys and values of a round, in order."""
    table: dict[str, Any] = {"number": number, "dealer": played.dealer, "moves": list(played.moves)}
    if played.winner is not None:
        table["winner"] = played.winner
    if played.void:
        table["void"] = True
    for key, points in (("held", played.held), ("scores", played.scores)):
        if points is not None:
            table[key] = list(points)
    return table


def round_text(number: int, played: RoundRecord, check: str) -> str:
    """A round as the TOML of its block, its moves in rows."""
    lines = [
        f"moves = {toml_rows(value)}\n" if key == "moves" else toml_lines({key: value})
        for key, value in round_table(number, played).items()
    ]
    return "[[round]]\n" + "".join(lines) + toml_lines({"check": check, **played.extra})


def view_text(view: SeatView) -> str:
    """A view as the TOML of its block."""
    top = None if view.top is None else card_name(view.top)
    table = {"seat": view.seat, "decision": view.decision, "top": top, **position_table(view.position)}
    return "[view]\n" + toml_lines({k: v for k, v in table.items() if k in _VIEW_KEYS and v is not None})


# --- reading ------------------------------------------------------------------------------------


def seat_reader(players: int) -> Callable[[object], int]:
    """A reader of seats at a table of so many players."""

    def read(value: object) -> int:
        seat = a_number(value)
        if not 0 <= seat < players:
            raise NotationError(f"there is no seat {seat}; the seats are 0 to {players - 1}")
        return seat

    return read


def read_round(fields: Fields, number: int, players: int, last: bool) -> RoundRecord:
    """The round of a block; what is wrong with it is remembered by ``fields``."""
    seat = seat_reader(players)
    if fields.read("number", a_number, 0, needed=True) != number and "number" not in fields.read_in_vain:
        fields.fault("number", f"rounds are numbered in order; expected {number}")

    def act(value: object) -> str:
        actor, move = parse_act(a_text(value))
        return act_text(seat(actor), move)

    def points(value: object) -> tuple[int, ...]:
        found = numbers(value)
        if len(found) != players:
            raise NotationError(f"{len(found)} numbers for {players} players")
        return found

    played = RoundRecord(
        dealer=fields.read("dealer", seat, 0, needed=True),
        moves=fields.each("moves", act, needed=True),
        winner=fields.read("winner", seat, None),
        void=fields.read("void", a_bool, False),
        held=fields.read("held", points, None),
        scores=fields.read("scores", points, None),
        extra=fields.extra,
    )
    if played.void and played.winner is not None:
        fields.fault("void", "a void round has no winner")
    if not played.over and (not last or "held" in fields or "scores" in fields):
        fields.fault("winner", "missing; only the last round may be going on, and then it has no held and scores")
    return played


def read_view(table: Mapping[str, Any], rules: Ruleset, faults: list[str]) -> SeatView | None:
    """The view of a block; what is wrong with it is added to the faults."""
    fields = Fields(table, _VIEW_KEYS, "view: ")
    decision = fields.read("decision", a_text, "", needed=True)
    position = {key: value for key, value in table.items() if key in POSITION_KEYS}
    try:
        shown = parse_position(position | {"rules": str(rules)}, unknown=True)
    except NotationError as error:
        faults += [*fields.faults, f"view: {error}"]
        return None
    seat = fields.read("seat", seat_reader(len(shown.hands)), None)
    top = fields.read("top", lambda value: parse_card(a_text(value)), None)
    faults += fields.faults
    return SeatView(seat=seat, decision=decision, position=shown, top=top)

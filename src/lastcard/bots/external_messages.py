"""What a program is told, as docs/bot-protocol.md has it: plain values, and which moves it is asked about."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Final

from lastcard.game.actions import CALLS, Move
from lastcard.game.cards import CARD_NAMES
from lastcard.notation.happenings import card_names, open_values
from lastcard.play.view import View


def decisions(legal: Iterable[Move]) -> list[str]:
    """The moves with which a seat on turn may decide; calls and catches are chances."""
    return [str(move) for move in legal if move.verb not in CALLS]


def chances(legal: Iterable[Move], seat: int, turn: int, exposed: Container[int | None]) -> list[str]:
    """The moves a seat may make out of turn that do some good: its call, catches, jump-ins."""
    return [
        str(move)
        for move in legal
        if (move.verb == "uno" and seat in exposed)
        or (move.verb == "catch" and move.target in exposed)
        or (move.verb == "play" and seat != turn)
    ]


def round_message(number: int, players: Sequence[str], view: Mapping[str, Any]) -> dict[str, Any]:
    """A round begins, or the program comes to it later."""
    return {"type": "round", "number": number, "players": [*players], "view": view}


def event_message(happening: Mapping[str, Any]) -> dict[str, Any]:
    """What happened as a message; what does not belong to it is left out."""
    return {"type": "event", **{key: value for key, value in happening.items() if value is not None}}


def over_message(
    winner: int | None, void: bool, hands: Sequence[Sequence[str]] | None, points: Sequence[int] | None
) -> dict[str, Any]:
    """A round is over: who has won it, and what everybody held."""
    return {"type": "over", "winner": winner, "void": void, "hands": hands, "points": points}


VIEW: Final = (
    "rules", "seat", "dealer", "decision", "turn", "direction", "top", "color", "hand", "drawn", "early", "counts",
    "exposed", "called", "candidates", "pending", "pile", "discard_count", "draw_count", "rule", "performer",
)  # fmt: skip
"""The fields of the view a program is sent, in their order."""


def view_values(view: View) -> dict[str, Any]:
    """A view as plain values, in the words the table server uses too."""
    values = open_values(view) | {
        "rules": view.rules,
        "seat": view.seat,
        "hand": card_names(view.hand or ()),
        "drawn": None if view.drawn is None else CARD_NAMES[view.drawn],
        "early": view.seat in view.early,
        "pile": card_names(view.discard),
    }
    return {name: values[name] for name in VIEW}

"""Compiling the engine ahead of the first match; and what a bot has to be shown to be compiled as well."""

from __future__ import annotations

from typing import Final

from lastcard.game.position import parse_position
from lastcard.play.match import Match
from lastcard.play.round import Round
from lastcard.play.view import View

__all__ = ["sample_views", "warm_up"]

_SAMPLE: Final = {
    "rules": "classic+jump_in",
    "hands": ["R1 R2 B3", "R7 G4 G5"],
    "discard": "R7",
    "draw": "B1 B2 B4 B5 B6 Y1 Y2 Y3 Y4 Y5",
}


def is_warm(part: str = "match") -> bool:
    return True


def mark_warm(part: str = "match") -> None:
    pass


def warm_up() -> None:
    """Compile everything that a match calls, by touching it once."""
    match = Match("classic", 2, seed=0)
    table = match.round
    view = table.view(table.turn)
    table.can(table.turn, "draw")
    match.do(table.turn, view.legal[0])
    assert len(table.held) == len(table.hands) == 2


def sample_views() -> tuple[View, View]:
    """The view of a seat that has a choice to make, and of one that may jump in (LC-41)."""
    table = Round.from_position(parse_position(_SAMPLE))
    return table.view(0), table.view(1)

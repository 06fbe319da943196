"""Compiling the engine ahead of the first match, and then the bots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lastcard.bots.registry import LEVELS, make_bot
from lastcard.kernel.jit import is_warm, mark_warm
from lastcard.match import Match
from lastcard.notation.position import parse_position
from lastcard.round import Round

_DEAL: Final = {
    "rules": "classic+jump_in",
    "hands": ["R1 R2 B3", "R7 G4 G5"],
    "discard": "R7",
    "draw": "B1 B2 B4 B5 B6 Y1 Y2 Y3 Y4 Y5",
}
"""Seat 0 has a choice, and seat 1 may jump in."""
_WEAKEST, *_OTHERS = LEVELS
_cold: set[str] = set()
"""Levels for which weaker ones play."""


def warm_up() -> None:
    """Compile everything that a match calls, by touching it once."""
    match = Match("classic", 2, seed=0)
    table = match.round
    view = table.view(table.turn)
    table.can(table.turn, "draw")
    match.do(table.turn, view.legal[0])
    assert len(table.held) == len(table.hands) == 2
    mark_warm()


def cool_bots() -> None:
    """Let weaker bots play until ``warm_bots`` has compiled the others."""
    _cold.update(_OTHERS)


def warm_bots(names: Iterable[str] = tuple(LEVELS)) -> None:
    """Compile everything that these bots call, by letting each decide twice.

    Args:
        names: of kinds or levels, as ``make_bot`` takes them.

    Raises:
        UsageError: for an unknown name.
    """
    table = Round.from_position(parse_position(_DEAL))
    for name in names:
        make_bot(name, b"", 0).choose(table.view(0))
        make_bot(name, b"", 1).react(table.view(1))
        mark_warm(_kind(name))
        _cold.discard(name)


def are_warm(names: Iterable[str]) -> bool:
    """Whether a match, and these bots with it, can begin without anything to be compiled."""
    return is_warm() and all(is_warm(_kind(name)) for name in names)


def _kind(name: str) -> str:
    """The name of a bot without its settings."""
    return name.partition(":")[0]


def is_cold(level: str) -> bool:
    """Whether bots of a level cannot play yet."""
    return level in _cold


def warm_level(level: str) -> str:
    """The level, or the next weaker one that can play already."""
    levels = list(LEVELS)
    while level in _cold:
        level = levels[levels.index(level) - 1]
    return level

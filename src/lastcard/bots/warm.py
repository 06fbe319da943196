"""Compiling the bots, and letting weaker ones play until that is done."""

from __future__ import annotations

from collections.abc import Iterable

from lastcard.bots.registry import LEVELS, make_bot
from lastcard.play.warm import is_warm, mark_warm, sample_views

_WEAKEST, *_OTHERS = LEVELS
_cold: set[str] = set()
"""Levels for which weaker ones play."""


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
    deciding, waiting = sample_views()
    for name in names:
        make_bot(name, b"", 0).choose(deciding)
        make_bot(name, b"", 1).react(waiting)
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

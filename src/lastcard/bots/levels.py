"""How well a bot plays, in words a family understands; and how bots are called at a table."""

from __future__ import annotations

from typing import Final

from lastcard.bots.base import Bot
from lastcard.bots.registry import LEVELS as LEVELS
from lastcard.bots.registry import make_bot
from lastcard.errors import UsageError

DEFAULT_LEVEL: Final = "casual"
"""For free seats, and for the hand of a person who is away."""

BOT_NAMES: Final = ("Juno", "Milo", "Kit", "Nova", "Bo", "Zuzu", "Rio", "Pepa", "Lux", "Tomo")
"""What bots are called, one for each seat of the largest table."""


def make_level(level: str, seed: bytes, seat: int) -> Bot:
    """A bot of a level.

    Args:
        level: one of ``LEVELS``.
        seed: of the match; see ``make_bot``.
        seat: where it sits.

    Raises:
        UsageError: for an unknown level; lists those there are.
    """
    if level not in LEVELS:
        raise UsageError(f"there is no level {level!r}; there are {', '.join(LEVELS)}")
    return make_bot(level, seed, seat)

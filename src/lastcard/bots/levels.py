"""How well a bot plays, in words a family understands; and how bots are called at a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lastcard.bots.base import ATTENTIVE, CASUAL, Bot, Manners
from lastcard.bots.registry import make_bot
from lastcard.errors import UsageError

FORGETFUL: Final = Manners(calls=60, catches=20, jumps=20)
"""Forgets many a call, and does not see that others forget theirs."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of bots.

    Args:
        bot: the kind, as ``bots.registry`` names it.
        manners: how attentive it is.
    """

    bot: str
    manners: Manners


LEVELS: Final[dict[str, Level]] = {
    "learner": Level("random", FORGETFUL),
    "casual": Level("heuristic", CASUAL),
    "sharp": Level("heuristic", ATTENTIVE),
}
"""Every level by name, weakest first."""

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
    chosen = LEVELS[level]
    return make_bot(chosen.bot, seed, seat, chosen.manners)

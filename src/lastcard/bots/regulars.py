"""The regulars: whom one meets at a table. Each level has four, with a name, a tempo and a way of their own.

How strong they play is their level's affair. Of what they hold nothing may be seen in how they behave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Regular:
    """A bot as a person at the table. Its face is drawn by the browser (``web/cards/avatars.js``).

    Args:
        name: unlike all others.
        tempo: how long it takes for everything, as a multiple of what its level takes.
        wilds: seconds more while a wild lies on top.
        danger: seconds more while somebody else is nearly out.
    """

    name: str
    tempo: float = 1.0
    wilds: float = 0.0
    danger: float = 0.0


REGULARS: Final[dict[str, tuple[Regular, ...]]] = {
    "learner": (
        Regular("Bo", tempo=0.7),
        Regular("Pepa", tempo=1.1, wilds=0.8),
        Regular("Zuzu", tempo=0.8, danger=0.6),
        Regular("Momo", tempo=1.3),
    ),
    "casual": (
        Regular("Milo", tempo=0.8),
        Regular("Juno", wilds=0.7),
        Regular("Kit", tempo=0.7, danger=0.8),
        Regular("Tomo", tempo=1.3),
    ),
    "sharp": (
        Regular("Rio", tempo=0.6),
        Regular("Lux", tempo=0.9, danger=0.5),
        Regular("Vera", tempo=1.1, wilds=0.6),
        Regular("Otis", tempo=1.2, danger=0.4),
    ),
    "expert": (
        Regular("Nova", wilds=0.5, danger=0.7),
        Regular("Odo", tempo=1.3),
        Regular("Mika", tempo=0.8, wilds=0.8),
        Regular("Sol", tempo=0.9, danger=0.9),
    ),
    "master": (
        Regular("Zeno", tempo=1.2, wilds=0.5),
        Regular("Orla", danger=0.8),
        Regular("Kai", tempo=0.7),
        Regular("Noor", tempo=0.9, wilds=0.4, danger=0.4),
    ),
}
"""By level, those first whom one meets first."""

STRANGER: Final = Regular("")
"""Whoever plays under another name: for a person who is away, or in an old match."""

_BY_NAME: Final = {regular.name: regular for level in REGULARS.values() for regular in level}


def regular(name: str) -> Regular:
    """Who is called so at a table."""
    return _BY_NAME.get(name, STRANGER)


def level_named(name: str) -> str | None:
    """The level of the regular who is called so; None where nobody is."""
    return next((level for level, group in REGULARS.items() if regular(name) in group), None)


def names_for(level: str, first: int) -> list[str]:
    """What a bot of a level may be called, best first: the four of its level, then all others.

    Args:
        level: one of ``LEVELS``.
        first: which of the four comes first, counted round.
    """
    own = REGULARS.get(level, ())
    turned = [own[(first + i) % len(own)] for i in range(len(own))]
    others = [each for each in _BY_NAME.values() if each not in own]
    return [each.name for each in (*turned, *others)]

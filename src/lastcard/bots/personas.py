"""The personas: four named bots for each level, each with a tempo and timing of its own.

Their level sets their strength. Their timing shows nothing about their hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Persona:
    """A named bot. The browser draws its face (``web/cards/avatars.js``)."""

    name: str
    tempo: float = 1.0
    """Its thinking time, as a multiple of its level's."""
    wilds: float = 0.0
    """Seconds more while a wild is the top card."""
    danger: float = 0.0
    """Seconds more while another player is nearly out."""


PERSONAS: Final[dict[str, tuple[Persona, ...]]] = {
    "learner": (
        Persona("Bo", tempo=0.7),
        Persona("Pepa", tempo=1.1, wilds=0.8),
        Persona("Zuzu", tempo=0.8, danger=0.6),
        Persona("Momo", tempo=1.3),
    ),
    "casual": (
        Persona("Milo", tempo=0.8),
        Persona("Juno", wilds=0.7),
        Persona("Kit", tempo=0.7, danger=0.8),
        Persona("Tomo", tempo=1.3),
    ),
    "sharp": (
        Persona("Rio", tempo=0.6),
        Persona("Lux", tempo=0.9, danger=0.5),
        Persona("Vera", tempo=1.1, wilds=0.6),
        Persona("Otis", tempo=1.2, danger=0.4),
    ),
    "expert": (
        Persona("Nova", wilds=0.5, danger=0.7),
        Persona("Odo", tempo=1.3),
        Persona("Mika", tempo=0.8, wilds=0.8),
        Persona("Sol", tempo=0.9, danger=0.9),
    ),
    "master": (
        Persona("Zeno", tempo=1.2, wilds=0.5),
        Persona("Orla", danger=0.8),
        Persona("Kai", tempo=0.7),
        Persona("Noor", tempo=0.9, wilds=0.4, danger=0.4),
    ),
}
"""Personas by level, the most frequent first."""

NEUTRAL: Final = Persona("")
"""Persona of other names: of a person who is away, or in an old match."""

_BY_NAME: Final = {regular.name: regular for level in PERSONAS.values() for regular in level}


def find_persona(name: str) -> Persona:
    """The persona of a name."""
    return _BY_NAME.get(name, NEUTRAL)


def find_persona_level(name: str) -> str | None:
    """The level of the persona with this name; None if there is none."""
    return next((level for level, group in PERSONAS.items() if find_persona(name) in group), None)


def list_persona_names(level: str, first: int) -> list[str]:
    """Names for a bot of a level, best first: its four from index ``first`` on, modulo 4, then all others."""
    own = PERSONAS.get(level, ())
    rotated = [own[(first + i) % len(own)] for i in range(len(own))]
    others = [each for each in _BY_NAME.values() if each not in own]
    return [each.name for each in (*rotated, *others)]

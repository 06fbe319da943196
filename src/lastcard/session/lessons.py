"""Lessons: rounds with prepared cards for beginners, read from ``lessons.toml``. Nothing in them is shuffled."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from lastcard.game.position import Position, parse_position

LEARNER: Final = 0
"""The seat of the learner; bots have the others."""


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One move of the learner."""

    beat: int
    """The part of the lesson that it belongs to, from 1."""
    say: str
    """The name of the text with the instruction."""
    at: str
    """The subject of that text: ``hand``, ``draw``, ``uno``, ``answers`` or ``seat``."""
    moves: tuple[str, ...]
    """The allowed moves, as far as they are legal."""
    then: str | None = None
    """The name of the text shown while others play after it."""
    seat: int | None = None
    """The seat that the texts are about."""


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A prepared round. The moves of each seat are counted, so a lesson continues from any log."""

    position: dict[str, Any]
    """The first position, as ``parse_position`` reads it."""
    script: dict[str, tuple[str, ...]]
    """Moves of the bots by seat: for each of a bot's moves the alternatives, of which it plays the first legal one."""
    steps: tuple[Step, ...]
    done: str = "done"
    """The name of the text at its end."""

    @property
    def start(self) -> Position:
        """The position in which it begins."""
        return parse_position(self.position)

    def owners(self, learner: str) -> tuple[str | None, ...]:
        """Return the owners of the table's seats by seat: the learner's id, and None for bots."""
        return tuple(learner if seat == LEARNER else None for seat in range(len(self.start.hands)))

    @property
    def beats(self) -> int:
        """The number of parts."""
        return self.steps[-1].beat


LESSONS: Final = msgspec.convert(
    tomllib.loads((Path(__file__).with_name("lessons.toml")).read_text("utf-8")), dict[str, tuple[Lesson, ...]]
)
"""The lessons of each game by its name, the first one first."""


def find_lesson(rules: str, number: int) -> Lesson | None:
    """Return a lesson of a game by its number, from 1; None if there is none, or the ruleset is not a plain game."""
    lessons = LESSONS.get(rules, ())
    return lessons[number - 1] if 0 < number <= len(lessons) else None

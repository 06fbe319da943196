"""Lessons: rounds with prepared cards for somebody new, as ``lessons.toml`` tells them. Nothing in them is shuffled."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from lastcard.game.position import Position, parse_position

LEARNER: Final = 0
"""The seat of the person who learns; bots have the others."""


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One act of the learner."""

    beat: int
    """The part of the lesson it belongs to, from 1."""
    say: str
    """The name of the text that says what to do."""
    at: str
    """What that text speaks of: ``hand``, ``draw``, ``uno``, ``lever`` or ``seat``."""
    moves: tuple[str, ...]
    """What may be done, as far as it is possible."""
    then: str | None = None
    """The name of the text while others play after it."""
    seat: int | None = None
    """The seat that the texts are about."""


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A prepared round. The acts of each seat are counted: so a lesson goes on wherever its log ends."""

    position: dict[str, Any]
    """Where it begins, as ``parse_position`` reads it."""
    script: dict[str, tuple[str, ...]]
    """By seat what a bot does with each of its acts: the first of these moves that is possible."""
    steps: tuple[Step, ...]

    @property
    def start(self) -> Position:
        """Where it begins."""
        return parse_position(self.position)

    def seats(self, learner: str) -> tuple[str | None, ...]:
        """Whose seats those of its table are: all but one are bots'.

        Args:
            learner: the id of the person.
        """
        return tuple(learner if seat == LEARNER else None for seat in range(len(self.start.hands)))

    @property
    def beats(self) -> int:
        """How many parts it has."""
        return self.steps[-1].beat


LESSONS: Final = msgspec.convert(
    tomllib.loads((Path(__file__).with_name("lessons.toml")).read_text("utf-8")), dict[str, Lesson]
)
"""Every lesson by the name of its game."""

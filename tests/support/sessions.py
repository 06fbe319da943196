"""Sittings at the line client without a terminal: a person who types by script or by whim."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO, cast

from lastcard.terminal.start import Sitting, play
from lastcard.terminal.talk import Talk

WHIMS = ("catch ada", "catch>1", "challenge", "accept", "draw", "pass", "stop", "done", "W=G", "Wx>1", "1:uno", "uno")
RUBBISH = (
    "help",
    "hand",
    "log",
    "rules",
    "zz",
    "R",
    "W=",
    "catch",
    "::",
    "9999",
    "99999999",
    "x!",
    "\t",
    "é",
    "1:",
    "!",
)


class Typist(io.TextIOBase):
    """Lines of a script, then the end of the input."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines: Iterator[str] = iter(lines)

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line, or nothing at the end."""
        return next((line + "\n" for line in self._lines), "")


def whimsical(seed: int, lines: int, rubbish: float = 0.02) -> Iterator[str]:
    """What somebody types who picks lines of the list by chance, now and then something else."""
    rng = random.Random(seed)
    for _ in range(lines):
        luck = rng.random()
        if luck < rubbish:
            yield rng.choice(RUBBISH)
        elif luck < rubbish + 0.1:
            yield rng.choice(WHIMS)
        else:
            yield rng.choice(("1", "1", "2", "3", "1!", ""))


def sit(lines: Iterable[str], asked: Sitting) -> str:
    """Play a match until it or the script is over; everything that was printed."""
    out = io.StringIO()
    play(asked, Talk(cast(TextIO, Typist(lines)), out))
    return out.getvalue()


def sitting(folder: Path, **values: Any) -> Sitting:
    """A match that is saved in a folder."""
    return Sitting(save=folder / "match.toml", **values)

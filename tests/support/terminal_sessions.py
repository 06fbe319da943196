"""Sessions of the line client without a terminal: the input is a script or random."""

from __future__ import annotations

import io
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO, cast

from lastcard.terminal.line_io import LineTerminal
from lastcard.terminal.match_setup import MatchSetup, play_match

COMMON_LINES = (
    "catch ada",
    "catch>1",
    "challenge",
    "accept",
    "draw",
    "pass",
    "stop",
    "done",
    "W=G",
    "Wx>1",
    "1:uno",
    "uno",
)
INVALID_LINES = (
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


class ScriptedInput(io.TextIOBase):
    """Lines of a script, then the end of the input."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines: Iterator[str] = iter(lines)

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        """The next line, or nothing at the end."""
        return next((line + "\n" for line in self._lines), "")


def random_lines(seed: int, lines: int, invalid_share: float = 0.02) -> Iterator[str]:
    """The input of somebody who picks lines of the list at random, and sometimes types something else."""
    rng = random.Random(seed)
    for _ in range(lines):
        luck = rng.random()
        if luck < invalid_share:
            yield rng.choice(INVALID_LINES)
        elif luck < invalid_share + 0.1:
            yield rng.choice(COMMON_LINES)
        else:
            yield rng.choice(("1", "1", "2", "3", "1!", ""))


def run_session(lines: Iterable[str], asked: MatchSetup) -> str:
    """Play a match until it or the script is over; returns everything that was printed."""
    out = io.StringIO()
    play_match(asked, LineTerminal(cast(TextIO, ScriptedInput(lines)), out))
    return out.getvalue()


def make_session(folder: Path, **values: Any) -> MatchSetup:
    """A match that is saved in a folder."""
    return MatchSetup(save=folder / "match.toml", **values)

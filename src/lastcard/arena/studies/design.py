"""What a study is: its question, a design that is fixed in advance, and its findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from lastcard.arena.studies.inference import Sums
from lastcard.bots.statistics import Estimate

Cell = tuple[str | int, ...]
"""A part of a design: what is measured together, such as a game and a number of seats."""
Value = str | int | float | Estimate | None
"""A value of a table."""

GAME_TITLES: Final = {"all-wild": "All Wild", "classic": "classic", "wild-jackpot": "Wild Jackpot"}


@dataclass(frozen=True, slots=True)
class Sample:
    """The rounds of a cell that are measured together."""

    cell: Cell
    seed: bytes
    first: int
    """Number of the first round."""
    count: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a page, and of a Parquet file."""

    name: str
    """Name of its file, without an ending."""
    caption: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[Value, ...]]
    percent: bool = False
    """Whether estimates are shares, to be shown as percentages."""
    shown: int | None = None
    """Number of rows on the page; None for all."""


@dataclass(frozen=True, slots=True)
class Series:
    """Points of a figure that have one color, each with its estimate."""

    name: str
    points: Sequence[tuple[str | int, Estimate]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: lines over numbers, or dots beside names."""

    title: str
    axis: str
    """What the estimates are, with their unit."""
    series: list[Series]
    base: str = ""
    """What the numbers below lines are; empty for dots beside names."""
    reference: float | None = None
    """A value to compare with, drawn as a thin line."""
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """The result of a study."""

    answer: str
    """The answer in one sentence."""
    paragraphs: list[str]
    """The results in words, without statistics."""
    figure: Figure
    tables: list[Table]
    sources: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Study:
    """A question and how it is answered."""

    name: str
    title: str
    question: str
    method: str
    """What is played and measured, and how it is tested."""
    cells: tuple[Cell, ...]
    rounds: int
    """Number of rounds of each cell, if no other is given."""
    measure: Callable[[Sample], Sums]
    """Plays rounds and returns their measures; the same sample gives the same sums."""
    conclude: Callable[[Sums], Findings]
    chunk: int = 1000
    """Number of rounds that are measured together."""

    def samples(self, rounds: int, seed: bytes) -> list[Sample]:
        """All samples of the design, in order."""
        return [
            Sample(cell, seed, first, min(self.chunk, rounds - first))
            for cell in self.cells
            for first in range(0, rounds, self.chunk)
        ]


def join_names(names: Sequence[str]) -> str:
    """Returns names as a list in a sentence: ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else "none"


def percent_text(share: float, digits: int = 1) -> str:
    """Returns a share as a percentage: ``52.3 %``."""
    return f"{100 * share:.{digits}f} %"

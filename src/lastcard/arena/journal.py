"""A file of played deals, one a line, so that an arena can stop and continue (``line_file``)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from lastcard.arena.deals import Deal, Luck, Plan, RoundResult
from lastcard.arena.decision_times import DecisionTimes, TimeHistogram
from lastcard.arena.line_file import (
    DECODE_ERRORS,
    LineFile,
    compare_heads,
    encode_values,
    parse_lines,
    read_lines,
)
from lastcard.errors import UsageError

_KIND: Final = "arena"
_TIMES_KEY: Final = b',"clocks":'
"""What separates the rounds of a deal from its times."""


class _Line(msgspec.Struct):
    """A deal as it is stored."""

    deal: Annotated[int, msgspec.Meta(ge=0)]
    rounds: tuple[RoundResult, ...]
    clocks: dict[str, tuple[dict[int, int], dict[int, int]]]


def find_seed(path: Path) -> str | None:
    """The seed of the arena in a file; None if there is no file. Raises a UsageError for a file that is no journal."""
    head, _ = read_lines(path, _KIND)
    return None if head is None else str(head.get("seed"))


class Journal:
    """The journal of an arena, open for appending; the file is created if missing.

    Raises:
        UsageError: for the file of another arena, a damaged file, or one that cannot be written.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self._file = LineFile(path, _KIND, plan.as_dict(), lambda line: _parse_deal(plan, line))
        self.deals: dict[int, Deal] = {deal.number: deal for deal in self._file.items}
        """The deals in the file when it was opened, by number."""
        self.close = self._file.close

    def add(self, deal: Deal) -> None:
        """Write a deal; raises a UsageError if the disk is full."""
        clocks = {name: [clock.choose.counts, clock.react.counts] for name, clock in deal.times.items()}
        self._file.add(encode_rounds(deal) + encode_values(clocks) + b"}")


def read_played(path: Path, luck: Luck | None) -> tuple[Plan, dict[int, bytes]]:
    """Returns the plan of a journal and its deals as ``encode_rounds`` wrote them, by number; the file is unchanged.

    Args:
        path: the file.
        luck: measure of luck, if it was measured.

    Raises:
        UsageError: for a file that is no journal, or that this code would not continue.
    """
    head, lines = read_lines(path, _KIND)
    if head is None:
        raise UsageError(f"{path}: there is no such file")
    plan = read_plan(path, head, luck)
    deals = parse_lines(path, lines, lambda line: _parse_deal(plan, line))
    return plan, {
        deal.number: line[: line.index(_TIMES_KEY) + len(_TIMES_KEY)] for deal, line in zip(deals, lines, strict=False)
    }


def read_plan(path: Path, head: dict[str, Any], luck: Luck | None) -> Plan:
    """Returns the plan that a file describes; a UsageError if this code would not play it, or not in the same way."""
    if head.get("own"):
        raise UsageError(f"{path}: its bots are not known by name, so that only their program can play again")
    try:
        plan = Plan.read(head, luck)
    except (*DECODE_ERRORS, TypeError):
        raise UsageError(f"{path}: the description of its arena is damaged") from None
    compare_heads(path, _KIND, head, plan.as_dict())
    return plan


def encode_rounds(deal: Deal) -> bytes:
    """Returns the start of a deal's line, up to its times: it depends only on the plan and the number."""
    return encode_values({"deal": deal.number, "rounds": [played for _, played in deal.rounds]})[:-1] + _TIMES_KEY


def _parse_deal(plan: Plan, text: bytes) -> Deal:
    """A deal as ``Journal.add`` wrote it; raises one of ``DECODE_ERRORS`` if the line is invalid."""
    line = msgspec.json.decode(text, type=_Line)
    for played in line.rounds:
        known = played.winner is None or 0 <= played.winner < plan.players
        measured = plan.players if plan.luck else 0
        if not known or not len(played.points) == len(played.drawn) == plan.players or len(played.luck) != measured:
            raise ValueError
    rounds = tuple(zip(plan.seatings(line.deal), line.rounds, strict=True))
    clocks = {
        name: DecisionTimes(*(TimeHistogram(Counter(counts)) for counts in line.clocks[name])) for name in plan.kinds
    }
    return Deal(line.deal, rounds, clocks)

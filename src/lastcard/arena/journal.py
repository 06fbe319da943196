"""A file of played deals, one a line, so that an arena can stop and continue.

The first line identifies the arena, every other line is a deal. A line that was cut off by a crash is dropped, and its
deal is played again.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final

import msgspec

from lastcard.arena.deals import Deal, Luck, Plan, RoundResult
from lastcard.arena.decision_times import DecisionTimes, TimeHistogram
from lastcard.errors import UsageError, wrap_os_errors
from lastcard.game.text_files import normalize_text

_FORMAT: Final = 1
_HEAD_BYTES: Final = 1024 * 1024
"""Length limit of the first line; a file with a longer one is no journal and is not read."""
_DECODE_ERRORS: Final = (msgspec.MsgspecError, ValueError, LookupError, RecursionError)
"""The errors of reading an invalid line."""
_LINE_ENDS: Final = (b"\n", b"\r")
"""The line ends, as in ``normalize_text``."""
_TIMES_KEY: Final = b',"clocks":'
"""What separates the rounds of a deal from its times."""


class _Line(msgspec.Struct):
    """A deal as it is stored."""

    deal: Annotated[int, msgspec.Meta(ge=0)]
    rounds: tuple[RoundResult, ...]
    clocks: dict[str, tuple[dict[int, int], dict[int, int]]]


def find_seed(path: Path) -> str | None:
    """The seed of the arena in a file; None if there is no file. Raises a UsageError for a file that is no journal."""
    head = _read_head(path, _read(path))
    return None if head is None else str(head.get("seed"))


class Journal:
    """The journal of an arena, open for appending; the file is created if missing.

    Raises:
        UsageError: for the file of another arena, a damaged file, or one that cannot be written.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.deals: dict[int, Deal] = {}
        """The deals in the file when it was opened, by number."""
        content = _read(path)
        head, found = plan.as_dict(), _read_head(path, content)
        if found is not None:
            _compare(path, found, head)
        first, *lines = content.splitlines(keepends=True) or [b""]
        self._file: BinaryIO
        with wrap_os_errors(path, "cannot be written"):
            if first.endswith(_LINE_ENDS):
                found_deals, size = _read_deals(path, plan, lines)
                self.deals = {number: deal for number, (deal, _) in found_deals.items()}
                good = len(first) + size
                self._file = path.open("r+b")
                self._file.truncate(good)
                self._file.seek(good)
            else:
                self._file = path.open("wb")
                self._write(_encode({"lastcard arena": _FORMAT, **head}))

    def close(self) -> None:
        """Close the file; everything added is written by then."""
        with suppress(OSError):  # a line that was not written, which ``add`` has reported
            self._file.close()

    def add(self, deal: Deal) -> None:
        """Write a deal; raises a UsageError if the disk is full."""
        clocks = {name: [clock.choose.counts, clock.react.counts] for name, clock in deal.times.items()}
        with wrap_os_errors(self.path, "cannot be written"):
            self._write(encode_rounds(deal) + _encode(clocks) + b"}")

    def _write(self, line: bytes) -> None:
        self._file.write(line + b"\n")
        self._file.flush()


def read_played(path: Path, luck: Luck | None) -> tuple[Plan, dict[int, bytes]]:
    """Returns the plan of a journal and its deals as ``encode_rounds`` wrote them, by number; the file is unchanged.

    Args:
        path: the file.
        luck: measure of luck, if it was measured.

    Raises:
        UsageError: for a file that is no journal, or that this code would not continue.
    """
    content = _read(path)
    head = _read_head(path, content)
    if head is None:
        raise UsageError(f"{path}: there is no such file")
    plan = read_plan(path, head, luck)
    deals, _ = _read_deals(path, plan, content.splitlines(keepends=True)[1:])
    return plan, {number: line[: line.index(_TIMES_KEY) + len(_TIMES_KEY)] for number, (_, line) in deals.items()}


def read_plan(path: Path, head: dict[str, Any], luck: Luck | None) -> Plan:
    """Returns the plan that a file describes; a UsageError if this code would not play it, or not in the same way."""
    if head.get("own"):
        raise UsageError(f"{path}: its bots are not known by name, so that only their program can play again")
    try:
        plan = Plan.read(head, luck)
    except (*_DECODE_ERRORS, TypeError):
        raise UsageError(f"{path}: the description of its arena is damaged") from None
    _compare(path, head, plan.as_dict())
    return plan


def encode_rounds(deal: Deal) -> bytes:
    """Returns the start of a deal's line, up to its times: it depends only on the plan and the number."""
    return _encode({"deal": deal.number, "rounds": [played for _, played in deal.rounds]})[:-1] + _TIMES_KEY


def _encode(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _read_deals(path: Path, plan: Plan, lines: list[bytes]) -> tuple[dict[int, tuple[Deal, bytes]], int]:
    """The deals in the lines after the first with their lines, and the number of valid bytes."""
    deals, good = {}, 0
    for number, line in enumerate(lines, start=2):
        if not line.endswith(_LINE_ENDS):  # the last line, cut off
            break
        try:
            deal = _parse_deal(plan, line)
        except _DECODE_ERRORS:
            if number == len(lines) + 1:
                break
            raise UsageError(f"{path}: line {number} is damaged; begin a new file") from None
        deals[deal.number] = deal, line
        good += len(line)
    return deals, good


def _read(path: Path) -> bytes:
    """The bytes of a file: none if it is missing, and only the start of a file whose first line is too long."""
    with wrap_os_errors(path, "cannot be read"):
        if not path.exists():
            return b""
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            return head + file.read() if any(end in head for end in _LINE_ENDS) else head


def _read_head(path: Path, content: bytes) -> dict[str, Any] | None:
    """The content of the first line; None for a new file."""
    if not content:
        return None
    try:
        head = msgspec.json.decode(normalize_text(content.splitlines()[0].decode()))
    except _DECODE_ERRORS:
        head = None
    if not isinstance(head, dict) or head.pop("lastcard arena", None) != _FORMAT:
        raise UsageError(f"{path}: is not the file of an arena; name a new one")
    return head


def _compare(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse the file of another arena."""
    for name, value in wanted.items():
        if found.get(name) != value:
            there, here = json.dumps(found.get(name)), json.dumps(value)
            raise UsageError(f"{path}: keeps another arena, of {name} {there} and not {here}; name a new file")


def _parse_deal(plan: Plan, text: bytes) -> Deal:
    """A deal as ``Journal.add`` wrote it; raises one of ``_DECODE_ERRORS`` if the line is invalid."""
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

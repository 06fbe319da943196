"""Deals that were played, kept line by line in a file, so that an arena can stop and go on.

The first line says which arena it is, every other one is a deal. A line that was being written when the power went is
dropped, and its deal played again.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final

import msgspec

from lastcard.arena.clocks import Clock, Times
from lastcard.arena.playing import Deal, Plan, Played
from lastcard.errors import UsageError, named
from lastcard.game.files import plain_text

_FORMAT: Final = 1
_HEAD_BYTES: Final = 1024 * 1024
"""The longest first line; what has a longer one is no file of an arena, and is not read."""
_DAMAGE: Final = (msgspec.MsgspecError, ValueError, LookupError, RecursionError)
"""What reading rubbish ends in."""
_ENDS: Final = (b"\n", b"\r")
"""How a line may end, as ``plain_text`` has it."""


class _Line(msgspec.Struct):
    """A deal as it is written."""

    deal: Annotated[int, msgspec.Meta(ge=0)]
    rounds: tuple[Played, ...]
    clocks: dict[str, tuple[dict[int, int], dict[int, int]]]


def find_seed(path: Path) -> str | None:
    """The seed of the arena that a file keeps; None where there is no file yet.

    Raises:
        UsageError: where the file is something else or cannot be read.
    """
    head = _read_head(path, _read(path))
    return None if head is None else str(head.get("seed"))


class Journal:
    """The file of an arena, open to go on with.

    Args:
        path: the file; it is made where there is none.
        plan: of the arena.

    Raises:
        UsageError: for the file of another arena, a damaged one, or one that cannot be written.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.deals: dict[int, Deal] = {}
        """What the file held when it was opened, by number."""
        content = _read(path)
        head, found = plan.as_dict(), _read_head(path, content)
        if found is not None:
            _compare(path, found, head)
        first, *lines = content.splitlines(keepends=True) or [b""]
        self._file: BinaryIO
        with named(path, "cannot be written"):
            if first.endswith(_ENDS):
                good = len(first) + self._read_deals(plan, lines)
                self._file = path.open("r+b")
                self._file.truncate(good)
                self._file.seek(good)
            else:
                self._file = path.open("wb")
                self._write({"lastcard arena": _FORMAT, **head})

    def close(self) -> None:
        """Close the file; all that it took is written by then."""
        with suppress(OSError):  # a line that it did not take, of which ``add`` has told
            self._file.close()

    def add(self, deal: Deal) -> None:
        """Write a deal.

        Raises:
            UsageError: where the disk takes no more.
        """
        line = {
            "deal": deal.number,
            "rounds": [played for _, played in deal.rounds],
            "clocks": {name: [clock.choose.counts, clock.react.counts] for name, clock in deal.clocks.items()},
        }
        with named(self.path, "cannot be written"):
            self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def _read_deals(self, plan: Plan, lines: list[bytes]) -> int:
        """Read the lines after the first; returns how many bytes of them are good."""
        good = 0
        for number, line in enumerate(lines, start=2):
            if not line.endswith(_ENDS):  # half a line, the last one
                break
            try:
                deal = _parse_deal(plan, line)
            except _DAMAGE:
                if number == len(lines) + 1:
                    break
                raise UsageError(f"{self.path}: line {number} is damaged; begin a new file") from None
            self.deals[deal.number] = deal
            good += len(line)
        return good


def _read(path: Path) -> bytes:
    """The bytes of a file; none where there is no file, and no more than the longest head where it has no such line."""
    with named(path, "cannot be read"):
        if not path.exists():
            return b""
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            return head + file.read() if any(end in head for end in _ENDS) else head


def _read_head(path: Path, content: bytes) -> dict[str, Any] | None:
    """What the first line says; None for a new file."""
    if not content:
        return None
    try:
        head = msgspec.json.decode(plain_text(content.splitlines()[0].decode()))
    except _DAMAGE:
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
    """A deal as ``Journal.add`` wrote it; one of ``_DAMAGE`` where it is not."""
    line = msgspec.json.decode(text, type=_Line)
    for played in line.rounds:
        known = played.winner is None or 0 <= played.winner < plan.players
        measured = plan.players if plan.luck else 0
        if not known or not len(played.points) == len(played.drawn) == plan.players or len(played.luck) != measured:
            raise ValueError
    rounds = tuple(zip(plan.seatings(line.deal), line.rounds, strict=True))
    clocks = {name: Clock(*(Times(Counter(counts)) for counts in line.clocks[name])) for name in plan.kinds}
    return Deal(line.deal, rounds, clocks)

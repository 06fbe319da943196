"""Deals that were played, kept line by line in a file, so that an arena can stop and go on.

The first line says which arena it is, every other one is a deal. A line that was being written when the power went is
dropped, and its deal played again.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import astuple
from pathlib import Path
from typing import Any, BinaryIO, Final

from lastcard.errors import UsageError
from lastcard.lab.clocks import Clock, Times
from lastcard.lab.playing import Deal, Plan, Played

_FORMAT: Final = 1
_DAMAGE: Final = (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError)
"""What reading rubbish ends in."""


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
        first, *lines = content.split(b"\n")
        self._file: BinaryIO
        try:
            if lines:
                good = len(first) + 1 + self._read_deals(plan, lines)
                self._file = path.open("r+b")
                self._file.truncate(good)
                self._file.seek(good)
            else:
                self._file = path.open("wb")
                self._write({"lastcard arena": _FORMAT, **head})
        except OSError as error:
            raise _cannot(path, "written", error) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def add(self, deal: Deal) -> None:
        """Write a deal.

        Raises:
            UsageError: where the disk takes no more.
        """
        line = {
            "deal": deal.number,
            "rounds": [astuple(played) for _, played in deal.rounds],
            "clocks": {name: [clock.choose.counts, clock.react.counts] for name, clock in deal.clocks.items()},
        }
        try:
            self._write(line)
        except OSError as error:
            raise _cannot(self.path, "written", error) from None

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def _read_deals(self, plan: Plan, lines: list[bytes]) -> int:
        """Read the lines after the first; returns how many bytes of them are good."""
        good = 0
        for i, line in enumerate(lines[:-1]):  # after the last line end: nothing, or half a line
            try:
                deal = _parse_deal(plan, line)
            except _DAMAGE:
                if i == len(lines) - 2 and not lines[-1]:
                    break
                raise UsageError(f"{self.path}: line {i + 2} is damaged; begin a new file") from None
            self.deals[deal.number] = deal
            good += len(line) + 1
        return good


def _read(path: Path) -> bytes:
    """The bytes of a file; none where there is no file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise _cannot(path, "read", error) from None


def _cannot(path: Path, what: str, error: OSError) -> UsageError:
    return UsageError(f"{path}: cannot be {what}: {error.strerror or error}")


def _read_head(path: Path, content: bytes) -> dict[str, Any] | None:
    """What the first line says; None for a new file."""
    if not content:
        return None
    try:
        head = json.loads(content.split(b"\n", 1)[0])
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


def _parse_deal(plan: Plan, line: bytes) -> Deal:
    """A deal as ``Journal.add`` wrote it; whatever Python raises where it is not."""
    fields = json.loads(line)
    number = fields["deal"]
    rounds = tuple(
        (seating, _parse_played(plan.players, *played))
        for seating, played in zip(plan.seatings(number), fields["rounds"], strict=True)
    )
    clocks = {name: Clock(*map(_parse_times, fields["clocks"][name])) for name in plan.kinds}
    return Deal(number, rounds, clocks)


def _parse_played(
    players: int, winner: int | None, stuck: bool, plies: int, points: list[int], drawn: list[int]
) -> Played:
    if not (winner is None or 0 <= winner < players) or not len(points) == len(drawn) == players:
        raise ValueError
    return Played(winner, bool(stuck), int(plies), tuple(map(int, points)), tuple(map(int, drawn)))


def _parse_times(counts: dict[str, int]) -> Times:
    return Times(Counter({int(step): int(count) for step, count in counts.items()}))

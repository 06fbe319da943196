"""A file of results, one a line, so that work can stop and continue.

The first line identifies the work. A last line that was cut off by a crash is dropped, and its part is done again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, Generic, TypeVar

import msgspec

from lastcard.errors import UsageError, wrap_os_errors
from lastcard.game.text_files import normalize_text

Item = TypeVar("Item")

_FORMAT: Final = 1
_HEAD_BYTES: Final = 1024 * 1024
"""Length limit of the first line; a file with a longer one has no results and is not read."""
DECODE_ERRORS: Final = (msgspec.MsgspecError, ValueError, LookupError, RecursionError)
"""The errors of reading an invalid line."""
_LINE_ENDS: Final = (b"\n", b"\r")
"""The line ends, as in ``normalize_text``."""


class LineFile(Generic[Item]):
    """A file of results, open for appending; it is created if missing.

    Args:
        path: the file.
        kind: what the results are of: ``arena`` or ``study``.
        head: everything that the results depend on, as plain values.
        parse: reads a line; raises one of ``DECODE_ERRORS`` if it is invalid.

    Raises:
        UsageError: for the file of other work, a damaged file, or one that cannot be written.
    """

    def __init__(self, path: Path, kind: str, head: dict[str, Any], parse: Callable[[bytes], Item]) -> None:
        self.path = path
        self.items: list[Item] = []
        """The results in the file when it was opened."""
        content = _read(path)
        found = _parse_head(path, kind, content)
        if found is not None:
            compare_heads(path, kind, found, head)
        first, *lines = content.splitlines(keepends=True) or [b""]
        self._file: BinaryIO
        with wrap_os_errors(path, "cannot be written"):
            if first.endswith(_LINE_ENDS):
                self.items = parse_lines(path, lines, parse)
                good = len(first) + sum(map(len, lines[: len(self.items)]))
                self._file = path.open("r+b")
                self._file.truncate(good)
                self._file.seek(good)
            else:
                self._file = path.open("wb")
                self.add(encode_values({f"lastcard {kind}": _FORMAT, **head}))

    def close(self) -> None:
        """Close the file; everything added is written by then."""
        with suppress(OSError):  # a line that was not written, which ``add`` has reported
            self._file.close()

    def add(self, line: bytes) -> None:
        """Write a line; raises a UsageError if the disk is full."""
        with wrap_os_errors(self.path, "cannot be written"):
            self._file.write(line + b"\n")
            self._file.flush()


def encode_values(value: Any) -> bytes:
    """Returns plain values as JSON in one line."""
    return json.dumps(value, separators=(",", ":")).encode()


def read_lines(path: Path, kind: str) -> tuple[dict[str, Any] | None, list[bytes]]:
    """Returns the content of the first line and the other lines; None for a missing or empty file.

    Raises:
        UsageError: for a file that has no results of this kind.
    """
    content = _read(path)
    return _parse_head(path, kind, content), content.splitlines(keepends=True)[1:]


def parse_lines(path: Path, lines: list[bytes], parse: Callable[[bytes], Item]) -> list[Item]:
    """Returns what the lines after the first contain, without a last one that was cut off."""
    found = []
    for number, line in enumerate(lines, start=2):
        if not line.endswith(_LINE_ENDS):  # the last line, cut off
            break
        try:
            found.append(parse(line))
        except DECODE_ERRORS:
            if number == len(lines) + 1:
                break
            raise UsageError(f"{path}: line {number} is damaged; begin a new file") from None
    return found


def compare_heads(path: Path, kind: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse the file of other work of the same kind."""
    for name, value in wanted.items():
        if found.get(name) != value:
            there, here = json.dumps(found.get(name)), json.dumps(value)
            other = f"another {kind}, of {name} {there} and not {here}"
            raise UsageError(f"{path}: is of {other}; name another file, or remove this one")


def _read(path: Path) -> bytes:
    """The bytes of a file: none if it is missing, and only the start of a file whose first line is too long."""
    with wrap_os_errors(path, "cannot be read"):
        if not path.exists():
            return b""
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            return head + file.read() if any(end in head for end in _LINE_ENDS) else head


def _parse_head(path: Path, kind: str, content: bytes) -> dict[str, Any] | None:
    """The content of the first line; None for a new file."""
    if not content:
        return None
    try:
        head = msgspec.json.decode(normalize_text(content.splitlines()[0].decode()))
    except DECODE_ERRORS:
        head = None
    if not isinstance(head, dict) or head.pop(f"lastcard {kind}", None) != _FORMAT:
        raise UsageError(f"{path}: is not the file of {'an' if kind[0] in 'aeiou' else 'a'} {kind}; name a new one")
    return head

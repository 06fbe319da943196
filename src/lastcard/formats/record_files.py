"""Match records as files: read completely or rejected, written atomically. A file may hold many records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from lastcard.errors import RecordError, RecordFormatError, prefix_errors, wrap_os_errors
from lastcard.game.text_files import TEXT_LIMIT_BYTES, atomic_write, normalize_text, read_text
from lastcard.match.record import FORMAT, Record, RoundRecord, SeatView

__all__ = [
    "FORMAT",
    "Record",
    "RoundRecord",
    "SeatView",
    "read_record",
    "read_records",
    "write_record",
    "write_records",
]
_FIRST_LINE: Final = re.compile(r"\ufeff*format\s*=")
"""The first line of a record in a file of many, perhaps after the byte order mark of a file that was joined."""


def read_record(path: str | Path, unchecked: bool = False) -> Record:
    """Returns the record in a file, ``unchecked`` as in ``Record.parse``.

    >>> write_record("match.toml", play(Match("all-wild", 2, seed=1), "sharp").record())
    >>> read_record("match.toml").winners
    (0,)

    Raises:
        RecordError: if it cannot be read, is no record or was changed; names the file and the place.
            ``RecordFormatError`` for a file that is no record.
    """
    text = read_text(path, RecordFormatError)
    with prefix_errors(path, RecordError):
        return Record.parse(text, unchecked)


def write_record(path: str | Path, record: Record) -> None:
    """Write a record to a file atomically; if the path is a link, to its target. A device or a pipe is not replaced.

    >>> write_record("match.toml", play(Match("all-wild", 2, seed=1), "sharp").record())

    Raises:
        OSError: if the file cannot be written; an older one is then unchanged.
    """
    with atomic_write(Path(path)) as draft:
        draft.write_text(record.text(), encoding="utf-8", newline="\n")


def read_records(path: str | Path, unchecked: bool = False) -> Iterator[Record]:
    """Yields the records of a folder (its ``.toml`` files by name), or of a file with one record after another.

    A file is read as a stream, so it may be larger than the memory.

    >>> write_records("all.toml", [play(Match("all-wild", 2, seed=n), "sharp").record() for n in range(3)])
    >>> [record.winners for record in read_records("all.toml")]
    [(1,), (0,), (1,)]

    Raises:
        RecordError: as ``read_record``; names the file, and the number of the record in it.
    """
    path = Path(path)
    if path.is_dir():
        for file in sorted(path.glob("*.toml")):
            yield from read_records(file, unchecked)
        return
    for number, text in enumerate(read_texts(path), start=1):
        with prefix_errors(f"{path}, record {number}", RecordError):
            yield Record.parse(text, unchecked)


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """Write records to one file, which ``read_records`` reads; atomically, as ``write_record``.

    >>> write_records("all.toml", [play(Match("all-wild", 2, seed=n), "sharp").record() for n in range(3)])

    Args:
        records: the records, in order.

    Raises:
        OSError: as ``write_record``.
    """
    with atomic_write(Path(path)) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        for number, record in enumerate(records):
            file.write("\n" * (number > 0) + record.text())


def read_texts(path: str | Path) -> Iterator[str]:
    """Yields the texts of the records in a file, and that before the first; at least one, which may be empty.

    Raises:
        RecordFormatError: if the file cannot be read or is too long.
    """
    path = Path(path)
    lines: list[str] = []
    size = 0
    with wrap_os_errors(path, "cannot be read", RecordFormatError), path.open(encoding="utf-8") as file:
        try:
            for line in file:
                if _FIRST_LINE.match(line) and any(map(str.strip, lines)):
                    yield normalize_text("".join(lines))
                    lines, size = [], 0
                lines.append(line)
                size += len(line)
                if size > TEXT_LIMIT_BYTES:
                    raise RecordFormatError(f"{path}: a record has at most {TEXT_LIMIT_BYTES:,} bytes")
        except UnicodeDecodeError:
            raise RecordFormatError(f"{path}: is not text in UTF-8") from None
    yield normalize_text("".join(lines))

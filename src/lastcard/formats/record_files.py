"""Match records as files: read completely or rejected, written atomically."""

from __future__ import annotations

from pathlib import Path

from lastcard.errors import RecordError, RecordFormatError, prefix_errors
from lastcard.game.text_files import atomic_write, read_text
from lastcard.match.record import FORMAT, Record, RoundRecord, SeatView

__all__ = ["FORMAT", "Record", "RoundRecord", "SeatView", "read_record", "write_record"]


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

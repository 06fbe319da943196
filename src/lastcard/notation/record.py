"""Match records as files: read whole or refused, written whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from lastcard.errors import NoRecord, RecordError
from lastcard.game.toml import read_text
from lastcard.play.record import FORMAT, Record, RoundRecord, SeatView

__all__ = ["FORMAT", "Record", "RoundRecord", "SeatView", "read_record", "write_record"]


def read_record(path: str | Path, unchecked: bool = False) -> Record:
    """The record in a file.

    Args:
        path: the file.
        unchecked: as in ``Record.parse``.

    Raises:
        RecordError: where it cannot be read, is no record or was changed; names the file and the place. ``NoRecord``
            for a file that is none.
    """
    text = read_text(path, NoRecord)
    try:
        return Record.parse(text, unchecked)
    except RecordError as error:
        raise type(error)(f"{path}: {error}") from None


def write_record(path: str | Path, record: Record) -> None:
    """Write a record to a file, all of it or nothing; where the path is a link, to the file it leads to. A device or a
    pipe is written to and stays what it is.

    Raises:
        OSError: where the file cannot be written; an older one is then left as it was.
    """
    path = Path(path)
    if path.exists() and not path.is_file():  # root would put a file in the place of /dev/null
        path.write_text(record.text(), encoding="utf-8", newline="\n")
        return
    path = Path(os.path.realpath(path))
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        # Who may read it, and by its seed know all hands, is for the umask to say, or for whoever changed it since.
        with draft.open("x", encoding="utf-8", newline="\n") as file:
            with suppress(FileNotFoundError):
                shutil.copymode(path, draft)
            file.write(record.text())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise

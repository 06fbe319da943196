"""Saved matches: paths, locks, saving and loading."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Final

from lastcard.errors import RecordError, UsageError, prefix_errors, wrap_os_errors
from lastcard.formats.record_files import read_record, write_record
from lastcard.formats.replay import replay, start_match
from lastcard.match.match import Match
from lastcard.paths import data_folder

BOTS_KEY: Final = "_bots"
"""Key of a record with the kind of bot in every seat; an empty name is a person."""


def new_path(game: str) -> Path:
    """Returns the path of a new file for a match."""
    stem = f"{time.strftime('%Y-%m-%d-%H%M%S')}-{game}"
    path = data_folder() / "matches" / f"{stem}.toml"
    number = 2
    while path.exists() or _lock_path(path).exists():
        path = path.with_name(f"{stem}-{number}.toml")
        number += 1
    return path


def is_same_path(path: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, through any links."""
    return os.path.realpath(path) == os.path.realpath(other)


def check_save_path(path: Path, *, overwrite: bool) -> None:
    """Check before playing that a match can be saved, over a file only with ``overwrite``; else a UsageError."""
    file = Path(os.path.realpath(path))  # the actual file, through any link
    with wrap_os_errors(path, "cannot be saved there"):
        file.parent.mkdir(parents=True, exist_ok=True)
    exists = os.path.lexists(file)
    if (exists and not file.is_file()) or not os.access(file.parent, os.W_OK):
        raise UsageError(f"{path}: cannot be saved there; name another file with --save")
    if exists and not overwrite:
        raise UsageError(f"{path}: there is a file already; --overwrite replaces it")


@contextmanager
def lock_match(path: Path) -> Iterator[None]:
    """Lock the match of a file against other terminals; the end of the process releases the lock.

    The file need not exist, but its folder must. Raises a UsageError if another terminal plays the match.
    """
    lock_path = _lock_path(path)
    while True:
        with wrap_os_errors(path, "cannot be saved there"):
            lock_file = lock_path.open("ab")
        with lock_file:
            if not _try_lock(lock_file):
                raise UsageError(
                    f"{path}: this match is being played in another terminal; go on there, or quit it first"
                )
            if not _is_file_at(lock_file, lock_path):  # the previous owner has just deleted it
                continue
            try:
                yield
            finally:
                with suppress(OSError):
                    lock_path.unlink()
            return


def _lock_path(path: Path) -> Path:
    """Returns the path of the lock file, separate because every save replaces the match file."""
    file = Path(os.path.realpath(path))
    return file.with_name(f".{file.name}.lock")


def _try_lock(lock_file: IO[bytes]) -> bool:
    """Lock an open file; returns False if another process has done so. Without file locks it always returns True."""
    try:
        if sys.platform == "win32":
            import msvcrt

            lock_file.seek(0)
            msvcrt.locking(lock_file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        pass
    return True


def _is_file_at(file: IO[bytes], path: Path) -> bool:
    """Whether an open file is still the one at a path."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


def save_match(path: Path, match: Match, bots: Sequence[str]) -> None:
    """Write a match to its file; raises a UsageError if the file cannot be written."""
    record = match.record()
    with wrap_os_errors(path, "cannot be saved"):
        write_record(path, replace(record, extra={**record.extra, BOTS_KEY: list(bots)}))


def load_match(path: Path) -> tuple[Match, list[str]]:
    """Returns the saved match of a file, and the kinds of bots by seat.

    Raises:
        RecordError: if the file is no record or is damaged.
        UsageError: if that match is over.
    """
    record = read_record(path)
    with prefix_errors(path, RecordError):
        match = start_match(record)
        for played, _, _, _ in replay(record):
            match = played
    if match.over:
        raise UsageError(f"{path}: this match is over; see it with lastcard replay")
    bots = record.extra.get(BOTS_KEY, [""] * len(match.players))
    if not isinstance(bots, list) or len(bots) != len(match.players) or not all(isinstance(b, str) for b in bots):
        raise RecordError(f"{path}: head: {BOTS_KEY}: expected the name of a bot or an empty text for every player")
    return match, bots

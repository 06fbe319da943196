"""Text files: read in the same way on all systems, written atomically."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from lastcard.errors import LastcardError, UsageError, wrap_os_errors

TEXT_LIMIT_BYTES: Final = 16 * 1024 * 1024
"""Maximum size of a text, a thousand times that of the record of a long match."""
_BYTE_ORDER_MARK: Final = "\ufeff"


def normalize_text(text: str) -> str:
    """Returns a text without byte order marks at its start, and with line feeds as line ends.

    Editors and shells of other systems write such marks, and end lines with a carriage return, alone or before the
    line feed. ``web/bindings/toml.js`` does the same.
    """
    return text.lstrip(_BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path | str, error_class: type[LastcardError]) -> str:
    """Returns the text of a file, normalized by ``normalize_text``.

    Raises:
        LastcardError: of that class, if the file cannot be read, is too large or is no text. No more than the limit
            is read.
    """
    with wrap_os_errors(path, "cannot be read", error_class), Path(path).open("rb") as file:
        content = file.read(TEXT_LIMIT_BYTES + 1)
    if len(content) > TEXT_LIMIT_BYTES:
        raise error_class(f"{path}: is too large; such a file has at most {TEXT_LIMIT_BYTES:,} bytes")
    try:
        return normalize_text(content.decode())
    except UnicodeDecodeError:
        raise error_class(f"{path}: is not text in UTF-8") from None


def check_writable(path: Path, *, overwrite: bool) -> None:
    """Check that a file can and may be written, before its content is computed; raises a UsageError if not.

    A pipe or a device is not replaced.
    """
    file = Path(os.path.realpath(path))
    is_special = file.exists() and not file.is_file()
    paths = [file] if is_special else [file.parent, *([file] if file.exists() else [])]
    if file.is_dir() or not all(os.access(place, os.W_OK) for place in paths):
        raise UsageError(f"{path}: cannot be written there")
    if file.is_file() and not overwrite:
        raise UsageError(f"{path}: there is a file already; --overwrite replaces it")


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Write a file atomically; an older one is unchanged if writing fails.

    Args:
        path: path of the file; of a link, its target is written.

    Yields:
        The path to write to: an empty file beside it, which replaces it at the end. For a pipe or a device it is the
        same path, since root could replace a device by a file.

    Raises:
        OSError: if it cannot be written.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    path = Path(os.path.realpath(path))
    draft = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    try:
        # The umask sets its permissions, or those of an older file are used: a record contains a seed.
        draft.open("xb").close()
        with suppress(FileNotFoundError):
            draft.chmod(path.stat().st_mode | stat.S_IWUSR)
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            draft.chmod(stat.S_IMODE(path.stat().st_mode))
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise

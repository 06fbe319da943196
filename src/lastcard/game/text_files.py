"""Text files: read in one way whatever system wrote them, written whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from lastcard.errors import LastcardError, UsageError, wrap_os_errors

TEXT_LIMIT_BYTES: Final = 16 * 1024 * 1024
"""The largest text that is read; the record of a long match has a thousandth of that."""
_BYTE_ORDER_MARK: Final = "\ufeff"


def normalize_text(text: str) -> str:
    """A text without byte order marks in front, every line ended by a line feed.

    Editors and shells of other systems write such a mark, and end lines with a carriage return, alone or before the
    line feed. ``plainText`` in ``web/bindings/toml.js`` does the same.
    """
    return text.lstrip(_BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")


def read_text(path: Path | str, error_class: type[LastcardError]) -> str:
    """The text in a file, as ``normalize_text`` has it.

    Args:
        path: the file; a pipe or a device is read like one.
        error_class: of the error.

    Raises:
        LastcardError: of that kind, where the file cannot be read, is too large or is no text. No more than the limit
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
    """See that a file can and may be written, before anything is worked out for it.

    Args:
        path: the file; a pipe or a device is written to and stays what it is.
        overwrite: whether a file that is there already may be replaced.

    Raises:
        UsageError: where it cannot, or may not.
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
    """A file that is written whole or not at all; an older one is left as it was where something fails.

    Args:
        path: where it is to be; of a link, the file it leads to is written.

    Yields:
        Where to write it: an empty file beside it, which takes its place at the end. A pipe or a device itself, for
        root would put a file in the place of a device.

    Raises:
        OSError: where it cannot be written.
    """
    if path.exists() and not path.is_file():
        yield path
        return
    path = Path(os.path.realpath(path))
    draft = path.with_name(f".{path.name}.{os.urandom(4).hex()}")
    try:
        # Who may read it is for the umask to say, or for whoever changed it since: a record has a seed in it.
        draft.open("xb").close()
        with suppress(FileNotFoundError):
            draft.chmod(path.stat().st_mode | stat.S_IWUSR)
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(path, draft)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise

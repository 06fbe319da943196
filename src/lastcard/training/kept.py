"""Files that stay in the folder of a training: one that is damaged or of other training is named, and left as it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from lastcard.ai.network import FEATURES
from lastcard.ai.sight import ACT, STATE
from lastcard.errors import LastcardError, UsageError, named

_POSITIONS: Final = ((np.float16, (FEATURES,)), (np.float32, ()))
_DECISIONS: Final = ((np.float16, (STATE,)), (np.float16, (ACT,)), (np.int64, ()), (np.float32, ()))
"""Of each array in a file its numbers, and how many make a row: what ``lessons`` and ``Drills`` say of them."""


@contextmanager
def reading(file: Path, what: str, without: str) -> Iterator[None]:
    """Let whatever is wrong with a file be an error that names it and says what to do.

    Args:
        file: that the block reads, and is to take apart as well.
        what: it should be, such as ``checkpoint``.
        without: what happens where it is not there.
    """
    with named(file, "cannot be read"):
        file.open("rb").close()
    try:
        yield
    except (LastcardError, MemoryError):
        raise
    except Exception as error:  # bytes that PyTorch and NumPy did not write raise a dozen kinds, OSError too
        raise UsageError(
            f"{file}: this is no {what} of this training, or it is damaged; it was left as it is: "
            f"move it elsewhere, and {without}"
        ) from error


@contextmanager
def writing(file: Path) -> Iterator[Path]:
    """A file that is written whole or not at all.

    Args:
        file: that is to be there at the end.

    Yields:
        Where to write it.

    Raises:
        UsageError: where it cannot be written; names it.
    """
    unfinished = file.with_suffix(f".part{file.suffix}")
    with named(file, "cannot be written"):
        try:
            yield unfinished
        except RuntimeError as error:  # which PyTorch makes of a full disk
            raise UsageError(f"{file}: cannot be written: {error}") from error
        unfinished.replace(file)


def load_examples(file: Path, *, decisions: bool) -> list[Any]:
    """The arrays of a file of examples.

    Args:
        file: as ``numpy.savez`` writes it.
        decisions: whether they are those of ``Drills``; else they are what ``lessons`` returns.

    Raises:
        UsageError: where the file cannot be read, or has other arrays.
    """
    with reading(file, "file of examples", "the same command makes it again"):
        with file.open("rb") as opened, np.load(opened) as kept:  # NumPy would not close what is no archive
            arrays = [kept[name] for name in kept.files]
        form = tuple((array.dtype.type, array.shape[1:]) for array in arrays)
        if form != (_DECISIONS if decisions else _POSITIONS) or not _fit(*arrays):
            raise ValueError("other arrays")
    return arrays


def _fit(xs: Any, *others: Any) -> bool:
    """Whether arrays have as many rows as belongs together."""
    if len(others) == 1:
        return len(xs) == len(others[0])
    acts, ends, ys = others
    return len(xs) == len(ends) and len(acts) == len(ys) == ends[-1] and bool((np.diff(ends, prepend=0) > 0).all())

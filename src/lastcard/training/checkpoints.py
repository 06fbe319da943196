"""Files of a training: an error names a damaged file or one of other training, and leaves it as it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from lastcard.ai.policy_features import ACTION, STATE
from lastcard.ai.value_net import FEATURES
from lastcard.errors import LastcardError, UsageError, wrap_os_errors

_POSITIONS: Final = ((np.float16, (FEATURES,)), (np.float32, ()))
_DECISIONS: Final = ((np.float16, (STATE,)), (np.float16, (ACTION,)), (np.int64, ()), (np.float32, ()))
"""The type and the row shape of each array in a file of positions and in one of decisions."""


@contextmanager
def reading_checkpoint(file: Path, what: str, remedy: str) -> Iterator[None]:
    """Turn any error in reading a file into one that names it, ``what`` it should be, and what happens without it."""
    with wrap_os_errors(file, "cannot be read"):
        file.open("rb").close()
    try:
        yield
    except (LastcardError, MemoryError):
        raise
    except Exception as error:  # invalid bytes raise a dozen kinds in PyTorch and NumPy, OSError too
        raise UsageError(
            f"{file}: this is no {what} of this training, or it is damaged; it was left as it is: "
            f"move it elsewhere, and {remedy}"
        ) from error


@contextmanager
def writing_file(file: Path) -> Iterator[Path]:
    """Yields a temporary path for a file that is written whole or not at all; a UsageError names the file."""
    draft = file.with_suffix(f".part{file.suffix}")
    with wrap_os_errors(file, "cannot be written"):
        try:
            yield draft
        except RuntimeError as error:  # PyTorch's error for a full disk
            raise UsageError(f"{file}: cannot be written: {error}") from error
        draft.replace(file)


def load_examples(file: Path, *, decisions: bool) -> list[Any]:
    """The arrays of a file of decisions (``DecisionData``) or positions (``make_positions``), else a UsageError."""
    with reading_checkpoint(file, "file of examples", "the same command makes it again"):
        with file.open("rb") as opened, np.load(opened) as archive:  # NumPy would leave an invalid archive open
            arrays = [archive[name] for name in archive.files]
        form = tuple((array.dtype.type, array.shape[1:]) for array in arrays)
        if form != (_DECISIONS if decisions else _POSITIONS) or not _lengths_agree(*arrays):
            raise ValueError("other arrays")
    return arrays


def _lengths_agree(xs: Any, *others: Any) -> bool:
    """Whether arrays have matching numbers of rows."""
    if len(others) == 1:
        return len(xs) == len(others[0])
    action_inputs, ends, ys = others
    return (
        len(xs) == len(ends)
        and len(action_inputs) == len(ys) == ends[-1]
        and bool((np.diff(ends, prepend=0) > 0).all())
    )

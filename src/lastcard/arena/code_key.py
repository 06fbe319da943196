"""A key of the code that decides how a round is played: results of other code must not be mixed with its own."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_CODE_PATTERNS: Final = (
    "game/*.py",
    "kernel/*.py",
    "rules/*.py",
    "ai/*.py",
    "match/*.py",
    "bots/*",
    "arena/deals.py",
    "arena/compiled_rounds.py",
    "analysis/luck.py",
)
"""The files of that code."""
STUDY_CODE: Final = "arena/studies/*.py"
"""The files that decide what a study measures."""
DATASET_CODE: Final = "training/decision_rows.py"
"""The file that decides what the rows of a data set are."""


@cache
def read_code_key(*more: str) -> str:
    """Returns a hash of the bots and the engine, as they are installed here.

    Args:
        more: patterns of further files of the package.
    """
    digest = hashlib.sha256()
    for path in sorted({path for pattern in (*_CODE_PATTERNS, *more) for path in _PACKAGE.glob(pattern)}):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]

"""A person's progress with puzzles, saved in the data folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from lastcard.bots.puzzle_rating import Rating
from lastcard.errors import RecordFormatError, UsageError, wrap_os_errors
from lastcard.formats.puzzles import NEW_RATING
from lastcard.game.text_files import atomic_write, read_text
from lastcard.paths import data_folder

_FILE: Final = "puzzles.json"


@dataclass(frozen=True, slots=True)
class Progress:
    """Rating, streaks, and the puzzles that are done."""

    rating: Rating = NEW_RATING
    streak: int = 0
    """Number of puzzles solved in a row."""
    longest: int = 0
    """The longest streak."""
    done: dict[str, bool] = field(default_factory=dict)
    """By the id of a puzzle, whether it was solved at the first try."""


def _path() -> Path:
    return data_folder() / _FILE


def read_progress() -> Progress:
    """Returns the saved progress, a new one if there is none; a UsageError if the file is damaged."""
    path = _path()
    if not path.exists():
        return Progress()
    try:
        saved = Progress(**json.loads(read_text(path, RecordFormatError)))
        rating, deviation, volatility = map(float, saved.rating)
        return Progress((rating, deviation, volatility), int(saved.streak), int(saved.longest), dict(saved.done))
    except (ValueError, TypeError):
        raise UsageError(f"{path}: is no progress with puzzles; delete it to begin again") from None


def save_progress(progress: Progress) -> None:
    """Write the progress; raises a UsageError if that is impossible."""
    path = _path()
    with wrap_os_errors(path, "cannot be saved"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as draft:
            draft.write_text(json.dumps(asdict(progress)) + "\n", encoding="utf-8")

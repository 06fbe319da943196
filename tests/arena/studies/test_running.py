"""Studies give the same result with any number of workers, and go on after an interrupt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lastcard.arena.studies.lever_outcomes import LEVER
from lastcard.arena.studies.running import run_study
from lastcard.arena.studies.seat_advantage import SEATS
from lastcard.errors import UsageError

SMALL = replace(SEATS, cells=SEATS.cells[:3], chunk=40)
ROUNDS = 120


def test_any_number_of_workers_gives_the_same() -> None:
    assert run_study(SMALL, ROUNDS, workers=2) == run_study(SMALL, ROUNDS, workers=1)


def test_the_seed_decides() -> None:
    assert run_study(SMALL, ROUNDS, 1, workers=1) != run_study(SMALL, ROUNDS, 2, workers=1)


def test_a_study_goes_on_after_an_interrupt(tmp_path: Path) -> None:
    file = tmp_path / "seats.jsonl"

    def interrupt(done: int, of: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_study(SMALL, ROUNDS, workers=1, resume=file, progress=interrupt)
    with file.open("ab") as stored:
        stored.write(b'{"sample":7,"su')  # cut off by a crash
    calls: list[int] = []
    found = run_study(SMALL, ROUNDS, workers=1, resume=file, progress=lambda done, of: calls.append(done))
    assert calls == [4, 5, 6, 7, 8, 9]
    assert found == run_study(SMALL, ROUNDS, workers=1)


def test_the_file_of_another_study_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "study.jsonl"
    run_study(SMALL, ROUNDS, workers=1, resume=file)
    for other, rounds in ((LEVER, ROUNDS), (SMALL, ROUNDS + 1)):
        with pytest.raises(UsageError, match="is of another study"):
            run_study(other, rounds, workers=1, resume=file)
    file.write_text('{"lastcard arena":1}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="is not the file of a study"):
        run_study(SMALL, ROUNDS, workers=1, resume=file)


def test_too_few_rounds_are_refused() -> None:
    with pytest.raises(UsageError, match="the number of rounds"):
        run_study(SMALL, 99, workers=1)

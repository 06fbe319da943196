"""The search for puzzles: what is found holds on other deals, and does not depend on the machine."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from lastcard.arena import puzzle_search
from lastcard.arena.puzzle_search import MAX_COUNT, PuzzleTask, find_puzzles, rate_moves, search_puzzles
from lastcard.bots.base import list_turn_moves
from lastcard.bots.evaluation import MEASURE_CONFIG, MoveEvaluator
from lastcard.cli.main import main
from lastcard.errors import UsageError
from lastcard.formats.puzzles import Puzzle, read_puzzles
from lastcard.game.rulesets import GAMES

FRESH_SEED = 20_261_130
"""A seed that no search has used."""
DEALS = 96
SAMPLE_STEP = 40
MAX_DIFFERENCE_PERCENT = 6
"""Difference of two measurements of a chance, of 1536 and 4096 deals."""


@pytest.mark.parametrize("game", GAMES)
def test_shipped_puzzles_hold_on_fresh_deals(game: str) -> None:
    """The best move is the best again, and the chances are those of the file."""
    evaluator = MoveEvaluator(measure_config=replace(MEASURE_CONFIG, deals=DEALS))
    for puzzle in [puzzle for puzzle in read_puzzles() if puzzle.game == game][::SAMPLE_STEP]:
        match = puzzle.play()
        view = match.round.view(match.round.turn)
        rated = rate_moves(evaluator, view, list_turn_moves(view), FRESH_SEED, DEALS, 0.0)
        assert rated and str(rated[0].move) == puzzle.chances[0][0], puzzle.id
        known = dict(puzzle.chances)
        for each in rated:
            assert abs(100 * each.chance - known[str(each.move)]) < MAX_DIFFERENCE_PERCENT, puzzle.id


def test_a_search_finds_the_shipped_puzzles_again() -> None:
    """Same round, same puzzles, whatever backend found them; the file has at most two of a round."""
    shipped = [puzzle for puzzle in read_puzzles() if puzzle.game == "all-wild"]
    first = shipped[0]
    seed, found = find_puzzles(PuzzleTask(first.rules, first.players, first.seed))
    assert seed == first.seed
    assert first in found


def test_puzzles_are_spread_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds may be searched in any order; no theme and no easy grade fills the file."""
    one = read_puzzles()[0]
    rounds = [
        (seed, [replace(one, seed=seed, theme="hold" if seed % 4 else "uno", grade=1 + seed % 4)])
        for seed in range(400)
    ]

    def answers(*_: object) -> Generator[tuple[int, list[Puzzle]], None, None]:
        for i in range(0, len(rounds), 2):
            yield rounds[i + 1]
            yield rounds[i]

    monkeypatch.setattr(puzzle_search, "run_tasks", answers)
    found = list(search_puzzles("classic", 20, 0, 1))
    assert [puzzle.seed for puzzle in found] == sorted(puzzle.seed for puzzle in found)
    assert sum(puzzle.theme == "hold" for puzzle in found) == 8
    assert sum(puzzle.grade == 4 for puzzle in found) <= 3


@pytest.mark.parametrize(
    ("game", "count", "seed", "workers"),
    [
        ("uno", 1, 0, 1),
        ("classic", 0, 0, 1),
        ("classic", MAX_COUNT + 1, 0, 1),
        ("classic", 1, -1, 1),
        ("classic", 1, 0, 0),
    ],
)
def test_bad_arguments_are_refused(game: str, count: int, seed: int, workers: int) -> None:
    with pytest.raises(UsageError):
        next(search_puzzles(game, count, seed, workers))


MAKE = ("puzzles", "make", "--game", "all-wild", "--workers", "1", "--count", "1", "--out")


def test_the_command_adds_puzzles_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second call goes on after the last round; earlier rounds are refused, as they would be found again."""
    path = tmp_path / "puzzles.txt"
    assert main([*MAKE, str(path)]) == 0
    assert main([*MAKE, str(path)]) == 0
    first, second = read_puzzles(path)
    assert first.seed < second.seed
    assert "1 of 1 puzzles added, from round 0 on" in capsys.readouterr().out
    assert main([*MAKE, str(path), "--seed", str(first.seed)]) == 2
    assert "later rounds" in capsys.readouterr().err


def test_an_interrupted_search_saves_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def search(*_: object) -> Generator[Puzzle, None, None]:
        yield read_puzzles()[0]
        raise KeyboardInterrupt

    monkeypatch.setattr(puzzle_search, "search_puzzles", search)
    path = tmp_path / "puzzles.txt"
    assert main([*MAKE, str(path)]) == 130
    assert read_puzzles(path) == read_puzzles()[:1]

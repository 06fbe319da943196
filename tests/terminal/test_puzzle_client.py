"""Puzzles in the terminal: one move, its chances, the rest of the round, and the progress."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from lastcard.cli.main import main
from lastcard.errors import UsageError
from lastcard.formats.puzzles import Puzzle, read_puzzles
from lastcard.terminal import puzzle_client
from lastcard.terminal.line_io import LineTerminal
from lastcard.terminal.puzzle_client import PuzzleChoice, PuzzleClient, solve_puzzles
from lastcard.terminal.puzzle_progress import Progress, read_progress
from lastcard.text.locale import LANGUAGES, catalog


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder, which is empty."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "lastcard"


def find_puzzle(theme: str) -> Puzzle:
    """The first puzzle of a theme on a turn, where moves can be typed in notation."""
    return next(puzzle for puzzle in read_puzzles() if puzzle.theme == theme)


def solve(puzzle: Puzzle, lines: Sequence[str], language: str = "en") -> tuple[bool, str]:
    """Whether a script solves a puzzle, and what the terminal shows."""
    out = io.StringIO()
    terminal = LineTerminal(io.StringIO("".join(f"{line}\n" for line in lines)), out)
    return PuzzleClient(puzzle, catalog(language), terminal).solve(), out.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", ["hold", "challenge", "swap", "colors", "lever", "uno"])
def test_the_best_move_is_explained(theme: str, language: str) -> None:
    puzzle = find_puzzle(theme)
    solved, shown = solve(puzzle, ["hint", "hand", str(puzzle.best)], language)
    assert solved
    assert catalog(language).text("web.puzzles.right") in shown
    assert f"{puzzle.chances[0][1]}%" in shown
    assert "{" not in shown
    assert puzzle.play(len(puzzle.moves)).round.winner is not None


def test_another_move_is_compared_with_the_best() -> None:
    puzzle = find_puzzle("swap")
    move, chance = puzzle.chances[-1]
    solved, shown = solve(puzzle, ["R7>9", move])
    assert not solved
    assert "There is a better move." in shown
    assert f"You win {puzzle.chances[0][1]}%" in shown and f"{chance}%" in shown


def test_uno_is_a_duty() -> None:
    """The right card without the call is no solution; the call may come before it."""
    puzzle = find_puzzle("uno")
    bare = str(puzzle.best).rstrip("!")
    solved, shown = solve(puzzle, [bare])
    assert not solved and "you did not call UNO" in shown
    assert solve(puzzle, [f"{bare}!"])[0]


def play(lines: str, **wanted: object) -> str:
    """What the command shows for some input."""
    out = io.StringIO()
    solve_puzzles(PuzzleChoice(**wanted), LineTerminal(io.StringIO(lines), out))  # type: ignore[arg-type]
    return out.getvalue()


def test_progress_is_saved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer to a puzzle counts, and no other."""
    puzzle = find_puzzle("hold")
    monkeypatch.setattr(puzzle_client, "read_puzzles", lambda: [puzzle])
    best, worst = str(puzzle.best), puzzle.chances[-1][0]
    assert "In a row: 1" in play(f"{best}\n\n{worst}\nq\n")
    progress = read_progress()
    assert progress.done == {puzzle.id: True} and progress.streak == progress.longest == 1
    assert progress.rating[0] > Progress().rating[0] and progress.rating[1] < Progress().rating[1]
    (folder / "puzzles.json").unlink()
    play(f"{worst}\nq\n")
    assert read_progress().rating[0] < Progress().rating[0] and read_progress().streak == 0


def test_the_puzzle_of_the_day_comes_alone() -> None:
    shown = play("\n" * 20, daily=True)
    assert shown.count("Which move is best?") == 1


@pytest.mark.parametrize(
    "wanted",
    [{"game": "whist"}, {"theme": "luck"}, {"theme": "uno", "daily": True}, {"game": "all-wild", "theme": "lever"}],
)
def test_impossible_wishes_are_refused(wanted: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        play("q\n", **wanted)


@pytest.mark.parametrize("text", ["", "[]", "{", json.dumps({"rating": [1]}), json.dumps({"rating": "abc"})])
def test_damaged_progress_is_refused(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder.mkdir()
    (folder / "puzzles.json").write_text(text, encoding="utf-8")
    assert main(["puzzles"]) == 2
    assert "puzzles.json" in capsys.readouterr().err

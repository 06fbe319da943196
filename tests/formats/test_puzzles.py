"""The puzzles that come with lastcard, and the text of a puzzle."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import pytest

from lastcard.bots.base import list_turn_moves, swaps_hands
from lastcard.errors import RecordFormatError
from lastcard.formats.puzzles import (
    FILE,
    MAX_GRADE,
    THEMES,
    Puzzle,
    check_puzzle,
    daily_puzzle,
    parse_puzzle,
    read_puzzles,
    write_puzzles,
)
from lastcard.game.cards import JACKPOT, card_face, is_wild
from lastcard.game.moves import Move, parse_move
from lastcard.game.rulesets import GAMES

LIMIT_BYTES = 400_000
MIN_OF_GAME = 300


@cache
def shipped() -> list[Puzzle]:
    """The puzzles of the package."""
    return read_puzzles()


def test_every_game_has_enough_puzzles_of_every_kind() -> None:
    """A theme needs a game with its cards: All Wild has no colors and no challenge, others no swap."""
    assert FILE.stat().st_size <= LIMIT_BYTES
    games = Counter(puzzle.game for puzzle in shipped())
    assert set(games) == set(GAMES) and min(games.values()) >= MIN_OF_GAME
    assert {puzzle.theme for puzzle in shipped()} == set(THEMES)
    for game in GAMES:
        grades = Counter(puzzle.grade for puzzle in shipped() if puzzle.game == game)
        assert set(grades) <= set(range(1, MAX_GRADE + 1))
        assert grades[1] + grades[2] >= 0.4 * grades.total() >= 3 * grades[MAX_GRADE] / 2
    assert len({puzzle.id for puzzle in shipped()}) == len(shipped())


def test_every_puzzle_can_be_played() -> None:
    """All moves are legal, the best is the first of the rated ones, and all choices are rated."""
    for puzzle in shipped():
        check_puzzle(puzzle)
        match = puzzle.play()
        choices = list_turn_moves(match.round.view(match.round.turn))
        assert sorted(move for move, _ in puzzle.chances) == sorted(map(str, choices)), puzzle.id
        chances = [chance for _, chance in puzzle.chances]
        assert chances == sorted(chances, reverse=True) and chances[0] > chances[1] >= 0, puzzle.id


def test_every_puzzle_is_of_its_theme() -> None:
    for puzzle in shipped():
        match = puzzle.play()
        best, moves = puzzle.best, [parse_move(move) for move, _ in puzzle.chances]
        assert is_of_theme(puzzle, match.round.decision, best, moves), puzzle.id


def is_of_theme(puzzle: Puzzle, decision: str, best: Move, moves: list[Move]) -> bool:
    """Whether what is easily seen of a theme is there."""
    if puzzle.theme == "challenge":
        return decision == "challenge"
    if puzzle.theme == "lever":
        return decision != "play" or any(move.card and card_face(move.card) == JACKPOT for move in moves[:2])
    if puzzle.theme == "swap":
        return len({move.target for move in moves if swaps_hands(move)}) > 1
    if puzzle.theme == "uno":
        return best.uno and best.verb == "play"
    if puzzle.theme == "colors":
        return puzzle.game != "all-wild" and best.verb == "play"
    return puzzle.reason[0].startswith("keep_") or best.card is None or not is_wild(best.card)


def test_a_puzzle_is_read_as_it_was_written(tmp_path: Path) -> None:
    for puzzle in shipped():
        assert parse_puzzle(str(puzzle)) == puzzle
    write_puzzles(tmp_path / "puzzles.txt", shipped()[:3])
    assert read_puzzles(tmp_path / "puzzles.txt") == shipped()[:3]


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        (3, "x", "a number is missing"),
        (3, "9999", "out of range"),
        (4, "luck", "out of range"),
        (5, "0", "out of range"),
        (6, "R5", "a number is missing"),
        (8, "", "out of range"),
    ],
)
def test_a_damaged_line_is_refused(column: int, value: str, reason: str, tmp_path: Path) -> None:
    columns = str(shipped()[0]).split("\t")
    columns[column] = value
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{shipped()[1]}\n" + "\t".join(columns) + "\n", encoding="utf-8")
    with pytest.raises(RecordFormatError, match=rf"line 2: .*{reason}"):
        read_puzzles(path)


def test_a_line_without_columns_is_refused() -> None:
    with pytest.raises(RecordFormatError, match="9 columns, not 1"):
        parse_puzzle("classic")


def test_false_moves_are_refused() -> None:
    puzzle = shipped()[0]
    with pytest.raises(RecordFormatError, match="illegal"):
        check_puzzle(replace(puzzle, moves=(*puzzle.moves[: puzzle.ply], "R5", *puzzle.moves[puzzle.ply :])))
    with pytest.raises(RecordFormatError, match="not the first"):
        check_puzzle(replace(puzzle, chances=puzzle.chances[::-1]))
    with pytest.raises(RecordFormatError, match="before its round"):
        check_puzzle(replace(puzzle, moves=puzzle.moves[: puzzle.ply + 1]))


def test_every_puzzle_has_its_day() -> None:
    """The same day has the same puzzle, and none comes again before all have come."""
    day = date(2026, 11, 30)
    days = [daily_puzzle(shipped(), day + timedelta(n)).id for n in range(len(shipped()))]
    assert len(set(days)) == len(days)
    assert daily_puzzle(shipped(), day).id == days[0]

"""The search for puzzles: what is found holds on other deals, and does not depend on the machine."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from lastcard.arena import puzzle_search
from lastcard.arena.bot_play import play
from lastcard.arena.puzzle_search import MAX_COUNT, PuzzleTask, find_puzzles, rate_moves, search_puzzles
from lastcard.bots.base import list_turn_moves
from lastcard.bots.evaluation import MEASURE_CONFIG, MoveEvaluator
from lastcard.cli.main import main
from lastcard.errors import UsageError
from lastcard.formats.puzzles import Puzzle, check_puzzle, read_puzzles
from lastcard.formats.record_files import write_record
from lastcard.game.moves import move_to_action, parse_seat_move
from lastcard.game.rulesets import GAMES
from lastcard.match.match import Match
from lastcard.server.store.store import Store
from lastcard.session.dealing import new_match_row
from lastcard.session.hosting import new_daily_table
from lastcard.session.match_log import new_match
from lastcard.session.match_rows import MoveRow
from lastcard.session.table_state import Person
from support.store_samples import put_log

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
    number, found = find_puzzles(PuzzleTask(first.rules, first.players, first.seed, 3))
    assert number == 3
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
    assert int(first.seed) < int(second.seed)
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


def played_match() -> tuple[Puzzle, Match]:
    """A shipped puzzle, and its round as people with names have played it."""
    puzzle = next(each for each in read_puzzles() if each.game == "all-wild" and each.players == 2)
    match = puzzle.play(0, ["Ann Nonymous", "Bo Nonymous"])
    for seat, move in puzzle_search._made_moves(PuzzleTask(puzzle.rules, 2, puzzle.seed, 0), match):
        match.do(seat, move)
    return puzzle, match


def check_found(path: Path, puzzle: Puzzle, match: Match) -> None:
    """The same moment is found under the seed in hex digits, without a name; the file can be read and played."""
    found = [each for each in read_puzzles(path) if each.ply == puzzle.ply]
    assert found == [replace(puzzle, seed=match.seed.hex())]
    check_puzzle(found[0])
    assert "Nonymous" not in path.read_text(encoding="utf-8")


def test_puzzles_of_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Matches of other games, unfinished ones and those that the file has are left out."""
    puzzle, match = played_match()
    folder, path = tmp_path / "matches", tmp_path / "puzzles.txt"
    folder.mkdir()
    assert main([*MAKE, str(path), "--from", str(folder)]) == 2
    record = match.record()
    write_record(folder / "one.toml", record)
    write_record(folder / "other.toml", Match("classic", 2, seed=1).record())
    write_record(folder / "unfinished.toml", Match("all-wild", 2, seed=2).record())
    make = [*MAKE, str(path), "--from", str(folder), "--count", "9"]
    assert main(make) == 0
    check_found(path, puzzle, match)
    before = path.read_text(encoding="utf-8")
    assert main(make) == 0
    assert "0 of 9 puzzles added, in " in capsys.readouterr().out and path.read_text(encoding="utf-8") == before
    assert main([*make, "--seed", "5"]) == 2


def test_puzzles_of_a_server_that_allows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its finished matches are searched, but no daily deal whose day is not over."""
    database, searched = f"sqlite:///{tmp_path}/tables.db", list[PuzzleTask]()
    row = new_match_row("CODE", new_daily_table(Person("p-ann", "Ann"), "2026-01-01", "all-wild", "5a" * 32), "m")
    match = play(new_match(row), ["sharp"] * 4)
    rows = [replace(row, id=day, daily=day, finished=2, winners=match.winners) for day in ("2026-01-01", "9999-01-01")]
    made = enumerate(parse_seat_move(text) for text in match.record().rounds[0].moves)
    moves = [MoveRow("m", i, f"c{i}", seat, move_to_action(move), 1) for i, (seat, move) in made]
    with closing(Store.open(database)) as store:
        for each in rows:
            asyncio.run(put_log(store, each, [move._replace(match=each.id) for move in moves]))

    def search(tasks: Sequence[PuzzleTask], *_: object) -> Iterator[Puzzle]:
        searched.extend(tasks)
        return iter(())

    monkeypatch.setattr(puzzle_search, "search_rounds", search)
    make = [*MAKE, str(tmp_path / "puzzles.txt"), "--from", database]
    assert main(make) == 2
    assert "does not allow it" in capsys.readouterr().err
    monkeypatch.setenv("LASTCARD_PUZZLES", "on")
    assert main(make) == 0
    assert searched == [PuzzleTask(row.rules, 4, row.seed.hex(), 0, tuple(match.record().rounds[0].moves))]

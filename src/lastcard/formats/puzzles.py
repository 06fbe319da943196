"""Puzzles: moments of a round with one best move, as lines of text. ``docs/puzzles.md`` describes the file.

A puzzle is the seed of a match and its moves, because beliefs and reasons need the history of a round, which no
position has. What the solver may know is the view of the seat on turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from lastcard.errors import IllegalMove, NotationError, RecordFormatError, UsageError, prefix_errors
from lastcard.game.moves import Move, parse_move, parse_seat_move
from lastcard.game.rulesets import ruleset
from lastcard.game.seeds import SEED_BYTES
from lastcard.game.text_files import atomic_write, read_text
from lastcard.match.events import Event
from lastcard.match.match import Match

FILE: Final = Path(__file__).parents[1] / "web" / "puzzles.txt"
"""The puzzles that come with lastcard; the page reads the same file."""
THEMES: Final = ("hold", "challenge", "swap", "colors", "lever", "uno")
MAX_GRADE: Final = 4
"""Grade of the easiest puzzle: all levels of bots but one find its move."""
RATINGS: Final = (0, 1900, 1600, 1300, 1000)
"""Rating of a puzzle by its grade, in Glicko-2; there is no grade 0."""
NEW_RATING: Final = (1500.0, 350.0, 0.06)
"""Rating, deviation and volatility of a new player in Glicko-2."""
FIRST_DAY: Final = date(2026, 1, 1)
DAILY_STRIDE: Final = 7919
"""Number of lines between the puzzles of two days: a prime, so that each puzzle comes before any returns."""
_COLUMNS: Final = 9
_HEX_CHARS: Final = 2 * SEED_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """A moment of the first round of a match, and how the round continues after the best move."""

    rules: str
    players: int
    seed: int | str
    """Seed of the match: a number, or the hex digits of that of a match of people."""
    ply: int
    """Number of moves before the moment."""
    theme: str
    grade: int
    """Number of levels of bots that find the best move, 1 to ``MAX_GRADE``."""
    chances: tuple[tuple[str, int], ...]
    """Every move without a call, best first, with its chance to win the round in percent."""
    reason: tuple[str, ...]
    """Name of the reason for the best move, and its facts: a number, a seat, a card, a color, own and other hand."""
    moves: tuple[str, ...]
    """Moves of the whole round. Those of a seat out of turn have the seat before them: ``2:uno``."""

    @property
    def best(self) -> Move:
        """The best move, with its call."""
        return parse_move(self.moves[self.ply])

    @property
    def game(self) -> str:
        """The game, without options."""
        return ruleset(self.rules).game

    @property
    def id(self) -> str:
        """What names the puzzle, whatever others are in its file."""
        return f"{self.rules} {self.players} {self.seed} {self.ply}"

    def play(self, plies: int | None = None, names: Sequence[str] | None = None) -> Match:
        """Returns the match after a number of its moves.

        Args:
            plies: number of moves; None for those before the moment.
            names: names of the players; None for numbered ones.

        Raises:
            IllegalMove: if a move is not legal.
        """
        match = Match(self.rules, self.players if names is None else names, seed=self.seed)
        play_moves(match, self.moves[: self.ply if plies is None else plies])
        return match

    def __str__(self) -> str:
        chances = " ".join(f"{move.replace(' ', '_')} {chance}" for move, chance in self.chances)
        moves = " ".join(move.replace(" ", "_") for move in self.moves)
        head = self.rules, self.players, self.seed, self.ply, self.theme, self.grade
        return "\t".join((*map(str, head), chances, " ".join(self.reason), moves))


def play_moves(match: Match, moves: Iterable[str]) -> list[Event]:
    """Make moves of a puzzle, and return their events; raises an IllegalMove if one is not legal."""
    events: list[Event] = []
    for text in moves:
        events += match.do(*parse_seat_move(text if ":" in text else f"{match.round.turn}:{text}"))
    return events


def parse_puzzle(line: str) -> Puzzle:
    """Returns the puzzle of a line, as ``str`` writes it; ``check_puzzle`` plays its moves.

    Raises:
        RecordFormatError: if it is none.
    """
    columns = line.split("\t")
    if len(columns) != _COLUMNS:
        raise RecordFormatError(f"a puzzle has {_COLUMNS} columns, not {len(columns)}")
    rules, *numbers = columns[:4]
    theme, grade, chances, reason, moves = columns[4:]
    words = chances.split(" ")
    try:
        players, ply = int(numbers[0]), int(numbers[2])
        seed = numbers[1] if len(numbers[1]) == _HEX_CHARS else int(numbers[1])
        rated = tuple(
            (move.replace("_", " "), int(chance)) for move, chance in zip(words[::2], words[1::2], strict=True)
        )
        found = Puzzle(
            rules=rules,
            players=players,
            seed=seed,
            ply=ply,
            theme=theme,
            grade=int(grade),
            chances=tuple(rated),
            reason=tuple(reason.split(" ")),
            moves=tuple(map(_read_move, moves.split(" "))),
        )
    except ValueError:
        raise RecordFormatError("a number is missing in a puzzle") from None
    if theme not in THEMES or not 1 <= found.grade <= MAX_GRADE or not 0 <= ply < len(found.moves):
        raise RecordFormatError("the theme, grade or ply of a puzzle is out of range")
    return found


def _read_move(word: str) -> str:
    """Returns a move in a list that blanks separate: ``throw_R5``."""
    return word.replace("_", " ")


def read_puzzles(path: Path = FILE) -> list[Puzzle]:
    """Returns the puzzles of a file.

    Raises:
        RecordFormatError: for a file that cannot be read, or a line that is no puzzle; names both.
    """
    found = []
    for number, line in enumerate(read_text(path, RecordFormatError).splitlines(), start=1):
        with prefix_errors(f"{path}, line {number}", RecordFormatError):
            found.append(parse_puzzle(line))
    return found


def write_puzzles(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Write a file of puzzles atomically; raises an OSError if it cannot be written."""
    with atomic_write(path) as draft:
        draft.write_text("".join(f"{puzzle}\n" for puzzle in puzzles), encoding="utf-8", newline="\n")


def check_puzzle(puzzle: Puzzle) -> None:
    """Play a puzzle's moves.

    Raises:
        RecordFormatError: if a move is illegal, the best move is not rated best, or the round does not end.
    """
    try:
        match = puzzle.play()
        legal = set(map(str, match.round.legal(match.round.turn)))
        play_moves(match, puzzle.moves[puzzle.ply :])
    except (IllegalMove, NotationError, UsageError) as error:
        raise RecordFormatError(f"a move of a puzzle is illegal: {error}") from None
    if str(puzzle.best).rstrip("!") != puzzle.chances[0][0] or not legal.issuperset(move for move, _ in puzzle.chances):
        raise RecordFormatError("the best move of a puzzle is not the first of its legal moves")
    if not match.round.over:
        raise RecordFormatError("the moves of a puzzle end before its round")


def daily_puzzle(puzzles: Sequence[Puzzle], day: date) -> Puzzle:
    """Returns the puzzle of a day, the same for everybody who has the same file."""
    return puzzles[(day - FIRST_DAY).days * DAILY_STRIDE % len(puzzles)]

"""Puzzles in the terminal: the table as a seat sees it, one move, its chances, and the rest of the round."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lastcard.bots.advice import move_words, reason_words
from lastcard.bots.move_reasons import Reason
from lastcard.bots.puzzle_rating import rate_puzzle
from lastcard.errors import IllegalMove, UsageError
from lastcard.formats.puzzles import RATINGS, THEMES, Puzzle, daily_puzzle, play_moves, read_puzzles
from lastcard.game.cards import parse_card, parse_color
from lastcard.game.moves import Move, parse_move
from lastcard.game.rulesets import GAMES
from lastcard.match.view import View
from lastcard.terminal.line_client import LineClient, MatchLeft
from lastcard.terminal.line_io import InputEnded, LineTerminal
from lastcard.terminal.match_setup import BOT_NAMES
from lastcard.terminal.puzzle_progress import Progress, read_progress, save_progress
from lastcard.text.locale import Catalog, catalog

_UNEXPLAINED = ("best", "average")
"""Reasons that say no more than the chances."""
_HISTORY_LINES = 12
_NO_COMMANDS = ("save", "hint")
"""Commands of a match that puzzles lack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleChoice:
    """The puzzles that a person wants, by the options of the command."""

    game: str | None = None
    theme: str | None = None
    daily: bool = False
    """Whether the puzzle of the day comes, and no other."""
    language: str = "en"

    def check(self) -> None:
        """Raise a UsageError for an unknown game or theme, or options that exclude each other."""
        for name, value, known in (("game", self.game, GAMES), ("theme", self.theme, THEMES)):
            if value is not None and value not in known:
                raise UsageError(f"there is no {name} {value!r}; there are {', '.join(known)}")
            if value is not None and self.daily:
                raise UsageError(f"leave out --{name}: the puzzle of the day is the same for everybody")


def solve_puzzles(choice: PuzzleChoice, terminal: LineTerminal) -> None:
    """Ask puzzles until the person leaves; save their progress.

    Raises:
        UsageError: for an unknown game or theme, or if no puzzle has both.
        RecordFormatError: if the file of puzzles is damaged.
    """
    choice.check()
    puzzles, texts = read_puzzles(), catalog(choice.language)
    with suppress(InputEnded, MatchLeft):
        while True:
            progress = read_progress()
            puzzle = _choose(puzzles, choice, progress)
            is_solved = PuzzleClient(puzzle, texts, terminal).solve()
            progress = _count(progress, puzzle, is_solved=is_solved)
            save_progress(progress)
            figures = {"rating": round(progress.rating[0]), "streak": progress.streak}
            terminal.write("", *(f"{texts.text(f'web.puzzles.{name}')}: {figure}" for name, figure in figures.items()))
            if choice.daily or terminal.ask(texts.text("play.puzzle.next")).lower() in ("q", "quit"):
                return


def _choose(puzzles: Sequence[Puzzle], choice: PuzzleChoice, progress: Progress) -> Puzzle:
    """A wanted puzzle that is new to the person, with a rating near theirs; any wanted one if none is new."""
    if choice.daily:
        return daily_puzzle(puzzles, datetime.now(UTC).date())
    wanted = [each for each in puzzles if choice.game in (None, each.game) and choice.theme in (None, each.theme)]
    if not wanted:
        raise UsageError(f"no puzzle of {choice.game} has the theme {choice.theme}")
    new = [each for each in wanted if each.id not in progress.done] or wanted
    distances = [abs(RATINGS[each.grade] - progress.rating[0]) for each in new]
    return random.choice([each for each, distance in zip(new, distances, strict=True) if distance == min(distances)])


def _count(progress: Progress, puzzle: Puzzle, *, is_solved: bool) -> Progress:
    """The progress after the first answer to a puzzle; later ones change nothing."""
    if puzzle.id in progress.done:
        return progress
    streak = progress.streak + 1 if is_solved else 0
    return Progress(
        rating=rate_puzzle(progress.rating, puzzle.grade, is_solved=is_solved),
        streak=streak,
        longest=max(progress.longest, streak),
        done={**progress.done, puzzle.id: is_solved},
    )


class PuzzleClient(LineClient):
    """One puzzle: a match in which the person in one seat makes one move."""

    def __init__(self, puzzle: Puzzle, texts: Catalog, terminal: LineTerminal) -> None:
        seat = puzzle.play().round.turn
        bots = iter(BOT_NAMES)
        names = [texts.text("play.player", number=1) if i == seat else next(bots) for i in range(puzzle.players)]
        super().__init__(puzzle.play(0, names), [None] * puzzle.players, [], texts, terminal, Path())
        self.puzzle, self.viewer, self.humans = puzzle, seat, (seat,)
        self.has_several_people, self.seat_at_screen = False, seat
        self._answer: Move | None = None
        self._has_called = False

    def solve(self) -> bool:
        """Ask for the move, explain the best one, and show the rest of the round; returns whether it was found."""
        texts, puzzle, seat = self.texts, self.puzzle, self.humans[0]
        title = texts.text("web.puzzles.title"), texts.text(f"game.{puzzle.game}"), puzzle.rules
        self.terminal.write("", " – ".join(title))
        self._play(puzzle.moves[: puzzle.ply], shown=False)
        self.terminal.write(*self.log[seat][-_HISTORY_LINES:], "", texts.text("web.puzzles.ask"))
        view = self.match.round.view(seat)
        while self._answer is None:
            self._turn(seat)
        is_best = _without_call(self._answer) == _without_call(puzzle.best)
        is_solved = is_best and (self._answer.uno or self._has_called or not puzzle.best.uno)
        verdict = "right" if is_solved else "uncalled" if is_best else "wrong"
        self.terminal.write("", texts.text(f"web.puzzles.{verdict}"), self._explain(view, self._answer))
        self.terminal.write(texts.text("web.puzzles.grade", n=puzzle.grade), "", texts.text("web.puzzles.watch"))
        self._play(puzzle.moves[puzzle.ply :], shown=True)
        return is_solved

    def _explain(self, view: View, answer: Move) -> str:
        """The sentence that compares the best move with the answer, or else with the next best."""
        (best, chance), *others = self.puzzle.chances
        other, less = next((each for each in others if each[0] == str(_without_call(answer))), others[0])
        line = self.texts.text(
            "web.puzzles.line",
            move=move_words(parse_move(best), view, self.narrator),
            chance=f"{chance}%",
            other=move_words(parse_move(other), view, self.narrator),
            less=f"{less}%",
        )
        name, *facts = self.puzzle.reason
        if name in _UNEXPLAINED:
            return line
        return f"{line} {reason_words(read_reason(name, facts), self.narrator)}"

    def _play(self, moves: Sequence[str], *, shown: bool) -> None:
        """Make moves of the puzzle; ``shown`` step by step, until the person stops."""
        for text in moves:
            is_step = shown and self.terminal.is_interactive
            if is_step and self.terminal.ask(self.texts.text("replay.step")).lower() in ("q", "quit"):
                return
            lines = self.narrator.lines(play_moves(self.match, [text]), self.viewer)
            self.log[self.humans[0]] += lines
            if shown:
                self.terminal.write(*lines)

    def _try_move(self, seat: int, move: Move) -> bool:
        """Take a legal move as the answer, a call as part of it; returns whether there is an answer."""
        try:
            self.match.round.verify(seat, move)
        except IllegalMove as error:
            self.terminal.write(self.narrator.refusal(self.match.round, seat, move, error))
            return False
        if move.verb == "uno":
            self._has_called = True
        elif move.verb == "catch":
            self.terminal.write(self.texts.text("web.puzzles.catch"))
        else:
            self._answer = move
        return self._answer is not None

    def _run_command(self, command: str, view: View | None) -> bool:
        """Execute a command; one that would answer the puzzle, or save a match, asks again."""
        if command not in _NO_COMMANDS:
            return super()._run_command(command, view)
        self.terminal.write(self.texts.text("web.puzzles.ask"))
        return False


def _without_call(move: Move) -> Move:
    return Move(move.verb, move.card, move.color, move.target)


def read_reason(name: str, facts: Sequence[str]) -> Reason:
    """A reason in a puzzle: its name, and a number, a seat, a card, a color, and two numbers of cards."""
    n, player, card, color, mine, theirs = (None if fact == "-" else fact for fact in facts)
    return Reason(
        name,
        int(n or 0),
        None if player is None else int(player),
        None if card is None else parse_card(card),
        None if color is None else parse_color(color),
        (int(mine or 0), int(theirs or 0)),
    )

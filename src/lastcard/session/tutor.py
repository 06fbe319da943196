"""The tutor of a lesson: the learner's allowed moves, their texts, and the bots' scripted moves."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from lastcard.game.moves import Move, move_to_action, parse_move, parse_seat_move
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.session.lessons import LEARNER, LESSONS, Step


class LessonStep(Struct, frozen=True):
    """Where a lesson is: a round with prepared cards for somebody new."""

    beat: int
    """From 1; one more than ``beats`` when it is done."""
    beats: int
    say: str
    """The name of what is to be said: the text ``lesson.GAME.SAY``."""
    at: str
    """What that speaks of: ``hand``, ``draw``, ``uno``, ``answers``, ``seat``, ``seats`` or ``over``."""
    seat: int | None
    """The seat it is about."""
    next: int = 0
    """The number of the next lesson of this game; 0 after the last one."""


def find_tutor(match: Match) -> Tutor | None:
    """Return the tutor of a match that is a current lesson; None for any other match."""
    if match.position is None:
        return None
    lessons = LESSONS[match.rules.game]
    number = next((i for i, lesson in enumerate(lessons, 1) if lesson.start == match.position), None)
    return Tutor(match, number) if number else None


class Tutor:
    """Follows the lesson of a match with a prepared round, while the match changes."""

    def __init__(self, match: Match, number: int) -> None:
        lessons = LESSONS[match.rules.game]
        self._match = match
        self._lesson = lessons[number - 1]
        self._next = number + 1 if number < len(lessons) else 0

    @property
    def is_waiting(self) -> bool:
        """Whether the learner has to move before anybody else."""
        return bool(self.open_actions(self._match.round.legal_actions(LEARNER)))

    def open_actions(self, legal: Iterable[int]) -> list[int]:
        """Return those of the learner's legal actions that the step allows."""
        step = self._step()
        wanted = () if step is None else [move_to_action(parse_move(move)) for move in step.moves]
        return [action for action in legal if action in wanted]

    def allows(self, move: Move) -> bool:
        """Return whether the learner may make a move now; a call may go with it, because its step comes before."""
        step = self._step()
        return step is not None and str(move).removesuffix("!") in step.moves

    def current_step(self) -> LessonStep:
        """Return the current step for the screen."""
        lesson, step, number = self._lesson, self._step(), self._count_moves(LEARNER)
        if self._match.round.over or step is None:
            return LessonStep(lesson.beats + 1, lesson.beats, lesson.done, "over", None, self._next)
        last = lesson.steps[number - 1] if number else None
        if self.is_waiting or last is None:
            return LessonStep(step.beat, lesson.beats, step.say, step.at, step.seat, self._next)
        return LessonStep(last.beat, lesson.beats, last.then or "wait", "seats", last.seat, self._next)

    def bot_move(self, seat: int, round_: Round) -> Move | None:
        """Return a bot's next move by the script; None if the script has no legal one."""
        script, number = self._lesson.script[str(seat)], self._count_moves(seat)
        if number >= len(script):
            return None
        moves = map(parse_move, script[number].split())
        return next((move for move in moves if round_.can(seat, move)), None)

    def _step(self) -> Step | None:
        number = self._count_moves(LEARNER)
        return self._lesson.steps[number] if number < len(self._lesson.steps) else None

    def _count_moves(self, seat: int) -> int:
        return sum(parse_seat_move(text)[0] == seat for text in self._match.moves)

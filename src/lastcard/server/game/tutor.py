"""The tutor of a lesson: what the learner may do next, what is said about it, and what the bots do meanwhile."""

from __future__ import annotations

from collections.abc import Iterable

from lastcard.game.actions import Move, move_action, parse_act, parse_move
from lastcard.match.match import Match
from lastcard.match.round import Round
from lastcard.server.seats.lessons import LEARNER, LESSONS, Lesson, Step
from lastcard.server.wire.parts import LessonStep


def find_tutor(match: Match) -> Tutor | None:
    """The tutor of a match that is a lesson as it is told today; None for any other match."""
    if match.position is None:
        return None
    lesson = LESSONS[match.rules.game]
    return Tutor(match, lesson) if match.position == lesson.start else None


class Tutor:
    """Watches over the lesson of a match with a prepared round.

    Args:
        match: that goes on by its moves.
        lesson: which one it is.
    """

    def __init__(self, match: Match, lesson: Lesson) -> None:
        self._match = match
        self._lesson = lesson

    @property
    def waits(self) -> bool:
        """Whether the learner has something to do before anybody goes on."""
        return bool(self.open(self._match.round.legal_actions(LEARNER)))

    def open(self, legal: Iterable[int]) -> list[int]:
        """Those of the learner's possible actions that the step leaves open."""
        step = self._step()
        wanted = () if step is None else [move_action(parse_move(move)) for move in step.moves]
        return [action for action in legal if action in wanted]

    def allows(self, move: Move) -> bool:
        """Whether the learner may make a move now; a call may go with it, for its step comes before."""
        step = self._step()
        return step is not None and str(move).removesuffix("!") in step.moves

    def said(self) -> LessonStep:
        """Where the lesson is, for the screen."""
        lesson, step, number = self._lesson, self._step(), self._acts(LEARNER)
        if self._match.round.over or step is None:
            return LessonStep(beat=lesson.beats + 1, beats=lesson.beats, say="done", at="over", seat=None)
        last = lesson.steps[number - 1] if number else None
        if self.waits or last is None:
            return LessonStep(beat=step.beat, beats=lesson.beats, say=step.say, at=step.at, seat=step.seat)
        return LessonStep(beat=last.beat, beats=lesson.beats, say=last.then or "wait", at="seats", seat=last.seat)

    def bot_move(self, seat: int, table: Round) -> Move | None:
        """What a bot does next by the script; None where that says nothing that is possible."""
        script, number = self._lesson.script[str(seat)], self._acts(seat)
        if number >= len(script):
            return None
        moves = map(parse_move, script[number].split())
        return next((move for move in moves if table.can(seat, move)), None)

    def _step(self) -> Step | None:
        number = self._acts(LEARNER)
        return self._lesson.steps[number] if number < len(self._lesson.steps) else None

    def _acts(self, seat: int) -> int:
        return sum(parse_act(text)[0] == seat for text in self._match.moves)

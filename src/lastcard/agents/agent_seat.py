"""A seat that a language model plays in a match: it asks again after a bad answer, and at last a bot moves."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lastcard.agents.agent_view import AgentView, LegalMove, view_match
from lastcard.agents.answers import Answer, parse_answer
from lastcard.bots.own_bots import BotSource
from lastcard.bots.registry import make_bot
from lastcard.errors import IllegalMove, NotationError, UsageError
from lastcard.game.moves import CALLS, parse_move
from lastcard.match.match import Match
from lastcard.text.locale import catalog
from lastcard.text.narration import Narrator

MAX_TRIES: Final = 3
"""Number of bad answers in a row after which a bot moves, by default."""
FALLBACK_BOT: Final = "sharp"
"""The bot that moves then."""


class Outcome(Struct, frozen=True, kw_only=True):
    """What became of an answer."""

    status: str
    """``done``, ``illegal``, ``unclear`` (several moves fit, or none was found), or ``substituted``."""
    move: str | None = None
    """The move that was made; of an ``illegal`` answer the one that was refused."""
    reason: str | None = None
    """Why it was refused or not understood."""
    clause: str | None = None
    """The clause of the rules that refuses it (docs/rules.md)."""
    fits: tuple[str, ...] = ()
    """Legal moves of which one must be named."""
    legal: tuple[LegalMove, ...] = ()
    """The legal moves, if the answer must be given again."""
    tries_left: int | None = None
    """Number of bad answers after which a bot moves; None if no answer is due."""


class BadAnswers:
    """Counts the bad answers of a model in a row on its turn.

    Args:
        most: number of them after which a bot moves.
    """

    def __init__(self, most: int) -> None:
        self._most, self._count = most, 0

    def forget(self) -> None:
        """Begin to count again, because a move was made."""
        self._count = 0

    def refuse(self, view: AgentView, outcome: Outcome) -> Outcome | None:
        """Count an answer; return its outcome with the legal moves, None if a bot must move."""
        if not view.your_turn:
            return replace(outcome, legal=view.legal)
        self._count += 1
        if self._count < self._most:
            return replace(outcome, legal=view.legal, tries_left=self._most - self._count)
        self._count = 0
        return None


def ask_again(answer: Answer) -> Outcome:
    """Returns the outcome of an answer in which no single move was found."""
    reason = answer.problem or f"several moves fit: {', '.join(answer.fits)}; name one of them"
    return Outcome(status="unclear", reason=reason, fits=answer.fits)


class SeatNarrator(Narrator):
    """A narrator that names players by their seats, because names are texts of other people."""

    def name(self, seat: int) -> str:
        """Returns ``seat 1`` in the language of the texts."""
        return self.texts.text("play.agent.seat", seat=seat)


class AgentSeat:
    """A seat of a match, with counts of its bad answers.

    >>> seat = AgentSeat(Match("classic", 2, seed=1), 0)
    >>> seat.answer("play red seven").status, seat.illegal
    ('done', 0)

    Args:
        seat: the seat of the model.
        language: language of words and reasons.
        max_tries: number of bad answers on its turn after which a bot moves for it.
        fallback: that bot.

    Raises:
        UsageError: for an unknown seat or language, or a number of tries below 1.
    """

    def __init__(
        self,
        match: Match,
        seat: int,
        language: str = "en",
        *,
        max_tries: int = MAX_TRIES,
        fallback: BotSource = FALLBACK_BOT,
    ) -> None:
        if max_tries < 1:
            raise UsageError(f"a model has at least one try, not {max_tries!r}")
        self.match, self.seat, self.language = match, seat, language
        self.narrator = SeatNarrator(match, catalog(language))
        """Narrator that names players by their seats."""
        self._bot = make_bot(fallback, match.seed, seat)
        self._bad_answers = BadAnswers(max_tries)
        self.illegal = 0
        """Number of illegal moves so far."""
        self.unclear = 0
        """Number of answers so far in which no single move was found."""
        self.substituted = 0
        """Number of moves so far that the bot made."""
        self.view()

    def view(self) -> AgentView:
        """Returns the view of the seat."""
        return view_match(self.match, self.seat, self.language)

    def answer(self, text: str) -> Outcome:
        """Make the move that an answer names, and return what became of it.

        A bad answer changes nothing, until too many came in a row on the seat's turn: then the bot moves.
        """
        view = self.view()
        answer = parse_answer(text, view)
        if answer.move is None:
            self.unclear += 1
            return self._refuse(view, ask_again(answer))
        try:
            self.match.do(self.seat, answer.move)
        except (IllegalMove, NotationError) as error:
            self.illegal += 1
            return self._refuse(view, self._explain(answer.move, error))
        if parse_move(answer.move).verb not in CALLS:
            self._bad_answers.forget()
        return Outcome(status="done", move=answer.move)

    def _explain(self, move: str, error: IllegalMove | NotationError) -> Outcome:
        if isinstance(error, NotationError):
            return Outcome(status="illegal", move=move, reason=str(error))
        reason = self.narrator.refusal(self.match.round, self.seat, parse_move(move), error)
        return Outcome(status="illegal", move=move, reason=reason, clause=error.clause)

    def _refuse(self, view: AgentView, outcome: Outcome) -> Outcome:
        """Return a refusal with the legal moves; on the last try make the bot's move."""
        refused = self._bad_answers.refuse(view, outcome)
        if refused is not None:
            return refused
        move = self._bot.choose(self.match.round.view(self.seat))
        self.match.do(self.seat, move)
        self.substituted += 1
        return replace(outcome, status="substituted", move=str(move))

"""A round between language models and bots, from question to question: what benchmarks and environments share."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from lastcard.agents.agent_seat import MAX_TRIES, AgentSeat, Outcome
from lastcard.agents.prompts import describe_view, rules_prompt
from lastcard.analysis.luck import measure_luck
from lastcard.arena.bot_play import ProgramNotices
from lastcard.arena.compiled_rounds import MAX_PLIES
from lastcard.bots.base import ATTENTIVE, Bot, list_turn_moves
from lastcard.bots.external import ExternalBot, list_reactions
from lastcard.bots.own_bots import BotSource, name_source, submit_move
from lastcard.bots.registry import make_bot
from lastcard.errors import IllegalMove, UsageError
from lastcard.game.moves import Move, parse_seat_move
from lastcard.game.rulesets import Ruleset
from lastcard.game.seeds import Seed
from lastcard.match.match import Match, team_of
from lastcard.match.round import Round
from lastcard.match.view import View

MODEL_NAME: Final = "Agent"
"""Name of a model at the table."""
UNREADABLE: Final = "unreadable"
"""In place of a clause, where no move was found in an answer, or it is none in notation."""
CALL_CLAUSES: Final = ("CO-13", "LC-17", "LC-4")
"""The clauses that refuse a call."""
_NO_MOVE: Final = re.compile(r'"move"\s*:\s*null')
_WAITS: Final = re.compile(r"\W*(?:do nothing|nothing|none|null|wait|no)\W*", re.IGNORECASE)


class FirstMove(Bot):
    """Makes the first legal move, as the protocol for programs does after a fault (docs/bot-protocol.md)."""

    def choose(self, view: View) -> Move:
        """The first move of the seat's turn."""
        return list_turn_moves(view)[0]


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked."""

    seat: int
    is_reaction: bool
    """Whether it may also do nothing, because it is not its turn."""
    prompt: str


@dataclass(slots=True)
class SeatCounts:
    """What a seat did in a round."""

    decisions: int = 0
    """Number of its decisions that were asked for."""
    seconds: float = 0.0
    """Time that they took a bot or a program."""
    illegal: Counter[str] = field(default_factory=Counter)
    """Number of refused answers by the clause that refuses them, or ``UNREADABLE``."""
    fallbacks: int = 0
    """Number of decisions made for it after bad answers."""
    missed_calls: int = 0
    """How often it could be caught without a call, until it was or the time to call was over."""

    @property
    def false_calls(self) -> int:
        """Number of refused calls."""
        return sum(self.illegal[clause] for clause in CALL_CLAUSES)


class TextRound:
    """A round; ``question`` is what a model must answer next.

    >>> table = TextRound("classic", [None, "sharp"], seed="porch")
    >>> while table.question is not None:
    ...     outcome = table.answer("1")
    >>> table.rewards()
    (1.0, 0.0)

    A model is not asked if it has one legal move, and out of turn only if it can call, catch or jump in. After some bad
    answers in a row the first legal move is made for it; out of turn, nothing.

    Args:
        bots: the bot of each seat; None for a seat of a model.
        seed: seed of the match, of which this is the first round.
        max_tries: that number of bad answers.
        needs_model: whether at least one seat must be a model's.

    Raises:
        UsageError, RulesError: for invalid values, and for bots without None.
        IllegalMove, NotationError: if a bot chooses a move that is not legal, or none.
    """

    def __init__(
        self,
        rules: Ruleset | str,
        bots: Sequence[BotSource | None],
        seed: Seed = None,
        *,
        max_tries: int = MAX_TRIES,
        needs_model: bool = True,
    ) -> None:
        if isinstance(bots, str) or not isinstance(bots, Sequence) or (needs_model and None not in bots):
            raise UsageError(
                "bots has the bot of each seat, and None for a seat of a model, as in [None, 'casual'];"
                f" {bots!r} has no seat of a model"
            )
        self.names = tuple(MODEL_NAME if bot is None else name_source(bot) for bot in bots)
        self.match = Match(rules, self.names, seed=seed)
        self.counts = tuple(SeatCounts() for _ in bots)
        self._dealt, self._round, self._max_tries = self.match.round.copy(), self.match.round, max_tries
        self._bots = [
            None if bot is None else make_bot(bot, self.match.seed, seat, ATTENTIVE) for seat, bot in enumerate(bots)
        ]
        self._seats = {
            seat: AgentSeat(self.match, seat, max_tries=max_tries, fallback=FirstMove())
            for seat, bot in enumerate(bots)
            if bot is None
        }
        self._programs = ProgramNotices(self._round, self._bots, self.names)
        self._programs.send(self._round.events())
        self._waiting = set[int]()
        """Seats that do nothing out of turn until the next move."""
        self._bad_reactions = 0
        self._questions = self._play()
        self.question: Question | None = next(self._questions, None)
        """What a model must answer; None if the round is over."""

    @property
    def is_stuck(self) -> bool:
        """Whether the round was given up because of its length."""
        return self.question is None and not self._round.over

    def system_prompt(self) -> str:
        """Returns how to answer, and the rules of the table."""
        return rules_prompt(self.match.rules)

    def answer(self, text: str) -> Outcome:
        """Make the move that an answer names, and play on to the next question; a UsageError after the end.

        After a bad answer the question stays the same.
        """
        if self.question is None:
            raise UsageError("the round is over: there is no question to answer")
        question, seat = self.question, self._seats[self.question.seat]
        counts, exposed = self.counts[question.seat], self._round.exposed
        if question.is_reaction and _declines(text):
            outcome = Outcome(status="done")
        else:
            outcome = seat.answer(text)
            if outcome.status != "done":
                counts.illegal[outcome.clause or UNREADABLE] += 1
            if question.is_reaction and outcome.status != "done":
                outcome = self._refuse_reaction(outcome)
        counts.fallbacks += outcome.status == "substituted"
        if outcome.status in ("done", "substituted"):
            counts.decisions += 1
            self._bad_reactions = 0
            if outcome.move is None:
                self._waiting.add(question.seat)
            else:
                self._note_move(exposed)
            self.question = next(self._questions, None)
        return outcome

    def _refuse_reaction(self, outcome: Outcome) -> Outcome:
        """Returns the outcome of a bad answer out of turn, after the last of which nothing is done."""
        self._bad_reactions += 1
        left = self._max_tries - self._bad_reactions
        return replace(outcome, tries_left=left) if left else replace(outcome, status="substituted", move=None)

    def deal(self) -> Round:
        """Returns the round as it was dealt."""
        return self._dealt.copy()

    def moves(self) -> list[tuple[int, Move]]:
        """Returns the seats and their moves so far."""
        return list(map(parse_seat_move, self.match.moves))

    def rewards(self) -> tuple[float, ...]:
        """Returns the part of the round that each seat won: 1 or 0, equal parts if nobody did or it goes on."""
        winner, players = self._round.winner, len(self.names)
        if winner is None:
            return (1 / players,) * players
        winners = team_of(self.match.rules, winner)
        return tuple(float(seat in winners) for seat in range(players))

    def luck(self) -> tuple[float, ...]:
        """Returns the luck of each seat in rounds won (``analysis.luck``); zeros before the end of the round."""
        if not self._round.over:
            return (0.0,) * len(self.names)
        return measure_luck(self.deal(), self.moves(), self.names, ATTENTIVE)

    def adjusted_rewards(self) -> tuple[float, ...]:
        """Returns the rewards without the luck of draws: their mean is the same, and they vary less."""
        return tuple(won - luck for won, luck in zip(self.rewards(), self.luck(), strict=True))

    def _play(self) -> Iterator[Question]:
        """Let bots play; yield every question to a model, which is answered before the next step."""
        while not self._round.over and len(self.match.moves) < MAX_PLIES:
            found = next(self._reactions(), None) or self._choose(self._round.turn)
            if isinstance(found, Question):
                yield found
            else:
                exposed = self._round.exposed
                self._programs.send(submit_move(self.match.do, self._round.legal, self._bots[found[0]], *found))
                self._note_move(exposed)
        self._programs.end()

    def _reactions(self) -> Iterator[Question | tuple[int, Move]]:
        """Yield moves out of turn and questions about them, in the order of ``bots.base.find_reaction``."""
        if not self._round.allows_moves_out_of_turn:
            return
        turn, exposed, players = self._round.turn, self._round.exposed, len(self.names)
        clockwise = [(turn + i) % players for i in range(players)]
        for seat in sorted(clockwise, key=lambda seat: seat not in exposed):
            bot = self._bots[seat]
            if bot is not None:
                with self._timed(seat):
                    move = bot.react(self._round.view(seat))
                if move is not None:
                    yield seat, move
            elif seat != turn and seat not in self._waiting:
                view = self._round.view(seat)
                if list_reactions(view.legal, seat, turn, exposed):
                    yield self._ask(seat, is_reaction=True)

    def _choose(self, seat: int) -> Question | tuple[int, Move]:
        """Returns the seat on turn and the move of a bot, or the only one of a model; else the question to it."""
        bot, view = self._bots[seat], self._round.view(seat)
        if bot is None:
            can_call = len(view.hand or ()) == 2 or seat in view.exposed
            is_forced = len(view.legal) == 1 and not can_call
            return (seat, view.legal[0]) if is_forced else self._ask(seat, is_reaction=False)
        self.counts[seat].decisions += 1
        with self._timed(seat):
            return seat, bot.choose(view)

    @contextmanager
    def _timed(self, seat: int) -> Iterator[None]:
        """Add the time of a bot's decision to its counts, and the faults of a program."""
        counts, bot, start_s = self.counts[seat], self._bots[seat], time.perf_counter()
        program = bot if isinstance(bot, ExternalBot) else None
        refused, faults = (len(program.refused), program.faults.total()) if program else (0, 0)
        yield
        counts.seconds += time.perf_counter() - start_s
        if program is not None:
            moves, faults = program.refused[refused:], program.faults.total() - faults
            counts.fallbacks += faults
            counts.illegal += Counter({UNREADABLE: faults - len(moves)})
            for move in moves:
                with catch_refusal(counts.illegal):
                    self._round.verify(seat, move)

    def _ask(self, seat: int, *, is_reaction: bool) -> Question:
        prompt = describe_view(self._seats[seat].view())
        if is_reaction:
            view = self._round.view(seat)
            useful = ", ".join(list_reactions(view.legal, seat, self._round.turn, self._round.exposed))
            prompt += f'It is not your turn. You can do now: {useful}. To do nothing answer {{"move": null}}.\n'
        return Question(seat, is_reaction, prompt)

    def _note_move(self, exposed: frozenset[int]) -> None:
        """Count calls that were missed: who could be caught before the last move and cannot be any more."""
        self._waiting.clear()
        mover, move = parse_seat_move(self.match.moves[-1])
        for seat in exposed - self._round.exposed:
            self.counts[seat].missed_calls += not (seat == mover and move.verb == "uno")


def _declines(text: str) -> bool:
    """Whether an answer out of turn says that nothing is to be done."""
    return bool(_NO_MOVE.search(text) or _WAITS.fullmatch(text.strip()))


@contextmanager
def catch_refusal(clauses: Counter[str]) -> Iterator[None]:
    """Count the clause of a move that the block refuses."""
    try:
        yield
    except IllegalMove as error:
        clauses[error.clause] += 1


def describe_refusal(outcome: Outcome) -> str:
    """Returns what was wrong with an answer, with the clause of the rules, and that another is due."""
    clause = f" ({outcome.clause})" if outcome.clause and outcome.clause not in (outcome.reason or "") else ""
    return f"Not possible: {outcome.reason}{clause}. Answer again with a legal move."

"""A match that is being played at a table: the rows that its log needs next, and what follows from each row.

Several servers may add to one log, so a move takes two steps. ``propose`` returns the next row for the log; the match
does not change yet. The caller appends the row, or reads the rows of others if one of them was first, and passes every
row to ``follow``. Then it proposes again, until the log has the command. Times are table times in seconds: they stop
during a pause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from lastcard.errors import IllegalMove, NotationError
from lastcard.game.moves import CALLS, Move, action_to_move, move_to_action, parse_move
from lastcard.match.match import Match
from lastcard.match.refusals import seats_with_effective_call
from lastcard.match.view import PublicState
from lastcard.session.lessons import LEARNER
from lastcard.session.match_log import MatchLog
from lastcard.session.match_rows import NEXT_ROUND, TAKE_BACK, MoveRow
from lastcard.session.table_bots import BotPlan, TableBots, Thinker
from lastcard.session.table_effects import BotTooLate, DealFollowed, Effect, HeldMoveRefused, MoveFollowed
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError
from lastcard.session.turn_clock import BANK_SAVE_S, IDLE_WARNING_S, Clock, TurnClock, pace_of
from lastcard.session.tutor import LessonStep, find_tutor
from lastcard.session.uno_race import ClosedWindow, UnoRace

MAX_CALLS: Final = 12
"""Calls and catches of a seat between two other moves. Calls may be repeated (CO-11 c), and each is a row."""
BOT_COMMAND_PREFIX: Final = "bot:"
"""Prefix of command ids from bots, in their own seats or for absent people."""
ALARMS: Final = ("turn", "idle", "bank", "bot", "catch")


class Attempt(NamedTuple):
    """A move that somebody wants to make or take back, once, however often the command is sent.

    Args:
        move: the move; None to take back the seat's last move and all moves after it.
        asked: whether a person sent it. Otherwise a bot moves, whose choice another worker may have made differently.
    """

    command: str
    seat: int
    move: Move | None
    asked: bool = True

    @property
    def action(self) -> int:
        """The attempt as an integer, as its row in the log has it.

        Raises:
            IllegalMove: if no rules allow the move.
        """
        return TAKE_BACK if self.move is None else move_to_action(self.move)


class MatchPlay:
    """A match with its log, clock, bots and UNO race; ``effects`` gets what people are informed of."""

    def __init__(
        self,
        log: MatchLog,
        settings: Settings,
        thinker: Thinker,
        clock: TurnClock,
        effects: list[Effect],
    ) -> None:
        self.log = log
        self.id = log.row.id
        """The id of the match, in the store and on the wire."""
        self.match: Match = log.match
        """The match after all moves of the log."""
        self._settings = settings
        self.race = UnoRace(settings.grace / 1000)
        self.levels: Mapping[int, str] = {}
        """The levels of the bots that play now, by seat, each with its style (``name_bot``)."""
        self.absent_since: Mapping[int, float] = {}
        """Table times since which persons in seats are disconnected, by seat."""
        self._tutor = find_tutor(log.match)
        self._thinker = thinker
        self.bots = TableBots(log.row.seed, log.row.names, thinker, self._tutor)
        self._plan: BotPlan | None = None
        self._late_round = -1
        """The last round in which a bot had too little time to think."""
        self._calls: Counter[int] = Counter()
        """Calls and catches of each seat since the last other move."""
        self._asked = ""
        """The command of a person that is being carried out, or was last."""
        self._effects = effects
        self._clock = clock
        self.public_state: PublicState = log.match.round.public_state()
        """The public state of the round after all moves of the log."""
        self.time_unsaved = False
        """Whether used bank time is not saved yet."""
        self.race.follow(self.public_state.exposed, self.public_state.called, clock.since)

    @property
    def round_over(self) -> bool:
        """Whether the round on the table has ended."""
        return self.public_state.decision == "over"

    # --- what the log needs next ------------------------------------------------------------------------

    def propose(self, attempt: Attempt, now: float) -> Attempt | int | None:
        """Return the row that the log needs next so that an attempt succeeds.

        Returns:
            The attempt itself, or a held move that comes before it. Once the log has the command, the number of rows
            after it. None if the move is held back: ``propose_held`` returns it later (CO-15).

        Raises:
            CommandError: if it is refused, or the id belongs to another command.
        """
        move = attempt.move
        if move is None:
            done = self._find(attempt)
            if done is None and not self.match.can_take_back(attempt.seat):
                raise CommandError("nothing-to-take-back")
            return attempt if done is None else done
        try:
            return self._propose_move(attempt, move, now)
        except IllegalMove as error:
            raise self._refusal(attempt.seat, move, error, now) from error

    def _propose_move(self, attempt: Attempt, move: Move, now: float) -> Attempt | int | None:
        done = self._find(attempt)
        if done is not None:
            return done
        command, seat = attempt.command, attempt.seat
        if attempt.asked:
            if move.verb in CALLS and self._calls[seat] >= MAX_CALLS:
                raise CommandError("too-fast")
            self._check_lesson(seat, move)
        if any(held.command == command and (held.seat, held.move) != (seat, move) for held in self.race.held):
            raise CommandError("replayed")
        if self.race.since or self.race.held:
            self.match.round.verify(seat, move)
            if self.race.hold(command, seat, move, now):
                return None
            if move.verb not in CALLS and (held := self.propose_held(now, all_of_them=True)) is not None:
                return held
        self._verify(seat, move, now)
        self._asked = command if attempt.asked else ""
        return attempt

    def propose_held(self, now: float, *, all_of_them: bool = False) -> Attempt | None:
        """Return the next held move whose grace is over, or the next of all; None if there is none.

        Those that cannot be made any more are dropped, and their senders are refused.
        """
        while (held := self.race.due(None if all_of_them else now)) is not None:
            attempt = Attempt(held.command, held.seat, held.move)
            try:
                if self._find(attempt) is None:
                    self._verify(held.seat, held.move, now)
                    self._asked = held.command
                    return attempt
            except IllegalMove as error:
                refusal = self._refusal(held.seat, held.move, error, now)
                refusal.__cause__ = error
                self._effects.append(HeldMoveRefused(held.command, held.seat, refusal))
            except CommandError as error:  # the id was used for another move, through another server
                self._effects.append(HeldMoveRefused(held.command, held.seat, error))
            self.race.drop(held.command, held.seat, held.move)
        return None

    def bot_attempt(self) -> Attempt | None:
        """Return the move of the bot whose time has come; None if the plan for it is out of date."""
        plan = self._plan
        if plan is None or plan.ply != self.log.ply or plan.seat not in self.levels:
            return None
        if plan.is_late:
            self._effects.append(BotTooLate(plan.level, self._late_round != self.match.number))
            self._late_round = self.match.number
        move = self.bots.move(plan, self.match.round)
        return Attempt(f"{BOT_COMMAND_PREFIX}{plan.ply}", plan.seat, move, asked=False)

    def check_move(self, seat: int, move: Move, now: float) -> None:
        """Refuse a move that is illegal, or that a lesson does not have now.

        Raises:
            CommandError: if it is refused.
        """
        try:
            self.match.round.verify(seat, move)
            self._check_lesson(seat, move)
        except IllegalMove as error:
            raise self._refusal(seat, move, error, now) from error

    def _check_lesson(self, seat: int, move: Move) -> None:
        """Refuse an illegal move, or in a lesson a move that is not its next step.

        Raises:
            IllegalMove: if the move is illegal.
            CommandError: if the lesson has another step.
        """
        if self._tutor is None:
            return
        self.match.round.verify(seat, move)
        if not self._tutor.allows(move):
            raise CommandError("lesson")

    def _verify(self, seat: int, move: Move, now: float) -> None:
        """Refuse an illegal move, and a call or catch that lost the race and would count as false by the rules (LC-18).

        Raises:
            IllegalMove: also if it was possible a moment ago.
        """
        if move.verb in CALLS and self.race.lateness(seat, move, now) is not None:
            if move.verb == "uno" and seat not in seats_with_effective_call(self.match.rules, self.public_state):
                raise IllegalMove("call-count", "CO-15", "the call comes too late: CO-15")
            if move.verb == "catch" and move.target not in self.public_state.exposed:
                raise IllegalMove("catch-closed", "CO-15", "the catch comes too late: CO-15")
        self.match.round.verify(seat, move)

    def _find(self, attempt: Attempt) -> int | None:
        """Return the number of rows in the log after a command; None if the log does not have it.

        Raises:
            CommandError: if its id belongs to another seat or move.
        """
        known = self.log.find(attempt.command)
        if known is None:
            return None
        ply, sender, action = known
        if sender != attempt.seat or (attempt.asked and action != attempt.action):
            raise CommandError("replayed")
        return ply + 1

    # --- what follows from a row ------------------------------------------------------------------------

    def follow(self, row: MoveRow, now: float) -> None:
        """Update match, clock and race after a row of the log."""
        events = self.log.fold(row)
        now = now if self._clock.pace.calendar is None else row.at / 1000  # so that all workers have the same deadline
        if row.action in (NEXT_ROUND, TAKE_BACK):
            if row.action == TAKE_BACK:  # thinking time is not given back
                self._clock.spend(self.public_state.turn, now)
            self._begin_round(now, self.spent if row.action == TAKE_BACK else ())
            self._effects.append(DealFollowed(events))
            return
        move = action_to_move(row.action)
        if move.verb in CALLS:
            self._calls[row.seat] += 1
        else:
            self._calls.clear()
            self._clock.spend(self.public_state.turn, now)
        before, self.public_state = self.public_state, self.match.round.public_state()
        self._note_lost_calls(row, before, now)
        if self.race.held:
            self.race.drop(row.command, row.seat, move)
        beaten = self.race.follow(self.public_state.exposed, self.public_state.called, now)
        self._effects.append(MoveFollowed(row, events, row.command == self._asked))
        for held in beaten:
            assert held.move.target is not None
            closed = self.race.lateness(held.seat, held.move, now)
            error = self._race_error(held.move.target, None if closed is None or closed.called else closed, now)
            self._effects.append(HeldMoveRefused(held.command, held.seat, error))

    def announce_deal(self) -> None:
        """Inform everybody of the round on the table, as after its deal."""
        self._effects.append(DealFollowed(self.match.round.events()))

    def _note_lost_calls(self, row: MoveRow, before: PublicState, now: float) -> None:
        """Record seats whose call counted before a move of others and no longer does."""
        rules = self.match.rules
        for seat in seats_with_effective_call(rules, before) - seats_with_effective_call(rules, self.public_state):
            if row.seat != seat or row.command.startswith(BOT_COMMAND_PREFIX):
                self.race.interrupt(seat, now)

    def _begin_round(self, now: float, spent: Sequence[int] = ()) -> None:
        self.race.reset()
        self._calls.clear()
        self._clock = TurnClock(self._clock.pace, len(self.match.players), now, spent)
        self.public_state = self.match.round.public_state()
        self.race.follow(self.public_state.exposed, self.public_state.called, now)

    # --- refusals ---------------------------------------------------------------------------------------

    def _refusal(self, seat: int, move: Move, error: IllegalMove, now: float) -> CommandError:
        """Return the error for an illegal move; for a late call or catch it says how late (CO-15)."""
        closed = self.race.lateness(seat, move, now) if move.verb in CALLS else None
        if closed is None:
            return CommandError(error.code, clause=error.clause, seat=seat, move=move)
        return self._race_error(seat if move.target is None else move.target, closed, now)

    def _race_error(self, target: int, closed: ClosedWindow | None, now: float) -> CommandError:
        """Return the error for a lost race (CO-15); ``closed`` is None if a call in the grace has beaten a catch."""
        name = self.match.players[target]
        if closed is None:
            return CommandError("called-first", clause="CO-15", name=name)
        late_ms = max(1, round(1000 * (now - closed.at)))
        return CommandError("called-first" if closed.called else "late", clause="CO-15", late_ms=late_ms, name=name)

    # --- players and their time -------------------------------------------------------------------------

    def apply_settings(self, settings: Settings, spent: Sequence[int], now: float) -> None:
        """Apply the table's settings that may change during a match, and bank use as saved (milliseconds by seat)."""
        if tuple(spent) != self.spent:
            self._clock.draw(self.public_state.turn, now)  # or the saved use would count twice
            self._clock.charge(spent)
        if settings != self._settings:
            self._settings = settings
            self._clock.pace = replace(self._clock.pace, bots=pace_of(settings).bots)

    def welcome_back(self, seat: int, now: float) -> None:
        """Return the hand to the person in a seat; on turn their clock starts anew, with the rest of the bank."""
        if seat == self.public_state.turn:
            self._clock.spend(seat, now)
            self.time_unsaved = True

    def draw_bank(self, now: float) -> None:
        """Record the use of the bank by the seat on turn so far."""
        self._clock.draw(self.public_state.turn, now)
        self.time_unsaved = True

    @property
    def spent(self) -> tuple[int, ...]:
        """Milliseconds of its time bank that each seat has used in the round; empty if none has used any."""
        return self._clock.spent

    def clock(self, now: float) -> Clock | None:
        """Return the clock of a person on turn, until a bot takes over; None for a bot, and by the day."""
        end, seat = self.turn_end, self.public_state.turn
        if end is None or self._clock.pace.calendar is not None:
            return None
        left = max(0, round(1000 * (end - now)))
        shown = self._clock.shown(seat, now)
        return Clock(left=left, bank=0) if shown is None or left < shown.left else shown

    def lesson_state(self) -> tuple[list[int], LessonStep] | None:
        """Return the actions open to the learner and the current step; None if the match is no lesson."""
        if self._tutor is None:
            return None
        return self._tutor.open_actions(self.match.round.legal_actions(LEARNER)), self._tutor.current_step()

    @property
    def awaited_seat(self) -> int | None:
        """The seat of the person on turn; None if a bot is on turn."""
        public_state = self.public_state
        return None if self.round_over or public_state.turn in self.levels else public_state.turn

    @property
    def turn_end(self) -> float | None:
        """When a bot takes over for the person on turn; None for a bot, or if there is no limit."""
        seat = self.awaited_seat
        if seat is None:
            return None
        end = self._clock.deadline(seat)
        gone = self.absent_since.get(seat)
        if gone is None:
            return end
        absent = max(gone, self._clock.since) + self._clock.pace.absent
        return absent if end is None else min(end, absent)

    # --- alarms -----------------------------------------------------------------------------------------

    def alarms(self, now: float) -> dict[str, float | None]:
        """Plan the next move of a bot, and return the table time of each alarm; None for those that are not needed."""
        levels = {} if self._tutor is not None and self._tutor.is_waiting else self.levels
        self._plan = self.bots.plan(self.match.round, self.log.ply, levels, self.race, self._clock, now)
        end, turn = self.turn_end, self._clock.pace.turn
        return {
            "catch": self.race.first(),
            "bot": None if self._plan is None else self._plan.when,
            "turn": end,
            "idle": None if end is None or end - IDLE_WARNING_S <= now else end - IDLE_WARNING_S,
            "bank": None if turn is None or end is None else self._clock.since + turn + BANK_SAVE_S,
        }

    def stop(self) -> None:
        """Drop the thoughts of bots."""
        self._thinker.forget()


@lru_cache(4096)
def read_move(text: str) -> Move:
    """Return a move by its text, from a cache; of a move that some rules allow, the object of ``action_to_move``.

    Raises:
        CommandError: if it is no move.
    """
    try:
        move = parse_move(text)
        return action_to_move(move_to_action(move))
    except NotationError as error:
        raise CommandError("bad-move", reason=error) from error
    except IllegalMove:  # the rules refuse it
        return move

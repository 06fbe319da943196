"""A running match: moves pass through here into the log, and from the log to everybody at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

import structlog

from lastcard import errors
from lastcard.errors import NotationError, StoreError
from lastcard.game.moves import CALLS, Move, action_to_move, move_to_action, parse_move
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.match.refusals import is_call_effective
from lastcard.match.view import PublicState
from lastcard.server.game.presence import Presence
from lastcard.server.game.refusal_messages import refuse_beaten_catch, refuse_command, refuse_late_call, refuse_move
from lastcard.server.game.thinking import Thoughts
from lastcard.server.game.timers import Timers
from lastcard.server.game.weak_callback import weak_callback
from lastcard.server.security import metrics
from lastcard.server.store.rows import Appended, now_ms
from lastcard.server.store.store import Store
from lastcard.server.wire.messages import MatchSnapshot, game_of, happenings, moved_texts
from lastcard.server.wire.parts import Game
from lastcard.server.wire.protocol import Dealt, Done, Notice, Refused, Why, encode
from lastcard.server.wire.worker_bus import LogGrown
from lastcard.session.commands import MakeMove, TakeBack
from lastcard.session.lessons import LEARNER
from lastcard.session.match_log import MatchLog
from lastcard.session.match_rows import NEXT_ROUND, TAKE_BACK, MoveRow
from lastcard.session.table_bots import BotPlan, TableBots
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError
from lastcard.session.turn_clock import BANK_SAVE_S, IDLE_WARNING_S, Clock, TurnClock, pace_of
from lastcard.session.tutor import find_tutor
from lastcard.session.uno_race import HeldMove, UnoRace

MAX_CALLS: Final = 12
"""Calls and catches of a seat between two other moves. Calls may be repeated (CO-11 c), and each is a row."""
BOT_COMMAND_PREFIX: Final = "bot:"
"""Prefix of command ids from bots, in their own seats or for absent people."""
_LOG: Final = structlog.get_logger()
TIMERS: Final = ("turn", "idle", "bank", "bot", "catch")


class LiveMatch:
    """A match with its log, clocks and bots. The caller holds the table's lock.

    Args:
        log: the match and its log.
        store: the store of the log.
        settings: the table's settings.
        timers: the table's alarms; ``TIMERS`` are set here.
        presence: the people at the table.
        on_log_grown: announces new moves to other workers.
        spent: milliseconds of its time bank that each seat has used in the round; empty for none.
    """

    def __init__(
        self,
        log: MatchLog,
        store: Store,
        settings: Settings,
        timers: Timers,
        presence: Presence,
        on_log_grown: Callable[[LogGrown], None],
        spent: Sequence[int] = (),
    ) -> None:
        self.log = log
        self._store = store
        self._settings = settings
        self._timers = timers
        self._presence = presence
        self._on_log_grown = on_log_grown
        self.race = UnoRace(settings.grace / 1000)
        self.levels: Mapping[int, str] = {}
        """The levels of the bots that play now, by seat, each with its style (``name_bot``)."""
        self.absent_since: Mapping[int, float] = {}
        """Table times since which persons in seats are disconnected, by seat."""
        self._tutor = find_tutor(log.match)
        self._thoughts = Thoughts(log.row.seed, weak_callback(self.update_timers))
        self._bots = TableBots(log.row.seed, log.row.names, self._thoughts, self._tutor)
        self._plan: BotPlan | None = None
        self._calls: Counter[int] = Counter()
        """Calls and catches of each seat since the last other move."""
        self._asked = ""
        """The command of a person that is being carried out, or was last."""
        self._hurried_round = -1
        """The round of the last notice that bots had too little time to think."""
        self.time_unsaved = False
        """Whether used bank time is not saved yet."""
        self._public_state: PublicState
        self._clock: TurnClock
        self._begin_round(spent)

    @property
    def id(self) -> str:
        """The id of the match, in the store and on the wire."""
        return self.log.row.id

    @property
    def match(self) -> Match:
        """The match after all moves of the log."""
        return self.log.match

    @property
    def round_over(self) -> bool:
        """Whether the round on the table has ended."""
        return self._public_state.decision == "over"

    # --- moves ----------------------------------------------------------------------------------------

    async def make_move(self, message: MakeMove, seat: int, language: str, *, paused: bool) -> Done | Refused | None:
        """Make a move for a person or a program.

        Args:
            message: the client's command.
            seat: the seat that moves.
            language: language of the answer.
            paused: whether the table is paused.

        Returns:
            The answer; None if it comes with the move itself, or after the grace (CO-15).

        Raises:
            CommandError: if it is no move, no move can be made now, or the seat calls too often.
            StoreError: if it cannot be saved; nothing has changed.
        """
        move = _read_move(message.move)
        if message.match != self.id:
            raise CommandError("stale")
        if paused:
            raise CommandError("paused")
        try:
            if self._done(message.id, seat, move) is None:
                if move.verb in CALLS and self._calls[seat] >= MAX_CALLS:
                    raise CommandError("too-fast")
                self._check_lesson(seat, move)
            ply = await self.submit_move(message.id, seat, move)
        except errors.IllegalMove as error:
            return self._refusal(message.id, seat, move, error, language)
        return None if ply is None else Done(message.id, ply)

    def explain_refusal(self, message: Why, seat: int, language: str) -> Done | Refused:
        """Answer why a move is illegal; ``Done`` if it is legal.

        Raises:
            CommandError: if it is no move.
        """
        move = _read_move(message.move)
        try:
            self.match.round.verify(seat, move)
            self._check_lesson(seat, move)
        except errors.IllegalMove as error:
            return self._refusal(message.id, seat, move, error, language)
        return Done(message.id, self.log.ply)

    def _check_lesson(self, seat: int, move: Move) -> None:
        """Refuse an illegal move, or in a lesson a move that is not its next step.

        Raises:
            errors.Refused: if the move is illegal.
            CommandError: if the lesson has another step.
        """
        if self._tutor is None:
            return
        self.match.round.verify(seat, move)
        if not self._tutor.allows(move):
            raise CommandError("lesson")

    async def submit_move(self, command: str, seat: int, move: Move, *, asked: bool = True) -> int | None:
        """Make a move once, however often it is sent. Its sender gets the answer with the move itself.

        Args:
            command: id of the command.
            seat: the seat that moves.
            move: the move.
            asked: whether a person waits for the answer.

        Returns:
            The number of moves in the log after a command that was already carried out; otherwise None.

        Raises:
            errors.Refused: if the move is illegal.
            CommandError: if the id belongs to another move.
            StoreError: if it cannot be saved; nothing has changed.
        """
        done = self._done(command, seat, move if asked else None)
        if done is not None:
            return done
        if self.race.holds_other(command, seat, move):
            raise CommandError("replayed")
        if self.race.since or self.race.held:
            self.match.round.verify(seat, move)
            if self.race.hold(command, seat, move, self._timers.now):
                self._update_catch_timer()
                return None
            if move.verb not in CALLS:
                await self.resolve_catches(all_of_them=True)
        await self._commit_verified(command, seat, move, asked)
        return None

    async def take_back(self, message: TakeBack, seat: int) -> Done:
        """Take back the last move of a seat once, however often the command is sent.

        Raises:
            CommandError: if there is none, or it is another match.
            StoreError: if it cannot be saved; nothing has changed.
        """
        if message.match != self.id:
            raise CommandError("stale")
        while (done := self._done(message.id, seat, None)) is None:
            if not self.match.can_take_back(seat):
                raise CommandError("nothing-to-take-back")
            await self._append(message.id, seat, TAKE_BACK)
        return Done(message.id, done)

    async def deal_next(self) -> None:
        """Deal the next round, unless another worker has dealt it."""
        number = self.match.number
        while self.match.round.over and self.match.number == number and not self.match.over:
            await self._append(f"deal:{self.log.ply}", NEXT_ROUND, NEXT_ROUND)

    async def resolve_catches(self, *, all_of_them: bool = False) -> None:
        """Make held moves after their grace, or all of them; late callers get a notice."""
        while (held := self.race.pop(None if all_of_them else self._timers.now)) is not None:
            try:
                await self._commit_verified(held.command, held.seat, held.move)
            except errors.IllegalMove as error:
                self._send_refusal(held, error)
            except CommandError as error:  # the id was used for another move, through another worker
                self._send_command_error(held, error)
            except StoreError:
                self.race.held.insert(0, held)
                raise
        self._update_catch_timer()

    async def move_bot(self) -> None:
        """Make the move of the bot whose time has come."""
        plan = self._plan
        if plan is None or plan.ply != self.log.ply or plan.seat not in self.levels:
            self.update_timers()
            return
        if plan.is_late:
            metrics.LATE.inc()
            _LOG.warning("bot too slow", bot=plan.level)
            if self._hurried_round != self.match.number:
                self._hurried_round = self.match.number
                self._presence.broadcast(Notice("hurried"))
        move = self._bots.move(plan, self.match.round)
        try:
            await self.submit_move(f"{BOT_COMMAND_PREFIX}{plan.ply}", plan.seat, move, asked=False)
        except errors.IllegalMove:
            if plan.ply == self.log.ply:
                raise  # only a bot that breaks the rules is broken; catches held back may have changed the round

    async def catch_up(self) -> bool:
        """Apply moves that others have added to the log.

        Returns:
            Whether there were any.
        """
        rows = await self._store.read_moves(self.id, self.log.ply)
        for row in rows:
            self._after_row(row, self.log.fold(row))
        return bool(rows)

    async def _commit_verified(self, command: str, seat: int, move: Move, asked: bool = True) -> None:
        """Verify and commit a move, again after every move of others that came first."""
        self._asked = command if asked else ""
        while self._done(command, seat, move if asked else None) is None:
            self._check_race(seat, move)
            self.match.round.verify(seat, move)
            await self._append(command, seat, move_to_action(move))

    def _check_race(self, seat: int, move: Move) -> None:
        """Refuse a call or catch that lost the race and would count as false by the rules (LC-18).

        Raises:
            errors.Refused: if it was possible a moment ago.
        """
        if move.verb not in CALLS or self.race.lateness(seat, move, self._timers.now) is None:
            return
        if move.verb == "uno" and not is_call_effective(self.match.rules, self._public_state, seat):
            raise errors.IllegalMove("call-count", "CO-15", "the call comes too late: CO-15")
        if move.verb == "catch" and move.target not in self._public_state.exposed:
            raise errors.IllegalMove("catch-closed", "CO-15", "the catch comes too late: CO-15")

    def _done(self, command: str, seat: int, move: Move | None) -> int | None:
        """Return the number of moves in the log after a command; None if the log does not have it.

        Raises:
            CommandError: if its id belongs to another seat or move (move None: any move is fine).
        """
        known = self.log.find(command)
        if known is None:
            return None
        ply, sender, action = known
        if sender != seat or (move is not None and move_to_action(move) != action):
            raise CommandError("replayed")
        return ply + 1

    async def _append(self, command: str, seat: int, action: int) -> None:
        """Append a row to the log, and apply it once it is saved; if another was first, read the log instead.

        Raises:
            StoreError: if it cannot be written; nothing has changed.
        """
        row = MoveRow(self.id, self.log.ply, command, seat, action, now_ms())
        appended, _ = await self._store.append(row)
        if appended is not Appended.COMMITTED:
            await self.catch_up()
            return
        self._after_row(row, self.log.fold(row))
        self.time_unsaved = self.time_unsaved or bool(self.spent)
        self._on_log_grown(LogGrown(self.log.row.table, self.id, self.log.ply))

    async def record_takeovers(self, players: Sequence[str | None]) -> None:
        """Save persons who have taken over seats as players of the match.

        Args:
            players: ids of the persons in seats now, by seat.
        """
        for seat, player in self.log.new_takeovers(players):
            await self._store.take_seat(self.id, seat, player)
            self.log.add_takeover(seat, player)

    # --- what follows from a move -----------------------------------------------------------------------

    def _after_row(self, row: MoveRow, events: list[Event]) -> None:
        """Update clocks and race after a row, and send it to everybody."""
        if row.action in (NEXT_ROUND, TAKE_BACK):
            if row.action == TAKE_BACK:  # thinking time is not given back
                self._clock.spend(self._public_state.turn, self._timers.now)
            self._begin_round(self.spent if row.action == TAKE_BACK else ())
            self.broadcast_deal(events)
            return
        now = self._timers.now
        move = action_to_move(row.action)
        if move.verb in CALLS:
            self._calls[row.seat] += 1
        else:
            self._calls.clear()
            self._clock.spend(self._public_state.turn, now)
        before, self._public_state = self._public_state, self.match.round.public_state()
        self._note_lost_calls(row, before)
        public_state = self._public_state
        beaten = self.race.follow(public_state.exposed, public_state.called, now)
        viewers = self._presence.viewers
        if viewers:
            texts = moved_texts(self._snapshot(), row.seat, str(move), events, viewers)
            done = encode(Done(row.command, self.log.ply)) if row.command == self._asked else None
            self._presence.send_to_viewers(texts, row.seat, done)
        for held in beaten:
            self._send_beaten(held)
        self.update_timers()

    def _note_lost_calls(self, row: MoveRow, before: PublicState) -> None:
        """Record seats whose call counted before a move of others and no longer does."""
        rules = self.match.rules
        for seat in range(len(self.match.players)):
            by_others = row.seat != seat or row.command.startswith(BOT_COMMAND_PREFIX)
            if (
                by_others
                and is_call_effective(rules, before, seat)
                and not is_call_effective(rules, self._public_state, seat)
            ):
                self.race.interrupt(seat, self._timers.now)

    def _begin_round(self, spent: Sequence[int] = ()) -> None:
        now = self._timers.now
        self.race.reset()
        self._calls.clear()
        self._clock = TurnClock(pace_of(self._settings), len(self.match.players), now, spent)
        self._public_state = self.match.round.public_state()
        self.race.follow(self._public_state.exposed, self._public_state.called, now)

    def broadcast_deal(self, events: list[Event]) -> None:
        """Send everybody the whole game, as after a deal.

        Args:
            events: the events of the deal; viewers already have the earlier ones.
        """
        for viewer in self._presence.viewers:
            game = self.game(viewer, whole=not events)
            seen = happenings(events, self.match, viewer)
            self._presence.send_to_view(viewer, encode(Dealt(game, seen)))
        self.update_timers()

    def game(self, viewer: int | None, *, whole: bool = True) -> Game:
        """Return the match as one viewer may see it.

        Args:
            viewer: seat of the viewer; None for a spectator.
            whole: whether to include the events of all rounds, or only of the last.
        """
        return game_of(self._snapshot(), viewer, happenings(self.log.events(whole=whole), self.match, viewer))

    def _snapshot(self) -> MatchSnapshot:
        lesson_state = None
        if self._tutor is not None:
            lesson_state = self._tutor.open_actions(self.match.round.legal_actions(LEARNER)), self._tutor.current_step()
        return MatchSnapshot(
            self.id, self.match, self._public_state, self.log.ply, self.log.promise, self.clock(), lesson_state
        )

    def clock(self) -> Clock | None:
        """Return the clock of a person on turn, until a bot takes over; None for a bot."""
        seat, now = self.awaited_seat, self._timers.now
        end = None if seat is None else self._end_of_turn(seat)
        if seat is None or end is None:
            return None
        left = max(0, round(1000 * (end - now)))
        shown = self._clock.shown(seat, now)
        return Clock(left=left, bank=0) if shown is None or left < shown.left else shown

    @property
    def spent(self) -> tuple[int, ...]:
        """Milliseconds of its time bank that each seat has used in the round; empty if none has used any."""
        return self._clock.spent

    def draw_bank(self) -> None:
        """Record the use of the bank by the seat on turn so far."""
        self._clock.draw(self._public_state.turn, self._timers.now)
        self.time_unsaved = True

    def forget_player(self, player: str) -> None:
        """Remove the name of a person who deleted their data, and send everybody the match."""
        before = self.log.row
        self.log.forget_player(player)
        if self.log.row != before:
            self.broadcast_deal([])

    # --- alarms -----------------------------------------------------------------------------------------

    def set_players(self, levels: Mapping[int, str], absent_since: Mapping[int, float]) -> None:
        """Change who plays.

        Args:
            levels: levels of the active bots by seat, each with its style (``name_bot``).
            absent_since: table times since which persons in seats are disconnected, by seat.
        """
        self.levels, self.absent_since = levels, absent_since
        self.update_timers()

    def apply_settings(self, settings: Settings, spent: Sequence[int]) -> None:
        """Apply the table's settings that may change during a match.

        Args:
            settings: the table's settings.
            spent: milliseconds of its time bank that each seat has used in the round, as saved.
        """
        if tuple(spent) != self.spent:
            self._clock.draw(self._public_state.turn, self._timers.now)  # or the saved use would count twice
            self._clock.charge(spent)
            self.update_timers()
        if settings != self._settings:
            self._settings = settings
            self._clock.pace = pace_of(settings)
            self.update_timers()

    def welcome_back(self, seat: int) -> None:
        """Return the hand to the person in a seat; on turn their clock starts anew, with the rest of the bank."""
        if seat == self._public_state.turn:
            self._clock.spend(seat, self._timers.now)
            self.time_unsaved = True

    def update_timers(self) -> None:
        """Set the alarms that follow from the round."""
        timers = self._timers
        self._update_catch_timer()
        levels = {} if self._tutor is not None and self._tutor.is_waiting else self.levels
        self._plan = self._bots.plan(self.match.round, self.log.ply, levels, self.race, self._clock, timers.now)
        timers.set("bot", None if self._plan is None else self._plan.when)
        seat = self.awaited_seat
        end = None if seat is None else self._end_of_turn(seat)
        timers.set("turn", end)
        timers.set("idle", None if end is None or end - IDLE_WARNING_S <= timers.now else end - IDLE_WARNING_S)
        turn = self._clock.pace.turn
        timers.set("bank", None if turn is None or end is None else self._clock.since + turn + BANK_SAVE_S)

    def stop(self) -> None:
        """End the match's alarms and bots."""
        for name in TIMERS:
            self._timers.set(name, None)
        self._thoughts.forget()

    @property
    def awaited_seat(self) -> int | None:
        """The seat of the person on turn; None if a bot is on turn."""
        public_state = self._public_state
        return None if self.round_over or public_state.turn in self.levels else public_state.turn

    def _end_of_turn(self, seat: int) -> float | None:
        """Return when a bot takes over for the person in a seat."""
        end = self._clock.deadline(seat)
        gone = self.absent_since.get(seat)
        if gone is None:
            return end
        absent = max(gone, self._clock.since) + self._clock.pace.absent
        return absent if end is None else min(end, absent)

    def _update_catch_timer(self) -> None:
        self._timers.set("catch", self.race.first())

    # --- answers ----------------------------------------------------------------------------------------

    def _refusal(self, command: str, seat: int, move: Move, error: errors.IllegalMove, language: str) -> Refused:
        """Return the answer to an illegal move; for late calls and catches it says how late (CO-15)."""
        now = self._timers.now
        closed = self.race.lateness(seat, move, now) if move.verb in CALLS else None
        if closed is None:
            return refuse_move(command, self.match, seat, move, error, language)
        target = seat if move.target is None else move.target
        return refuse_late_call(command, self.match, target, closed, now, language)

    def _send_refusal(self, held: HeldMove, error: errors.IllegalMove) -> None:
        self._presence.send_to_seat(
            held.seat, lambda language: self._refusal(held.command, held.seat, held.move, error, language)
        )

    def _send_command_error(self, held: HeldMove, error: CommandError) -> None:
        self._presence.send_to_seat(held.seat, lambda language: refuse_command(held.command, error, language))

    def _send_beaten(self, held: HeldMove) -> None:
        """Notify the catcher that a held catch failed, because of a call in the grace or otherwise."""
        assert held.move.target is not None
        target, now = held.move.target, self._timers.now
        closed = self.race.lateness(held.seat, held.move, now)

        def make_message(language: str) -> Refused:
            if closed is None or closed.called:
                return refuse_beaten_catch(held.command, self.match, target, language)
            return refuse_late_call(held.command, self.match, target, closed, now, language)

        self._presence.send_to_seat(held.seat, make_message)


@lru_cache(4096)
def _read_move(text: str) -> Move:
    """Return a move by its text, from a cache.

    Raises:
        CommandError: if it is no move.
    """
    try:
        return parse_move(text)
    except NotationError as error:
        raise CommandError("bad-move", reason=error) from error

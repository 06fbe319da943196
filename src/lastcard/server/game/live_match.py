"""A match on the table: acts go through here into the log, and from the log to everybody at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from lastcard import errors
from lastcard.errors import NotationError, StoreError
from lastcard.game.actions import CALLS, Move, action_move, move_action, parse_move
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.match.refusals import may_call
from lastcard.match.view import Face
from lastcard.server.game.bots import BotPlan, TableBots
from lastcard.server.game.clock import NOTE_BANK, WARNING, Alarms, TurnClock, pace_of
from lastcard.server.game.match_log import MatchLog
from lastcard.server.game.presence import Presence
from lastcard.server.game.refusals import against_rules, called_in_time, denied, too_late
from lastcard.server.game.tutor import find_tutor
from lastcard.server.game.uno_race import HeldAct, UnoRace
from lastcard.server.game.weak import weakly
from lastcard.server.seats.document import Denied
from lastcard.server.seats.lessons import LEARNER
from lastcard.server.store.rows import NEXT_ROUND, TAKE_BACK, MoveRow
from lastcard.server.wire.messages import Standing, game_of, happenings, moved_texts
from lastcard.server.wire.parts import Clock, Game, Settings
from lastcard.server.wire.protocol import Act, Dealt, Done, Notice, Refused, TakeBack, Why, encode
from lastcard.server.wire.workers import LogGrown

MOST_CALLS: Final = 12
"""Calls and catches of a seat between two other acts: whoever may call may call again (CO-11 c), and each is a row."""
BY_BOT: Final = "bot:"
"""How the id of a command begins that a bot gives, in a seat of its own or of somebody who is away."""
ALARMS: Final = ("turn", "idle", "bank", "bot", "catch")


class LiveMatch:
    """A match, its log, its clocks and its bots. Whoever calls holds the lock of the table.

    Args:
        log: the match and its moves.
        settings: of the table.
        alarms: of the table; ``ALARMS`` are set here.
        presence: who is told.
        moved: tells other workers that the log has grown.
        spent: milliseconds of its time bank that each seat has used in the round; empty for none.
    """

    def __init__(
        self,
        log: MatchLog,
        settings: Settings,
        alarms: Alarms,
        presence: Presence,
        moved: Callable[[LogGrown], None],
        spent: Sequence[int] = (),
    ) -> None:
        self.log = log
        self._settings = settings
        self._alarms = alarms
        self._presence = presence
        self._moved = moved
        self.race = UnoRace(settings.grace / 1000)
        self.levels: Mapping[int, str] = {}
        """The levels of the bots that play now, by seat, each with its style (``name_bot``)."""
        self.missing: Mapping[int, float] = {}
        """Seats of persons who are not connected, and since when."""
        self._tutor = find_tutor(log.match)
        script = None if self._tutor is None else self._tutor.bot_move
        self._bots = TableBots(log.row.seed, log.row.names, weakly(self.watch), script)
        self._plan: BotPlan | None = None
        self._calls: Counter[int] = Counter()
        """Calls and catches of each seat since the last other act."""
        self._asked = ""
        """The command a person sent that is being done, or was last: it is answered."""
        self._hurried = -1
        """The round in which it was said last that bots could not think long enough."""
        self.time_unsaved = False
        """Whether somebody has used time of a bank that is not saved yet."""
        self._face: Face
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
        return self._face.decision == "over"

    # --- acts -----------------------------------------------------------------------------------------

    async def answer_act(self, message: Act, seat: int, language: str, *, paused: bool) -> Done | Refused | None:
        """Make a move for a person or a program.

        Args:
            message: what was sent.
            seat: whose move it is.
            language: of the answer.
            paused: whether the table stands still.

        Returns:
            The answer; None where it comes with the move itself, or with the end of the grace (CO-15).

        Raises:
            Denied: for what is no move, where none can be made now, and for calls without end.
            StoreError: nothing has changed.
        """
        move = _read_move(message.move)
        if message.match != self.id:
            raise Denied("stale")
        if paused:
            raise Denied("paused")
        try:
            if self._done(message.id, seat, move) is None:
                if move.verb in CALLS and self._calls[seat] >= MOST_CALLS:
                    raise Denied("too-fast")
                self._check_lesson(seat, move)
            ply = await self.act(message.id, seat, move)
        except errors.Refused as error:
            return self._refusal(message.id, seat, move, error, language)
        return None if ply is None else Done(message.id, ply)

    def answer_why(self, message: Why, seat: int, language: str) -> Done | Refused:
        """Say why a move cannot be made; ``Done`` where it can.

        Raises:
            Denied: for what is no move.
        """
        move = _read_move(message.move)
        try:
            self.match.round.verify(seat, move)
            self._check_lesson(seat, move)
        except errors.Refused as error:
            return self._refusal(message.id, seat, move, error, language)
        return Done(message.id, self.log.ply)

    def _check_lesson(self, seat: int, move: Move) -> None:
        """In a lesson refuse what the rules refuse, and what is not its next step.

        Raises:
            errors.Refused: by the rules.
            Denied: by the lesson.
        """
        if self._tutor is None:
            return
        self.match.round.verify(seat, move)
        if not self._tutor.allows(move):
            raise Denied("lesson")

    async def act(self, command: str, seat: int, move: Move, *, asked: bool = True) -> int | None:
        """Make a move once, however often it is sent. Who makes it is answered with the move itself.

        Args:
            command: its id.
            seat: who acts.
            move: to make.
            asked: whether a person waits for the answer.

        Returns:
            For a command that has been done before, how many moves the log had with it.

        Raises:
            errors.Refused: by the rules.
            Denied: for a command that was another move.
            StoreError: nothing has changed.
        """
        done = self._done(command, seat, move if asked else None)
        if done is not None:
            return done
        if self.race.keeps_other(command, seat, move):
            raise Denied("replayed")
        if self.race.since or self.race.held:
            self.match.round.verify(seat, move)
            if self.race.hold(command, seat, move, self._alarms.now):
                self._watch_catches()
                return None
            if move.verb not in CALLS:
                await self.settle_catches(all_of_them=True)
        await self._make(command, seat, move, asked)
        return None

    async def take_back(self, message: TakeBack, seat: int) -> Done:
        """Take back the last act of a seat, once, however often it is sent.

        Raises:
            Denied: where there is none, or the match is another one.
            StoreError: nothing has changed.
        """
        if message.match != self.id:
            raise Denied("stale")
        while (done := self._done(message.id, seat, None)) is None:
            if not self.match.can_take_back(seat):
                raise Denied("nothing-to-take-back")
            committed = await self.log.propose_take_back(message.id, seat)
            await self._committed(committed)
        return Done(message.id, done)

    async def deal_next(self) -> None:
        """Deal the next round, unless another worker has."""
        number = self.match.number
        while self.match.round.over and self.match.number == number and not self.match.over:
            await self._commit(f"deal:{self.log.ply}", NEXT_ROUND, None)

    async def settle_catches(self, *, all_of_them: bool = False) -> None:
        """Make held acts whose grace is over, or all of them; who comes second hears that it was too late."""
        while (held := self.race.pop(None if all_of_them else self._alarms.now)) is not None:
            try:
                await self._make(held.command, held.seat, held.move)
            except errors.Refused as error:
                self._tell_refused(held, error)
            except Denied as error:  # the id was used for another act, through another worker
                self._tell_denied(held, error)
            except StoreError:
                self.race.held.insert(0, held)
                raise
        self._watch_catches()

    async def move_bot(self) -> None:
        """Make the move of the bot whose time has come."""
        plan = self._plan
        if plan is None or plan.ply != self.log.ply or plan.seat not in self.levels:
            self.watch()
            return
        if plan.is_late and self._hurried != self.match.number:
            self._hurried = self.match.number
            self._presence.tell(Notice("hurried"))
        move = self._bots.move(plan, self.match.round)
        try:
            await self.act(f"{BY_BOT}{plan.ply}", plan.seat, move, asked=False)
        except errors.Refused:
            if plan.ply == self.log.ply:
                raise  # a bot that breaks the rules is broken; a table that held catches have changed is not

    async def catch_up(self) -> bool:
        """Fold what others have added to the log.

        Returns:
            Whether there was anything.
        """
        rows = await self.log.tail()
        for row in rows:
            self._follow(row, self.log.fold(row))
        return bool(rows)

    async def _make(self, command: str, seat: int, move: Move, asked: bool = True) -> None:
        """Verify and commit, again after every move of others that was first."""
        self._asked = command if asked else ""
        while self._done(command, seat, move if asked else None) is None:
            self._check_race(seat, move)
            self.match.round.verify(seat, move)
            await self._commit(command, seat, move)

    def _check_race(self, seat: int, move: Move) -> None:
        """Refuse a call or a catch that has lost the race, where the rules would punish it as false (LC-18).

        Raises:
            errors.Refused: it was possible a moment ago.
        """
        if move.verb not in CALLS or self.race.lateness(seat, move, self._alarms.now) is None:
            return
        if move.verb == "uno" and not may_call(self.match.rules, self._face, seat):
            raise errors.Refused("call-count", "CO-15", "the call comes too late: CO-15")
        if move.verb == "catch" and move.target not in self._face.exposed:
            raise errors.Refused("catch-closed", "CO-15", "the catch comes too late: CO-15")

    def _done(self, command: str, seat: int, move: Move | None) -> int | None:
        """How many moves the log had with a command; None where it is not in it.

        Raises:
            Denied: where it stands there for another seat, or another move (None: whichever it is).
        """
        known = self.log.find(command)
        if known is None:
            return None
        ply, sender, action = known
        if sender != seat or (move is not None and move_action(move) != action):
            raise Denied("replayed")
        return ply + 1

    async def _commit(self, command: str, seat: int, move: Move | None) -> None:
        """Offer a row to the log; where another was first, read on instead."""
        await self._committed(await self.log.propose(command, seat, move))

    async def _committed(self, committed: tuple[MoveRow, list[Event]] | None) -> None:
        """Follow a row of one's own; where another was first, read on instead."""
        if committed is None:
            await self.catch_up()
        else:
            self._follow(*committed)
            self.time_unsaved = self.time_unsaved or bool(self.spent)
            self._moved(LogGrown(self.log.row.table, self.id, self.log.ply))

    # --- what follows from a move -----------------------------------------------------------------------

    def _follow(self, row: MoveRow, events: list[Event]) -> None:
        """A row has been folded: clocks and race follow, everybody is told."""
        if row.action in (NEXT_ROUND, TAKE_BACK):
            if row.action == TAKE_BACK:  # time that was thought is not given back
                self._clock.spend(self._face.turn, self._alarms.now)
            self._begin_round(self.spent if row.action == TAKE_BACK else ())
            self.tell_dealt(events)
            return
        now = self._alarms.now
        move = action_move(row.action)
        if move.verb in CALLS:
            self._calls[row.seat] += 1
        else:
            self._calls.clear()
            self._clock.spend(self._face.turn, now)
        before, self._face = self._face, self.match.round.face()
        self._note_lost_calls(row, before)
        face = self._face
        beaten = self.race.follow(face.exposed, face.called, now)
        viewers = self._presence.viewers
        if viewers:
            texts = moved_texts(self._standing(), row.seat, str(move), events, viewers)
            done = encode(Done(row.command, self.log.ply)) if row.command == self._asked else None
            self._presence.tell_viewers(texts, row.seat, done)
        for held in beaten:
            self._tell_beaten(held)
        self.watch()

    def _note_lost_calls(self, row: MoveRow, before: Face) -> None:
        """Take note of seats whose call counted before an act and does not any more, unless they did it themselves."""
        rules = self.match.rules
        for seat in range(len(self.match.players)):
            by_others = row.seat != seat or row.command.startswith(BY_BOT)
            if by_others and may_call(rules, before, seat) and not may_call(rules, self._face, seat):
                self.race.interrupt(seat, self._alarms.now)

    def _begin_round(self, spent: Sequence[int] = ()) -> None:
        now = self._alarms.now
        self.race.reset()
        self._calls.clear()
        self._clock = TurnClock(pace_of(self._settings), len(self.match.players), now, spent)
        self._face = self.match.round.face()
        self.race.follow(self._face.exposed, self._face.called, now)

    def tell_dealt(self, events: list[Event]) -> None:
        """Show everybody the whole picture, as after a deal.

        Args:
            events: what the deal did; whoever sees it has what happened before it.
        """
        for viewer in self._presence.viewers:
            game = self.game(viewer, whole=not events)
            seen = happenings(events, self.match, viewer)
            self._presence.tell_view(viewer, encode(Dealt(game, seen)))
        self.watch()

    def game(self, viewer: int | None, *, whole: bool = True) -> Game:
        """The match as one viewer may see it.

        Args:
            viewer: the seat; None for who only watches.
            whole: with what happened in all rounds, not in the last alone.
        """
        return game_of(self._standing(), viewer, happenings(self.log.events(whole=whole), self.match, viewer))

    def _standing(self) -> Standing:
        taught = None
        if self._tutor is not None:
            taught = self._tutor.open(self.match.round.legal_actions(LEARNER)), self._tutor.said()
        return Standing(self.id, self.match, self._face, self.log.ply, self.log.promise, self.clock(), taught)

    def clock(self) -> Clock | None:
        """The time of the person on turn, until a bot takes over; none runs for a bot."""
        seat, now = self.waits_for, self._alarms.now
        end = None if seat is None else self._end_of_turn(seat)
        if seat is None or end is None:
            return None
        left = max(0, round(1000 * (end - now)))
        shown = self._clock.shown(seat, now)
        return Clock(left=left, bank=0) if shown is None or left < shown.left else shown

    @property
    def spent(self) -> tuple[int, ...]:
        """Milliseconds of its time bank that each seat has used in the round; empty where none has used any."""
        return self._clock.spent

    def draw_bank(self) -> None:
        """Take note of what the seat on turn has used of its bank so far."""
        self._clock.draw(self._face.turn, self._alarms.now)
        self.time_unsaved = True

    def forget(self, player: str) -> None:
        """A person has deleted all data: everybody is shown the match without the name."""
        before = self.log.row
        self.log.forget(player)
        if self.log.row != before:
            self.tell_dealt([])

    # --- alarms -----------------------------------------------------------------------------------------

    def arrange(self, levels: Mapping[int, str], missing: Mapping[int, float]) -> None:
        """Who plays has changed.

        Args:
            levels: of the bots that play now, by seat, each with its style (``name_bot``).
            missing: seats of persons who are not connected, and since when.
        """
        self.levels, self.missing = levels, missing
        self.watch()

    def adapt(self, settings: Settings, spent: Sequence[int]) -> None:
        """The table was changed: in a match only those settings change that may.

        Args:
            settings: of the table.
            spent: milliseconds of its time bank that each seat has used in the round, as they are saved.
        """
        if tuple(spent) != self.spent:
            self._clock.draw(self._face.turn, self._alarms.now)  # or what is saved of it would be counted twice
            self._clock.charge(spent)
            self.watch()
        if settings != self._settings:
            self._settings = settings
            self._clock.pace = pace_of(settings)
            self.watch()

    def welcome_back(self, seat: int) -> None:
        """The person in a seat takes the hand back; on turn it begins to think anew, with what the bank has left."""
        if seat == self._face.turn:
            self._clock.spend(seat, self._alarms.now)
            self.time_unsaved = True

    def watch(self) -> None:
        """Set the alarms for the table as it stands."""
        alarms = self._alarms
        self._watch_catches()
        levels = {} if self._tutor is not None and self._tutor.waits else self.levels
        self._plan = self._bots.plan(self.match.round, self.log.ply, levels, self.race, self._clock, alarms.now)
        alarms.set("bot", None if self._plan is None else self._plan.when)
        seat = self.waits_for
        end = None if seat is None else self._end_of_turn(seat)
        alarms.set("turn", end)
        alarms.set("idle", None if end is None or end - WARNING <= alarms.now else end - WARNING)
        turn = self._clock.pace.turn
        alarms.set("bank", None if turn is None or end is None else self._clock.since + turn + NOTE_BANK)

    def stop(self) -> None:
        """The match is not on the table any more."""
        for name in ALARMS:
            self._alarms.set(name, None)
        self._bots.thoughts.forget()

    @property
    def waits_for(self) -> int | None:
        """The seat of the person the table waits for; None where a bot is on turn."""
        face = self._face
        return None if self.round_over or face.turn in self.levels else face.turn

    def _end_of_turn(self, seat: int) -> float | None:
        """When a bot takes over for the person in a seat."""
        end = self._clock.deadline(seat)
        gone = self.missing.get(seat)
        if gone is None:
            return end
        absent = max(gone, self._clock.since) + self._clock.pace.absent
        return absent if end is None else min(end, absent)

    def _watch_catches(self) -> None:
        self._alarms.set("catch", self.race.first())

    # --- answers ----------------------------------------------------------------------------------------

    def _refusal(self, command: str, seat: int, move: Move, error: errors.Refused, language: str) -> Refused:
        """What a person is told whom the rules refuse; late calls and catches hear how late (CO-15)."""
        now = self._alarms.now
        closed = self.race.lateness(seat, move, now) if move.verb in CALLS else None
        if closed is None:
            return against_rules(command, self.match, seat, move, error, language)
        target = seat if move.target is None else move.target
        return too_late(command, self.match, target, closed, now, language)

    def _tell_refused(self, held: HeldAct, error: errors.Refused) -> None:
        self._presence.tell_seat(
            held.seat, lambda language: self._refusal(held.command, held.seat, held.move, error, language)
        )

    def _tell_denied(self, held: HeldAct, error: Denied) -> None:
        self._presence.tell_seat(held.seat, lambda language: denied(held.command, error, language))

    def _tell_beaten(self, held: HeldAct) -> None:
        """A held catch came to nothing: the call came within the grace, or the window closed otherwise."""
        assert held.move.target is not None
        target, now = held.move.target, self._alarms.now
        closed = self.race.lateness(held.seat, held.move, now)

        def say(language: str) -> Refused:
            if closed is None or closed.called:
                return called_in_time(held.command, self.match, target, language)
            return too_late(held.command, self.match, target, closed, now, language)

        self._presence.tell_seat(held.seat, say)


@lru_cache(4096)
def _read_move(text: str) -> Move:
    """A move by its text; the same few are made over and over.

    Raises:
        Denied: for what is none.
    """
    try:
        return parse_move(text)
    except NotationError as error:
        raise Denied("bad-move", reason=error) from error

"""A running match: its moves are saved in the log, and what follows from them is sent to everybody at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import structlog

from lastcard.errors import IllegalMove
from lastcard.game.moves import action_to_move
from lastcard.match.events import Event
from lastcard.match.match import Match
from lastcard.server.game.presence import Presence
from lastcard.server.game.refusal_messages import refuse_command
from lastcard.server.game.thinking import Thoughts
from lastcard.server.game.timers import Timers
from lastcard.server.game.weak_callback import weak_callback
from lastcard.server.security import metrics
from lastcard.server.store.rows import Appended, now_ms
from lastcard.server.store.store import Store
from lastcard.server.wire.messages import MatchSnapshot, game_of, happenings, moved_texts
from lastcard.server.wire.parts import Game
from lastcard.server.wire.protocol import Dealt, Done, Notice, encode
from lastcard.server.wire.worker_bus import LogGrown
from lastcard.session.match_log import MatchLog
from lastcard.session.match_play import (
    ALARMS,
    Attempt,
    DealFollowed,
    HeldMoveRefused,
    MatchPlay,
    MoveFollowed,
)
from lastcard.session.match_rows import NEXT_ROUND, MoveRow
from lastcard.session.table_state import CommandError, TableState
from lastcard.session.turn_clock import Clock

_LOG: Final = structlog.get_logger()


class LiveMatch:
    """Saves the rows that a match proposes, and sends what follows from them. The caller holds the table's lock.

    Args:
        log: the match and its log.
        store: the store of the log.
        table: the current table state.
        timers: the table's alarms; ``ALARMS`` are set here.
        presence: the people at the table.
        on_log_grown: announces new moves to other workers.
    """

    def __init__(
        self,
        log: MatchLog,
        store: Store,
        table: TableState,
        timers: Timers,
        presence: Presence,
        on_log_grown: Callable[[LogGrown], None],
    ) -> None:
        self._store = store
        self._timers = timers
        self._presence = presence
        self._on_log_grown = on_log_grown
        thoughts = Thoughts(log.row.seed, weak_callback(self.update_timers))
        self.play = MatchPlay(log, table.settings, thoughts, timers.now, table.spent_in(log.match.number))
        """The state of the match; after changing it, call ``update_timers``."""
        self._hurried_round = -1
        """The round of the last notice that bots had too little time to think."""

    @property
    def id(self) -> str:
        """The id of the match, in the store and on the wire."""
        return self.play.id

    @property
    def match(self) -> Match:
        """The match after all moves of the log."""
        return self.play.match

    @property
    def log(self) -> MatchLog:
        """The match and its log."""
        return self.play.log

    # --- the log ----------------------------------------------------------------------------------------

    async def carry_out(self, attempt: Attempt) -> Done | None:
        """Get a row into the log once, however often its command is sent.

        Returns:
            The answer to a take-back, or to a command that was carried out before; None if the answer comes with the
            move itself, or later (CO-15).

        Raises:
            CommandError: if it is refused.
            StoreError: if it cannot be saved; nothing has changed.
        """
        is_answered = False
        try:
            while (step := self.play.propose(attempt, self._timers.now)) is not None:
                if isinstance(step, int):
                    return None if is_answered else Done(attempt.command, step)
                await self._append(step.command, step.seat, step.action)
                is_answered = is_answered or (step == attempt and attempt.move is not None)
        finally:
            self._send_effects()
        self._update_catch_timer()
        return None

    async def deal_next(self) -> None:
        """Deal the next round, unless another worker has dealt it."""
        number = self.match.number
        while self.match.number == number and self.play.awaits_deal:
            await self._append(f"deal:{self.log.ply}", NEXT_ROUND, NEXT_ROUND)

    async def make_held_moves(self) -> None:
        """Make the held moves whose grace is over."""
        while (attempt := self.play.propose_held(self._timers.now)) is not None:
            await self._append(attempt.command, attempt.seat, attempt.action)
        self._send_effects()
        self._update_catch_timer()

    async def move_bot(self) -> None:
        """Make the move of the bot whose time has come."""
        attempt, ply = self.play.bot_attempt(), self.log.ply
        if attempt is None:
            self.update_timers()
            return
        self._note_late_bot()
        try:
            await self.carry_out(attempt)
        except CommandError as error:
            if isinstance(error.__cause__, IllegalMove) and ply == self.log.ply:
                raise error.__cause__ from None  # only a bot that breaks the rules is broken; held moves may come first

    def _note_late_bot(self) -> None:
        level = self.play.late_bot
        if level is None:
            return
        metrics.LATE.inc()
        _LOG.warning("bot too slow", bot=level)
        if self._hurried_round != self.match.number:
            self._hurried_round = self.match.number
            self._presence.broadcast(Notice("hurried"))

    async def catch_up(self) -> None:
        """Apply moves that others have added to the log."""
        for row in await self._store.read_moves(self.id, self.log.ply):
            self._follow(row)

    async def record_takeovers(self, players: Sequence[str | None]) -> None:
        """Save persons who have taken over seats as players of the match.

        Args:
            players: ids of the persons in seats now, by seat.
        """
        for seat, player in self.log.new_takeovers(players):
            await self._store.take_seat(self.id, seat, player)
            self.log.add_takeover(seat, player)

    async def _append(self, command: str, seat: int, action: int) -> None:
        """Append a row to the log, and apply it once it is saved; if another was first, read the log instead.

        Raises:
            StoreError: if it cannot be written; nothing has changed.
        """
        self._send_effects()  # refusals of held moves speak of the round before the row
        row = MoveRow(self.id, self.log.ply, command, seat, action, now_ms())
        appended, _ = await self._store.append(row)
        if appended is not Appended.COMMITTED:
            await self.catch_up()
            return
        self._follow(row)
        self.play.time_unsaved = self.play.time_unsaved or bool(self.play.spent)
        self._on_log_grown(LogGrown(self.log.row.table, self.id, self.log.ply))

    def _follow(self, row: MoveRow) -> None:
        self.play.follow(row, self._timers.now)
        self._send_effects()
        self.update_timers()

    # --- what people see --------------------------------------------------------------------------------

    def _send_effects(self) -> None:
        for effect in self.play.take_effects():
            match effect:
                case MoveFollowed():
                    self._send_move(effect)
                case DealFollowed(events):
                    self.broadcast_deal(events)
                case HeldMoveRefused():
                    self._send_refusal(effect)

    def _send_move(self, effect: MoveFollowed) -> None:
        row, viewers = effect.row, self._presence.viewers
        if viewers:
            texts = moved_texts(self._snapshot(), row.seat, str(action_to_move(row.action)), effect.events, viewers)
            done = encode(Done(row.command, self.log.ply)) if effect.answers else None
            self._presence.send_to_viewers(texts, row.seat, done)

    def _send_refusal(self, effect: HeldMoveRefused) -> None:
        self._presence.send_to_seat(
            effect.seat, lambda language: refuse_command(effect.command, effect.error, language, self.match)
        )

    def broadcast_deal(self, events: list[Event]) -> None:
        """Send everybody the whole game, as after a deal.

        Args:
            events: the events of the deal; viewers already have the earlier ones.
        """
        for viewer in self._presence.viewers:
            game = self.game(viewer, whole=not events)
            self._presence.send_to_view(viewer, encode(Dealt(game, happenings(events, self.match, viewer))))

    def game(self, viewer: int | None, *, whole: bool = True) -> Game:
        """Return the match as one viewer may see it.

        Args:
            viewer: seat of the viewer; None for a spectator.
            whole: whether to include the events of all rounds, or only of the last.
        """
        return game_of(self._snapshot(), viewer, happenings(self.log.events(whole=whole), self.match, viewer))

    def clock(self) -> Clock | None:
        """Return the clock of a person on turn, until a bot takes over; None for a bot."""
        return self.play.clock(self._timers.now)

    def _snapshot(self) -> MatchSnapshot:
        play, log = self.play, self.log
        return MatchSnapshot(
            self.id, self.match, play.public_state, log.ply, log.promise, self.clock(), play.lesson_state()
        )

    def forget_player(self, player: str) -> None:
        """Remove the name of a person who deleted their data, and send everybody the match."""
        before = self.log.row
        self.log.forget_player(player)
        if self.log.row != before:
            self.broadcast_deal([])

    # --- alarms -----------------------------------------------------------------------------------------

    def set_players(self, levels: Mapping[int, str], absent_since: Mapping[int, float]) -> None:
        """Change who plays, as ``MatchPlay.set_players`` does."""
        self.play.set_players(levels, absent_since)
        self.update_timers()

    def update_timers(self) -> None:
        """Set the alarms that follow from the match."""
        for name, when in self.play.alarms(self._timers.now).items():
            self._timers.set(name, when)

    def _update_catch_timer(self) -> None:
        """Set the alarm of held moves; the plan of the bots stays."""
        self._timers.set("catch", self.play.race.first())

    def stop(self) -> None:
        """End the match's alarms and bots."""
        for name in ALARMS:
            self._timers.set(name, None)
        self.play.stop()

"""A table with people connected to it: it admits them and carries their commands out one after another.

The table state says who sits where; the match log says what was played. Both are stored before anybody sees a change.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, TypeVar

import structlog

from lastcard.errors import StoreError
from lastcard.server.game.advice import give_advice, hint_owner, make_observation, request_advice
from lastcard.server.game.match_messages import game_for, send_deal, send_move, send_refusal
from lastcard.server.game.presence import SPECTATORS, Presence
from lastcard.server.game.refusal_messages import refuse_command
from lastcard.server.game.thinking import QUEUE, Thoughts
from lastcard.server.game.weak_callback import weak_callback
from lastcard.server.security import metrics
from lastcard.server.security.security import Bucket, hash_token, new_id, new_secret, new_token
from lastcard.server.store.rows import Complaint, DayTurn, Player, TableRow, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.chat import Chat
from lastcard.server.table.day_turns import find_day_turn
from lastcard.server.table.jobs import Jobs, Throttle
from lastcard.server.table.moderation import Moderation
from lastcard.server.table.session_storage import SessionStorage, restore_state
from lastcard.server.table.table_info import describe_table, redact_match
from lastcard.server.table.voice import Voice, may_speak
from lastcard.server.wire import protocol
from lastcard.server.wire.parts import Note, TableInfo
from lastcard.server.wire.peer import Peer
from lastcard.server.wire.voice_servers import NO_VOICE_SERVERS, VoiceServers
from lastcard.server.wire.worker_bus import Bus, NoteSaid, PeopleHere, VoiceSignaled, VoicesSilenced, announce
from lastcard.session import commands, hosting, open_table, seating
from lastcard.session.day_pace import Outages
from lastcard.session.match_play import MatchPlay, read_move
from lastcard.session.names import clean_name, clean_text
from lastcard.session.seating import shown_name
from lastcard.session.steps import Steps
from lastcard.session.table_effects import (
    BotSubstituted,
    BotTooLate,
    DealFollowed,
    Effect,
    HeldMoveRefused,
    MoveFollowed,
    StateAdopted,
    TimeRunningOut,
)
from lastcard.session.table_session import Session, Sources
from lastcard.session.table_state import CommandError, Person, SeatedProgram, TableState

T = TypeVar("T")

PRESENCE_INTERVAL_S: Final = 0.5
"""Minimum seconds between two updates about people who come and go."""
PRESENCE_BURST: Final = 6
"""Number of such updates that may come at once before that."""
_REPORTS_PER_S: Final = 1 / 300
"""Reports a second that one person may send in the long run; bursts may be faster."""
_REPORT_BURST: Final = 3
_NEXT_ALARMS: Final = {"lobby": ("gather", "full"), "writing": ("write",), "between": ("next",), "over": ("next",)}
"""The alarms that bring the next match or round, by phase."""
_LOG: Final = structlog.get_logger()


class LiveTable:
    """A table in memory, with at most ``spectators`` persons without a seat. Get one from ``TableRegistry``."""

    def __init__(
        self,
        store: Store,
        row: TableRow,
        bus: Bus,
        worker: str,
        join_url: Callable[[], str],
        *,
        moderation: Moderation,
        spectators: int = SPECTATORS,
        voice_servers: VoiceServers = NO_VOICE_SERVERS,
        outages: Outages = tuple,
    ) -> None:
        self._store = store
        self._moderation = moderation
        self.code = row.code
        self.join_url = join_url
        """Returns the URL to join the table."""
        self.presence = Presence(spectators)
        self._presence_throttle = Throttle(weak_callback(self._broadcast_presence), PRESENCE_INTERVAL_S, PRESENCE_BURST)
        self.jobs = Jobs(
            weak_callback(self._run_timer), weak_callback(self._advance), partial(self.presence.close_all, "gone")
        )
        self._announce = partial(announce, bus)
        self._worker = worker
        thoughts = partial(Thoughts, on_reaction=weak_callback(self._plan_bots))
        sources = Sources(new_id, new_secret, thoughts, outages)
        self.session = Session(row.code, restore_state(row.doc), self.presence.people, sources)
        self._storage = SessionStorage(
            store,
            self.session,
            row.rev,
            self.jobs,
            self._announce,
            weak_callback(self._follow_session),
        )
        self._chat = Chat(moderation)
        self._voice = Voice()
        self._voice_servers = voice_servers
        self._complaints: dict[str, Bucket] = {}
        self._hints: dict[Peer, list[Future[Any]]] = {}
        self._day_turn: DayTurn | None = None
        """What the store has of the turn at a table by the day."""
        self._end_reason: str | None = None  # why the table is closed to everybody

    @property
    def state(self) -> TableState:
        """The table state as saved."""
        return self.session.state

    @property
    def revision(self) -> int:
        """The number of saves so far."""
        return self._storage.revision

    @property
    def play(self) -> MatchPlay | None:
        """The current match, or the last one if it is over."""
        return self.session.play

    @property
    def is_followed(self) -> bool:
        """Whether this worker follows what others do at the table: people are connected to it, other tables wait, or
        bots are to move by the day.
        """
        has_bots_turn = self.state.goes_on_alone and (self.play is None or self.play.awaited_seat is None)
        return bool(self.presence.peers) or self.state.is_awaited or has_bots_turn

    def describe(self) -> TableInfo:
        """Return the public information about the table."""
        timers = self.jobs.timers
        alarms = () if timers.is_paused else _NEXT_ALARMS.get(self.state.phase, ())
        if self.state.is_by_day and self.state.phase == "playing":
            alarms = ("turn",)
        left = min((left for name in alarms if (left := timers.left(name)) is not None), default=None)
        next_in = None if left is None else round(1000 * left)
        clock = (
            self.play.clock(self.jobs.timers.now) if self.play is not None and self.state.phase == "playing" else None
        )
        return describe_table(
            self.code,
            self.state,
            self.presence.people,
            next_in=next_in,
            reading=self.session.readers,
            clock=clock,
            join_url=self.join_url(),
            moderation=self._moderation,
            voices=self._voices(),
        )

    async def open(self) -> None:
        """Restore the table from the store."""
        async with self.jobs.lock:
            self.jobs.timers.pause()
            if self.state.is_by_day:
                self._run_by_day()
            await self._storage.open()
            await self._advance()

    async def close(self, why: str) -> None:
        """Disconnect everybody after the current command."""
        async with self.jobs.lock:
            self._end_reason = why
            self.jobs.timers.close()
            self.session.drop_match()
            self._presence_throttle.stop()
            self.presence.close_all(why)

    # --- coming and going -----------------------------------------------------------------------------

    async def join(
        self,
        peer: Peer,
        player: Player | SeatedProgram | None,
        hello: protocol.Hello,
        is_still: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        """Admit a peer and send its welcome; disconnect another tab of the same person.

        Args:
            player: the person or program; None for a big screen.
            is_still: checked last: whether the caller is still that person and may enter. If not, the connection closes
                and the client has to say hello again.

        Raises:
            StoreError: if the moves of other workers cannot be read; nobody is admitted.
        """
        if hello.v != protocol.VERSION:
            peer.close("version")
            return
        person: Person | None = None
        if isinstance(player, SeatedProgram):
            person = player
        elif player is not None and not hello.tv:
            person = Person(player.id, player.name)
        async with self.jobs.lock:
            if self._end_reason is not None:  # the table was closed while this call waited for the lock
                peer.close(self._end_reason)
                return
            if self._store.shared:  # a person who saw a move through another worker must not see an older table
                try:
                    await self._storage.catch_up(reload_state=True)
                except CommandError:
                    peer.close("gone")
                    return
            if is_still is not None and not await is_still():  # the last await, so later changes find this peer
                peer.close("restart")
                return
            if not self.presence.has_capacity(self.state, person):
                peer.close("full")
                return
            other = self.presence.enter(peer, person)
            if other is not None:
                other.close("elsewhere")
            back = person is not None and self.session.welcome_back(person.id, self.jobs.timers.now)
            self._refresh_views()
            peer.send(protocol.encode(self._welcome(peer, person)))
            if back:
                peer.send(protocol.encode(protocol.Notice("back")))
            if person is not None:
                await self._presence_changed(person)

    def leave(self, peer: Peer) -> None:
        """Remove a connection that has ended."""
        for hint in self._hints.pop(peer, ()):
            hint.cancel()  # nobody receives it
        person = self.presence.leave(peer, self.jobs.timers.now)
        self._refresh_views()
        if person is not None:
            self.jobs.spawn(self._has_left())

    async def rename(self, person: Person) -> None:
        """Change the name of a connected person."""
        async with self.jobs.lock:
            self.presence.rename(person)
            await self._presence_changed(person)

    async def forget(self, player: str) -> None:
        """Remove every trace of a person who has deleted their data.

        Raises:
            StoreError: if some of it remains; the call can be repeated.
        """
        async with self.jobs.lock:
            peer = self.presence.remove_person(player)
            if peer is not None:
                peer.close("gone")
            self.anonymize(player)
            here = {id_: name for id_, name in self.presence.people.here.items() if id_ != player}
            await self._run(self.session.change(lambda table: hosting.erase_person(table, player, here)))
            await self._presence_changed(None)

    async def merge(self, player: str, into: Person) -> None:
        """Give all that a person has at the table to another profile of theirs.

        Raises:
            StoreError: if it cannot be saved; the call can be repeated.
        """
        async with self.jobs.lock:
            self.merge_names(player, into.id)
            await self._run(self.session.change(lambda table: seating.merge_person(table, player, into)))
            await self._presence_changed(None)

    def merge_names(self, player: str, into: str) -> None:
        """Replace a person's id by that of another profile of theirs in what is only in memory: match and chat."""
        self._chat.merge(player, into)
        if self.play is not None:
            self.play.log.merge_player(player, into)

    async def expel(self, player: str) -> None:
        """Remove a banned person and their chat notes; a bot plays their hand."""
        async with self.jobs.lock:
            self._chat.forget(player)
            peer = self.presence.remove_person(player)
            if peer is not None:
                peer.close("banned")
            here = {id_: name for id_, name in self.presence.people.here.items() if id_ != player}
            await self._run(self.session.change(lambda table: hosting.ban_person(table, player, here)))
            await self._presence_changed(None)

    def forget_chat(self, player: str) -> None:
        """Remove the chat notes of a person."""
        self._chat.forget(player)

    def anonymize(self, player: str) -> None:
        """Remove the chat notes of a person who deleted their data, and their name in the match."""
        self._chat.forget(player)
        if self.play is not None and self.play.log.forget_player(player):
            send_deal(self.play, self.presence, [], self.jobs.timers.now)

    async def _has_left(self) -> None:
        async with self.jobs.lock:
            await self._presence_changed(None)

    async def _presence_changed(self, person: Person | None) -> None:
        """Update names, votes and pending work after a person connected or disconnected."""
        self._presence_throttle.request()
        await self.jobs.run_guarded(self._run(self.session.recount(person, self.jobs.timers.now)))
        await self.jobs.run_guarded(self._save_day_turn())

    def _broadcast_presence(self) -> None:
        self._announce_presence()
        self.broadcast_info()

    def _welcome(self, peer: Peer, person: Person | None) -> protocol.Welcome:
        sees, seat = self.presence.view_of(peer)
        game = game_for(self.play, seat, self.jobs.timers.now) if self.play is not None and sees else None
        you = None if person is None or isinstance(person, SeatedProgram) else person.id
        state = self.describe() if sees else redact_match(self.describe())
        return protocol.Welcome(protocol.VERSION, you, state, game, self._chat.notes)

    async def take_free_seat(self, person: Person, strangers: Collection[str]) -> bool:
        """Give a person a free seat of an open table, with none of ``strangers``; return False if there is none.

        Raises:
            StoreError: if it cannot be saved; nothing has changed.
        """
        edit = partial(open_table.take_free_seat, person=person, strangers=strangers)
        async with self.jobs.lock:
            try:
                if self._end_reason is None:
                    await self._run(self.session.change(edit, by=person.id))
                    return True
            except CommandError:
                pass
        return False

    # --- programs -------------------------------------------------------------------------------------

    async def open_seat(self, player: str, seat: int) -> str:
        """Reserve a free seat, or a bot's, for a program of the host; return its token, stored only as a hash.

        Raises:
            CommandError, StoreError: if it is refused or cannot be saved; nothing has changed.
        """
        token = new_token()
        async with self.jobs.lock:
            program = hash_token(token)
            edit = partial(hosting.seat_program, player=player, seat=seat, token_hash=program)
            await self._run(self.session.change(edit, by=player))
        return token

    def find_program(self, token: str, name: str) -> SeatedProgram | None:
        """Return the program that a token belongs to, with the name it wants; None if the token is good for no seat."""
        id_ = hash_token(token)
        seat = self.state.seat_of(id_)
        occupant = None if seat is None else self.state.seats[seat]
        return None if occupant is None else SeatedProgram(id_, clean_name(name) or occupant.name)

    async def start_duplicate(self) -> None:
        """Start the first deal of a duplicate match, unless it has started; refusals and faults are retried later."""
        async with self.jobs.lock:
            await self.jobs.run_guarded(self._run(self.session.start_duplicate(self.jobs.timers.now)))
        self._announce_presence()  # workers that do not know this one answer with their people

    # --- commands -------------------------------------------------------------------------------------

    async def handle(self, peer: Peer, message: protocol.ClientUnion) -> None:
        """Carry out a command, or answer with the reason for a refusal: all commands but ``Hello`` and ``Ping``."""
        if isinstance(message, protocol.Signal):  # it changes nothing and waits for nothing
            self._relay_signal(peer, message)
            return
        async with self.jobs.lock:
            if self._end_reason is not None:
                return
            try:
                person = self.presence.person(peer)
                if person is None:
                    raise CommandError("watching")
                if isinstance(person, SeatedProgram) and not _is_open_to_programs(message):
                    raise CommandError("program")
                await self._apply(peer, person, message)
            except CommandError as error:
                self._refuse(peer, message, error)
            except StoreError:
                self.jobs.retry_soon()
                self._refuse(peer, message, CommandError("storage"))
            except Exception:
                self.jobs.retry_later()
                raise
            else:  # later faults are retried and are no answer to this command
                await self.jobs.run_guarded(self._advance())

    def _refuse(self, peer: Peer, message: protocol.ClientUnion, error: CommandError) -> None:
        match = None if self.play is None else self.play.match
        peer.send(protocol.encode(refuse_command(getattr(message, "id", None), error, peer.language, match)))

    async def _apply(self, peer: Peer, person: Person, message: protocol.ClientUnion) -> None:
        # The browser sends these by itself.
        is_active = not isinstance(message, commands.Number | protocol.SetVoice)
        if is_active and self.session.welcome_back(person.id, self.jobs.timers.now):
            peer.send(protocol.encode(protocol.Notice("back")))
            self._announce_presence()
            self._refresh_views()
            self.broadcast_info()
        match message:
            case commands.Command():
                if self.state.duplicate is not None:
                    await self._bind_to_table(person, message, self.state.duplicate.code)
                if self.state.is_open and isinstance(message, commands.Sit):
                    await self._check_company(person)
                if isinstance(message, commands.Mute) and message.on and self._name_of(message.player) is None:
                    raise CommandError("no-such-player")  # it would stay in the table state
                ply = await self._run(self.session.apply(person, message, self.jobs.timers.now))
                if ply is not None and isinstance(message, commands.MakeMove | commands.TakeBack):
                    peer.send(protocol.encode(protocol.Done(message.id, ply)))
            case protocol.Why():
                play, seat = self.session.own_match(person)
                play.check_move(seat, read_move(message.move), self.jobs.timers.now)
                peer.send(protocol.encode(protocol.Done(message.id, play.log.ply)))
            case protocol.Advise():
                self._advise(peer, person, message)
            case protocol.Say() | protocol.Quick():
                note = self._chat.say(self.state, person, message, self.presence.people.here)
                self._announce(NoteSaid(self.code, note))
                self.presence.broadcast(protocol.NotePosted(note))
            case protocol.SetVoice():
                self._set_voice(peer, person, message.on)
            case protocol.Silence():
                hosting.check_host(self.state, person.id)
                self._announce(VoicesSilenced(self.code))
                self.silence()
            case protocol.Report():
                await self._report(person, message)
                peer.send(protocol.encode(protocol.Notice("reported")))
            case _:
                raise CommandError("not-now")

    # --- voice ----------------------------------------------------------------------------------------

    def _voices(self) -> set[str]:
        """Return the ids of persons who have turned voice on and may have it."""
        if self._moderation.chat == "never":
            return set()
        voices = self.presence.voices | self.presence.voices_elsewhere
        return {player for player in voices if may_speak(self.state, player)}

    def _set_voice(self, peer: Peer, person: Person, on: bool) -> None:
        """Turn a person's voice on or off; raise a CommandError if it is refused."""
        if on:
            if self._moderation.chat == "never":
                raise CommandError("voice-off")
            self._voice.check_switch(self.state, person, self._voices())
            peer.send(protocol.encode(protocol.VoiceOn(self._voice_servers.issue())))
        if on != (person.id in self.presence.voices):
            self.presence.voices ^= {person.id}
            self._broadcast_presence()

    def _end_voices(self) -> None:
        """Turn off for good the voice of those who may not have it any more."""
        left = self.presence.voices & self._voices()
        if left != self.presence.voices:
            self.presence.voices = left
            self._announce_presence()

    def _relay_signal(self, peer: Peer, message: protocol.Signal) -> None:
        """Relay a signal to a person with voice from another one; drop all others, which may be late."""
        person = self.presence.person(peer)
        if person is None or person.id == message.player or not {person.id, message.player} <= self._voices():
            return
        signal = VoiceSignaled(self.code, message.player, person.id, message.data)
        self.receive_signal(signal)
        if message.player in self.presence.voices_elsewhere:
            self._announce(signal)

    def receive_signal(self, signal: VoiceSignaled) -> None:
        """Send a signal to the person it is for, if their voice is on at this worker."""
        if signal.to in self.presence.voices and {signal.to, signal.player} <= self._voices():
            self.presence.send_to_player(signal.to, protocol.Signaled(signal.player, signal.data))

    def silence(self) -> None:
        """Ask the pages of persons with voice to turn their microphones off."""
        for player in self.presence.voices:
            self.presence.send_to_player(player, protocol.Notice("silenced"))

    async def _bind_to_table(self, person: Person, message: commands.Command, duplicate: str) -> None:
        """Refuse a seat to a person who plays the same deals at another table.

        Raises:
            CommandError: if they do.
        """
        if isinstance(message, commands.Sit):
            table = await self._store.join_duplicate(duplicate, person.id, self.code)
            if table != self.code:
                raise CommandError("duplicate-elsewhere", table=table)
        elif isinstance(message, commands.LeaveSeat):
            await self._store.leave_duplicate(duplicate, person.id)

    async def _check_company(self, person: Person) -> None:
        """Refuse a seat at an open table to a person who has blocked somebody there, or was blocked by them.

        Raises:
            CommandError: if so.
        """
        if self.state.seat_of(person.id) is None:
            strangers = await self._store.find_blocked(person.id)
            if any(player in strangers for player in self.state.players):
                raise CommandError("blocked")

    def _advise(self, peer: Peer, person: Person, message: protocol.Advise) -> None:
        """Send a person a hint, or what their page needs to compute it."""
        play, seat = self.session.check_hint(person)
        view = play.match.round.view(seat)
        if message.here:
            peer.send(protocol.encode(make_observation(message.id, play.log.ply, view)))
            return
        weighed = request_advice(person.id, view)
        self._hints[peer] = [*(hint for hint in self._hints.get(peer, ()) if not hint.done()), weighed]
        advice = give_advice(weighed, message.id, play.match, play.log.ply, view, peer.language)
        self.jobs.spawn(_send_advice(peer, person.id, advice))

    async def _report(self, person: Person, message: protocol.Report) -> None:
        """Save a report for the administrator, with the recent chat.

        Raises:
            CommandError: if the person is not here or was reported too often, or nobody reads reports.
        """
        if not self._moderation.has_reader:
            raise CommandError("no-admin")
        name = self._name_of(message.player)
        if name is None or message.player == person.id:
            raise CommandError("no-such-player")
        if not self._complaints.setdefault(person.id, Bucket(_REPORTS_PER_S, _REPORT_BURST)).take():
            raise CommandError("too-fast")
        complaint = Complaint(
            id=new_id(),
            table=self.code,
            player=message.player,
            name=name,
            by=person.id,
            by_name=shown_name(self.state, person, self.presence.people.here),
            why=message.why,
            text=clean_text(message.text),
            notes=tuple((note.name, note.text or f"({note.quick})") for note in self._chat.notes),
            at=now_ms(),
        )
        await self._store.add_complaint(complaint)

    def _name_of(self, player: str) -> str | None:
        """Return the name of a person who is connected, sits, waits or has spoken; None for anybody else."""
        seat = self.state.seat_of(player)
        occupant = None if seat is None else self.state.seats[seat]
        if occupant is not None:
            return occupant.name
        spoke = next((note.name for note in self._chat.notes if note.player == player), None)
        waits = next((person.name for person in self.state.queue if person.id == player), spoke)
        return self.presence.people.here.get(player, waits)

    # --- what follows from a change -------------------------------------------------------------------

    async def _run(self, steps: Steps[T]) -> T:
        """Save the steps of a change one after another, and return its result.

        Raises:
            CommandError: if it is refused.
            StoreError: if it cannot be saved; nothing has changed.
        """
        self.session.draining = self._moderation.settings.draining
        try:
            step = next(steps)
            while True:
                if self.session.effects:  # refusals of held moves speak of the round before the step
                    self._send_effects()
                step = steps.send(await self._storage.save(step))
        except StopIteration as end:
            if self.session.changed_alarms:
                self._set_alarms()
            return end.value  # type: ignore[no-any-return]
        finally:
            if self.session.effects:
                self._send_effects()

    async def _advance(self) -> None:
        await self._run(self.session.advance(self.jobs.timers.now))
        await self._save_day_turn()

    # --- by the day -------------------------------------------------------------------------------------

    def _run_by_day(self) -> None:
        """Run table time as seconds since 1970."""
        self.jobs.timers.run_at(now_ms() / 1000)

    async def check_day(self) -> None:
        """Do what is due at a table by the day, also after the computer has slept."""
        async with self.jobs.lock:
            if self._end_reason is None:
                self._refresh_views()
                await self.jobs.run_guarded(self._advance())

    async def _save_day_turn(self) -> None:
        """Save whose turn it is at a table by the day, if that has changed."""
        before, turn = self._day_turn, find_day_turn(self.session)
        if turn == before:
            return
        await self._store.save_day_turn(self.code, turn)
        self._day_turn = turn
        self.broadcast_info()  # it has the deadline

    def _follow_session(self) -> None:
        """Set alarms and inform people after a change."""
        self._set_alarms()
        self._send_effects()

    def _plan_bots(self) -> None:
        """Set the alarms anew because a bot that searches wants to move out of turn."""
        self.session.update_people(self.jobs.timers.now)
        self._set_alarms()

    def _set_alarms(self) -> None:
        for name, when in self.session.take_alarms().items():
            self.jobs.timers.set(name, when)

    def _send_effects(self) -> None:
        for effect in self.session.take_effects():
            match effect:
                case StateAdopted(unseated):
                    self._send_state(unseated)
                case BotSubstituted(player):
                    self.presence.send_to_player(player, protocol.Notice("standin"))
                    self._broadcast_presence()
                case TimeRunningOut(player, left_ms):
                    self.presence.send_to_player(player, protocol.Notice("idle", left_ms))
                case _:
                    self._send_match_effect(effect)

    def _send_match_effect(self, effect: Effect) -> None:
        play = self.session.play
        assert play is not None
        match effect:
            case MoveFollowed():
                send_move(play, self.presence, effect, self.jobs.timers.now)
            case DealFollowed(events):
                send_deal(play, self.presence, events, self.jobs.timers.now)
            case HeldMoveRefused():
                send_refusal(play, self.presence, effect)
            case BotTooLate(level, is_first):
                metrics.LATE.inc()
                _LOG.warning("bot too slow", bot=level)
                if is_first:
                    self.presence.broadcast(protocol.Notice("hurried"))

    def _send_state(self, unseated: Sequence[str]) -> None:
        """Notify people who lost their seat, and send everybody the table."""
        for player in unseated:
            self.presence.send_to_player(player, protocol.Notice("kicked"))
        self.presence.close_unseated_programs(self.state)
        moved = self._update_views()
        self.broadcast_info()  # first, because new viewers of a seat must know who played it before
        self._send_match(moved)

    def _refresh_views(self) -> None:
        """Update viewers, players and alarms after people came or left."""
        moved = self._update_views()
        self.session.update_people(self.jobs.timers.now)
        self._follow_session()
        self._send_match(moved)

    def _update_views(self) -> list[tuple[Peer, int | None]]:
        """Update who sees what, and whether table time runs; return the viewers whose seat changed."""
        if self.session.is_time_running and self.state.is_by_day:
            self._run_by_day()
        elif self.session.is_time_running:
            self.jobs.timers.resume()
        else:
            self.jobs.timers.pause()
        return self.presence.update_views(self.state)

    def _send_match(self, moved: list[tuple[Peer, int | None]]) -> None:
        """Send the match to viewers whose seat changed."""
        if self.play is None:
            return
        for peer, seat in moved:
            peer.send(protocol.encode(protocol.Dealt(game_for(self.play, seat, self.jobs.timers.now), ())))

    def broadcast_info(self) -> None:
        """Send everybody the table information."""
        self._end_voices()
        state = self.describe()
        self.presence.broadcast_by_access(protocol.TableChanged(state), protocol.TableChanged(redact_match(state)))

    async def _run_timer(self, timer: str) -> None:
        if timer != "retry":
            await self._run(self.session.ring(timer, self.jobs.timers.now))
            return
        await self._catch_up(reload_state=True)
        self._refresh_views()

    # --- other workers ----------------------------------------------------------------------------------

    async def catch_up(self, *, reload_state: bool) -> None:
        """Read what other workers added to the log, and on request the table state too."""
        async with self.jobs.lock:
            await self.jobs.run_guarded(self._catch_up(reload_state=reload_state))

    async def _catch_up(self, *, reload_state: bool) -> None:
        await self._storage.catch_up(reload_state=reload_state)
        await self._advance()

    def is_behind(self, match: str, ply: int) -> bool:
        """Return whether the log of a match is longer than this table knows."""
        return self.play is None or self.play.id != match or self.play.log.ply < ply

    def receive_note(self, note: Note) -> None:
        """Add a chat note from another worker, unless its author is banned."""
        if self._moderation.is_banned_player(note.player):
            return
        self._chat.add(note)
        self.presence.broadcast(protocol.NotePosted(note))

    def merge_worker(self, others: PeopleHere, until: float) -> None:
        """Record who is connected to another worker; announce this worker's persons to a new one."""
        before = self.presence.merge_worker(others, until)
        if before is None:
            self._announce_presence()
        if before != others:
            self._refresh_views()
            self.broadcast_info()

    def refresh_presence(self, now: float) -> None:
        """Announce this worker's persons again, and drop workers that have not announced theirs."""
        self._announce_presence()
        has_changed = self.presence.expire_workers(now)
        self._refresh_views()
        if has_changed:
            self.broadcast_info()

    def _announce_presence(self) -> None:
        self._announce(self.presence.announcement(self.code, self._worker))


def _is_open_to_programs(message: protocol.ClientUnion) -> bool:
    """Return whether a program may send a message: moves, and questions about what its own seat knows."""
    is_question = isinstance(message, protocol.Why) or (isinstance(message, protocol.Advise) and message.here)
    return is_question or isinstance(message, commands.MakeMove)


async def _send_advice(peer: Peer, person: str, advice: Awaitable[protocol.ServerMessage]) -> None:
    """Send the number of hints ahead in the queue, then the hint as soon as it is ready, without holding the lock."""
    ahead = QUEUE.ahead(hint_owner(person))
    if ahead:
        peer.send(protocol.encode(protocol.Notice("queue", ahead=ahead)))
    peer.send(protocol.encode(await advice))

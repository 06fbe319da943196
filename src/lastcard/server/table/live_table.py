"""A table with people connected to it: it admits them and carries their commands out one after another.

The table state says who sits where; the match log says what was played. Both are stored before anybody sees a change.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any, Final

from lastcard.errors import StoreError
from lastcard.server.game.advice import (
    check_advice,
    check_take_back,
    give_advice,
    hint_owner,
    make_observation,
    request_advice,
)
from lastcard.server.game.live_match import LiveMatch
from lastcard.server.game.presence import SPECTATORS, Presence
from lastcard.server.game.refusal_messages import refuse_command
from lastcard.server.game.thinking import QUEUE
from lastcard.server.game.weak_callback import weak_callback
from lastcard.server.security.security import Bucket, hash_token, new_id, new_token
from lastcard.server.store.rows import Complaint, Player, TableRow, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.chat import Chat
from lastcard.server.table.jobs import Jobs, Throttle
from lastcard.server.table.match_flow import MatchFlow
from lastcard.server.table.moderation import Moderation
from lastcard.server.table.table_info import describe_table, redact_match
from lastcard.server.wire import protocol
from lastcard.server.wire.parts import Note, TableInfo
from lastcard.server.wire.peer import Peer
from lastcard.server.wire.worker_bus import Bus, NoteSaid, PeopleHere, announce
from lastcard.session import commands, hosting, seating, voting
from lastcard.session.commands import apply_command
from lastcard.session.match_play import Attempt, read_move
from lastcard.session.names import clean_name, clean_text
from lastcard.session.seating import shown_name
from lastcard.session.table_state import CommandError, Person, SeatedProgram, TableState

PRESENCE_INTERVAL_S: Final = 0.5
"""Minimum seconds between two updates about people who come and go."""
PRESENCE_BURST: Final = 6
"""Number of such updates that may come at once before that."""
_REPORTS_PER_S: Final = 1 / 300
"""Reports a second that one person may send in the long run; bursts may be faster."""
_REPORT_BURST: Final = 3


class LiveTable:
    """A table in memory. Get one from ``TableRegistry``.

    Args:
        store: the store of table state and match log.
        row: the table as loaded.
        bus: the bus to the other workers.
        worker: the name of this worker.
        join_url: returns the URL to join the table.
        moderation: the moderation of the server.
        spectators: maximum number of persons without a seat.
    """

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
    ) -> None:
        self._store = store
        self._moderation = moderation
        self.code = row.code
        self._join_url = join_url
        self.presence = Presence(spectators)
        self._presence_throttle = Throttle(weak_callback(self._broadcast_presence), PRESENCE_INTERVAL_S, PRESENCE_BURST)
        self.jobs = Jobs(
            weak_callback(self._run_timer), weak_callback(self._advance), partial(self.presence.close_all, "gone")
        )
        self._announce = partial(announce, bus)
        self._worker = worker
        adopted = weak_callback(self._on_adopted)
        self.flow = MatchFlow(store, row, self.jobs, self.presence, self._announce, adopted, moderation=moderation)
        self._chat = Chat(moderation)
        self._complaints: dict[str, Bucket] = {}
        self._hints: dict[Peer, list[Future[Any]]] = {}
        self._end_reason: str | None = None  # why the table is closed to everybody

    @property
    def join_url(self) -> str:
        """The URL to join the table."""
        return self._join_url()

    @property
    def state(self) -> TableState:
        """The table state as saved."""
        return self.flow.saved.state

    @property
    def revision(self) -> int:
        """The number of saves so far."""
        return self.flow.saved.revision

    @property
    def live(self) -> LiveMatch | None:
        """The current match, or the last one if it is over."""
        return self.flow.live

    def describe(self) -> TableInfo:
        """Return the public information about the table."""
        timers = self.jobs.timers
        left = None if timers.is_paused else timers.left("write" if self.state.phase == "writing" else "next")
        next_in = None if left is None else round(1000 * left)
        clock = self.live.clock() if self.live is not None and self.state.phase == "playing" else None
        return describe_table(
            self.code,
            self.state,
            self.presence,
            next_in=next_in,
            reading=self.flow.awaited_readers,
            clock=clock,
            join_url=self.join_url,
            moderation=self._moderation,
        )

    async def open(self) -> None:
        """Restore the table from the store."""
        async with self.jobs.lock:
            self.jobs.timers.pause()
            await self.flow.open()

    async def close(self, why: str) -> None:
        """Disconnect everybody after the current command."""
        async with self.jobs.lock:
            self._end_reason = why
            self.jobs.timers.close()
            self.flow.drop_match()
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
            peer: the new connection, which gets all messages from now on.
            player: the person or program; None for a big screen.
            hello: the first message.
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
                    await self.flow.catch_up(reload_state=True)
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
            back = person is not None and self._resumes_play(person)
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
            here = {id_: name for id_, name in self.presence.here.items() if id_ != player}
            await self.flow.saved.change(lambda table: _without_person(table, player, here))
            await self._presence_changed(None)

    async def expel(self, player: str) -> None:
        """Remove a banned person and their chat notes; a bot plays their hand."""
        async with self.jobs.lock:
            self._chat.forget(player)
            peer = self.presence.remove_person(player)
            if peer is not None:
                peer.close("banned")
            here = {id_: name for id_, name in self.presence.here.items() if id_ != player}
            await self.flow.saved.change(lambda table: _without_banned(table, player, here))
            await self._presence_changed(None)

    def forget_chat(self, player: str) -> None:
        """Remove the chat notes of a person."""
        self._chat.forget(player)

    def anonymize(self, player: str) -> None:
        """Remove the chat notes of a person who deleted their data, and their name in the match."""
        self._chat.forget(player)
        if self.live is not None:
            self.live.forget_player(player)

    def broadcast_info(self) -> None:
        """Send the table information again after a server-wide setting changed."""
        self._broadcast_info()

    async def _has_left(self) -> None:
        async with self.jobs.lock:
            await self._presence_changed(None)

    async def _presence_changed(self, person: Person | None) -> None:
        """Update names, votes and pending work after a person connected or disconnected."""
        self._presence_throttle.request()
        await self.jobs.run_guarded(self._recount(person))

    def _broadcast_presence(self) -> None:
        self._announce_presence()
        self._broadcast_info()

    async def _recount(self, person: Person | None) -> None:
        here = self.presence.here.keys()
        await self.flow.saved.change(lambda t: voting.recount(t if person is None else seating.rename(t, person), here))
        await self.flow.advance()

    def _welcome(self, peer: Peer, person: Person | None) -> protocol.Welcome:
        sees, seat = self.presence.view_of(peer)
        game = self.live.game(seat) if self.live is not None and sees else None
        you = None if person is None or isinstance(person, SeatedProgram) else person.id
        state = self.describe() if sees else redact_match(self.describe())
        return protocol.Welcome(protocol.VERSION, you, state, game, self._chat.notes)

    # --- programs -------------------------------------------------------------------------------------

    async def open_seat(self, player: str, seat: int) -> str:
        """Reserve a seat for a program.

        Args:
            player: id of the host, who sent the command.
            seat: a free seat, or a bot's.

        Returns:
            The program's token; the table stores only its hash.

        Raises:
            CommandError, StoreError: if it is refused or cannot be saved; nothing has changed.
        """
        token = new_token()
        async with self.jobs.lock:
            program = hash_token(token)
            await self.flow.saved.change(lambda table: hosting.seat_program(table, player, seat, program), by=player)
        return token

    def find_program(self, token: str, name: str) -> SeatedProgram | None:
        """Return the program that a token belongs to; None if the token is good for no seat of this table.

        Args:
            token: the token that the program sent.
            name: the name that the program wants.
        """
        id_ = hash_token(token)
        seat = self.state.seat_of(id_)
        occupant = None if seat is None else self.state.seats[seat]
        return None if occupant is None else SeatedProgram(id_, clean_name(name) or occupant.name)

    # --- commands -------------------------------------------------------------------------------------

    async def handle(self, peer: Peer, message: protocol.ClientUnion) -> None:
        """Carry out a command, or answer with the reason for a refusal: all commands but ``Hello`` and ``Ping``."""
        async with self.jobs.lock:
            if self._end_reason is not None:
                return
            try:
                person = self.presence.person(peer)
                if person is None:
                    raise CommandError("watching")
                if isinstance(person, SeatedProgram) and not isinstance(message, commands.MakeMove | protocol.Why):
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
                await self.jobs.run_guarded(self.flow.advance())

    def _refuse(self, peer: Peer, message: protocol.ClientUnion, error: CommandError) -> None:
        match = None if self.live is None else self.live.match
        peer.send(protocol.encode(refuse_command(getattr(message, "id", None), error, peer.language, match)))

    async def _apply(self, peer: Peer, person: Person, message: protocol.ClientUnion) -> None:
        if not isinstance(message, commands.Number) and self._resumes_play(
            person
        ):  # the browser sends numbers by itself
            peer.send(protocol.encode(protocol.Notice("back")))
            self._announce_presence()
            self._refresh_views()
            self._broadcast_info()
        if isinstance(message, commands.MakeMove | commands.TakeBack | protocol.Why | protocol.Advise):
            await self._handle_match_message(peer, person, message)
        elif isinstance(message, protocol.Say | protocol.Quick):
            note = self._chat.say(self.state, person, message, self.presence.here)
            self._announce(NoteSaid(self.code, note))
            self.presence.broadcast(protocol.NotePosted(note))
        elif isinstance(message, protocol.Report):
            await self._report(person, message)
            peer.send(protocol.encode(protocol.Notice("reported")))
        elif isinstance(message, commands.Start):
            await self.flow.start(lambda t: hosting.check_start(t, person.id, message.level), message.level)
        elif isinstance(message, commands.Command):
            if isinstance(message, commands.Mute) and message.on and self._name_of(message.player) is None:
                raise CommandError("no-such-player")  # it would stay in the table state
            here = self.presence.here
            await self.flow.saved.change(
                lambda t: voting.recount(apply_command(t, person, message, here), here.keys()), by=person.id
            )
        else:
            raise CommandError("not-now")

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
            by_name=shown_name(self.state, person, self.presence.here),
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
        return self.presence.here.get(player, waits)

    async def _handle_match_message(
        self,
        peer: Peer,
        person: Person,
        message: commands.MakeMove | commands.TakeBack | protocol.Why | protocol.Advise,
    ) -> None:
        """Handle a person's match command from their own seat."""
        seat, live = self.state.playing_seat(person.id), self.live
        if seat is None:
            raise CommandError("not-seated")
        if live is None:
            raise CommandError("stale")
        answer: protocol.ServerMessage | None
        if isinstance(message, commands.MakeMove):
            move = read_move(message.move)
            self._check_play(message.match, live)
            answer = await live.carry_out(Attempt(message.id, seat, move))
        elif isinstance(message, commands.TakeBack):
            check_take_back(self.state)
            self._check_play(message.match, live)
            answer = await live.carry_out(Attempt(message.id, seat, None))
        elif isinstance(message, protocol.Why):
            live.play.check_move(seat, read_move(message.move), self.jobs.timers.now)
            answer = protocol.Done(message.id, live.log.ply)
        else:
            view = check_advice(self.state, live, seat)
            if message.here:
                peer.send(protocol.encode(make_observation(message.id, live.log.ply, view)))
                return
            weighed = request_advice(person.id, view)
            self._hints[peer] = [*(hint for hint in self._hints.get(peer, ()) if not hint.done()), weighed]
            advice = give_advice(weighed, message.id, live.match, live.log.ply, view, peer.language)
            self.jobs.spawn(_send_when_done(peer, advice))
            self.jobs.spawn(_send_queue_position(peer, person.id))
            return
        if answer is not None:
            peer.send(protocol.encode(answer))

    def _check_play(self, match: str, live: LiveMatch) -> None:
        """Refuse a move of another match, or during a pause."""
        if match != live.id:
            raise CommandError("stale")
        if self.state.paused:
            raise CommandError("paused")

    # --- what follows from a change -------------------------------------------------------------------

    def _on_adopted(self, before: TableState, by: str | None) -> None:
        """Follow a new table state: notify people who lost their seat, and send everybody the table."""
        for occupant in before.seats:
            player = None if occupant is None else occupant.player
            if player is None or player == by:
                continue
            if before.playing_seat(player) is not None and self.state.playing_seat(player) is None:
                self.presence.send_to_player(player, protocol.Notice("kicked"))
        self.presence.close_unseated_programs(self.state)
        moved = self._update_people()
        self._broadcast_info()  # first, because new viewers of a seat must know who played it before
        self._send_match(moved)

    def _refresh_views(self) -> None:
        """Update viewers, players and alarms after a change of table state or presence."""
        self._send_match(self._update_people())

    def _update_people(self) -> list[tuple[Peer, int | None]]:
        """Update as ``_refresh_views`` does, but return viewers whose seat changed instead of sending the match."""
        moved = self.presence.update_views(self.state)
        if self.presence.here and not self.state.paused:
            self.jobs.timers.resume()
        else:
            self.jobs.timers.pause()
        self.flow.update_timers()
        if self.live is not None:
            self.live.set_players(*self.presence.find_players(self.state, self.jobs.timers.now))
        return moved

    def _send_match(self, moved: list[tuple[Peer, int | None]]) -> None:
        """Send the match to viewers whose seat changed."""
        if self.live is None:
            return
        for peer, seat in moved:
            peer.send(protocol.encode(protocol.Dealt(self.live.game(seat), ())))

    def _broadcast_info(self) -> None:
        """Send everybody the table information."""
        state = self.describe()
        self.presence.broadcast_by_access(protocol.TableChanged(state), protocol.TableChanged(redact_match(state)))

    def _resumes_play(self, person: Person) -> bool:
        """End a bot's play for a person who acts again; return whether a bot was playing."""
        if person.id not in self.presence.standins:
            return False
        self.presence.standins.discard(person.id)
        seat = self.state.playing_seat(person.id)
        if self.live is not None and seat is not None:
            self.live.play.welcome_back(seat, self.jobs.timers.now)
        return True

    # --- alarms -----------------------------------------------------------------------------------------

    async def _advance(self) -> None:
        await self.flow.advance()

    async def _run_timer(self, timer: str) -> None:
        """Handle an alarm."""
        if timer == "turn":
            self._substitute_bot()
        elif timer == "idle":
            self._warn()
        elif timer == "bank":
            self._charge_bank()
        elif timer == "retry":
            await self.flow.catch_up_and_advance(reload_state=True)
            self._refresh_views()
        elif timer not in ("bot", "catch"):
            await self.flow.run_timer(timer)
        elif self.live is not None:
            await (self.live.move_bot() if timer == "bot" else self.live.make_held_moves())

    def _substitute_bot(self) -> None:
        """Let a bot play for a person whose time is up, until they act again."""
        player = self._awaited_player()
        if player is None or not self._is_responsible_for(player):
            return
        self.presence.standins.add(player)
        self.presence.send_to_player(player, protocol.Notice("standin"))
        self._announce_presence()
        self._refresh_views()
        self._broadcast_info()

    def _charge_bank(self) -> None:
        """Save the time bank of a thinking person at intervals, because a server may be killed."""
        player = self._awaited_player()
        if self.live is not None and player is not None and self._is_responsible_for(player):
            self.live.play.draw_bank(self.jobs.timers.now)
            self.live.update_timers()

    def _is_responsible_for(self, player: str) -> bool:
        """Return whether this worker handles a person: its own persons, and those connected to no worker."""
        return player not in self.presence.here or player in self.presence.local

    def _warn(self) -> None:
        player, left = self._awaited_player(), self.jobs.timers.left("turn")
        if player is not None and left is not None:
            self.presence.send_to_player(player, protocol.Notice("idle", round(1000 * left)))

    def _awaited_player(self) -> str | None:
        """Return the id of the person or program on turn."""
        seat = None if self.live is None else self.live.play.awaited_seat
        occupant = None if seat is None else self.state.seats[seat]
        return None if occupant is None else occupant.player or occupant.program

    # --- other workers ----------------------------------------------------------------------------------

    async def catch_up(self, *, reload_state: bool) -> None:
        """Read what other workers added to the log, and on request the table state too."""
        async with self.jobs.lock:
            await self.jobs.run_guarded(self.flow.catch_up_and_advance(reload_state=reload_state))

    def is_behind(self, match: str, ply: int) -> bool:
        """Return whether the log of a match is longer than this table knows."""
        return self.live is None or self.live.id != match or self.live.log.ply < ply

    def receive_note(self, note: Note) -> None:
        """Add a chat note from another worker, unless its author is banned."""
        if self._moderation.is_banned_player(note.player):
            return
        self._chat.add(note)
        self.presence.broadcast(protocol.NotePosted(note))

    def merge_worker(self, others: PeopleHere, until: float) -> None:
        """Record who is connected to another worker; announce this worker's persons to a new one."""
        if self.presence.merge_worker(others, until):
            self._announce_presence()
        self._refresh_views()
        self._broadcast_info()

    def refresh_presence(self, now: float) -> None:
        """Announce this worker's persons again, and drop workers that have not announced theirs."""
        self._announce_presence()
        self.presence.expire_workers(now)
        self._refresh_views()

    def _announce_presence(self) -> None:
        self._announce(self.presence.announcement(self.code, self._worker))


async def _send_when_done(peer: Peer, answer: Awaitable[protocol.ServerMessage]) -> None:
    """Send an answer as soon as it is ready, without holding the lock."""
    peer.send(protocol.encode(await answer))


async def _send_queue_position(peer: Peer, person: str) -> None:
    """Send the number of hints ahead in the queue."""
    ahead = QUEUE.ahead(hint_owner(person))
    if ahead:
        peer.send(protocol.encode(protocol.Notice("queue", ahead=ahead)))


def _without_person(table: TableState, player: str, here: Mapping[str, str]) -> TableState:
    """Return the table without a person; host and votes may change."""
    erased = seating.erase_person(table, player)
    if table.host.id == player:
        erased = hosting.pass_host(erased, here)
    return voting.recount(erased, here.keys())


def _without_banned(table: TableState, player: str, here: Mapping[str, str]) -> TableState:
    """Return the table without a banned person; host and votes may change."""
    left = seating.leave(table, player, seating.KICKED)
    if table.host.id == player:
        left = hosting.pass_host(left, here)
    return voting.recount(left, here.keys())

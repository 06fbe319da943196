"""A table with people at it: they come and go, and their commands are carried out one after another.

The document says who sits where, the log what was played; both are in the store before anybody hears of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any, Final

from lastcard.errors import StoreError
from lastcard.server.game.advice import asker, check_advice, check_take_back, give_advice, seek_advice, show_sight
from lastcard.server.game.live_match import LiveMatch
from lastcard.server.game.presence import SPECTATORS, Presence
from lastcard.server.game.refusals import denied
from lastcard.server.game.thinking import QUEUE
from lastcard.server.game.weak import weakly
from lastcard.server.guard.security import Bucket, clean_name, clean_text, hash_token, new_id, new_token
from lastcard.server.seats import hosting, seating, voting
from lastcard.server.seats.commands import obey
from lastcard.server.seats.document import Denied, Document, Person, SeatedProgram
from lastcard.server.seats.seating import shown_name
from lastcard.server.store.rows import Complaint, Player, TableRow, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.chat import Chat
from lastcard.server.table.flow import MatchFlow
from lastcard.server.table.jobs import Gathered, Jobs
from lastcard.server.table.state import table_state, unwatched
from lastcard.server.table.warden import Warden
from lastcard.server.wire import protocol
from lastcard.server.wire.parts import Note, TableState
from lastcard.server.wire.peer import Peer
from lastcard.server.wire.workers import Bus, NoteSaid, PeopleHere, announce

TOGETHER: Final = 0.5
"""Seconds: where many come and go, all of them are told of together so often."""
AT_ONCE: Final = 6
"""So many are told of at once before that."""
_REPORTS: Final = 1 / 300
"""Reports a second that one person may go on sending; for a moment more."""
_REPORTS_AT_ONCE: Final = 3


class LiveTable:
    """A table in memory. Get one from ``TableRegistry``.

    Args:
        store: where document and log are.
        row: the table as it was loaded.
        bus: to the other workers.
        worker: what they call this one.
        join_url: tells the address to join at.
        warden: keeps order.
        spectators: how many persons without a seat there is room for.
    """

    def __init__(
        self,
        store: Store,
        row: TableRow,
        bus: Bus,
        worker: str,
        join_url: Callable[[], str],
        *,
        warden: Warden,
        spectators: int = SPECTATORS,
    ) -> None:
        self._store = store
        self._warden = warden
        self.code = row.code
        self._join_url = join_url
        self.presence = Presence(spectators)
        self._coming = Gathered(weakly(self._say_who_is_here), TOGETHER, AT_ONCE)
        self.jobs = Jobs(weakly(self._ring), weakly(self._advance), partial(self.presence.send_away, "gone"))
        self._announce = partial(announce, bus)
        self._worker = worker
        adopted = weakly(self._adopted)
        self.flow = MatchFlow(store, row, self.jobs, self.presence, self._announce, adopted, warden=warden)
        self._chat = Chat(warden)
        self._complaints: dict[str, Bucket] = {}
        self._hints: dict[Peer, list[Future[Any]]] = {}
        self._ended: str | None = None  # why nobody can be here any more

    @property
    def join_url(self) -> str:
        """The address to join at."""
        return self._join_url()

    @property
    def document(self) -> Document:
        """The table as it is saved."""
        return self.flow.saved.document

    @property
    def revision(self) -> int:
        """How often it has been saved."""
        return self.flow.saved.revision

    @property
    def live(self) -> LiveMatch | None:
        """The match on the table; the last one, where that is over."""
        return self.flow.live

    def state(self) -> TableState:
        """What everybody may know about the table."""
        alarms = self.jobs.alarms
        left = None if alarms.stopped else alarms.left("write" if self.document.phase == "writing" else "next")
        next_in = None if left is None else round(1000 * left)
        clock = self.live.clock() if self.live is not None and self.document.phase == "playing" else None
        return table_state(
            self.code,
            self.document,
            self.presence,
            next_in=next_in,
            reading=self.flow.reading,
            clock=clock,
            join_url=self.join_url,
            warden=self._warden,
        )

    async def open(self) -> None:
        """Take up where the store says the table is."""
        async with self.jobs.lock:
            self.jobs.alarms.stop()
            await self.flow.open()

    async def close(self, why: str) -> None:
        """Send everybody away, once what is being done is done."""
        async with self.jobs.lock:
            self._ended = why
            self.jobs.alarms.close()
            self.flow.let_go()
            self._coming.stop()
            self.presence.send_away(why)

    # --- coming and going -----------------------------------------------------------------------------

    async def join(
        self,
        peer: Peer,
        player: Player | SeatedProgram | None,
        hello: protocol.Hello,
        is_still: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        """Let somebody in and say welcome; another tab of the same person has to go.

        Args:
            peer: who is told what happens from now on.
            player: the person, or the program; None for a big screen.
            hello: the first message.
            is_still: asked when it is this one's turn: whether that is still the person, and may come. Whoever may not
                any more is sent off to say hello once more, and told then.

        Raises:
            StoreError: what other workers have added stays unknown; nobody is let in.
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
            if self._ended is not None:  # while this one was on the way here: there is no match to be seen any more
                peer.close(self._ended)
                return
            if self._store.shared:  # whoever has seen a move through another worker must not see the table before it
                try:
                    await self.flow.catch_up(document=True)
                except Denied:
                    peer.close("gone")
                    return
            if is_still is not None and not await is_still():  # the last thing to wait for: what comes later finds them
                peer.close("restart")
                return
            if not self.presence.has_room(self.document, person):
                peer.close("full")
                return
            other = self.presence.enter(peer, person)
            if other is not None:
                other.close("elsewhere")
            back = person is not None and self._takes_back(person)
            self._arrange()
            peer.send(protocol.encode(self._welcome(peer, person)))
            if back:
                peer.send(protocol.encode(protocol.Notice("back")))
            if person is not None:
                await self._presence_changed(person)

    def leave(self, peer: Peer) -> None:
        """A connection has ended."""
        for hint in self._hints.pop(peer, ()):
            hint.cancel()  # nobody is there to hear it
        person = self.presence.leave(peer, self.jobs.alarms.now)
        self._arrange()
        if person is not None:
            self.jobs.spawn(self._has_left())

    async def rename(self, person: Person) -> None:
        """Somebody who is connected has another name."""
        async with self.jobs.lock:
            self.presence.rename(person)
            await self._presence_changed(person)

    async def forget(self, player: str) -> None:
        """Somebody has deleted all data of theirs: nothing of that person stays at the table.

        Raises:
            StoreError: something does; it can be tried again.
        """
        async with self.jobs.lock:
            peer = self.presence.dismiss(player)
            if peer is not None:
                peer.close("gone")
            self.disown(player)
            here = {id_: name for id_, name in self.presence.here.items() if id_ != player}
            await self.flow.saved.change(lambda table: _without(table, player, here))
            await self._presence_changed(None)

    async def expel(self, player: str) -> None:
        """Somebody may not come here any more: a bot plays the hand, and nothing stays of what was said."""
        async with self.jobs.lock:
            self._chat.forget(player)
            peer = self.presence.dismiss(player)
            if peer is not None:
                peer.close("banned")
            here = {id_: name for id_, name in self.presence.here.items() if id_ != player}
            await self.flow.saved.change(lambda table: _shown_out(table, player, here))
            await self._presence_changed(None)

    def hush(self, player: str) -> None:
        """Keep nothing of what a person has said."""
        self._chat.forget(player)

    def disown(self, player: str) -> None:
        """Keep nothing that was said by a person who has deleted all data, nor the name in the match."""
        self._chat.forget(player)
        if self.live is not None:
            self.live.forget(player)

    def retell(self) -> None:
        """What holds for the whole server is otherwise: say so."""
        self._tell()

    async def _has_left(self) -> None:
        async with self.jobs.lock:
            await self._presence_changed(None)

    async def _presence_changed(self, person: Person | None) -> None:
        """Somebody came or went: names and votes may change, and what waited for that person."""
        self._coming.want()
        await self.jobs.trying(self._recount(person))

    def _say_who_is_here(self) -> None:
        self._announce_presence()
        self._tell()

    async def _recount(self, person: Person | None) -> None:
        here = self.presence.here.keys()
        await self.flow.saved.change(lambda t: voting.recount(t if person is None else seating.rename(t, person), here))
        await self.flow.advance()

    def _welcome(self, peer: Peer, person: Person | None) -> protocol.Welcome:
        sees, seat = self.presence.sees(peer)
        game = self.live.game(seat) if self.live is not None and sees else None
        you = None if person is None or isinstance(person, SeatedProgram) else person.id
        state = self.state() if sees else unwatched(self.state())
        return protocol.Welcome(protocol.VERSION, you, state, game, self._chat.notes)

    # --- programs -------------------------------------------------------------------------------------

    async def open_seat(self, player: str, seat: int) -> str:
        """Let a program play in a seat.

        Args:
            player: who says so, the host.
            seat: a free one, or a bot's.

        Returns:
            The token the program proves itself with; only its hash is kept.

        Raises:
            Denied, StoreError: nothing has changed.
        """
        token = new_token()
        async with self.jobs.lock:
            program = hash_token(token)
            await self.flow.saved.change(lambda table: hosting.seat_program(table, player, seat, program), by=player)
        return token

    def find_program(self, token: str, name: str) -> SeatedProgram | None:
        """The program a token belongs to; None where it is good for no seat of this table.

        Args:
            token: as the program gave it.
            name: it wants to be called.
        """
        id_ = hash_token(token)
        seat = self.document.seat_of(id_)
        place = None if seat is None else self.document.seats[seat]
        return None if place is None else SeatedProgram(id_, clean_name(name) or place.name)

    # --- commands -------------------------------------------------------------------------------------

    async def handle(self, peer: Peer, message: protocol.ClientUnion) -> None:
        """Carry a command out, or say why not: everything but ``Hello`` and ``Ping``."""
        async with self.jobs.lock:
            if self._ended is not None:
                return
            try:
                person = self.presence.person(peer)
                if person is None:
                    raise Denied("watching")
                if isinstance(person, SeatedProgram) and not isinstance(message, protocol.Act | protocol.Why):
                    raise Denied("program")
                await self._carry_out(peer, person, message)
            except Denied as error:
                peer.send(protocol.encode(denied(getattr(message, "id", None), error, peer.language)))
            except StoreError:
                self.jobs.retry_soon()
                peer.send(protocol.encode(denied(getattr(message, "id", None), Denied("storage"), peer.language)))
            except Exception:
                self.jobs.retry_later()
                raise
            else:  # the command is done: what follows from it and fails is tried again, and is no answer to it
                await self.jobs.trying(self.flow.advance())

    async def _carry_out(self, peer: Peer, person: Person, message: protocol.ClientUnion) -> None:
        if not isinstance(message, protocol.Number) and self._takes_back(person):  # the browser sends numbers by itself
            peer.send(protocol.encode(protocol.Notice("back")))
            self._announce_presence()
            self._arrange()
            self._tell()
        if isinstance(message, protocol.Act | protocol.TakeBack | protocol.Why | protocol.Advise):
            await self._play(peer, person, message)
        elif isinstance(message, protocol.Say | protocol.Quick):
            note = self._chat.say(self.document, person, message, self.presence.here)
            self._announce(NoteSaid(self.code, note))
            self.presence.tell(protocol.Heard(note))
        elif isinstance(message, protocol.Report):
            await self._report(person, message)
            peer.send(protocol.encode(protocol.Notice("reported")))
        elif isinstance(message, protocol.Start):
            await self.flow.start(lambda t: hosting.check_start(t, person.id, message.level), message.level)
        else:
            if isinstance(message, protocol.Mute) and message.on and self._name_of(message.player) is None:
                raise Denied("no-such-player")  # it would stay in the table
            here = self.presence.here
            await self.flow.saved.change(
                lambda t: voting.recount(obey(t, person, message, here), here.keys()), by=person.id
            )

    async def _report(self, person: Person, message: protocol.Report) -> None:
        """Keep what somebody reports for whoever runs the server, with the chat that led there.

        Raises:
            Denied: for somebody who is not here, too many reports of one person, and where nobody reads them.
        """
        if not self._warden.reads:
            raise Denied("no-admin")
        name = self._name_of(message.player)
        if name is None or message.player == person.id:
            raise Denied("no-such-player")
        if not self._complaints.setdefault(person.id, Bucket(_REPORTS, _REPORTS_AT_ONCE)).take():
            raise Denied("too-fast")
        complaint = Complaint(
            id=new_id(),
            table=self.code,
            player=message.player,
            name=name,
            by=person.id,
            by_name=shown_name(self.document, person, self.presence.here),
            why=message.why,
            text=clean_text(message.text),
            notes=tuple((note.name, note.text or f"({note.quick})") for note in self._chat.notes),
            at=now_ms(),
        )
        await self._store.complain(complaint)

    def _name_of(self, player: str) -> str | None:
        """What a person who is here, sits, waits or has spoken is called; None for anybody else."""
        seat = self.document.seat_of(player)
        place = None if seat is None else self.document.seats[seat]
        if place is not None:
            return place.name
        spoke = next((note.name for note in self._chat.notes if note.player == player), None)
        waits = next((person.name for person in self.document.queue if person.id == player), spoke)
        return self.presence.here.get(player, waits)

    async def _play(
        self,
        peer: Peer,
        person: Person,
        message: protocol.Act | protocol.TakeBack | protocol.Why | protocol.Advise,
    ) -> None:
        """What a person asks of the match, from their own seat."""
        seat, live = self.document.playing_seat(person.id), self.live
        if seat is None:
            raise Denied("not-seated")
        if live is None:
            raise Denied("stale")
        answer: protocol.ServerMessage | None
        if isinstance(message, protocol.Act):
            answer = await live.answer_act(message, seat, peer.language, paused=self.document.paused)
        elif isinstance(message, protocol.TakeBack):
            check_take_back(self.document)
            answer = await live.take_back(message, seat)
        elif isinstance(message, protocol.Why):
            answer = live.answer_why(message, seat, peer.language)
        else:
            view = check_advice(self.document, live, seat)
            if message.here:
                peer.send(protocol.encode(show_sight(message.id, live.log.ply, view)))
                return
            weighed = seek_advice(person.id, view)
            self._hints[peer] = [*(hint for hint in self._hints.get(peer, ()) if not hint.done()), weighed]
            advice = give_advice(weighed, message.id, live.match, live.log.ply, view, peer.language)
            self.jobs.spawn(_tell_later(peer, advice))
            self.jobs.spawn(_tell_place(peer, person.id))
            return
        if answer is not None:
            peer.send(protocol.encode(answer))

    # --- what follows from a change -------------------------------------------------------------------

    def _adopted(self, before: Document, by: str | None) -> None:
        """The document is another one: whoever has lost the seat without leaving it is told so, and all how it is."""
        for place in before.seats:
            player = None if place is None else place.player
            if player is None or player == by:
                continue
            if before.playing_seat(player) is not None and self.document.playing_seat(player) is None:
                self.presence.tell_player(player, protocol.Notice("kicked"))
        self.presence.dismiss_programs(self.document)
        moved = self._arrange_people()
        self._tell()  # first, for who looks from a seat in which somebody else has played must know it
        self._show(moved)

    def _arrange(self) -> None:
        """Document or presence have changed: who looks from where, who plays, what is due when."""
        self._show(self._arrange_people())

    def _arrange_people(self) -> list[tuple[Peer, int | None]]:
        """As ``_arrange``; those who look from another seat are not shown the match yet, but returned."""
        moved = self.presence.arrange(self.document)
        if self.presence.here and not self.document.paused:
            self.jobs.alarms.go()
        else:
            self.jobs.alarms.stop()
        self.flow.keep_alarms()
        if self.live is not None:
            self.live.arrange(*self.presence.staff(self.document, self.jobs.alarms.now))
        return moved

    def _show(self, moved: list[tuple[Peer, int | None]]) -> None:
        """Show the match to those who look at it from another seat than before."""
        if self.live is None:
            return
        for peer, seat in moved:
            peer.send(protocol.encode(protocol.Dealt(self.live.game(seat), ())))

    def _tell(self) -> None:
        """Tell everybody how the table stands."""
        state = self.state()
        self.presence.tell_apart(protocol.TableChanged(state), protocol.TableChanged(unwatched(state)))

    def _takes_back(self, person: Person) -> bool:
        """Whoever does something plays for himself again; whether a bot did before."""
        if person.id not in self.presence.standins:
            return False
        self.presence.standins.discard(person.id)
        seat = self.document.playing_seat(person.id)
        if self.live is not None and seat is not None:
            self.live.welcome_back(seat)
        return True

    # --- alarms -----------------------------------------------------------------------------------------

    async def _advance(self) -> None:
        await self.flow.advance()

    async def _ring(self, alarm: str) -> None:
        """Do what an alarm is for."""
        if alarm == "turn":
            self._stand_in()
        elif alarm == "idle":
            self._warn()
        elif alarm == "bank":
            self._draw_bank()
        elif alarm == "retry":
            await self.flow.read_on(document=True)
            self._arrange()
        elif alarm not in ("bot", "catch"):
            await self.flow.ring(alarm)
        elif self.live is not None:
            await (self.live.move_bot() if alarm == "bot" else self.live.settle_catches())

    def _stand_in(self) -> None:
        """The time of a person is up: a bot plays for him until he does something."""
        player = self._waits_for()
        if player is None or not self._watches(player):
            return
        self.presence.standins.add(player)
        self.presence.tell_player(player, protocol.Notice("standin"))
        self._announce_presence()
        self._arrange()
        self._tell()

    def _draw_bank(self) -> None:
        """A person thinks on, and uses time of the bank: it is saved from time to time, as a server may be killed."""
        player = self._waits_for()
        if self.live is not None and player is not None and self._watches(player):
            self.live.draw_bank()
            self.live.watch()

    def _watches(self, player: str) -> bool:
        """Each worker watches over its own persons, and over those who are connected to none."""
        return player not in self.presence.here or player in self.presence.local

    def _warn(self) -> None:
        player, left = self._waits_for(), self.jobs.alarms.left("turn")
        if player is not None and left is not None:
            self.presence.tell_player(player, protocol.Notice("idle", round(1000 * left)))

    def _waits_for(self) -> str | None:
        """The id of the person, or the program, on turn."""
        seat = None if self.live is None else self.live.waits_for
        place = None if seat is None else self.document.seats[seat]
        return None if place is None else place.player or place.program

    # --- other workers ----------------------------------------------------------------------------------

    async def look(self, *, document: bool) -> None:
        """Other workers may have been at it: read the log on, and the document too where that is wanted."""
        async with self.jobs.lock:
            await self.jobs.trying(self.flow.read_on(document=document))

    def is_behind(self, match: str, ply: int) -> bool:
        """Whether the log of a match is longer than this table knows."""
        return self.live is None or self.live.id != match or self.live.log.ply < ply

    def hear(self, note: Note) -> None:
        """Somebody on another worker has said something; one who is banned, before that worker knew."""
        if self._warden.bars_player(note.player):
            return
        self._chat.add(note)
        self.presence.tell(protocol.Heard(note))

    def meet(self, others: PeopleHere, until: float) -> None:
        """Take note of who is connected to another worker; a worker that is new here is told who is at this one."""
        if self.presence.meet(others, until):
            self._announce_presence()
        self._arrange()
        self._tell()

    def refresh_presence(self, now: float) -> None:
        """Say again who is here, and forget workers that have not."""
        self._announce_presence()
        self.presence.lapse(now)
        self._arrange()

    def _announce_presence(self) -> None:
        self._announce(self.presence.announcement(self.code, self._worker))


async def _tell_later(peer: Peer, answer: Awaitable[protocol.ServerMessage]) -> None:
    """Tell an answer when it is there; nobody waits for it, the lock is free."""
    peer.send(protocol.encode(await answer))


async def _tell_place(peer: Peer, person: str) -> None:
    """Tell whoever has asked for a hint how many go before."""
    ahead = QUEUE.ahead(asker(person))
    if ahead:
        peer.send(protocol.encode(protocol.Notice("queue", ahead=ahead)))


def _without(table: Document, player: str, here: Mapping[str, str]) -> Document:
    """The table without a person: somebody else is host, votes may change."""
    erased = seating.erase(table, player)
    if table.host.id == player:
        erased = hosting.pass_host(erased, here)
    return voting.recount(erased, here.keys())


def _shown_out(table: Document, player: str, here: Mapping[str, str]) -> Document:
    """The table without a person who was sent away for good: somebody else is host, votes may change."""
    left = seating.leave(table, player, seating.KICKED)
    if table.host.id == player:
        left = hosting.pass_host(left, here)
    return voting.recount(left, here.keys())

"""A table: its persons come and go, and their commands are carried out one after another.

The document says who sits where, the log what was played; both are in the store before anybody hears of them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from functools import lru_cache
from typing import Final

from lastcard import errors
from lastcard.errors import NotationError, StoreError
from lastcard.game.actions import Move, parse_move
from lastcard.server.game.advice import check_advice, give_advice
from lastcard.server.game.answers import denied
from lastcard.server.game.play import Play
from lastcard.server.guard.security import clean_name, hash_token, new_token
from lastcard.server.seats import hosting, seating, voting
from lastcard.server.seats.commands import EDITS, Asked
from lastcard.server.seats.document import Denied, Document, Person, Program
from lastcard.server.store.store import Player, Store, TableRow
from lastcard.server.table.chat import Chat
from lastcard.server.table.course import Course
from lastcard.server.wire.hints import Here, Hints
from lastcard.server.wire.peer import Peer
from lastcard.server.wire.picture import Note
from lastcard.server.wire.protocol import (
    VERSION,
    Act,
    Advise,
    ClientUnion,
    Done,
    Heard,
    Hello,
    Notice,
    Number,
    Quick,
    Say,
    ServerMessage,
    Start,
    Welcome,
    Why,
    encode,
)

_read_move: Final = lru_cache(4096)(parse_move)
"""The same few moves are made over and over."""


class Table(Course):
    """A table with everybody at it. Get one from ``House``.

    Args:
        store: where document and log are.
        row: the table as it was loaded.
        hints: to the other workers.
        join_url: the address to join at.
    """

    def __init__(self, store: Store, row: TableRow, hints: Hints, join_url: str) -> None:
        super().__init__(store, row, hints, join_url)
        self._chat = Chat()

    # --- coming and going -----------------------------------------------------------------------------

    async def join(self, peer: Peer, player: Player | Program | None, hello: Hello) -> None:
        """Let somebody in and say welcome; another tab of the same person has to go.

        Args:
            peer: who is told what happens from now on.
            player: the person, or the program; None for a big screen.
            hello: the first message.
        """
        if hello.v != VERSION:
            peer.close("version")
            return
        person: Person | None = None
        if isinstance(player, Program):
            person = player
        elif player is not None and not hello.tv:
            person = Person(player.id, player.name)
        async with self.lock:
            other = self.audience.enter(peer, person)
            if other is not None:
                other.close("elsewhere")
            back = person is not None and self.take_back(person.id)
            self.arrange()
            peer.send(encode(self._welcome(peer, person)))
            if back:
                peer.send(encode(Notice("back")))
            if person is not None:
                await self._presence_changed(person)

    def leave(self, peer: Peer) -> None:
        """A connection has ended."""
        person = self.audience.leave(peer, self.alarms.now)
        self.arrange()
        if person is not None:
            self.spawn(self._has_left())

    async def _has_left(self) -> None:
        async with self.lock:
            await self._presence_changed(None)

    async def _presence_changed(self, person: Person | None) -> None:
        """Somebody came or went: names and votes may change, and what waited for that person."""
        self.say_who_is_here()
        self.tell()
        await self.trying(self._update(person))

    async def _update(self, person: Person | None) -> None:
        here = self.audience.here.keys()
        await self.change(lambda t: voting.recount(t if person is None else seating.rename(t, person), here))
        await self.advance()

    async def rename(self, person: Person) -> None:
        """Somebody who is connected has another name."""
        async with self.lock:
            self.audience.rename(person)
            await self._presence_changed(person)

    async def forget(self, player: str) -> None:
        """Somebody has deleted all own data: nothing of that person stays at the table.

        Raises:
            StoreError: something does; it can be tried again.
        """
        async with self.lock:
            peer = self.audience.dismiss(player)
            if peer is not None:
                peer.close("gone")
            self.standins.discard(player)
            self._chat.forget(player)
            here = {id_: name for id_, name in self.audience.here.items() if id_ != player}
            await self.change(lambda table: _without(table, player, here))
            await self._presence_changed(None)

    def _welcome(self, peer: Peer, person: Person | None) -> Welcome:
        sees, seat = self.audience.sees(peer)
        game = self.play.game(seat) if self.play is not None and sees else None
        you = None if person is None or isinstance(person, Program) else person.id
        return Welcome(VERSION, you, self.state(), game, self._chat.notes)

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
        async with self.lock:
            await self.change(lambda table: hosting.seat_program(table, player, seat, hash_token(token)), by=player)
        return token

    def find_program(self, token: str, name: str) -> Program | None:
        """The program a token belongs to; None where it is good for no seat of this table.

        Args:
            token: as the program gave it.
            name: it wants to be called.
        """
        id_ = hash_token(token)
        seat = self.document.seat_of(id_)
        place = None if seat is None else self.document.seats[seat]
        return None if place is None else Program(id_, clean_name(name) or place.name)

    # --- commands -------------------------------------------------------------------------------------

    async def handle(self, peer: Peer, message: ClientUnion) -> None:
        """Carry a command out, or say why not: everything but ``Hello`` and ``Ping``."""
        async with self.lock:
            try:
                person = self.audience.person(peer)
                if person is None:
                    raise Denied("watching")
                if isinstance(person, Program) and not isinstance(message, Act | Why):
                    raise Denied("program")
                await self._carry_out(peer, person, message)
                await self.advance()
            except Denied as error:
                peer.send(encode(denied(getattr(message, "id", None), error, peer.language)))
            except StoreError:
                self.retry_soon()
                peer.send(encode(denied(getattr(message, "id", None), Denied("storage"), peer.language)))
            except Exception:
                self.retry_later()
                raise

    async def _carry_out(self, peer: Peer, person: Person, message: ClientUnion) -> None:
        if not isinstance(message, Number):  # the browser sends that one by itself
            self._take_back(person)
        if isinstance(message, Act):
            await self._act(peer, person, message)
        elif isinstance(message, Why):
            self._why(peer, person, message)
        elif isinstance(message, Advise):
            play, seat = self._seat_of(person)
            view = check_advice(self.document, play, seat)
            advice = give_advice(message.id, play.match, play.ledger.ply, view, peer.language)
            self.spawn(self._tell(peer, advice))
        elif isinstance(message, Say | Quick):
            self._say(self._chat.say(self.document, person, message))
        elif isinstance(message, Start):
            await self.start(lambda t: hosting.check_start(t, person.id, message.level), message.level)
        elif type(message) in EDITS:
            edit, here = EDITS[type(message)], self.audience.here
            asked = Asked(person, message, here)
            await self.change(lambda t: voting.recount(edit(t, asked), here.keys()), by=person.id)
        else:
            raise Denied("not-now")

    async def _act(self, peer: Peer, person: Person, message: Act) -> None:
        play, seat, move = self._turn_of(person, message)
        if message.match != play.id:
            raise Denied("stale")
        if self.document.paused:
            raise Denied("paused")
        try:
            ply = await play.act(message.id, seat, move)
        except errors.Refused as error:
            peer.send(encode(play.refusal(message.id, seat, move, error, peer.language)))
        else:
            if ply is not None:
                peer.send(encode(Done(message.id, ply)))

    def _why(self, peer: Peer, person: Person, message: Why) -> None:
        play, seat, move = self._turn_of(person, message)
        try:
            play.match.round.verify(seat, move)
        except errors.Refused as error:
            peer.send(encode(play.refusal(message.id, seat, move, error, peer.language)))
        else:
            peer.send(encode(Done(message.id, play.ledger.ply)))

    async def _tell(self, peer: Peer, answer: Awaitable[ServerMessage]) -> None:
        """Tell an answer when it is there; nobody waits for it, the lock is free."""
        peer.send(encode(await answer))

    def _seat_of(self, person: Person) -> tuple[Play, int]:
        """The match, and the person's own seat."""
        seat = self.document.playing_seat(person.id)
        if seat is None:
            raise Denied("not-seated")
        if self.play is None:
            raise Denied("stale")
        return self.play, seat

    def _turn_of(self, person: Person, message: Act | Why) -> tuple[Play, int, Move]:
        """The match, the person's own seat and the move."""
        play, seat = self._seat_of(person)
        try:
            return play, seat, _read_move(message.move)
        except NotationError as error:
            raise Denied("bad-move", reason=error) from error

    def _say(self, note: Note) -> None:
        self.hints.said(self.code, note)
        self.audience.tell(Heard(note))

    def hear(self, note: Note) -> None:
        """Somebody on another worker has said something."""
        self._chat.add(note)
        self.audience.tell(Heard(note))

    def meet(self, others: Here, until: float) -> None:
        """Take note of who is connected to another worker; a worker that is new here is told who is at this one."""
        self.standins -= {*others.people, *others.programs}
        if self.audience.elsewhere(others, until):
            self.say_who_is_here()
        self.arrange()
        self.tell()

    def keep_company(self, now: float) -> None:
        """Say again who is here, and forget workers that have not."""
        self.say_who_is_here()
        self.audience.lapse(now)
        self.arrange()

    def is_behind(self, match: str, ply: int) -> bool:
        """Whether the log of a match is longer than this table knows."""
        return self.play is None or self.play.id != match or self.play.ledger.ply < ply

    def _take_back(self, person: Person) -> None:
        """Whoever does something plays for himself again."""
        if self.take_back(person.id):
            self.audience.tell_player(person.id, Notice("back"))
            self.say_who_is_here()
            self.arrange()
            self.tell()


def _without(table: Document, player: str, here: Mapping[str, str]) -> Document:
    """The table without a person: somebody else is host, votes may change."""
    erased = seating.erase(table, player)
    if table.host.id == player:
        erased = hosting.pass_host(erased, here)
    return voting.recount(erased, here.keys())

"""A table: one actor that takes its persons' commands one after another, and its own alarms.

The document says who sits where, the log what was played; both are in the store before anybody hears of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, Final

from lastcard import errors
from lastcard.actions import Move
from lastcard.bots.levels import DEFAULT_LEVEL
from lastcard.errors import NotationError, StoreError
from lastcard.notation.moves import parse_move
from lastcard.server import dealing, hosting, seating, voting
from lastcard.server.answers import denied
from lastcard.server.audience import Audience
from lastcard.server.chat import Chat
from lastcard.server.clock import Alarms
from lastcard.server.commands import EDITS, Asked
from lastcard.server.document import Denied, Document, Person, replace
from lastcard.server.hints import Hints
from lastcard.server.keeper import Edit, Keeper
from lastcard.server.ledger import Ledger
from lastcard.server.peer import Peer
from lastcard.server.picture import Note, TableState
from lastcard.server.play import Play
from lastcard.server.poster import table_state
from lastcard.server.protocol import (
    VERSION,
    Act,
    Back,
    ClientUnion,
    Dealt,
    Done,
    Heard,
    Hello,
    Notice,
    Quick,
    Say,
    Start,
    Welcome,
    Why,
    encode,
)
from lastcard.server.protocol import Table as TableNews
from lastcard.server.store import Player, Store, TableRow

NEXT_ROUND: Final = 15.0
"""Seconds until the next round is dealt by itself."""
WRITING: Final = 90.0
HOST_GONE: Final = 60.0
VOTE_OPEN: Final = 30.0
NUMBER_WAIT: Final = 1.5
"""Seconds a quick table waits for its host's number."""
RETRY: Final = 1.0
"""Seconds until a table tries again what the store could not do."""
_ON_THE_TABLE: Final = ("playing", "between", "over")


class Table(Keeper):
    """A table with everybody at it. Get one from ``House``, then ``open`` it.

    Args:
        store: where document and log are.
        row: the table as it was loaded.
        hints: to the other workers.
        join_url: the address to join at.
    """

    def __init__(self, store: Store, row: TableRow, hints: Hints, join_url: str) -> None:
        super().__init__(store, row)
        self.join_url = join_url
        self.play: Play | None = None
        self.audience = Audience()
        self._hints = hints
        self._chat = Chat()
        self._standins: set[str] = set()
        self._alarms = Alarms(self._ring)
        self._lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Take up where the store says the table is."""
        async with self._lock:
            self._alarms.stop()
            await self.adopt(self.document, self.revision, None)
            await self._settle()

    async def close(self, why: str) -> None:
        """Send everybody away, after what is being done."""
        async with self._lock:
            self._alarms.close()
            for peer in self.audience.peers:
                peer.close(why)

    def state(self) -> TableState:
        """What everybody may know about the table."""
        left = None if self._alarms.stopped else self._alarms.left("next")
        return table_state(
            self.code,
            self.document,
            here=self.audience.here,
            standins=self._standins,
            next_in=None if left is None else round(1000 * left),
            join_url=self.join_url,
        )

    # --- coming and going -----------------------------------------------------------------------------

    async def join(self, peer: Peer, player: Player | None, hello: Hello) -> None:
        """Let somebody in and say welcome; another tab of the same person has to go.

        Args:
            peer: who is told what happens from now on.
            player: the person; None for a big screen.
            hello: the first message.
        """
        if hello.v != VERSION:
            peer.close("version")
            return
        person = None if player is None or hello.tv else Person(player.id, player.name)
        async with self._lock:
            other = self.audience.enter(peer, person)
            if other is not None:
                other.close("elsewhere")
            back = person is not None and person.id in self._standins
            if person is not None:
                self._standins.discard(person.id)
            self._arrange()
            peer.send(encode(self._welcome(peer, person)))
            if back:
                peer.send(encode(Notice("back")))
            if person is not None:
                await self._presence_changed(person)

    def leave(self, peer: Peer) -> None:
        """A connection has ended."""
        person = self.audience.leave(peer, self._alarms.now)
        self._arrange()
        if person is not None:
            self._spawn(self._has_left())

    async def _has_left(self) -> None:
        async with self._lock:
            await self._presence_changed(None)

    async def _presence_changed(self, person: Person | None) -> None:
        """Somebody came or went: names and votes may change, and what waited for that person."""
        self._hints.here(self.code, self.audience.local)
        self._tell_table()
        with suppress(Denied):
            await self._trying(self._update(person))

    async def _update(self, person: Person | None) -> None:
        here = self.audience.here.keys()
        await self.change(lambda t: voting.recount(t if person is None else seating.rename(t, person), here))
        await self._advance()

    def _welcome(self, peer: Peer, person: Person | None) -> Welcome:
        sees, seat = self.audience.sees(peer)
        game = self.play.game(seat) if self.play is not None and sees else None
        return Welcome(VERSION, None if person is None else person.id, self.state(), game, self._chat.notes)

    # --- commands -------------------------------------------------------------------------------------

    async def handle(self, peer: Peer, message: ClientUnion) -> None:
        """Carry a command out, or say why not: everything but ``Hello`` and ``Ping``."""
        async with self._lock:
            try:
                person = self.audience.person(peer)
                if person is None:
                    raise Denied("watching")
                await self._carry_out(peer, person, message)
                await self._advance()
            except Denied as error:
                peer.send(encode(denied(getattr(message, "id", None), error, peer.language)))
            except StoreError:
                self._alarms.set("retry", self._alarms.now + RETRY)
                peer.send(encode(denied(getattr(message, "id", None), Denied("storage"), peer.language)))

    async def _carry_out(self, peer: Peer, person: Person, message: ClientUnion) -> None:
        if isinstance(message, Act | Back):
            self._take_back(person)
        if isinstance(message, Act):
            await self._act(peer, person, message)
        elif isinstance(message, Why):
            self._why(peer, person, message)
        elif isinstance(message, Say | Quick):
            self._say(self._chat.say(self.document, person, message))
        elif isinstance(message, Start):
            await self._start(lambda t: hosting.check_start(t, person.id, message.level), message.level)
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

    def _turn_of(self, person: Person, message: Act | Why) -> tuple[Play, int, Move]:
        """The match, the person's own seat and the move."""
        seat = self.document.playing_seat(person.id)
        if seat is None:
            raise Denied("not-seated")
        if self.play is None:
            raise Denied("stale")
        try:
            return self.play, seat, parse_move(message.move)
        except NotationError as error:
            raise Denied("bad-move", reason=error) from error

    def _say(self, note: Note) -> None:
        self._hints.say(self.code, note)
        self.audience.tell(Heard(note))

    def hear(self, note: Note) -> None:
        """Somebody on another worker has said something."""
        self._chat.add(note)
        self.audience.tell(Heard(note))

    def _take_back(self, person: Person) -> None:
        """Whoever does something plays for himself again."""
        if person.id in self._standins:
            self._standins.discard(person.id)
            self.audience.tell_player(person.id, Notice("back"))
            self._arrange()
            self._tell_table()

"""A page at a table, by the rules of ``web/net/session.js`` and ``web/net/socket.js``."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from lastcard.server.wire import protocol
from lastcard.server.wire.parts import Game, TableInfo
from lastcard.server.wire.peer import UNKNOWN_PERSON, UNKNOWN_TABLE
from lastcard.session import commands
from tools.simulate.clock import OUTSIDE, Loop
from tools.simulate.network import Link

if TYPE_CHECKING:
    import asyncio

_FIRST_WAIT_S: Final = 0.4
_LONGEST_WAIT_S: Final = 10.0
_PING_S: Final = 15.0
_SILENCE_S: Final = 6.0
_FLOOD_WAIT_S: Final = 5.0
_PHASE_COMMANDS: Final = (commands.Ready, commands.Start, commands.Write)
_MAX_UNSENT: Final = 30
_VOICE_REFUSALS: Final = ("voice-off", "voice-full", "muted", "not-seated", "flood")

Question = commands.MakeMove | commands.TakeBack | protocol.Why
encode: Final = msgspec.json.Encoder().encode
_decode: Final = lru_cache(256)(msgspec.json.Decoder(protocol.ServerUnion).decode)
"""Decodes messages; everybody gets the same table."""


class Observer(Protocol):
    """What follows the messages of all pages, to check them."""

    def sent(self, page: Page, message: protocol.ClientUnion) -> None:
        """Follow a message that a page sends, maybe again."""

    def received(self, page: Page, message: protocol.ServerUnion, text: bytes, written: float) -> None:
        """Follow a message, written at a time, before the page does."""

    def connected(self, page: Page) -> None:
        """Follow the hello of a page."""


class Page:
    """A person's page, or a big screen's, at a table.

    Args:
        connect: connects a page to some worker; returns None if there is none.
    """

    def __init__(
        self, player: str | None, loop: Loop, rng: random.Random, connect: Callable[[Page], Link | None], to: Observer
    ) -> None:
        self.player = player
        """The id of the person; None for a big screen."""
        self.table: TableInfo | None = None
        self.game: Game | None = None
        self.is_online = False
        self.online_since = 0.0
        """Since when the page has been connected and not suspended."""
        self.ended: str | None = None
        """Why the connection has ended for good."""
        self.pending: dict[str, tuple[Question, float]] = {}
        """Questions without an answer, with the time at which they were last sent."""
        self.link: Link | None = None
        self.is_asleep = False
        """Whether the browser has suspended the page: what happens to it waits."""
        self.talks = False
        """Whether the person has turned voice on."""
        self._waiting: list[tuple[Callable[..., None], tuple[Any, ...]]] = []
        self._unsent: list[tuple[protocol.ClientUnion, Any]] = []
        self._promised = ""
        self._failures = 0
        self._loop = loop
        self._rng = rng
        self._connect_to = connect
        self._observer = to
        self._timers: dict[str, asyncio.TimerHandle] = {}

    @property
    def seat(self) -> int | None:
        """The person's seat; None for a spectator."""
        seats = () if self.table is None or self.player is None else self.table.seats
        return next((seat for seat, info in enumerate(seats) if info and info.player == self.player), None)

    # --- the connection ---------------------------------------------------------------------------------

    def open(self) -> None:
        """Connect, and stay connected."""
        self.ended = None
        self._connect()

    def close(self, why: str = "closed") -> None:
        """Disconnect for good; open questions get no answer."""
        self.ended = why
        self._drop()
        for timer in self._timers.values():
            timer.cancel()
        self.pending.clear()
        self._unsent.clear()

    def reconnect(self, least_s: float = 0.0) -> None:
        """Disconnect and connect again after a while."""
        self._drop()
        if self.ended is None:
            wait = min(_LONGEST_WAIT_S, _FIRST_WAIT_S * 2**self._failures)
            self._failures += 1
            self._set_timer("retry", least_s + wait * (0.5 + self._rng.random() / 2), self._connect)

    def connection_closed(self, link: Link, code: int) -> None:
        """Follow the end of a connection that the server or the network has closed."""
        if link is not self.link:
            return
        if self.is_asleep:
            self._waiting.append((self.connection_closed, (link, code)))
            return
        self.reconnect()
        if code in (UNKNOWN_PERSON, UNKNOWN_TABLE):
            self.close("unknown")

    def wake(self) -> None:
        """Go on after the browser has suspended the page: what has arrived meanwhile comes first."""
        self.is_asleep, self.online_since = False, self._loop.time()
        waiting, self._waiting = self._waiting, []
        for call, arguments in waiting:
            call(*arguments)
        self._ping()

    def _connect(self) -> None:
        self.link = self._connect_to(self)
        if self.link is None:
            self.reconnect()
            return
        self._expect_answer()
        self._observer.connected(self)
        game = self.game
        match, ply = (None, 0) if game is None else (game.match, game.ply)
        self._transmit(protocol.Hello(protocol.VERSION, match, ply, tv=self.player is None))

    def _drop(self) -> None:
        link, self.link = self.link, None
        self.is_online = False
        if link is not None:
            link.close()

    def _ping(self) -> None:
        if self.is_online:
            self._expect_answer()
            self._transmit(protocol.Ping(int(1000 * self._loop.time())))
            if self.talks and self.table is not None and self.player not in self.table.voices:
                self._transmit(protocol.SetVoice(True))
            self._set_timer("ping", _PING_S, self._ping)

    def _expect_answer(self) -> None:
        self._set_timer("silence", _SILENCE_S, self.reconnect)

    def _set_timer(self, name: str, seconds: float, call: Callable[[], None]) -> None:
        if name in self._timers:
            self._timers[name].cancel()
        self._timers[name] = self._loop.call_later(seconds, self._run_timer, call, context=OUTSIDE)

    def _run_timer(self, call: Callable[[], None]) -> None:
        if self.is_asleep:
            self._waiting.append((call, ()))
        else:
            call()

    # --- sending ----------------------------------------------------------------------------------------

    @property
    def _phase_key(self) -> object:
        table, game = self.table, self.game
        return None if table is None else (table.phase, table.match, None if game is None else game.public.round)

    def send(self, message: protocol.ClientUnion) -> None:
        """Send a command that gets no answer; while the connection is down, it is sent later."""
        if self.is_online:
            self._transmit(message)
        elif self.ended is None and not isinstance(message, protocol.Say) and len(self._unsent) < _MAX_UNSENT:
            self._unsent.append((message, self._phase_key))

    def set_voice(self, on: bool) -> None:
        """Turn voice on or off; the page turns it on again by itself after an interruption."""
        self.talks = on
        self.send(protocol.SetVoice(on))

    def ask(self, message: Question) -> None:
        """Send a command, repeatedly with the same id, until the server has answered."""
        self.pending[message.id] = message, self._loop.time()
        if self.is_online:
            self._transmit(message)

    def _transmit(self, message: protocol.ClientUnion) -> None:
        assert self.link is not None
        self._observer.sent(self, message)
        self.link.send(encode(message).decode())

    # --- receiving --------------------------------------------------------------------------------------

    def receive(self, text: bytes, written: float) -> None:
        """Take a message that the server has written at a time."""
        if self.is_asleep:
            self._waiting.append((self._receive_from, (self.link, text, written)))
            return
        message = _decode(text)
        self._timers["silence"].cancel()
        self._observer.received(self, message, text, written)
        match message:
            case protocol.Welcome():
                self._welcome(message)
            case protocol.TableChanged(table):
                self._set_table(table)
            case protocol.Dealt(game):
                self.game = game
            case protocol.Moved():
                self._move(message)
            case protocol.Done(id=id_) | protocol.Refused(id=id_) if id_ is not None:
                self.pending.pop(id_, None)
            case protocol.Refused(code=code) if code in _VOICE_REFUSALS:
                self.talks = False
            case protocol.Bye(why):
                self._end(why)

    def _receive_from(self, link: Link, text: bytes, written: float) -> None:
        if link is self.link:
            self.receive(text, written)

    def _welcome(self, message: protocol.Welcome) -> None:
        self._promised = ""
        self.game = message.game
        self.is_online, self._failures, self.online_since = True, 0, self._loop.time()
        self._set_table(message.table)
        self._ping()
        for question, _ in (*self.pending.values(),):
            if isinstance(question, protocol.Why) or (self.game is not None and question.match == self.game.match):
                self.pending[question.id] = question, self._loop.time()
                self._transmit(question)
            else:
                del self.pending[question.id]
        unsent, self._unsent = self._unsent, []
        for command, key in unsent:
            if key == self._phase_key or not isinstance(command, _PHASE_COMMANDS):
                self._transmit(command)

    def _set_table(self, table: TableInfo) -> None:
        self.table = table
        if table.phase in ("playing", "between") and table.match is None:
            self.game = None
        if self.seat is None or not table.settings.voice or self.player in table.muted:
            self.talks = False
        if self.seat is not None and self._promised != table.promise:
            self._promised = table.promise
            self._transmit(commands.Number(table.promise, self._rng.randbytes(16).hex()))

    def _move(self, message: protocol.Moved) -> None:
        game = self.game
        if game is not None and game.match == message.match and message.ply <= game.ply:
            return
        if game is None or game.match != message.match or message.ply > game.ply + 1:
            self.reconnect()
            return
        changes: Mapping[str, Any] = {"ply": message.ply, "public": message.public, "mine": message.mine}
        self.game = msgspec.structs.replace(game, clock=message.clock, **changes)

    def _end(self, why: str) -> None:
        if why == "restart":
            self.reconnect()
        elif why == "flood":
            self.reconnect(_FLOOD_WAIT_S)
        else:
            self.close(why)

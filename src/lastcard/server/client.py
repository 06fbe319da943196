"""The client of a program at a table: it translates between the server's messages and the bot protocol."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TextIO

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from lastcard.bots.external import (
    VIEW_FIELDS,
    Program,
    event_message,
    list_decisions,
    list_reactions,
    over_message,
    round_message,
)
from lastcard.errors import PlayerError, UsageError
from lastcard.game.moves import Move, parse_move
from lastcard.server.security.security import new_id
from lastcard.server.wire import protocol
from lastcard.server.wire.parts import Game, Happening, Mine, Public
from lastcard.server.wire.peer import UNKNOWN_PERSON, UNKNOWN_TABLE
from lastcard.session import commands
from lastcard.session.turn_clock import Clock

PAUSE_S: Final = 0.7
"""Seconds before each move, so that people can follow."""
MARGIN_S: Final = 0.5
"""Seconds of the table's time limit reserved for the network."""
_MAX_TRIES: Final = 10
_MAX_WAIT_S: Final = 30.0
_ADDRESS: Final = re.compile(r"http(s?)://([^/\s]+(?:/[^/\s?#]+)*)/t/([0-9A-Za-z]+)/?")
_BYE_MESSAGES: Final = {
    "elsewhere": "another program has taken the seat with the same token",
    "flood": "the server has turned the program away: too much that it did not understand",
    "version": "the server is of another version of lastcard",
}
_CLOSE_MESSAGES: Final = {
    UNKNOWN_PERSON: "the token is not, or no longer, good for a seat at this table",
    UNKNOWN_TABLE: "there is no such table",
}
_read: Final = msgspec.json.Decoder(protocol.ServerUnion).decode
_write: Final = msgspec.json.Encoder().encode


async def play_at_table(
    command: Sequence[str],
    address: str,
    token: str,
    *,
    seconds: float,
    note: Callable[[str], None],
    log: TextIO | None = None,
) -> None:
    """Let a program play at a table until it loses its seat; ``note`` gets status messages.

    Args:
        address: URL of the table for joining: ``http://HOST:PORT/t/CODE``.
        seconds: time limit of the program for an answer; the table may set a shorter one.
        log: file for every line to and from the program.

    Raises:
        UsageError: if the URL is invalid.
        PlayerError: if the program cannot play, or the server refuses it.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise UsageError(f"{address}: that is not the address of a table, such as http://192.168.1.5:8020/t/K7WQ2M")
    program = await Program.open(command, seconds=seconds, on_fault=note, log=log)
    try:
        await _reconnect(program, found, token, seconds, note)
    finally:
        await program.close()


async def _reconnect(
    program: Program, address: re.Match[str], token: str, seconds: float, note: Callable[[str], None]
) -> None:
    """Connect, and reconnect after every break, as long as the token is valid."""
    url = f"ws{address[1]}://{address[2]}/ws/{address[3]}"
    tries = 0
    while tries < _MAX_TRIES:
        if tries:
            await asyncio.sleep(min(2.0**tries, _MAX_WAIT_S))
        tries += 1
        try:
            async with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as connection:
                client = ProgramClient(program, connection, seconds, note)
                await client.serve()
            if client.bye == "gone":
                note("the seat is taken away")
                return
            why = _BYE_MESSAGES.get(client.bye or "") or _CLOSE_MESSAGES.get(connection.close_code or 0)
            if why is not None:
                raise PlayerError(f"{address[0]}: {why}")
            if client.welcomed:
                tries = 1
            note("the connection is lost; it will be tried again")
        except (OSError, InvalidHandshake) as error:
            status = error.response.status_code if isinstance(error, InvalidStatus) else 0
            if 400 <= status < 500:
                raise PlayerError(f"{address[0]}: the server refuses the program (HTTP {status})") from None
            note(f"the server cannot be reached: {error}")
    raise PlayerError(f"{address[0]}: the server could not be reached any more")


class ProgramClient:
    """A program at a table, for one connection; ``seconds`` limits its time for an answer."""

    def __init__(
        self, program: Program, connection: ClientConnection, seconds: float, note: Callable[[str], None]
    ) -> None:
        self._program = program
        self._connection = connection
        self._seconds = seconds
        self._note = note
        self._incoming: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self._match = ""
        self._ply = 0
        self._public: Public | None = None
        self._mine: Mine | None = None
        self._clock: Clock | None = None
        self._paused = False
        self._grace = 0.0
        self._offered: set[tuple[int, str]] = set()
        self._asked: str | None = None
        self._has_newer_messages = False
        self.welcomed = False
        """Whether the server has admitted the program."""
        self.bye: str | None = None
        """The server's reason for closing, if it sent one."""

    async def serve(self) -> None:
        """Play until the connection ends."""
        await self._send(protocol.Hello(protocol.VERSION, name=self._program.name))
        listening = asyncio.create_task(self._listen())
        try:
            while (text := await self._incoming.get()) is not None:
                try:
                    await self._handle(_read(text))
                except msgspec.ValidationError:  # of a newer server; programs ignore its messages (Versions)
                    if not self._has_newer_messages:
                        self._has_newer_messages = True
                        self._note("the server says things that only a newer lastcard knows; they are passed over")
                if self._incoming.empty():
                    await self._decide()
        finally:
            listening.cancel()

    async def _listen(self) -> None:
        """Queue the server's messages while the program thinks."""
        with suppress(ConnectionClosed):
            async for text in self._connection:
                self._incoming.put_nowait(text)
        self._incoming.put_nowait(None)

    async def _send(self, message: protocol.ClientUnion) -> None:
        with suppress(ConnectionClosed):  # the reader of the queue sees it too
            await self._connection.send(_write(message).decode())

    # --- messages from the server -----------------------------------------------------------------------

    async def _handle(self, message: protocol.ServerUnion) -> None:
        match message:
            case protocol.Welcome(table=table) | protocol.TableChanged(table=table):
                self._paused, self._grace = table.paused, table.settings.grace / 1000
                if isinstance(message, protocol.Welcome):
                    self.welcomed = True
                    self._note(f"{self._program.name} is at the table")
                    await self._begin(message.game, ())
            case protocol.Dealt(game=game, events=events):
                await self._begin(game, events)
            case protocol.Moved(ply=ply, events=events, public=public, mine=mine, clock=clock):
                assert not isinstance(events, msgspec.Raw) and not isinstance(public, msgspec.Raw)
                self._ply, self._public, self._mine, self._clock = ply, public, mine, clock
                await self._send_events(events)
                if public.decision == "over":
                    await self._program.send(over_message(public.winner, public.void, public.hands, public.points))
            case protocol.Done(id=id_) | protocol.Refused(id=id_) if id_ == self._asked:
                self._asked = None
            case protocol.Notice(what="standin"):
                self._note("too slow for the table: a bot plays until the program moves")
            case protocol.Bye(why=why):
                self.bye = why

    async def _begin(self, game: Game | None, events: Sequence[Happening]) -> None:
        """Begin a round, or continue a running one."""
        self._mine = self._asked = None
        self._offered.clear()
        if game is None or game.mine is None:
            return
        self._match, self._ply = game.match, game.ply
        self._program.start_match(game.match)
        self._public, self._mine, self._clock = game.public, game.mine, game.clock
        if game.public.decision != "over":
            await self._program.send(round_message(game.public.round, game.players, self._view(game.public, game.mine)))
            await self._send_events(events)

    async def _send_events(self, events: Sequence[Happening]) -> None:
        for happening in events:
            await self._program.send(event_message(msgspec.to_builtins(happening)))

    # --- moves of the program ---------------------------------------------------------------------------

    async def _decide(self) -> None:
        """Ask the program if it has a decision."""
        public, mine = self._public, self._mine
        if public is None or mine is None or public.decision == "over" or self._paused:
            return
        legal = [parse_move(text) for text in mine.legal]
        out_of_turn = list_reactions(legal, mine.seat, public.turn, public.exposed)
        # A call or catch is offered only once, because the server may hold a catch for a while (CO-15). A
        # jump-in is offered again with every card.
        offer = {(0 if text.startswith(("uno", "catch")) else self._ply, text) for text in out_of_turn}
        if offer - self._offered:
            self._offered = offer
            move = await self._ask("react", out_of_turn, PAUSE_S)
            if move is not None:
                await self._send_move(move)
                return
        self._offered &= offer
        if public.turn == mine.seat and self._asked is None:
            move = await self._ask("choose", list_decisions(legal), PAUSE_S + (self._grace if public.exposed else 0))
            assert move is not None, "only a reaction may be nothing"
            self._asked = await self._send_move(move)

    async def _ask(self, kind: str, legal: Sequence[str], pause: float) -> Move | None:
        """Return the program's answer, after a pause for people to see the table."""
        assert self._public is not None and self._mine is not None
        seconds = self._seconds
        if kind == "choose" and self._clock is not None:
            seconds = max(0.1, min(seconds, self._clock.left / 1000 - pause - MARGIN_S))
        move, _ = await asyncio.gather(
            self._program.request_move(kind, self._view(self._public, self._mine), legal, seconds), asyncio.sleep(pause)
        )
        return move

    async def _send_move(self, move: Move) -> str:
        """Make a move; return the server's answer."""
        id_ = new_id()
        await self._send(commands.MakeMove(id_, self._match, str(move)))
        return id_

    @staticmethod
    def _view(public: Public, mine: Mine) -> dict[str, Any]:
        both = msgspec.structs.asdict(public) | msgspec.structs.asdict(mine)
        return {field: both[field] for field in VIEW_FIELDS}

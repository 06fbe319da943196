"""The client of a program at a table of a server: what the server says becomes the bot protocol, and back."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, TextIO

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from lastcard.bots.external import VIEW, Program, chances, decisions, event_message, over_message, round_message
from lastcard.errors import PlayerError, UsageError
from lastcard.game.actions import Move, parse_move
from lastcard.server.guard.security import new_id
from lastcard.server.wire import protocol
from lastcard.server.wire.parts import Clock, Game, Happening, Mine, Public
from lastcard.server.wire.peer import UNKNOWN_PERSON, UNKNOWN_TABLE

PAUSE: Final = 0.7
"""Seconds before each move, so that people can follow."""
MARGIN: Final = 0.5
"""Seconds of the table's own time that are left for the way."""
_MOST_TRIES: Final = 10
_LONGEST_WAIT: Final = 30.0
_ADDRESS: Final = re.compile(r"http(s?)://([^/\s]+(?:/[^/\s?#]+)*)/t/([0-9A-Za-z]+)/?")
_ENDS: Final = {
    "elsewhere": "another program has taken the seat with the same token",
    "flood": "the server has turned the program away: too much that it did not understand",
    "version": "the server is of another version of lastcard",
}
_CODES: Final = {
    UNKNOWN_PERSON: "the token is not, or no longer, good for a seat at this table",
    UNKNOWN_TABLE: "there is no such table",
}
_read: Final = msgspec.json.Decoder(protocol.ServerUnion).decode
_write: Final = msgspec.json.Encoder().encode


async def visit_table(
    command: Sequence[str],
    address: str,
    token: str,
    *,
    seconds: float,
    note: Callable[[str], None],
    log: TextIO | None = None,
) -> None:
    """Let a program play at a table until its seat is taken away.

    Args:
        command: the program and its arguments.
        address: of the table, as people join it: ``http://HOST:PORT/t/CODE``.
        token: of the seat.
        seconds: the program has for an answer, less where the table gives less.
        note: is told in words what happens.
        log: where every line to and from the program is written.

    Raises:
        UsageError: for an address that is none.
        PlayerError: where the program cannot play, or the server does not let it.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise UsageError(f"{address}: that is not the address of a table, such as http://192.168.1.5:8020/t/K7WQ2M")
    program = await Program.open(command, seconds=seconds, note=note, log=log)
    try:
        await _keep_coming(program, found, token, seconds, note)
    finally:
        await program.close()


async def _keep_coming(
    program: Program, address: re.Match[str], token: str, seconds: float, note: Callable[[str], None]
) -> None:
    """Connect, and again after every break, as the program has its seat as long as its token is good."""
    url = f"ws{address[1]}://{address[2]}/ws/{address[3]}"
    tries = 0
    while tries < _MOST_TRIES:
        if tries:
            await asyncio.sleep(min(2.0**tries, _LONGEST_WAIT))
        tries += 1
        try:
            async with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as connection:
                client = ProgramClient(program, connection, seconds, note)
                await client.stay()
            if client.bye == "gone":
                note("the seat is taken away")
                return
            why = _ENDS.get(client.bye or "") or _CODES.get(connection.close_code or 0)
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
    """A program at a table, as long as one connection lasts.

    Args:
        program: that plays.
        connection: to the server.
        seconds: the program has for an answer.
        note: is told in words what happens.
    """

    def __init__(
        self, program: Program, connection: ClientConnection, seconds: float, note: Callable[[str], None]
    ) -> None:
        self._program = program
        self._connection = connection
        self._seconds = seconds
        self._note = note
        self._heard: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self._match = ""
        self._ply = 0
        self._public: Public | None = None
        self._mine: Mine | None = None
        self._clock: Clock | None = None
        self._paused = False
        self._grace = 0.0
        self._offered: set[tuple[int, str]] = set()
        self._asked: str | None = None
        self._newer = False
        self.welcomed = False
        """Whether the server has let the program in."""
        self.bye: str | None = None
        """Why the server hung up, where it has said so."""

    async def stay(self) -> None:
        """Play until the connection ends."""
        await self._say(protocol.Hello(protocol.VERSION, name=self._program.name))
        listening = asyncio.create_task(self._listen())
        try:
            while (text := await self._heard.get()) is not None:
                try:
                    await self._take(_read(text))
                except msgspec.ValidationError:
                    self._note_newer()
                if self._heard.empty():
                    await self._play()
        finally:
            listening.cancel()

    def _note_newer(self) -> None:
        """The server has said what is not known here: it is passed over, as programs are asked to do (Versions)."""
        if not self._newer:
            self._newer = True
            self._note("the server says things that only a newer lastcard knows; they are passed over")

    async def _listen(self) -> None:
        """Keep what the server says while the program thinks."""
        with suppress(ConnectionClosed):
            async for text in self._connection:
                self._heard.put_nowait(text)
        self._heard.put_nowait(None)

    async def _say(self, message: protocol.ClientMessage) -> None:
        with suppress(ConnectionClosed):  # who listens hears of it too
            await self._connection.send(_write(message).decode())

    # --- what the server says ---------------------------------------------------------------------------

    async def _take(self, message: protocol.ServerUnion) -> None:
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
                await self._tell(events)
                if public.decision == "over":
                    await self._program.tell(over_message(public.winner, public.void, public.hands, public.points))
            case protocol.Done(id=id_) | protocol.Refused(id=id_) if id_ == self._asked:
                self._asked = None
            case protocol.Notice(what="standin"):
                self._note("too slow for the table: a bot plays until the program moves")
            case protocol.Bye(why=why):
                self.bye = why

    async def _begin(self, game: Game | None, events: Sequence[Happening]) -> None:
        """A round begins, or is on the table already."""
        self._mine = self._asked = None
        self._offered.clear()
        if game is None or game.mine is None:
            return
        self._match, self._ply = game.match, game.ply
        self._program.enter(game.match)
        self._public, self._mine, self._clock = game.public, game.mine, game.clock
        if game.public.decision != "over":
            await self._program.tell(round_message(game.public.round, game.players, self._view(game.public, game.mine)))
            await self._tell(events)

    async def _tell(self, events: Sequence[Happening]) -> None:
        for happening in events:
            await self._program.tell(event_message(msgspec.to_builtins(happening)))

    # --- what the program does --------------------------------------------------------------------------

    async def _play(self) -> None:
        """Ask the program, where there is something to ask."""
        public, mine = self._public, self._mine
        if public is None or mine is None or public.decision == "over" or self._paused:
            return
        legal = [parse_move(text) for text in mine.legal]
        out_of_turn = chances(legal, mine.seat, public.turn, public.exposed)
        # A call or a catch that was offered is not offered again, for the server may hold a catch a while (CO-15); a
        # jump-in is new with every card.
        offer = {(0 if text.startswith(("uno", "catch")) else self._ply, text) for text in out_of_turn}
        if offer - self._offered:
            self._offered = offer
            move = await self._ask("react", out_of_turn, PAUSE)
            if move is not None:
                await self._act(move)
                return
        self._offered &= offer
        if public.turn == mine.seat and self._asked is None:
            move = await self._ask("choose", decisions(legal), PAUSE + (self._grace if public.exposed else 0))
            assert move is not None, "only a reaction may be nothing"
            self._asked = await self._act(move)

    async def _ask(self, kind: str, legal: Sequence[str], pause: float) -> Move | None:
        """The program's answer, not before people have seen what there is to see."""
        assert self._public is not None and self._mine is not None
        seconds = self._seconds
        if kind == "choose" and self._clock is not None:
            seconds = max(0.1, min(seconds, self._clock.left / 1000 - pause - MARGIN))
        move, _ = await asyncio.gather(
            self._program.ask(kind, self._view(self._public, self._mine), legal, seconds), asyncio.sleep(pause)
        )
        return move

    async def _act(self, move: Move) -> str:
        """Make a move; the server says what becomes of it."""
        id_ = new_id()
        await self._say(protocol.Act(id_, self._match, str(move)))
        return id_

    @staticmethod
    def _view(public: Public, mine: Mine) -> dict[str, Any]:
        both = msgspec.structs.asdict(public) | msgspec.structs.asdict(mine)
        return {field: both[field] for field in VIEW}

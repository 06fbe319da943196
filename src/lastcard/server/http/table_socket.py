"""The WebSocket of a table: admission, message limits, and faulty messages."""

from __future__ import annotations

import asyncio
from typing import Any, Final, get_args

import msgspec
from starlette.websockets import WebSocket

from lastcard.errors import StoreError
from lastcard.server.game.refusal_messages import refuse_command
from lastcard.server.http.requests import CallerLimits, address_of, guess_code, player_of, texts_for, token_of
from lastcard.server.security import metrics
from lastcard.server.security.logs import note_fault
from lastcard.server.security.security import Bucket, is_own_origin
from lastcard.server.store.rows import Player
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.moderation import Moderation
from lastcard.server.wire.peer import GOING_AWAY, POLICY, UNKNOWN_PERSON, UNKNOWN_TABLE, Outbox, Transport
from lastcard.server.wire.protocol import (
    VERSION,
    Advise,
    ClientUnion,
    Hello,
    Ping,
    Pong,
    Quick,
    Say,
    Signal,
    decode,
    encode,
)
from lastcard.server.wire.queued_transport import QueuedTransport
from lastcard.session.table_state import CommandError, SeatedProgram

HELLO_S: Final = 10.0
"""Seconds for the client's hello."""
SILENT_S: Final = 90.0
"""Seconds without a message after which a page counts as suspended. Others ping every 15 seconds, or every minute if
a browser throttles hidden pages.
"""
_COMMAND_TIMES: Final = {
    kind: metrics.COMMANDS.labels(kind.__struct_config__.tag)
    for kind in get_args(ClientUnion)
    if kind not in (Hello, Ping)
}
"""Duration of each kind of command."""


class ProtocolError(CommandError):
    """A message that does not reach the table; code and values are those of ``CommandError``."""

    def __init__(self, command: str | None, code: str, **values: Any) -> None:
        super().__init__(code, **values)
        self.command = command


class MessageLimits:
    """The rate limit of one connection, and its limit on faulty messages."""

    def __init__(self) -> None:
        self._messages = Bucket(rate=20, burst=40)
        self._chat = Bucket(rate=1, burst=6)
        self._advice = Bucket(rate=0.5, burst=5)
        self._signals = Bucket(rate=12, burst=40)
        self.faults = Bucket(rate=0.2, burst=8)

    def read(self, text: str | None) -> ClientUnion:
        """Return the message of a text; None stands for a binary one.

        Raises:
            ProtocolError: if it is invalid or comes too fast.
        """
        fast = not self._messages.take()
        if text is None:
            raise ProtocolError(None, "unreadable", why="binary")
        try:
            message = decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            raise ProtocolError(None, "unreadable", why=error) from None
        bucket = self._chat if isinstance(message, Say | Quick) else None
        bucket = self._advice if isinstance(message, Advise) else bucket
        bucket = self._signals if isinstance(message, Signal) else bucket
        if fast or (bucket is not None and not bucket.take()):
            raise ProtocolError(getattr(message, "id", None), "too-fast")
        return message


class IdleTimeout:
    """Closes the connections of suspended tabs, which still answer pings."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._loop = asyncio.get_running_loop()
        self._last_message = self._loop.time()
        self._handle = self._loop.call_later(SILENT_S, self._check)

    def reset(self) -> None:
        """Restart the timeout after a message."""
        self._last_message = self._loop.time()

    def close(self) -> None:
        """Cancel the timeout."""
        self._handle.cancel()

    def _check(self) -> None:
        left = self._last_message + SILENT_S - self._loop.time()
        if left > 0:  # an early timer is cheaper than a new one for every message
            self._handle = self._loop.call_later(left, self._check)
        else:
            self._outbox.hang_up(GOING_AWAY)


async def table_socket(websocket: WebSocket) -> None:
    """``/ws/CODE``: check the origin, then serve the connection until it ends."""
    state = websocket.app.state
    headers = websocket.headers
    program = token_of(websocket) is not None and "origin" not in headers
    if not program and not is_own_origin(headers.get("origin"), headers.get("host"), state.site.public_url):
        await _refuse_handshake(websocket, "foreign")
        return
    address = address_of(websocket)
    limits: CallerLimits = state.limits
    if not limits.connect(address):
        await _refuse_handshake(websocket, "too-many")
        return
    websocket.state.stranger = True
    try:
        with metrics.SOCKETS.track_inprogress():
            await websocket.accept()
            if not hasattr(websocket.state, "transport"):  # of another server, in which this one is mounted
                async with QueuedTransport(websocket) as transport:
                    await _talk(websocket, address, transport)
                return
            transport = websocket.state.transport
            del websocket.state.transport  # it refers to the state
            transport.forget_handshake()
            await _talk(websocket, address, transport)
    finally:
        limits.disconnect(address, stranger=websocket.state.stranger)


async def _refuse_handshake(websocket: WebSocket, code: str) -> None:
    metrics.REFUSED.labels(code).inc()
    await websocket.close()


async def _talk(websocket: WebSocket, address: str, transport: Transport) -> None:
    """Serve a connection, and close it after any error. Without a database browsers reconnect as after a restart."""
    outbox = Outbox(transport, texts_for(websocket).language, metrics.DROPS.inc)
    try:
        await _admit(websocket, outbox, address)
    except StoreError:
        outbox.close("restart")
    except Exception as error:
        note_fault(error, "socket")
        outbox.close("gone")


async def _admit(websocket: WebSocket, outbox: Outbox, address: str) -> None:
    """Find the table, wait for hello, and serve the connection; refuse early if there is no table."""
    if await guess_code(websocket, websocket.path_params["code"]) is None:
        outbox.hang_up(UNKNOWN_TABLE)
        return
    hello = await _receive_hello(websocket, outbox)
    if hello is None:
        outbox.hang_up(POLICY)
    elif hello.v != VERSION:
        outbox.close("version")
    else:
        await _identify(websocket, outbox, address, hello)


async def _identify(websocket: WebSocket, outbox: Outbox, address: str, hello: Hello) -> None:
    """Identify the sender of hello, and admit them.

    The check comes after hello, because sessions may end, data may be deleted and people may be banned while it waits.
    """
    state, token = websocket.app.state, token_of(websocket)
    # Again, because the table may have been unloaded meanwhile.
    table = await guess_code(websocket, websocket.path_params["code"])
    if table is None:
        outbox.hang_up(UNKNOWN_TABLE)
        return
    visitor = table.find_program(token, hello.name) if token else await player_of(websocket)
    if isinstance(visitor, Player):
        outbox.language = visitor.language
    if visitor is None and token:
        state.limits.misses.take(address)
    if visitor is None and (token or not hello.tv):
        outbox.hang_up(UNKNOWN_PERSON)
    elif _is_banned(state.moderation, visitor, address):
        outbox.close("banned")
    else:
        state.limits.arrive(address)
        websocket.state.stranger = False
        await _serve(websocket, outbox, table, None if hello.tv and not token else visitor, hello)


def _is_banned(moderation: Moderation, visitor: Player | SeatedProgram | None, address: str) -> bool:
    return moderation.is_banned_address(address) or (visitor is not None and moderation.is_banned_player(visitor.id))


async def _receive_hello(websocket: WebSocket, outbox: Outbox) -> Hello | None:
    """Return the first message; None if it is no hello or does not come."""
    try:
        async with asyncio.timeout(HELLO_S):
            event = await websocket.receive()
        if event["type"] == "websocket.disconnect":
            return None
        message = MessageLimits().read(event.get("text"))
        if isinstance(message, Hello):
            return message
        raise ProtocolError(None, "unreadable", why="no hello")
    except TimeoutError:
        return None
    except ProtocolError as unfit:
        _refuse(outbox, unfit)
        return None


async def _serve(
    websocket: WebSocket, outbox: Outbox, table: LiveTable, visitor: Player | SeatedProgram | None, hello: Hello
) -> None:
    """Serve a peer at a table until the connection ends."""
    moderation, address, token = websocket.app.state.moderation, address_of(websocket), token_of(websocket)

    async def is_still() -> bool:
        """Return whether the visitor's rights are unchanged since hello, after a wait for the table."""
        if _is_banned(moderation, visitor, address):
            return False
        if isinstance(visitor, Player):
            return await player_of(websocket) == visitor
        return visitor is None or (token is not None and table.find_program(token, hello.name) is not None)

    person = visitor.id if isinstance(visitor, Player) else None
    # A program sends nothing until it has to decide.
    idle_timeout = None if isinstance(visitor, SeatedProgram) else IdleTimeout(outbox)
    if person is not None:
        moderation.add_connection(person, address)
    try:
        await table.join(outbox, visitor, hello, is_still)
        # In a task of its own, because every message would otherwise resume the whole stack of coroutines.
        await asyncio.create_task(_listen(websocket, outbox, table, idle_timeout))
    finally:
        if idle_timeout is not None:
            idle_timeout.close()
        table.leave(outbox)
        if person is not None:
            moderation.remove_connection(person, address)


async def _listen(websocket: WebSocket, outbox: Outbox, table: LiveTable, idle_timeout: IdleTimeout | None) -> None:
    limits = MessageLimits()
    while (event := await websocket.receive())["type"] != "websocket.disconnect":
        if idle_timeout is not None:
            idle_timeout.reset()
        try:
            message = limits.read(event.get("text"))
        except ProtocolError as unfit:
            _refuse(outbox, unfit)
            if not limits.faults.take():
                outbox.close("flood")
                return
            continue
        if isinstance(message, Ping):
            outbox.send(encode(Pong(message.t)))
        else:
            await _carry_out(table, outbox, message)


async def _carry_out(table: LiveTable, outbox: Outbox, message: ClientUnion) -> None:
    """Let the table handle a message; no error in it ends the connection."""
    command = getattr(message, "id", None)
    try:
        if isinstance(message, Hello):
            raise ProtocolError(None, "unreadable", why="hello")
        with _COMMAND_TIMES[type(message)].time():
            await table.handle(outbox, message)
    except ProtocolError as unfit:
        _refuse(outbox, unfit)
    except Exception as error:
        _refuse(outbox, ProtocolError(command, "fault", reference=note_fault(error, type(message).__name__)))


def _refuse(outbox: Outbox, unfit: ProtocolError) -> None:
    metrics.REFUSED.labels(unfit.code).inc()
    outbox.send(encode(refuse_command(unfit.command, unfit, outbox.language)))

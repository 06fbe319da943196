"""The WebSocket of a table: who may connect, what may be said and how fast, and what becomes of rubbish."""

from __future__ import annotations

import asyncio
from typing import Final, get_args

import msgspec
from starlette.websockets import WebSocket

from lastcard.errors import StoreError
from lastcard.server.game.refusals import denied
from lastcard.server.guard import metrics
from lastcard.server.guard.logs import note_fault
from lastcard.server.guard.security import Bucket, is_own_origin
from lastcard.server.http.requests import CallerLimits, address_of, player_of, texts_for, token_of
from lastcard.server.seats.document import Denied, SeatedProgram
from lastcard.server.store.rows import Player
from lastcard.server.table.table import LiveTable
from lastcard.server.table.warden import Warden
from lastcard.server.wire.peer import GOING_AWAY, POLICY, UNKNOWN_PERSON, UNKNOWN_TABLE, Outbox
from lastcard.server.wire.protocol import VERSION, Advise, ClientUnion, Hello, Ping, Pong, Quick, Say, decode, encode

HELLO_SECONDS: Final = 10.0
"""A connection that has not said hello by then is closed."""
SILENT_SECONDS: Final = 90.0
"""A page that has said nothing for so long sleeps. Others ask every quarter of a minute whether we are there, and once
a minute where a browser holds hidden pages back."""
_SECONDS: Final = {
    kind: metrics.COMMANDS.labels(kind.__struct_config__.tag)
    for kind in get_args(ClientUnion)
    if kind not in (Hello, Ping)
}
"""How long each kind of command takes."""


class BadMessage(Denied):
    """A message that is not passed on to the table.

    Args:
        command: the id it had.
        code: and ``values``, as those of ``Denied``.
    """

    def __init__(self, command: str | None, code: str, **values: object) -> None:
        super().__init__(code, **values)
        self.command = command


class MessageLimits:
    """What one connection may say, and how often it may try what is unfit."""

    def __init__(self) -> None:
        self._messages = Bucket(rate=20, burst=40)
        self._chat = Bucket(rate=1, burst=6)
        self._advice = Bucket(rate=0.5, burst=5)
        self._faults = Bucket(rate=0.2, burst=8)

    def hear(self, text: str | None) -> ClientUnion:
        """The message in a text; None stands for a binary one.

        Raises:
            BadMessage: for rubbish, and for what comes too fast.
        """
        fast = not self._messages.take()
        if text is None:
            raise BadMessage(None, "unreadable", why="binary")
        try:
            message = decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            raise BadMessage(None, "unreadable", why=error) from None
        bucket = self._chat if isinstance(message, Say | Quick) else None
        bucket = self._advice if isinstance(message, Advise) else bucket
        if fast or (bucket is not None and not bucket.take()):
            raise BadMessage(getattr(message, "id", None), "too-fast")
        return message

    def forgive(self) -> bool:
        """Bear with one more unfit message; False where it is enough."""
        return self._faults.take()


class Vigil:
    """Hangs up on a page that sleeps: its browser goes on answering pings for it, and the table would wait without end.

    Args:
        outbox: to the page.
    """

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._loop = asyncio.get_running_loop()
        self._heard = self._loop.time()
        self._handle = self._loop.call_later(SILENT_SECONDS, self._look)

    def hear(self) -> None:
        """The page has said something."""
        self._heard = self._loop.time()

    def close(self) -> None:
        """The page has gone."""
        self._handle.cancel()

    def _look(self) -> None:
        left = self._heard + SILENT_SECONDS - self._loop.time()
        if left > 0:  # one handle that goes off too early is cheaper than a new one for every message
            self._handle = self._loop.call_later(left, self._look)
        else:
            self._outbox.hang_up(GOING_AWAY)


async def table_socket(websocket: WebSocket) -> None:
    """``/ws/CODE``: see where the call comes from, then talk until somebody hangs up."""
    state = websocket.app.state
    headers = websocket.headers
    program = token_of(websocket) is not None and "origin" not in headers
    if not program and not is_own_origin(headers.get("origin"), headers.get("host"), state.site.public_url):
        await _turn_away(websocket, "foreign")
        return
    address = address_of(websocket)
    limits: CallerLimits = state.limits
    if not limits.connect(address):
        await _turn_away(websocket, "too-many")
        return
    websocket.state.stranger = True
    try:
        with metrics.SOCKETS.track_inprogress():
            await websocket.accept()
            websocket.state.transport.forget_handshake()
            await _talk(websocket, address)
    finally:
        limits.disconnect(address, stranger=websocket.state.stranger)


async def _turn_away(websocket: WebSocket, code: str) -> None:
    """Answer the call with 403."""
    metrics.REFUSED.labels(code).inc()
    await websocket.close()


async def _talk(websocket: WebSocket, address: str) -> None:
    """Talk, and whatever goes wrong, say goodbye; without a database the browser comes back as after a restart."""
    outbox = Outbox(websocket.state.transport, texts_for(websocket).language, metrics.DROPS.inc)
    del websocket.state.transport  # which holds the state
    try:
        await _let_in(websocket, outbox, address)
    except StoreError:
        outbox.close("restart")
    except Exception as error:
        note_fault(error, "socket")
        outbox.close("gone")


async def _let_in(websocket: WebSocket, outbox: Outbox, address: str) -> None:
    """See that there is a table, wait for hello, stay. Nobody is listened to where there is nothing to talk about."""
    if await _find_table(websocket, address) is None:
        outbox.hang_up(UNKNOWN_TABLE)
        return
    hello = await _hear_hello(websocket, outbox)
    if hello is None:
        outbox.hang_up(POLICY)
    elif hello.v != VERSION:
        outbox.close("version")
    else:
        await _introduce(websocket, outbox, address, hello)


async def _introduce(websocket: WebSocket, outbox: Outbox, address: str, hello: Hello) -> None:
    """Find out who has said hello, and let them stay.

    Not before hello, for which one may take a while: sessions are ended meanwhile, data deleted, people banned.
    """
    state, token = websocket.app.state, token_of(websocket)
    table = await _find_table(websocket, address)  # anew: it may have been let go of meanwhile
    if table is None:
        outbox.hang_up(UNKNOWN_TABLE)
        return
    who = table.find_program(token, hello.name) if token else await player_of(websocket)
    if isinstance(who, Player):
        outbox.language = who.language
    if who is None and token:
        state.limits.misses.take(address)
    if who is None and (token or not hello.tv):
        outbox.hang_up(UNKNOWN_PERSON)
    elif _is_barred(state.warden, who, address):
        outbox.close("banned")
    else:
        state.limits.arrive(address)
        websocket.state.stranger = False
        await _stay(websocket, outbox, table, None if hello.tv and not token else who, hello)


def _is_barred(warden: Warden, who: Player | SeatedProgram | None, address: str) -> bool:
    """Whether somebody may not come, or nobody from there."""
    return warden.bars(address) or (who is not None and warden.bars_player(who.id))


async def _hear_hello(websocket: WebSocket, outbox: Outbox) -> Hello | None:
    """The first message; None where it is no hello, or does not come."""
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            event = await websocket.receive()
        if event["type"] == "websocket.disconnect":
            return None
        message = MessageLimits().hear(event.get("text"))
        if isinstance(message, Hello):
            return message
        raise BadMessage(None, "unreadable", why="no hello")
    except TimeoutError:
        return None
    except BadMessage as unfit:
        _refuse(outbox, unfit)
        return None


async def _find_table(websocket: WebSocket, address: str) -> LiveTable | None:
    """The table of the code in the address; wrong codes are counted, and after too many no code is right."""
    state = websocket.app.state
    if not state.limits.misses.has(address):
        return None
    table: LiveTable | None = await state.registry.find(websocket.path_params["code"])
    if table is None:
        state.limits.misses.take(address)
    return table


async def _stay(
    websocket: WebSocket, outbox: Outbox, table: LiveTable, who: Player | SeatedProgram | None, hello: Hello
) -> None:
    """Be at a table until the connection ends."""
    warden, address, token = websocket.app.state.warden, address_of(websocket), token_of(websocket)

    async def is_still() -> bool:
        """Others may have kept the table busy for a while: whether all is as when hello was heard."""
        if _is_barred(warden, who, address):
            return False
        if isinstance(who, Player):
            return await player_of(websocket) == who
        return who is None or (token is not None and table.find_program(token, hello.name) is not None)

    person = who.id if isinstance(who, Player) else None
    vigil = None if isinstance(who, SeatedProgram) else Vigil(outbox)  # a program says nothing until it is asked
    if person is not None:
        warden.arrives(person, address)
    try:
        await table.join(outbox, who, hello, is_still)
        # In a task of its own, or every message would pass through all that has led here to be heard.
        await asyncio.create_task(_listen(websocket, outbox, table, vigil))
    finally:
        if vigil is not None:
            vigil.close()
        table.leave(outbox)
        if person is not None:
            warden.leaves(person, address)


async def _listen(websocket: WebSocket, outbox: Outbox, table: LiveTable, vigil: Vigil | None) -> None:
    patience = MessageLimits()
    while (event := await websocket.receive())["type"] != "websocket.disconnect":
        if vigil is not None:
            vigil.hear()
        try:
            message = patience.hear(event.get("text"))
        except BadMessage as unfit:
            _refuse(outbox, unfit)
            if not patience.forgive():
                outbox.close("flood")
                return
            continue
        if isinstance(message, Ping):
            outbox.send(encode(Pong(message.t)))
        else:
            await _carry_out(table, outbox, message)


async def _carry_out(table: LiveTable, outbox: Outbox, message: ClientUnion) -> None:
    """Let the table handle a message; whatever goes wrong there, the connection lives on."""
    command = getattr(message, "id", None)
    try:
        if isinstance(message, Hello):
            raise BadMessage(None, "unreadable", why="hello")
        with _SECONDS[type(message)].time():
            await table.handle(outbox, message)
    except BadMessage as unfit:
        _refuse(outbox, unfit)
    except Exception as error:
        _refuse(outbox, BadMessage(command, "fault", reference=note_fault(error, type(message).__name__)))


def _refuse(outbox: Outbox, unfit: BadMessage) -> None:
    metrics.REFUSED.labels(unfit.code).inc()
    outbox.send(encode(denied(unfit.command, unfit, outbox.language)))

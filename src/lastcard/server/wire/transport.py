"""A WebSocket as uvicorn serves it (``uvicorn.Config(ws=…)``), on the protocol without I/O of ``websockets``.

Other than uvicorn's own, it is written to and cut off at once: an ASGI application can neither see how much waits to be
sent nor abort a connection, and a proper goodbye to a browser that has stopped reading would wait for it. Nor does an
application hear of pings, pongs and empty fragments, which cost as much as messages: frames and bytes are counted here,
before and after hello.
"""

from __future__ import annotations

import asyncio
import logging
import random
import socket
from asyncio import TimerHandle
from asyncio.transports import BaseTransport
from collections.abc import Callable
from typing import Any, Final, cast
from urllib.parse import unquote

import uvicorn
from starlette.types import Message, Scope
from uvicorn.server import ServerState
from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from lastcard.server.guard import metrics
from lastcard.server.guard.security import Bucket
from lastcard.server.wire.frames import SHORT, TEXT, text_frame
from lastcard.server.wire.inbox import Inbox
from lastcard.server.wire.peer import GOING_AWAY, MOST_WAITING, POLICY
from lastcard.server.wire.protocol import MAX_FRAME, Bye, encode

SEND_BUFFER: Final = 32 * 1024
"""Bytes the system may hold for a browser that does not read; it doubles them."""
SILENT_MS: Final = 20_000
"""After so long without a sign that what was sent has arrived the system gives a connection up."""
LOOPBACK: Final = "127.0.0.1"
CLOSE_SECONDS: Final = 2.0
"""A browser has so long to say goodbye."""

FRAMES: Final = (30, 120)
"""A second, and at once: more than the messages that the application bears with."""
BYTES: Final = (16 * 1024, 64 * 1024)
MOST_FRAGMENTS: Final = 16
"""Frames a message may come in."""
AFTER_GOODBYE: Final = 2 * MAX_FRAME
"""Bytes that are still looked at for the other side's goodbye."""

ABNORMAL: Final = 1006
UNEXPECTED: Final = 1011
NO_TEXT: Final = 1007

_MASKED: Final = 0x80
_MASK_BYTES: Final = 4
_MASKED_HEAD: Final = 2 + _MASK_BYTES
_LOG: Final = logging.getLogger("uvicorn.error")


class WebSocketTransport(asyncio.Protocol):
    """The connection; the application finds it as ``websocket.state.transport``.

    Args:
        config: of the server.
        server_state: the connections and tasks of the server.
        app_state: what every request gets as its state.
        _loop: the event loop; else the running one.
    """

    greeted: Callable[[], None] | None = None
    """Called once, when the connection has been let in or has ended before that."""
    transport: asyncio.Transport

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.loop = _loop or asyncio.get_running_loop()
        self.conn = ServerProtocol(max_size=config.ws_max_size, logger=_LOG)
        self.inbox: Inbox[Message] = Inbox(self.loop)
        """What has come for the application."""
        self.closing = False
        """Whether we have said goodbye, or have refused the call."""
        self.read_paused = False
        self._app, self._app_state, self._root = config.loaded_app, app_state, config.root_path
        self._server, self._ping_seconds = server_state, config.ws_ping_interval
        self._pong_seconds = config.ws_ping_timeout
        self._response: Response | None = None
        """The answer to the call, until it is given."""
        self._called = self._accepted = False
        self._rest = b""
        """The beginning of a frame that has not come whole."""
        self._pieces: list[bytes] = []
        """Of a message whose last frame has not come."""
        self._is_text = False
        self._frames, self._bytes = Bucket(*FRAMES), Bucket(*BYTES)
        self._late = 0  # bytes that have come since we said goodbye
        self._close_timer: TimerHandle | None = None
        self._ping_timer: TimerHandle | None = None
        self._ping = b""
        """The ping that has not been answered."""

    # --- what the event loop and uvicorn call -------------------------------------------------------------

    def connection_made(self, transport: BaseTransport) -> None:
        """Set the socket up."""
        self.transport = cast(asyncio.Transport, transport)
        self._server.connections.add(cast(Any, self))
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            give_up_silent(sock)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended, and is given back at once: the garbage collector comes seldom."""
        self._greet()
        self._stop_timers()
        self._disconnect(ABNORMAL)
        self._server.connections.discard(cast(Any, self))
        self.closing = True
        self.transport.close()
        self.conn = cast(Any, None)  # its parser holds what holds it

    def data_received(self, data: bytes) -> None:
        """Take apart what has come, until it is too much."""
        if self.transport.is_closing():
            return
        if not self._called:  # this is the head of the request, which has its own bounds
            self._hear_call(data)
        elif self.closing:
            self._late += len(data)
            if self._late > AFTER_GOODBYE:
                self.abort()
            else:
                self._take_apart(data)
        elif not self._bytes.take(len(data)):
            self._end_flood()
        elif self._rest or self._pieces or not self._hear_short(data):
            self._take_apart(data)

    def shutdown(self) -> None:
        """The server stops: hang up, and do not wait long for those who do not read."""
        if self._accepted:
            self.finish(GOING_AWAY)
        else:
            self._refuse(500)
        self._stop_timers()
        self.transport.close()
        self.loop.call_later(CLOSE_SECONDS, self.abort)

    # --- the call -----------------------------------------------------------------------------------------

    def _hear_call(self, head: bytes) -> None:
        """Introduce the connection to the application, which starts later."""
        self.conn.receive_data(head)
        for event in self.conn.events_received():
            if isinstance(event, Request):
                self._called = True
                self._response = self.conn.accept(event)
                if self._response.status_code != 101:
                    self._answer(self._response)
                    return
                self.inbox.put_nowait({"type": "websocket.connect"})
                task = self.loop.create_task(self._run(self._scope(event)))
                self._app_state = {}  # of no use any more, and it may hold what holds us
                self._server.tasks.add(task)
                task.add_done_callback(self._server.tasks.discard)
        if self.conn.handshake_exc is not None and not self._called:
            self.closing = True
            self.transport.close()

    def _scope(self, request: Request) -> Scope:
        """What ASGI says of a call."""
        path, _, query = request.path.partition("?")
        return {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws" if self.transport.get_extra_info("sslcontext") is None else "wss",
            "server": address(self.transport, "sockname"),
            "client": address(self.transport, "peername") or here(self.transport),
            "root_path": self._root,
            "path": self._root + unquote(path),
            "raw_path": (self._root + path).encode(),
            "query_string": query.encode(),
            "headers": [
                (name.lower().encode(), value.encode("latin-1")) for name, value in request.headers.raw_items()
            ],
            "subprotocols": [],
            "state": {**self._app_state, "transport": self},
        }

    async def _run(self, scope: Scope) -> None:
        """Run the application; whatever goes wrong in it, the connection ends with it."""
        try:
            await cast(Any, self._app)(scope, self.receive, self.send)
        except Exception:
            _LOG.exception("Exception in ASGI application")
        if not self._accepted and not self.closing:
            self._refuse(500)
        if self._close_timer is None:
            self.transport.close()

    async def receive(self) -> Message:
        """What comes next for the application."""
        message = await self.inbox.get()
        if self.read_paused and self.inbox.empty():
            self.read_paused = False
            self.transport.resume_reading()
        return message

    async def send(self, message: Message) -> None:
        """Accept the call, or close: all else that an application says is written by ``write``.

        Raises:
            RuntimeError: for anything else.
        """
        kind = message["type"]
        if kind == "websocket.accept" and self._response is not None:
            if not self.closing and not self.transport.is_closing():
                self._accepted = True
                for name, value in message.get("headers", []):
                    self._response.headers[name.decode("latin-1")] = value.decode("latin-1")
                self.conn.send_response(self._response)
                self._flush()
                self._wait_to_ping()
        elif kind == "websocket.close" and self._accepted:
            self.finish(message.get("code", 1000))
        elif kind == "websocket.close":
            self._refuse(403)
            self._disconnect(ABNORMAL)
        else:
            raise RuntimeError(f"{kind} cannot be sent: an application accepts, writes to the transport, and closes")

    def _refuse(self, status: int) -> None:
        """Answer the call with a status, and hang up."""
        if not self.closing and not self.transport.is_closing():
            self._answer(self.conn.reject(status, ""))

    def _answer(self, response: Response) -> None:
        """Say that the call is refused, and hang up."""
        self.closing = True
        self.conn.send_response(response)
        self._flush()
        self.transport.close()

    def forget_handshake(self) -> None:
        """The connection is accepted: its headers, three kilobytes of them, are not needed any more."""
        self._response = None
        self._greet()

    def _greet(self) -> None:
        if self.greeted is not None:
            greeted, self.greeted = self.greeted, None
            greeted()

    # --- what comes ---------------------------------------------------------------------------------------

    def _hear_short(self, data: bytes) -> bool:
        """Hear a short message that has come whole, as nearly all do: the parser has nothing to find out about it.

        Returns:
            False for anything else; then nothing has been done.
        """
        size = len(data) - _MASKED_HEAD
        if not 0 <= size <= SHORT or data[0] != TEXT or data[1] != _MASKED | size:
            return False
        mask = data[2:_MASKED_HEAD] * (size // _MASK_BYTES + 1)
        plain = int.from_bytes(data[_MASKED_HEAD:]) ^ int.from_bytes(mask[:size])
        try:
            text = plain.to_bytes(size).decode()
        except UnicodeDecodeError:
            return False
        if self._frames.take():
            self._deliver({"type": "websocket.receive", "text": text})
        else:
            self._end_flood()
        return True

    def _take_apart(self, data: bytes) -> None:
        """Give the parser one whole frame after the other, so that it never holds a part of one."""
        data = self._rest + data
        at = 0
        while at < len(data) and not self.transport.is_closing():
            end = at + frame_size(data, at)
            if not at < end <= len(data):
                break
            if not self.closing and not self._frames.take():
                self._rest = b""
                self._end_flood()
                return
            self._hear_frame(data[at:end])
            at = end
        self._rest = data[at:]

    def _hear_frame(self, data: bytes) -> None:
        self.conn.receive_data(data)
        for event in self.conn.events_received():
            if isinstance(event, Frame):
                self._handle(event)
        if self.conn.parser_exc is not None and not self.transport.is_closing():
            self._end(self.conn.close_sent)  # the other side broke the protocol, and the parser has written why

    def _handle(self, frame: Frame) -> None:
        if frame.opcode is Opcode.CLOSE:
            self._end(self.conn.close_rcvd)
        elif frame.opcode is Opcode.PING:
            self._flush()  # the answer of the parser
        elif frame.opcode is Opcode.PONG:
            if self._ping and bytes(frame.data) == self._ping:
                self._ping = b""
                self._wait_to_ping()
        elif len(self._pieces) >= MOST_FRAGMENTS:
            self._end_flood()
        else:
            if frame.opcode is not Opcode.CONT:
                self._is_text = frame.opcode is Opcode.TEXT
            self._pieces.append(bytes(frame.data))
            if frame.fin:
                self._hear_message()

    def _hear_message(self) -> None:
        whole, self._pieces = b"".join(self._pieces), []
        if self.closing:
            return
        try:
            said: dict[str, Any] = {"text": whole.decode()} if self._is_text else {"bytes": whole}
        except UnicodeDecodeError:
            self.conn.fail(NO_TEXT)
            self._end(self.conn.close_sent)
        else:
            self._deliver({"type": "websocket.receive", **said})

    def _deliver(self, message: Message) -> None:
        """Hand a message on; while the application is busy, nothing more is read."""
        at_once = self.inbox.awaited
        self.inbox.put_nowait(message)
        if not at_once and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _end(self, why: Close | None) -> None:
        """Tell the application why the conversation ends, write what the protocol has to say to it, and hang up."""
        if not self.closing:
            self._disconnect(why.code if why else ABNORMAL, why.reason if why else "")
            self.closing = True
        self._stop_timers()
        self._flush()
        self.transport.close()

    def _end_flood(self) -> None:
        """Too much has come, or in too many pieces."""
        metrics.REFUSED.labels("flood").inc()
        if self._accepted:
            self.write(text_frame(encode(Bye("flood"))))
            self.finish(POLICY)
        else:
            self.abort()

    def _disconnect(self, code: int, reason: str = "") -> None:
        self.inbox.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})

    # --- whether the other side is there ------------------------------------------------------------------

    def _wait_to_ping(self) -> None:
        self._stop_pings()
        if self._ping_seconds:
            self._ping_timer = self.loop.call_later(self._ping_seconds, self._send_ping)

    def _send_ping(self) -> None:
        if self.closing or self.transport.is_closing():
            return
        self._ping = random.randbytes(4)
        self.conn.send_ping(self._ping)
        self._flush()
        if self._pong_seconds:
            self._ping_timer = self.loop.call_later(self._pong_seconds, self._miss_pong)

    def _miss_pong(self) -> None:
        if not self.closing and not self.transport.is_closing():
            self.conn.fail(UNEXPECTED, "no answer to a ping")
            self._end(self.conn.close_sent)

    def _stop_pings(self) -> None:
        if self._ping_timer is not None:
            self._ping_timer.cancel()
            self._ping_timer = None

    def _stop_timers(self) -> None:
        self._stop_pings()
        if self._close_timer is not None:
            self._close_timer.cancel()
            self._close_timer = None

    # --- what goes ----------------------------------------------------------------------------------------

    def _flush(self) -> None:
        """Write what the protocol has to say."""
        self.transport.write(b"".join(self.conn.data_to_send()))

    def write(self, frames: bytes) -> bool:
        """Write frames behind those that wait, at one go: each one costs a call of the system.

        Returns:
            False where too much waits to be read by the other side; then nothing has been written.
        """
        if self.transport.get_write_buffer_size() > MOST_WAITING:
            return False
        if not self.closing and not self.transport.is_closing():
            self.transport.write(frames)
        return True

    def finish(self, code: int) -> None:
        """Say goodbye, and hang up when the browser has answered or after a moment."""
        if self.closing or self.transport.is_closing():
            return
        self._stop_pings()
        self.conn.send_close(code)
        self._flush()
        self.closing = True
        self._close_timer = self.loop.call_later(CLOSE_SECONDS, self.abort)
        self._disconnect(code)
        if self.read_paused:  # with messages that nobody will take any more; the answer comes behind them
            self.read_paused = False
            self.transport.resume_reading()

    def abort(self) -> None:
        """Hang up at once; what waits is lost."""
        self.transport.abort()


def frame_size(data: bytes, at: int) -> int:
    """Bytes of the frame that begins at a place; 0 where its head has not come whole (RFC 6455, 5.2).

    Of a frame that is larger than any may be, this is the size of its head: the parser refuses it by that.
    """
    if len(data) < at + 2:
        return 0
    size, head = data[at + 1] & 127, 2
    if size > SHORT:
        head += 2 if size == 126 else 8
        if len(data) < at + head:
            return 0
        size = int.from_bytes(data[at + 2 : at + head])
    if data[at + 1] & _MASKED:
        head += _MASK_BYTES
    return head + (size if size <= MAX_FRAME else 0)


def give_up_silent(sock: socket.socket) -> None:
    """Let the system give a connection up that does not take what is sent."""
    if hasattr(socket, "TCP_USER_TIMEOUT") and sock.family in (socket.AF_INET, socket.AF_INET6):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)


def address(transport: BaseTransport, end: str) -> tuple[str, int] | None:
    """Host and port of an end of a connection, ``sockname`` or ``peername``; None where it has none."""
    found = transport.get_extra_info(end)
    return (str(found[0]), int(found[1])) if isinstance(found, tuple) else None


def here(transport: BaseTransport) -> tuple[str, int] | None:
    """This machine, as the caller of a Unix socket: nobody else reaches one. None for other sockets."""
    sock: socket.socket | None = transport.get_extra_info("socket")
    unix = sock is not None and sock.family not in (socket.AF_INET, socket.AF_INET6)
    return (LOOPBACK, 0) if unix else None

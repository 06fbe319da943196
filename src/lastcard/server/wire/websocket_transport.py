"""A WebSocket connection for uvicorn (``uvicorn.Config(ws=…)``) on the sans-I/O protocol of ``websockets``.

Unlike uvicorn's own, it can report its buffer and abort. An ASGI application can do neither, and a proper close of a
browser that does not read would wait for it. It also counts frames and bytes, because pings, pongs and empty fragments
cost as much as messages but never reach an application.
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

from lastcard.server.security import metrics
from lastcard.server.security.security import Bucket
from lastcard.server.wire.frames import SHORT_FRAME_BYTES, TEXT, text_frame
from lastcard.server.wire.inbox import Inbox
from lastcard.server.wire.peer import GOING_AWAY, OUTBOX_LIMIT_BYTES, POLICY
from lastcard.server.wire.protocol import FRAME_LIMIT_BYTES, Bye, encode

SEND_BUFFER_BYTES: Final = 32 * 1024
"""Bytes that the system may buffer for a browser that does not read; the system doubles them."""
SILENT_MS: Final = 20_000
"""Milliseconds without an acknowledgment after which the system drops a connection."""
LOOPBACK: Final = "127.0.0.1"
CLOSE_S: Final = 2.0
"""Seconds for the browser's close frame."""

FRAME_BUCKET: Final = (30, 120)
"""Frames a second, and at once: more than the application's limit on messages."""
BYTE_BUCKET: Final = (16 * 1024, 64 * 1024)
MAX_FRAGMENTS: Final = 16
"""Maximum frames of a message."""
CLOSING_LIMIT_BYTES: Final = 2 * FRAME_LIMIT_BYTES
"""Bytes that are still parsed for the other side's close frame."""

ABNORMAL_CLOSURE: Final = 1006
UNEXPECTED_CONDITION: Final = 1011
INVALID_PAYLOAD: Final = 1007

_MASKED: Final = 0x80
_MASK_BYTES: Final = 4
_MASKED_HEAD_BYTES: Final = 2 + _MASK_BYTES
_LOG: Final = logging.getLogger("uvicorn.error")


class WebSocketTransport(asyncio.Protocol):
    """A WebSocket connection; the application finds it as ``websocket.state.transport``."""

    on_handshake_end: Callable[[], None] | None = None
    """Called once, at the end of the handshake or of the connection before that."""
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
        """Received messages for the application."""
        self.is_closing = False
        """Whether we have sent a close frame, or refused the handshake."""
        self.is_reading_paused = False
        self._app, self._app_state, self._root = config.loaded_app, app_state, config.root_path
        self._server, self._ping_seconds = server_state, config.ws_ping_interval
        self._pong_seconds = config.ws_ping_timeout
        self._response: Response | None = None
        """The answer to the handshake, until it is sent."""
        self._has_request = self._accepted = False
        self._partial_frame = b""
        """The beginning of an incomplete frame."""
        self._fragments: list[bytes] = []
        """Fragments of an incomplete message."""
        self._is_text = False
        self._frames, self._bytes = Bucket(*FRAME_BUCKET), Bucket(*BYTE_BUCKET)
        self._bytes_after_close = 0  # bytes received since our close frame
        self._close_timer: TimerHandle | None = None
        self._ping_timer: TimerHandle | None = None
        self._ping = b""
        """The payload of the unanswered ping."""

    # --- what the event loop and uvicorn call -------------------------------------------------------------

    def connection_made(self, transport: BaseTransport) -> None:
        """Set the socket up."""
        self.transport = cast(asyncio.Transport, transport)
        self._server.connections.add(cast(Any, self))
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            set_send_timeout(sock)

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up at once after the end of the connection, because the garbage collector runs rarely."""
        self._end_handshake()
        self._stop_timers()
        self._disconnect(ABNORMAL_CLOSURE)
        self._server.connections.discard(cast(Any, self))
        self.is_closing = True
        self.transport.close()
        self.conn = cast(Any, None)  # breaks reference cycles

    def data_received(self, data: bytes) -> None:
        """Parse received data within the limits."""
        if self.transport.is_closing():
            return
        if not self._has_request:  # the head of the request has its own limits
            self._receive_handshake(data)
        elif self.is_closing:
            self._bytes_after_close += len(data)
            if self._bytes_after_close > CLOSING_LIMIT_BYTES:
                self.abort()
            else:
                self._split_frames(data)
        elif not self._bytes.take(len(data)):
            self._close_for_flood()
        elif self._partial_frame or self._fragments or not self._receive_short(data):
            self._split_frames(data)

    def shutdown(self) -> None:
        """Close because the server stops, with a short timeout for browsers that do not read."""
        if self._accepted:
            self.finish(GOING_AWAY)
        else:
            self._refuse(500)
        self._stop_timers()
        self.transport.close()
        self.loop.call_later(CLOSE_S, self.abort)

    # --- handshake ----------------------------------------------------------------------------------------

    def _receive_handshake(self, head: bytes) -> None:
        """Start the application for a handshake."""
        self.conn.receive_data(head)
        for event in self.conn.events_received():
            if isinstance(event, Request):
                self._has_request = True
                self._response = self.conn.accept(event)
                if self._response.status_code != 101:
                    self._answer(self._response)
                    return
                self.inbox.put_nowait({"type": "websocket.connect"})
                task = self.loop.create_task(self._run(self._scope(event)))
                self._app_state = {}  # no longer needed, and it may refer to this object
                self._server.tasks.add(task)
                task.add_done_callback(self._server.tasks.discard)
        if self.conn.handshake_exc is not None and not self._has_request:
            self.is_closing = True
            self.transport.close()

    def _scope(self, request: Request) -> Scope:
        path, _, query = request.path.partition("?")
        return {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "ws" if self.transport.get_extra_info("sslcontext") is None else "wss",
            "server": endpoint(self.transport, "sockname"),
            "client": endpoint(self.transport, "peername") or unix_client(self.transport),
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
        """Run the application; close the connection after any error in it."""
        try:
            await cast(Any, self._app)(scope, self.receive, self.send)
        except Exception:
            _LOG.exception("Exception in ASGI application")
        if not self._accepted and not self.is_closing:
            self._refuse(500)
        if self._close_timer is None:
            self.transport.close()

    async def receive(self) -> Message:
        """Return the next event for the application."""
        message = await self.inbox.get()
        if self.is_reading_paused and self.inbox.empty():
            self.is_reading_paused = False
            self.transport.resume_reading()
        return message

    async def send(self, message: Message) -> None:
        """Accept or refuse the handshake, or close; other messages go through ``write``.

        Raises:
            RuntimeError: for any other message.
        """
        kind = message["type"]
        if kind == "websocket.accept" and self._response is not None:
            if not self.is_closing and not self.transport.is_closing():
                self._accepted = True
                for name, value in message.get("headers", []):
                    self._response.headers[name.decode("latin-1")] = value.decode("latin-1")
                self.conn.send_response(self._response)
                self._flush()
                self._schedule_ping()
        elif kind == "websocket.close" and self._accepted:
            self.finish(message.get("code", 1000))
        elif kind == "websocket.close":
            self._refuse(403)
            self._disconnect(ABNORMAL_CLOSURE)
        else:
            raise RuntimeError(f"{kind} cannot be sent: an application accepts, writes to the transport, and closes")

    def _refuse(self, status: int) -> None:
        """Refuse the handshake with a status, and close."""
        if not self.is_closing and not self.transport.is_closing():
            self._answer(self.conn.reject(status, ""))

    def _answer(self, response: Response) -> None:
        """Send a refusal, and close."""
        self.is_closing = True
        self.conn.send_response(response)
        self._flush()
        self.transport.close()

    def forget_handshake(self) -> None:
        """Free the handshake, three kilobytes of headers, after it is accepted."""
        self._response = None
        self._end_handshake()

    def _end_handshake(self) -> None:
        if self.on_handshake_end is not None:
            greeted, self.on_handshake_end = self.on_handshake_end, None
            greeted()

    # --- receiving ------------------------------------------------------------------------------------------

    def _receive_short(self, data: bytes) -> bool:
        """Handle a short message in one complete frame without the parser, as nearly all are; else return False."""
        size = len(data) - _MASKED_HEAD_BYTES
        if not 0 <= size <= SHORT_FRAME_BYTES or data[0] != TEXT or data[1] != _MASKED | size:
            return False
        mask = data[2:_MASKED_HEAD_BYTES] * (size // _MASK_BYTES + 1)
        plain = int.from_bytes(data[_MASKED_HEAD_BYTES:]) ^ int.from_bytes(mask[:size])
        try:
            text = plain.to_bytes(size).decode()
        except UnicodeDecodeError:
            return False
        if self._frames.take():
            self._deliver({"type": "websocket.receive", "text": text})
        else:
            self._close_for_flood()
        return True

    def _split_frames(self, data: bytes) -> None:
        """Pass whole frames to the parser one by one, so that it never buffers a partial one."""
        data = self._partial_frame + data
        at = 0
        while at < len(data) and not self.transport.is_closing():
            end = at + frame_size(data, at)
            if not at < end <= len(data):
                break
            if not self.is_closing and not self._frames.take():
                self._partial_frame = b""
                self._close_for_flood()
                return
            self._receive_frame(data[at:end])
            at = end
        self._partial_frame = data[at:]

    def _receive_frame(self, data: bytes) -> None:
        self.conn.receive_data(data)
        for event in self.conn.events_received():
            if isinstance(event, Frame):
                self._handle(event)
        if self.conn.parser_exc is not None and not self.transport.is_closing():
            self._end(self.conn.close_sent)  # the other side broke the protocol, and the parser has a close frame ready

    def _handle(self, frame: Frame) -> None:
        if frame.opcode is Opcode.CLOSE:
            self._end(self.conn.close_rcvd)
        elif frame.opcode is Opcode.PING:
            self._flush()  # the parser's answer
        elif frame.opcode is Opcode.PONG:
            if self._ping and bytes(frame.data) == self._ping:
                self._ping = b""
                self._schedule_ping()
        elif len(self._fragments) >= MAX_FRAGMENTS:
            self._close_for_flood()
        else:
            if frame.opcode is not Opcode.CONT:
                self._is_text = frame.opcode is Opcode.TEXT
            self._fragments.append(bytes(frame.data))
            if frame.fin:
                self._receive_message()

    def _receive_message(self) -> None:
        whole, self._fragments = b"".join(self._fragments), []
        if self.is_closing:
            return
        try:
            said: dict[str, Any] = {"text": whole.decode()} if self._is_text else {"bytes": whole}
        except UnicodeDecodeError:
            self.conn.fail(INVALID_PAYLOAD)
            self._end(self.conn.close_sent)
        else:
            self._deliver({"type": "websocket.receive", **said})

    def _deliver(self, message: Message) -> None:
        """Pass a message on; pause reading while the application is busy."""
        at_once = self.inbox.is_awaited
        self.inbox.put_nowait(message)
        if not at_once and not self.is_reading_paused:
            self.is_reading_paused = True
            self.transport.pause_reading()

    def _end(self, why: Close | None) -> None:
        """Send the application the reason of the end, write the protocol's last frames, and close."""
        if not self.is_closing:
            self._disconnect(why.code if why else ABNORMAL_CLOSURE, why.reason if why else "")
            self.is_closing = True
        self._stop_timers()
        self._flush()
        self.transport.close()

    def _close_for_flood(self) -> None:
        """Close after too many bytes or frames."""
        metrics.REFUSED.labels("flood").inc()
        if self._accepted:
            self.write(text_frame(encode(Bye("flood"))))
            self.finish(POLICY)
        else:
            self.abort()

    def _disconnect(self, code: int, reason: str = "") -> None:
        self.inbox.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})

    # --- keepalive ----------------------------------------------------------------------------------------

    def _schedule_ping(self) -> None:
        self._stop_pings()
        if self._ping_seconds:
            self._ping_timer = self.loop.call_later(self._ping_seconds, self._send_ping)

    def _send_ping(self) -> None:
        if self.is_closing or self.transport.is_closing():
            return
        self._ping = random.randbytes(4)
        self.conn.send_ping(self._ping)
        self._flush()
        if self._pong_seconds:
            self._ping_timer = self.loop.call_later(self._pong_seconds, self._on_pong_timeout)

    def _on_pong_timeout(self) -> None:
        if not self.is_closing and not self.transport.is_closing():
            self.conn.fail(UNEXPECTED_CONDITION, "no answer to a ping")
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

    # --- sending ------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        self.transport.write(b"".join(self.conn.data_to_send()))

    def write(self, frames: bytes) -> bool:
        """Append frames to the buffer in one system call; return False, and write nothing, if too many bytes wait."""
        if self.transport.get_write_buffer_size() > OUTBOX_LIMIT_BYTES:
            return False
        if not self.is_closing and not self.transport.is_closing():
            self.transport.write(frames)
        return True

    def finish(self, code: int) -> None:
        """Send a close frame, and close after the answer or a timeout."""
        if self.is_closing or self.transport.is_closing():
            return
        self._stop_pings()
        self.conn.send_close(code)
        self._flush()
        self.is_closing = True
        self._close_timer = self.loop.call_later(CLOSE_S, self.abort)
        self._disconnect(code)
        if self.is_reading_paused:  # unread messages come before the browser's close frame
            self.is_reading_paused = False
            self.transport.resume_reading()

    def abort(self) -> None:
        """Close at once and discard the buffer."""
        self.transport.abort()


def frame_size(data: bytes, at: int) -> int:
    """Return the size in bytes of the frame at a position; 0 if its head is incomplete (RFC 6455, 5.2).

    For an oversized frame it is the size of the head, by which the parser refuses it.
    """
    if len(data) < at + 2:
        return 0
    size, head = data[at + 1] & 127, 2
    if size > SHORT_FRAME_BYTES:
        head += 2 if size == 126 else 8
        if len(data) < at + head:
            return 0
        size = int.from_bytes(data[at + 2 : at + head])
    if data[at + 1] & _MASKED:
        head += _MASK_BYTES
    return head + (size if size <= FRAME_LIMIT_BYTES else 0)


def set_send_timeout(sock: socket.socket) -> None:
    """Let the system drop a connection that does not acknowledge data."""
    if hasattr(socket, "TCP_USER_TIMEOUT") and sock.family in (socket.AF_INET, socket.AF_INET6):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)


def endpoint(transport: BaseTransport, end: str) -> tuple[str, int] | None:
    """Return host and port of one end of a connection, ``sockname`` or ``peername``; None if it has none."""
    found = transport.get_extra_info(end)
    return (str(found[0]), int(found[1])) if isinstance(found, tuple) else None


def unix_client(transport: BaseTransport) -> tuple[str, int] | None:
    """Return this machine as the client of a Unix socket, which nobody else can reach; None for other sockets."""
    sock: socket.socket | None = transport.get_extra_info("socket")
    unix = sock is not None and sock.family not in (socket.AF_INET, socket.AF_INET6)
    return (LOOPBACK, 0) if unix else None

"""A WebSocket connection with a door to its transport: written to at once, cut off at once, and heard with measure.

An ASGI application can neither see how much waits to be sent nor abort a connection, and a proper goodbye to a browser
that has stopped reading would wait for it. Nor does it hear of pings, pongs and empty fragments, which cost as much as
messages: frames and bytes are counted here, before and after hello.
"""

from __future__ import annotations

import socket
from asyncio.transports import BaseTransport
from collections.abc import Callable
from typing import Any, Final

from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, apply_mask  # type: ignore[attr-defined]
from websockets.http11 import Request
from websockets.streams import StreamReader

from lastcard.server.guard import metrics
from lastcard.server.guard.security import Bucket
from lastcard.server.wire.frames import SHORT, TEXT, text_frame
from lastcard.server.wire.inbox import Inbox
from lastcard.server.wire.peer import MOST_WAITING, POLICY
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
_SLICE: Final = 1024
"""Bytes that are taken apart at once: frames may have six."""

_MASKED: Final = 0x80
_MASKED_HEAD: Final = 6


class WebSocketTransport(WebSocketsSansIOProtocol):
    """uvicorn's connection; the application finds it as ``websocket.state.transport``."""

    greeted: Callable[[], None] | None = None
    """Called once, when the connection has been let in or has ended before that."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Set the socket up."""
        super().connection_made(transport)
        self._inbox: Inbox[ASGIReceiveEvent] = Inbox(self.loop)
        self.queue = self._inbox  # type: ignore[assignment]
        self._between = False  # two frames: nothing of the next one has come
        self.client = self.client or here(transport)
        self._frames, self._bytes = Bucket(*FRAMES), Bucket(*BYTES)
        self._late = 0  # bytes that have come since we said goodbye
        sock = transport.get_extra_info("socket")
        if sock is not None:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            give_up_silent(sock)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended, and is given back at once: the garbage collector comes seldom."""
        self._greet()
        super().connection_lost(exc)
        self.conn.parser.close()  # it holds what holds it

    def data_received(self, data: bytes) -> None:
        """Take apart what has come, a little at a time, until it is too much."""
        if not self.handshake_initiated:  # this is the head of the request, which has its own bounds
            super().data_received(data)
        elif not self.close_sent and not self._bytes.take(len(data)):
            self._end_flood()
        elif len(data) <= _SLICE and not self.close_sent and not self.transport.is_closing():  # all that people send
            if not self._between or not self._hear_whole(data):
                super().data_received(data)
                self._between = self._is_between()
        else:
            self._between = False
            for start in range(0, len(data), _SLICE):
                self._take_apart(data[start : start + _SLICE])

    def _take_apart(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self.close_sent:
            self._late += len(data)
            if self._late > AFTER_GOODBYE:
                self.abort()
                return
        super().data_received(data)

    def _hear_whole(self, data: bytes) -> bool:
        """Hear a short message that has come whole, as nearly all do: the parser has nothing to find out about it.

        Returns:
            False for anything else; then nothing has been done.
        """
        size = len(data) - _MASKED_HEAD
        if not 0 <= size <= SHORT or data[0] != TEXT or data[1] != _MASKED | size:
            return False
        try:
            text = apply_mask(data[_MASKED_HEAD:], data[2:_MASKED_HEAD]).decode()
        except UnicodeDecodeError:
            return False
        if not self._frames.take():
            self._end_flood()
            return True
        at_once = self._inbox.awaited
        self._inbox.put_nowait({"type": "websocket.receive", "text": text})
        if not at_once and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
        return True

    def _is_between(self) -> bool:
        """Whether the parser waits for a message to begin."""
        parser: Any = self.conn.parser
        waits_in = getattr(parser.gi_yieldfrom, "gi_yieldfrom", None)
        waits = getattr(waits_in, "gi_code", None) is StreamReader.at_eof.__code__
        return waits and self.conn.current_size is None

    def handle_events(self) -> None:
        """Count the frames that have come, then handle them."""
        events = self.conn.events_received()
        # Behind the head of the request there are only frames, and mostly one.
        frames = len(events) if self.handshake_complete else sum(isinstance(event, Frame) for event in events)
        if frames and not self.close_sent and not self._frames.take(frames):
            self._end_flood()
            return
        self.conn.events = events
        super().handle_events()

    def handle_cont(self, event: Frame) -> None:
        """Put one more piece to a message."""
        if len(self.frames) < MOST_FRAGMENTS:
            super().handle_cont(event)
        else:
            self._end_flood()

    def _end_flood(self) -> None:
        """Too much has come, or in too many pieces."""
        metrics.REFUSED.labels("flood").inc()
        if self.handshake_complete:
            self.write(text_frame(encode(Bye("flood"))))
            self.finish(POLICY)
        else:
            self.abort()

    def handle_connect(self, event: Request) -> None:
        """Introduce the connection to the application, which starts later."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["state"]["transport"] = self

    def forget_handshake(self) -> None:
        """The connection is accepted: its headers, three kilobytes of them, are not needed any more."""
        del self.request, self.response
        self._greet()

    def _greet(self) -> None:
        if self.greeted is not None:
            greeted, self.greeted = self.greeted, None
            greeted()

    def write(self, frames: bytes) -> bool:
        """Write frames behind those that wait, at one go: each one costs a call of the system.

        Returns:
            False where too much waits to be read by the other side; then nothing has been written.
        """
        if self.transport.get_write_buffer_size() > MOST_WAITING:
            return False
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(frames)
        return True

    def finish(self, code: int) -> None:
        """Say goodbye, and hang up when the browser has answered or after a moment."""
        if self.close_sent or self.transport.is_closing():
            return
        self.stop_keepalive()
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = self.loop.call_later(CLOSE_SECONDS, self.abort)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})
        if self.read_paused:  # with messages that nobody will take any more; the answer comes behind them
            self.read_paused = False
            self.transport.resume_reading()

    def shutdown(self) -> None:
        """The server stops: hang up, and do not wait long for those who do not read."""
        super().shutdown()
        self.loop.call_later(CLOSE_SECONDS, self.abort)

    def abort(self) -> None:
        """Hang up at once; what waits is lost."""
        self.transport.abort()


def give_up_silent(sock: socket.socket) -> None:
    """Let the system give a connection up that does not take what is sent."""
    if hasattr(socket, "TCP_USER_TIMEOUT") and sock.family in (socket.AF_INET, socket.AF_INET6):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)


def here(transport: BaseTransport) -> tuple[str, int] | None:
    """This machine, as the caller of a Unix socket: nobody else reaches one. None for other sockets."""
    sock: socket.socket | None = transport.get_extra_info("socket")
    unix = sock is not None and sock.family not in (socket.AF_INET, socket.AF_INET6)
    return (LOOPBACK, 0) if unix else None

"""A WebSocket connection with a door to its transport: written to at once, cut off at once.

An ASGI application can neither see how much waits to be sent nor abort a connection, and a proper goodbye to a browser
that has stopped reading would wait for it.
"""

from __future__ import annotations

import socket
from asyncio.transports import BaseTransport
from collections.abc import Sequence
from struct import Struct
from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

SEND_BUFFER: Final = 32 * 1024
"""Bytes the system may hold for a browser that does not read; it doubles them."""
SILENT_MS: Final = 20_000
"""After so long without a sign that what was sent has arrived the system gives a connection up."""
CLOSE_SECONDS: Final = 2.0
"""A browser has so long to say goodbye."""

_TEXT: Final = 0x81
_SHORT: Final = 125
_MEDIUM: Final = 0xFFFF
_MEDIUM_HEAD: Final = Struct(">BBH").pack
_LONG_HEAD: Final = Struct(">BBQ").pack


class WebSocketTransport(WebSocketsSansIOProtocol):
    """uvicorn's connection; the application finds it as ``websocket.state.transport``."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Set the socket up."""
        super().connection_made(transport)
        sock = transport.get_extra_info("socket")
        if sock is None:
            return
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if hasattr(socket, "TCP_USER_TIMEOUT") and sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)

    def handle_connect(self, event: Request) -> None:
        """Introduce the connection to the application, which starts later."""
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["state"]["transport"] = self

    def forget_handshake(self) -> None:
        """The connection is accepted: its headers, three kilobytes of them, are not needed any more."""
        del self.request, self.response

    def write_texts(self, texts: Sequence[bytes]) -> None:
        """Write messages behind those that wait, at one go: each one costs a call of the system."""
        if not self.close_sent and not self.transport.is_closing():
            self.transport.write(b"".join(map(text_frame, texts)))

    def waiting(self) -> int:
        """How many bytes wait to be read by the other side."""
        return self.transport.get_write_buffer_size()

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


def text_frame(text: bytes) -> bytes:
    """A text in UTF-8 as one WebSocket frame of a server: neither masked nor compressed (RFC 6455, 5.2)."""
    size = len(text)
    if size <= _SHORT:
        return bytes((_TEXT, size)) + text
    if size <= _MEDIUM:
        return _MEDIUM_HEAD(_TEXT, 126, size) + text
    return _LONG_HEAD(_TEXT, 127, size) + text

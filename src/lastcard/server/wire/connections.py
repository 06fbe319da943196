"""An HTTP connection whose requests are bounded before they are any: their heads in bytes and time, and how many
connections an address has.
"""

from __future__ import annotations

import socket
from asyncio import TimerHandle, Transport
from collections import Counter
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from lastcard.server.guard import metrics
from lastcard.server.guard.security import is_shared, network_of
from lastcard.server.wire.transport import give_up_silent, here

HEAD_BYTES: Final = 64 * 1024
"""Bytes until the head of a request is complete; what comes of a body nobody has waited for counts too."""
HEAD_SECONDS: Final = 10.0
"""How long that may take."""
MOST_CONNECTIONS: Final = 256
"""Connections without a WebSocket that an address of the wide world may have. A café is one, a browser opens six."""
NEAR_TIMES: Final = 50
"""How many times as many the same house may have, where a proxy may stand, and other addresses that many share."""

_TOO_LARGE: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_connected: Final[Counter[str]] = Counter()


class HttpTransport(HttpToolsProtocol):
    """uvicorn's connection. From the first byte of a request until its head is complete, bytes and time are counted."""

    _head = 0
    """Bytes since the last answer was given, or since the last head was complete."""
    _in_head = True
    _timer: TimerHandle | None = None
    _upgraded = False
    _network: str | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Count the connection, or hang up where its address has too many."""
        super().connection_made(transport)
        self.client = self.client or here(transport)
        sock: socket.socket | None = transport.get_extra_info("socket")
        if sock is not None:
            give_up_silent(sock)
        host = self.client[0] if self.client else ""
        network = network_of(host)
        if _connected[network] >= MOST_CONNECTIONS * (NEAR_TIMES if is_shared(host) else 1):
            metrics.REFUSED.labels("too-many").inc()
            transport.abort()
            return
        _connected[network] += 1
        self._network = network
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        self._let_go()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, as far as a head may go."""
        while data and not self._upgraded and not self.transport.is_closing():
            if not self._waits:
                super().data_received(data)
                return
            if self._head >= HEAD_BYTES:
                metrics.REFUSED.labels("too-long").inc()
                self.transport.write(_TOO_LARGE)
                self.transport.close()
                return
            self._watch()
            part, data = data[: HEAD_BYTES - self._head], data[HEAD_BYTES - self._head :]
            self._head += len(part)
            super().data_received(part)

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its head is complete."""
        self._in_head = False
        self._head = 0
        self._unwatch()
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """The connection is a WebSocket's from now on, which is counted elsewhere."""
        self._upgraded = True
        self._let_go()
        super().handle_websocket_upgrade()

    @property
    def _waits(self) -> bool:
        """Whether no request is being answered."""
        return self._in_head or self.cycle.response_complete

    def _watch(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        self.transport.close()

    def _let_go(self) -> None:
        self._unwatch()
        if self._network is not None:
            _connected[self._network] -= 1
            if not _connected[self._network]:
                del _connected[self._network]
            self._network = None

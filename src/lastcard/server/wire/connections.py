"""An HTTP connection whose requests are bounded before they are any: their heads in bytes and time, how many wait for
their turn, and how many connections an address has.
"""

from __future__ import annotations

import socket
import time
from asyncio import TimerHandle, Transport
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final, cast

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from lastcard.server.guard import metrics
from lastcard.server.guard.security import Network, count_off, is_shared, is_within, network_of, read_networks
from lastcard.server.wire.transport import WebSocketTransport, give_up_silent, here

HEAD_BYTES: Final = 64 * 1024
"""Bytes until the head of a request is complete; what comes of a body nobody has waited for counts too."""
HEAD_SECONDS: Final = 10.0
"""How long that may take."""
MOST_CONNECTIONS: Final = 256
"""Connections without a WebSocket that an address of the wide world may have. A café is one, a browser opens six."""
NEAR_TIMES: Final = 50
"""How many times as many a proxy may have, the same house, and other addresses that many share."""
MOST_GREETING: Final = 32
"""WebSockets of an address of the wide world that may wait to be let in; what comes beyond tries again later."""
MOST_HEADERS: Final = 100
"""Lines of a head; a browser sends twenty."""
MOST_AHEAD: Final = 16
"""Requests that may wait behind one that is being answered. Browsers send none before they have their answer."""
SHUT_SECONDS: Final = 2.0
"""For so long no connection is taken from an address that has sent far too much."""
MOST_SHUT: Final = 10_000
"""Addresses of which that is remembered; beyond, the first are forgotten."""

_TOO_LARGE: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_connected: Final[Counter[str]] = Counter()
_greeting: Final[Counter[str]] = Counter()
"""WebSockets that have not been let in yet, by network."""
_shut: Final[dict[str, float]] = {}
"""Until when no connections are taken, by network."""


def shut_out(address: str) -> None:
    """Take no connection from an address for a moment, for even a refusal costs work; where many share it, go on."""
    if not is_shared(address):
        network = network_of(address)
        _shut.pop(network, None)
        if len(_shut) >= MOST_SHUT:
            del _shut[next(iter(_shut))]
        _shut[network] = time.monotonic() + SHUT_SECONDS


ANYBODY: Final = "*"
"""Every proxy."""


def name_proxies(names: str) -> str:
    """Proxies whose word counts on where a call comes from, so that uvicorn knows them too: networks by their first
    address, and those of IPv4 also as an IPv6 socket names them.

    Args:
        names: addresses and networks with commas between, or ``*``.

    Raises:
        UsageError: for one that cannot be read.
    """
    if names == ANYBODY:
        return names
    networks = read_networks(names, "--trusted-proxies")
    mapped = [f"::ffff:{net.network_address}/{96 + net.prefixlen}" for net in networks if net.version == 4]
    return ",".join([*map(str, networks), *mapped])


@lru_cache(8)
def _networks(names: str) -> Sequence[Network]:
    """What ``name_proxies`` has named."""
    return read_networks("0.0.0.0/0,::/0" if names == ANYBODY else names, "--trusted-proxies")


class HttpTransport(HttpToolsProtocol):
    """uvicorn's connection. From the first byte of a request until its head is complete, bytes and time are counted."""

    _head = 0
    """Bytes since the last answer was given, or since the last head was complete."""
    _in_head = True
    _timer: TimerHandle | None = None
    _upgraded = False
    _used = False
    """Whether a request has come by it."""
    _network: str | None = None
    _answered: RequestResponseCycle | None = None
    """The request whose answer was begun last; ``cycle`` is the one that came last, and may wait behind it."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Count the connection, or hang up where its address has too many."""
        super().connection_made(transport)
        self.client = self.client or here(transport)
        sock: socket.socket | None = transport.get_extra_info("socket")
        if sock is not None:
            give_up_silent(sock)
        network = network_of(self._host)
        if _is_shut(network):
            transport.abort()
            return
        if _connected[network] >= MOST_CONNECTIONS * self._times:
            metrics.REFUSED.labels("too-many").inc()
            transport.abort()
            return
        _connected[network] += 1
        self._network = network
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended: nobody is there for the answer, nor for those to requests that wait behind it."""
        self._let_go()
        self.pipeline.clear()
        if self._answered is not None:
            self.cycle = self._answered
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, as far as a head may go."""
        if _shut and not self._used and self._network is not None and _is_shut(self._network):
            self.transport.abort()  # its address sends far too much on other connections, and no request came by this
            return
        while data and not self._upgraded and not self.transport.is_closing():
            if not self._waits:
                super().data_received(data)
                return
            if self._head >= HEAD_BYTES:
                self._shut_out("too-long")
                self.transport.write(_TOO_LARGE)
                self.transport.close()
                return
            self._watch()
            part, data = data[: HEAD_BYTES - self._head], data[HEAD_BYTES - self._head :]
            self._head += len(part)
            super().data_received(part)

    def on_message_begin(self) -> None:
        """A request begins.

        Raises:
            ValueError: there are too many; the parser stops, and the caller hears 400. So it is with ``on_header``.
        """
        if len(self.pipeline) >= MOST_AHEAD:
            self._shut_out("flood")
            raise ValueError("requests without end")
        self._in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """One more line of a head."""
        if len(self.headers) >= MOST_HEADERS:
            self._shut_out("too-long")
            raise ValueError("a head without end")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Its head is complete."""
        self._in_head, self._used = False, True
        self._head = 0
        self._unwatch()
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def handle_websocket_upgrade(self) -> None:
        """The connection is a WebSocket's from now on, which is counted elsewhere once it is let in."""
        self._upgraded = True
        self._let_go()
        network = network_of(self._host)
        if _greeting[network] >= MOST_GREETING * self._times:
            metrics.REFUSED.labels("too-many").inc()
            self.transport.abort()
            return
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it holds what holds it
        _greeting[network] += 1
        cast(WebSocketTransport, self.transport.get_protocol()).greeted = partial(count_off, _greeting, network)

    @property
    def _waits(self) -> bool:
        """Whether no request is being answered."""
        return self._in_head or self.cycle.response_complete

    @property
    def _host(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def _times(self) -> int:
        """How many times as many as one household may come from its address."""
        return NEAR_TIMES if is_shared(self._host) or self._is_proxy else 1

    @property
    def _is_proxy(self) -> bool:
        names = self.config.forwarded_allow_ips
        return self.config.proxy_headers and isinstance(names, str) and is_within(self._host, _networks(names))

    def _shut_out(self, code: str) -> None:
        metrics.REFUSED.labels(code).inc()
        if not self._is_proxy:  # others come by it too
            shut_out(self._host)

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
            count_off(_connected, self._network)
            self._network = None


def _is_shut(network: str) -> bool:
    until = _shut.get(network)
    if until is not None and until <= time.monotonic():
        del _shut[network]
        return False
    return until is not None

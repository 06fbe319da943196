"""An HTTP connection whose requests are bounded before they are any: their heads in bytes and time, how many wait for
their turn, and how many connections an address has.
"""

from __future__ import annotations

import asyncio
import socket
import time
from asyncio import TimerHandle
from asyncio.transports import BaseTransport
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any, Final, cast

import httptools
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from lastcard.server.guard import metrics
from lastcard.server.guard.security import Network, count_off, is_shared, is_within, network_of, read_networks
from lastcard.server.wire.transport import WebSocketTransport, address, give_up_silent, here

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
_BAD_REQUEST: Final = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_CONNECTION: Final = "lastcard.connection"
"""The key under which a request has its connection, until the application begins."""
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


class Entrance:
    """The application as connections call it: it tells them when a request is answered.

    Args:
        app: the application.
        proxies: as ``name_proxies`` gives them, of proxies that may say where a call comes from.
    """

    def __init__(self, app: ASGIApp, proxies: str | None) -> None:
        self.proxies = proxies
        self._app = app if proxies is None else ProxyHeadersMiddleware(cast(Any, app), proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, a WebSocket or the lifespan of the server."""
        connection: HttpTransport | None = scope.get("state", {}).pop(_CONNECTION, None)
        if connection is None or scope["type"] != "http":
            await self._call(scope, receive, send)
            return
        scope["client"] = connection.client
        answered = False

        async def send_and_count(message: Message) -> None:
            nonlocal answered
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body") and not answered:
                answered = True
                connection.count_answer()

        try:
            await self._call(scope, partial(connection.receive, receive), send_and_count)
        finally:
            if not answered:
                connection.count_answer()

    async def _call(self, scope: Scope, receive: Receive, send: Send) -> None:
        await cast(ASGIApp, self._app)(scope, receive, send)


class _Line(asyncio.Transport):
    """A transport for uvicorn's protocol: an answer that nobody waits for any more is written to nowhere.

    Of several requests, uvicorn tells only the last that the connection has ended.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self._transport = transport
        for name in ("close", "is_closing", "pause_reading", "resume_reading", "get_extra_info", "set_protocol"):
            setattr(self, name, getattr(transport, name))

    def write(self, data: Any) -> None:
        """Write where the connection has not ended."""
        if not self._transport.is_closing():
            self._transport.write(data)


class HttpTransport(asyncio.Protocol):
    """A connection of uvicorn's (``uvicorn.Config(http=…)``) before uvicorn's own protocol, which answers what passes.

    From the first byte of a request until its head is complete, bytes and time are counted.

    Args:
        config: of the server; its application is an ``Entrance``.
        server_state: the connections and tasks of the server.
        app_state: what every request gets as its state.
        _loop: the event loop; else the running one.
    """

    transport: asyncio.Transport
    client: tuple[str, int] | None = None
    """Where the call comes from."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.loop = _loop or asyncio.get_running_loop()
        self._inner = HttpToolsProtocol(config, server_state, {**app_state, _CONNECTION: self}, self.loop)
        self._parser = httptools.HttpRequestParser(self)
        self._proxies = cast(Entrance, config.app).proxies
        self._lost: asyncio.Future[None] = self.loop.create_future()
        self._begun = self._answered = 0
        """Requests."""
        self._head = 0
        """Bytes since the last answer was given, or since the last head was complete."""
        self._lines = 0
        """Of the head."""
        self._in_head = True
        self._wants_upgrade = False
        self._timer: TimerHandle | None = None
        self._network: str | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Count the connection, or hang up where its address has too many."""
        self.transport = cast(asyncio.Transport, transport)
        self._inner.connection_made(_Line(self.transport))
        self.client = address(transport, "peername") or here(transport)
        sock: socket.socket | None = transport.get_extra_info("socket")
        if sock is not None:
            give_up_silent(sock)
        network = network_of(self._host)
        if _is_shut(network):
            self.transport.abort()
            return
        if _connected[network] >= MOST_CONNECTIONS * self._times:
            metrics.REFUSED.labels("too-many").inc()
            self.transport.abort()
            return
        _connected[network] += 1
        self._network = network
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended: nobody is there for the answer, nor for those to requests that wait behind it."""
        self._let_go()
        if not self._lost.done():
            self._lost.set_result(None)
        self._inner.connection_lost(exc)
        self._inner = self._parser = cast(Any, None)  # they hold what holds them

    def eof_received(self) -> None:
        """No more comes."""
        self._inner.eof_received()

    def pause_writing(self) -> None:
        """What is sent waits to be read."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """It was read."""
        self._inner.resume_writing()

    def data_received(self, data: bytes) -> None:
        """Read on, as far as a head may go."""
        if _shut and not self._begun and self._network is not None and _is_shut(self._network):
            self.transport.abort()  # its address sends far too much on other connections, and no request came by this
            return
        while data and self._inner is not None and not self.transport.is_closing():
            if not self._waits:
                self._pass(data)
                return
            if self._head >= HEAD_BYTES:
                self._shut_out("too-long")
                self._answer(_TOO_LARGE)
                return
            self._watch()
            part, data = data[: HEAD_BYTES - self._head], data[HEAD_BYTES - self._head :]
            self._head += len(part)
            self._pass(part)

    def _pass(self, data: bytes) -> None:
        """Look at what has come, and hand it on."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._wants_upgrade:
                self._upgrade(data)
                return
        except httptools.HttpParserCallbackError:  # one of ours: too much
            self._answer(_BAD_REQUEST)
            return
        except httptools.HttpParserError:
            pass  # which is answered by uvicorn
        self._inner.data_received(data)

    def _upgrade(self, data: bytes) -> None:
        """The connection is a WebSocket's from now on, which is counted elsewhere once it is let in."""
        self._let_go()
        network = network_of(self._host)
        if _greeting[network] >= MOST_GREETING * self._times:
            metrics.REFUSED.labels("too-many").inc()
            self.transport.abort()
            return
        self._inner.data_received(data)
        opened = self.transport.get_protocol()
        if isinstance(opened, WebSocketTransport):
            _greeting[network] += 1
            opened.greeted = partial(count_off, _greeting, network)
            opened.transport = self.transport
            self._inner.connection_lost(ConnectionResetError("it is a WebSocket now"))
            self._inner = self._parser = cast(Any, None)  # they hold what holds them

    def _answer(self, response: bytes) -> None:
        self.transport.write(response)
        self.transport.close()

    # --- what the parser finds ------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """A request begins.

        Raises:
            ValueError: there are too many; the caller hears 400. So it is with ``on_header``.
        """
        if self._begun - self._answered > MOST_AHEAD:
            self._shut_out("flood")
            raise ValueError("requests without end")
        self._begun += 1
        self._lines, self._in_head, self._wants_upgrade = 0, True, False

    def on_header(self, name: bytes, value: bytes) -> None:
        """One more line of a head."""
        self._lines += 1
        if self._lines > MOST_HEADERS:
            self._shut_out("too-long")
            raise ValueError("a head without end")
        self._wants_upgrade |= name.lower() == b"upgrade" and value.lower() == b"websocket"

    def on_headers_complete(self) -> None:
        """Its head is complete."""
        self._in_head, self._head = False, 0
        self._unwatch()

    # --- what the application tells ---------------------------------------------------------------------------

    def count_answer(self) -> None:
        """A request is answered."""
        self._answered += 1

    async def receive(self, receive: Receive) -> Message:
        """What comes for the application; also to the first of several requests, that nobody waits for its answer."""
        if self._begun - self._answered <= 1 and not self._lost.done():
            return await receive()
        coming = asyncio.ensure_future(receive())
        await asyncio.wait((coming, self._lost), return_when=asyncio.FIRST_COMPLETED)
        if coming.done():
            return coming.result()
        coming.cancel()
        return {"type": "http.disconnect"}

    # --------------------------------------------------------------------------------------------------------

    @property
    def _waits(self) -> bool:
        """Whether no request is being answered."""
        return self._in_head or self._answered >= self._begun

    @property
    def _host(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def _times(self) -> int:
        """How many times as many as one household may come from its address."""
        return NEAR_TIMES if is_shared(self._host) or self._is_proxy else 1

    @property
    def _is_proxy(self) -> bool:
        return self._proxies is not None and is_within(self._host, _networks(self._proxies))

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

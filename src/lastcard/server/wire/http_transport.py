"""An HTTP connection with limits: bytes and time of request heads, waiting requests, and connections per address."""

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

from lastcard.server.security import metrics
from lastcard.server.security.security import (
    Network,
    decrement,
    is_shared_address,
    is_within,
    network_of,
    read_networks,
)
from lastcard.server.wire.websocket_transport import WebSocketTransport, endpoint, set_send_timeout, unix_client

HEAD_LIMIT_BYTES: Final = 64 * 1024
"""Maximum bytes until the head of a request is complete; unread bytes of a body count too."""
HEAD_S: Final = 10.0
"""Maximum seconds until then."""
MAX_CONNECTIONS: Final = 256
"""Connections without a WebSocket from one internet address. A café is one address; a browser opens six."""
SHARED_FACTOR: Final = 50
"""Factor on these limits for proxies, local addresses and others that many people share."""
MAX_HANDSHAKES: Final = 32
"""WebSockets of one internet address whose handshake may be pending; others retry later."""
MAX_HEADERS: Final = 100
"""Maximum lines of a head; a browser sends twenty."""
MAX_PIPELINED: Final = 16
"""Maximum requests that wait behind one. Browsers send no request before the answer to the last one."""
BLOCK_S: Final = 2.0
"""Seconds for which an address that sent far too much gets no connection."""
MAX_BLOCKED: Final = 10_000
"""Maximum number of blocked addresses; beyond it, the oldest are unblocked."""

_TOO_LARGE: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_BAD_REQUEST: Final = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_CONNECTION: Final = "lastcard.connection"
"""The key of the connection in a request's scope until the application begins."""
_connected: Final[Counter[str]] = Counter()
_in_handshake: Final[Counter[str]] = Counter()
"""WebSockets with a pending handshake, by network."""
_blocked_until: Final[dict[str, float]] = {}
"""Times until which networks are blocked."""


def block_address(address: str) -> None:
    """Block new connections from an unshared address for a moment, because even a refusal costs work."""
    if not is_shared_address(address):
        network = network_of(address)
        _blocked_until.pop(network, None)
        if len(_blocked_until) >= MAX_BLOCKED:
            del _blocked_until[next(iter(_blocked_until))]
        _blocked_until[network] = time.monotonic() + BLOCK_S


ANY_PROXY: Final = "*"


def normalize_proxies(names: str) -> str:
    """Return trusted proxies in the form that uvicorn knows: networks by their first address, IPv4 also as IPv6 sockets
    name it.

    Args:
        names: addresses and networks separated by commas, or ``*``.

    Raises:
        UsageError: if one cannot be read.
    """
    if names == ANY_PROXY:
        return names
    networks = read_networks(names, "--trusted-proxies")
    mapped = [f"::ffff:{net.network_address}/{96 + net.prefixlen}" for net in networks if net.version == 4]
    return ",".join([*map(str, networks), *mapped])


@lru_cache(8)
def _networks(names: str) -> Sequence[Network]:
    """Return the networks that ``normalize_proxies`` has named."""
    return read_networks("0.0.0.0/0,::/0" if names == ANY_PROXY else names, "--trusted-proxies")


class ConnectionMiddleware:
    """Notifies connections when a request is answered; it trusts the proxies of ``normalize_proxies``."""

    def __init__(self, app: ASGIApp, proxies: str | None) -> None:
        self.proxies = proxies
        self._app = app if proxies is None else ProxyHeadersMiddleware(cast(Any, app), proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, a WebSocket or the server's lifespan."""
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


class _SafeTransport(asyncio.Transport):
    """A transport for uvicorn's protocol that drops answers after the connection has ended.

    uvicorn notifies only the last of several requests of that.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self._transport = transport
        for name in ("close", "is_closing", "pause_reading", "resume_reading", "get_extra_info", "set_protocol"):
            setattr(self, name, getattr(transport, name))

    def write(self, data: Any) -> None:
        """Write if the connection is open."""
        if not self._transport.is_closing():
            self._transport.write(data)


class HttpTransport(asyncio.Protocol):
    """A connection for uvicorn (``uvicorn.Config(http=…)``) in front of uvicorn's own protocol, with limits.

    The application is a ``ConnectionMiddleware``. The connection counts bytes and time from the first byte of a request
    until its head is complete.
    """

    transport: asyncio.Transport
    client: tuple[str, int] | None = None

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
        self._proxies = cast(ConnectionMiddleware, config.app).proxies
        self._lost: asyncio.Future[None] = self.loop.create_future()
        self._begun = self._answered = 0
        """The number of requests begun, and of requests answered."""
        self._head = 0
        """Bytes since the last answer, or since the last complete head."""
        self._lines = 0
        self._in_head = True
        self._wants_upgrade = False
        self._timer: TimerHandle | None = None
        self._network: str | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        """Count the connection, or close it if its address has too many."""
        self.transport = cast(asyncio.Transport, transport)
        self._inner.connection_made(_SafeTransport(self.transport))
        self.client = endpoint(transport, "peername") or unix_client(transport)
        sock: socket.socket | None = transport.get_extra_info("socket")
        if sock is not None:
            set_send_timeout(sock)
        network = network_of(self._host)
        if _is_blocked(network):
            self.transport.abort()
            return
        if _connected[network] >= MAX_CONNECTIONS * self._limit_factor:
            metrics.REFUSED.labels("too-many").inc()
            self.transport.abort()
            return
        _connected[network] += 1
        self._network = network
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """End the connection, and drop the answers to its requests."""
        self._release()
        if not self._lost.done():
            self._lost.set_result(None)
        self._inner.connection_lost(exc)
        self._inner = self._parser = cast(Any, None)  # breaks reference cycles

    def eof_received(self) -> None:
        self._inner.eof_received()

    def pause_writing(self) -> None:
        """Pause writing while the client does not read."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def data_received(self, data: bytes) -> None:
        """Read on within the limits of a head."""
        if _blocked_until and not self._begun and self._network is not None and _is_blocked(self._network):
            self.transport.abort()  # its address sent far too much on other connections, and this one has no request
            return
        while data and self._inner is not None and not self.transport.is_closing():
            if not self._in_head and self._answered < self._begun:
                self._feed(data)
                return
            if self._head >= HEAD_LIMIT_BYTES:
                self._block("too-long")
                self._answer(_TOO_LARGE)
                return
            self._start_timer()
            part, data = data[: HEAD_LIMIT_BYTES - self._head], data[HEAD_LIMIT_BYTES - self._head :]
            self._head += len(part)
            self._feed(part)

    def _feed(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            if self._wants_upgrade:
                self._upgrade(data)
                return
        except httptools.HttpParserCallbackError:  # raised by our callbacks: a limit is reached
            self._answer(_BAD_REQUEST)
            return
        except httptools.HttpParserError:
            pass  # uvicorn answers it
        self._inner.data_received(data)

    def _upgrade(self, data: bytes) -> None:
        """Hand the connection to the WebSocket transport, which counts it after the handshake."""
        self._release()
        network = network_of(self._host)
        if _in_handshake[network] >= MAX_HANDSHAKES * self._limit_factor:
            metrics.REFUSED.labels("too-many").inc()
            self.transport.abort()
            return
        self._inner.data_received(data)
        opened = self.transport.get_protocol()
        if isinstance(opened, WebSocketTransport):
            _in_handshake[network] += 1
            opened.on_handshake_end = partial(decrement, _in_handshake, network)
            opened.transport = self.transport
            self._inner.connection_lost(ConnectionResetError("it is a WebSocket now"))
            self._inner = self._parser = cast(Any, None)  # breaks reference cycles

    def _answer(self, response: bytes) -> None:
        self.transport.write(response)
        self.transport.close()

    # --- parser callbacks -----------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        """Count a request that begins.

        Raises:
            ValueError: if there are too many; the client gets 400. ``on_header`` does the same.
        """
        if self._begun - self._answered > MAX_PIPELINED:
            self._block("flood")
            raise ValueError("requests without end")
        self._begun += 1
        self._lines, self._in_head, self._wants_upgrade = 0, True, False

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a line of a head."""
        self._lines += 1
        if self._lines > MAX_HEADERS:
            self._block("too-long")
            raise ValueError("a head without end")
        self._wants_upgrade |= name.lower() == b"upgrade" and value.lower() == b"websocket"

    def on_headers_complete(self) -> None:
        """Note that a head is complete."""
        self._in_head, self._head = False, 0
        self._stop_timer()

    # --- calls from the application -----------------------------------------------------------------------------

    def count_answer(self) -> None:
        """Count an answered request."""
        self._answered += 1

    async def receive(self, receive: Receive) -> Message:
        """Return the next ASGI event; every pending request gets the disconnect."""
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
    def _host(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def _limit_factor(self) -> int:
        """Return the factor on the limits of one household for this address."""
        return SHARED_FACTOR if is_shared_address(self._host) or self._is_proxy else 1

    @property
    def _is_proxy(self) -> bool:
        return self._proxies is not None and is_within(self._host, _networks(self._proxies))

    def _block(self, code: str) -> None:
        metrics.REFUSED.labels(code).inc()
        if not self._is_proxy:  # other clients use the proxy too
            block_address(self._host)

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(HEAD_S, self._on_timeout)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_timeout(self) -> None:
        self._timer = None
        self.transport.close()

    def _release(self) -> None:
        self._stop_timer()
        if self._network is not None:
            decrement(_connected, self._network)
            self._network = None


def _is_blocked(network: str) -> bool:
    until = _blocked_until.get(network)
    if until is not None and until <= time.monotonic():
        del _blocked_until[network]
        return False
    return until is not None

"""``lastcard serve``: opens the socket, the store and the kernel, and runs the server until a signal."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.server import ThreadingHTTPServer
from typing import Any, Final, cast

import structlog
import uvicorn
from starlette.applications import Starlette

from lastcard.errors import StoreError, UsageError
from lastcard.kernel.jit import backend, enable_native
from lastcard.server.application import open_app, read_settings
from lastcard.server.http.listening_socket import ServerAddress, bind, bind_socket, find_address, qr_lines
from lastcard.server.security import metrics
from lastcard.server.security.logs import set_up_logs
from lastcard.server.setup.server_options import ServerOptions, split_host_port
from lastcard.server.setup.tunnel import Tunnel, find_tunnel
from lastcard.server.store.database_address import (
    DatabaseAddress,
    describe_lock,
    is_locked,
    own_database,
    publish_address,
)
from lastcard.server.wire.http_transport import ConnectionMiddleware, HttpTransport, normalize_proxies
from lastcard.server.wire.protocol import FRAME_LIMIT_BYTES
from lastcard.server.wire.websocket_transport import WebSocketTransport
from lastcard.text.locale import catalog

PING_S: Final = 20.0
STOP_S: Final = 4
"""Maximum seconds for connections to close."""
GC_THRESHOLDS: Final = (5_000, 20, 50)
"""Collection thresholds: new objects for the youngest generation, then counts for the older ones."""
BYE_S: Final = 3.0
"""Maximum seconds for tables to close."""

_LOG: Final = structlog.get_logger()


def serve(options: ServerOptions) -> int:
    """Serve until a stop signal; return the exit status 0.

    Raises:
        LastcardError: if it cannot: a taken port, a bad address, a database that does not open or has a server.
    """
    public_url = options.normalized_url()
    settings = read_settings(options)
    database = DatabaseAddress(options.database() or own_database())
    if not database.shared and is_locked(database.name):  # before the port, which such a server probably has too
        raise StoreError(describe_lock(database.name))
    with ExitStack() as opened:
        listener = opened.enter_context(_listen(options))
        if options.socket is not None:
            opened.callback(options.socket.unlink, missing_ok=True)
        if options.metrics is not None:
            opened.callback(_serve_metrics(options.metrics).server_close)
        reader = None
        if options.share:
            tunnel = find_tunnel(options.share)
            public_url = opened.enter_context(_opened_tunnel(tunnel, options.language, listener.getsockname()[1]))
            reader = None if tunnel.is_end_to_end else tunnel.operator
        server_address = find_address(listener, public_url)
        set_up_logs()
        address, current_url = server_address.address, server_address.current
        app = open_app(options, settings, address, public_url, current_url=current_url, reader=reader)
        if not database.shared:
            publish_address(database.name, server_address.local)
        backend()  # raises if the backend is not available
        _allow_many_connections()
        gc.freeze()  # excludes existing objects from later runs, each of which stops play for a tenth of a second
        gc.set_threshold(*GC_THRESHOLDS)
        config = server_config(app, proxies=options.proxies())
        close_tables = app.state.registry.close
        TableServer(config, lambda: _announce_and_compile(server_address, options), close_tables).run([listener])
    _LOG.info("stopped")
    return 0


def server_config(app: Starlette, *, proxies: str | None = None) -> uvicorn.Config:
    """Return uvicorn's configuration for the application.

    Args:
        proxies: addresses and networks, separated by commas, of proxies trusted for client addresses, also in a chain.

    Raises:
        UsageError: if one cannot be read.
    """
    return uvicorn.Config(
        cast(Any, ConnectionMiddleware(app, None if proxies is None else normalize_proxies(proxies))),
        interface="asgi3",
        http=HttpTransport,
        ws=WebSocketTransport,
        ws_max_size=FRAME_LIMIT_BYTES,
        ws_ping_interval=PING_S,
        ws_ping_timeout=PING_S,
        ws_per_message_deflate=False,  # saves half the time and a third of the memory, and message lengths leak nothing
        access_log=False,
        log_config=None,
        proxy_headers=False,  # ``ConnectionMiddleware`` reads them
        server_header=False,
        timeout_graceful_shutdown=STOP_S,
    )


class TableServer(uvicorn.Server):
    """uvicorn with a proper close of every WebSocket.

    It calls ``started`` when it listens, and ``goodbye`` when it has stopped listening and connections are still open.
    """

    def __init__(self, config: uvicorn.Config, started: Callable[[], None], goodbye: Callable[[], Any]) -> None:
        super().__init__(config)
        self._started = started
        self._goodbye = goodbye

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        if self.started:
            self._started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, send goodbyes, close the connections."""
        for server in self.servers:
            server.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(BYE_S):
                await self._goodbye()
        await super().shutdown(sockets)
        if self.force_exit:  # after a second Ctrl-C uvicorn would cancel the application and log a traceback
            await self.lifespan.shutdown()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal, also of a closed window. uvicorn would raise it again and change the exit status."""
        with super().capture_signals(), self._stopping_on("SIGHUP"):
            yield
            self._captured_signals.clear()

    @contextmanager
    def _stopping_on(self, name: str) -> Iterator[None]:
        """Stop on another signal, if the system has it and it is not ignored."""
        number = getattr(signal, name, None)
        here = threading.current_thread() is threading.main_thread()
        if not here or number is None or signal.getsignal(number) is signal.SIG_IGN:
            yield
            return
        before = signal.signal(number, self.handle_exit)
        try:
            yield
        finally:
            signal.signal(number, before)


def _listen(options: ServerOptions) -> socket.socket:
    """Return the listening socket.

    Raises:
        UsageError: if that fails.
    """
    if options.share and (options.public_url or options.socket):
        raise UsageError("--share brings an address of its own: without --public-url and --socket")
    if options.socket is None:
        return bind(options.host, options.port)
    if options.public_url is None:
        raise UsageError("--socket needs --public-url: nobody can find a Unix socket but a proxy, which has an address")
    return bind_socket(options.socket)


@contextmanager
def _opened_tunnel(tunnel: Tunnel, language: str, port: int) -> Iterator[str]:
    """Open a tunnel for the duration of the block; yield its URL.

    Raises:
        UsageError: if it does not open.
    """
    texts = catalog(language)
    _say(texts.text("play.serve.sharing", tunnel=tunnel.name))
    _say(texts.text("play.serve.sealed" if tunnel.is_end_to_end else "play.serve.through", whose=tunnel.operator))
    running = tunnel.open(port, lambda: _say(texts.text("play.serve.shut", tunnel=tunnel.name)))
    try:
        yield running.address
    finally:
        running.close()


def _serve_metrics(host_port: str) -> ThreadingHTTPServer:
    """Serve metrics at ``HOST:PORT``.

    Raises:
        UsageError: if that fails.
    """
    host, port = split_host_port(host_port)
    try:
        return metrics.serve(host, port)
    except (OSError, OverflowError) as error:
        raise UsageError(f"--metrics {host_port}: {error}") from None


def _allow_many_connections() -> None:
    """Raise the limit on open files to the system's hard limit, because each connection is one."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _announce_and_compile(server_address: ServerAddress, options: ServerOptions) -> None:
    """Print the URLs, open the browser, and switch to native code when it is ready."""
    log = _LOG.debug if sys.stderr.isatty() else _LOG.info  # a terminal shows the address, in words
    log("started", port=server_address.port, kernel=backend().name)
    texts = catalog(options.language)
    if server_address.local != server_address.address or not server_address.is_public:
        _say(texts.text("play.serve.here", address=server_address.local))
    if server_address.is_public:
        _say(texts.text("play.serve.world", address=server_address.address))
    elif server_address.address != server_address.local:
        _say(texts.text("play.serve.house", address=server_address.address))
    if server_address.address != server_address.local:
        _say(*qr_lines(server_address.address, sys.stdout.encoding))
    _say(texts.text("play.serve.stop"))
    if options.open_browser if options.open_browser is not None else _has_screen():
        webbrowser.open(server_address.local)
    enable_native(on_state=lambda state: log("native code", state=state))


def _say(*lines: str) -> None:
    """Print lines for the person who started the server. Errors are ignored, as on a full disk."""
    with suppress(OSError):
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()


def _has_screen() -> bool:
    """Return whether a person probably sits at this computer."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))

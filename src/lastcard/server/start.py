"""``lastcard serve``: an address to listen on, a store, the kernel, the server, and on until somebody stops it."""

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

from lastcard.errors import UsageError
from lastcard.kernel.jit import form, speed_up
from lastcard.server.guard import metrics
from lastcard.server.guard.logs import set_up_logs
from lastcard.server.guard.security import set_shared
from lastcard.server.http.address import ServerAddress, bind, bind_socket, find_address, qr_lines
from lastcard.server.http.app import Site, create_app
from lastcard.server.setup.options import ServerOptions, split_place
from lastcard.server.setup.tunnel import Tunnel, find_tunnel
from lastcard.server.store.place import own_database
from lastcard.server.store.store import Store
from lastcard.server.table.registry import TableRegistry
from lastcard.server.table.warden import Warden
from lastcard.server.wire.connections import Entrance, HttpTransport, name_proxies
from lastcard.server.wire.protocol import MAX_FRAME
from lastcard.server.wire.transport import WebSocketTransport
from lastcard.server.wire.workers import open_bus
from lastcard.text.locale import catalog

PING_SECONDS: Final = 20.0
STOP_SECONDS: Final = 4
"""How long connections may take to end."""
COLLECT: Final = (5_000, 20, 50)
"""New objects until the youngest are looked through, and how many times until the older ones are."""
BYE_SECONDS: Final = 3.0
"""How long the tables may take to say goodbye."""

_LOG: Final = structlog.get_logger()


def serve(options: ServerOptions) -> int:
    """Serve until a signal says stop.

    Returns:
        The exit status: 0.

    Raises:
        LastcardError: where it cannot: a taken port, a bad address, a database that does not open.
    """
    world, keep_matches, gate = options.world(), options.kept_seconds(), options.gate()
    names, spectators = options.names(), options.watchers()
    set_shared(options.shared_addresses)
    with ExitStack() as opened:
        listener = opened.enter_context(_listen(options))
        if options.socket is not None:
            opened.callback(options.socket.unlink, missing_ok=True)
        if options.metrics is not None:
            opened.callback(_serve_metrics(options.metrics).server_close)
        reader = None
        if options.share:
            tunnel = find_tunnel(options.share)
            world = opened.enter_context(_open_tunnel(tunnel, options.language, listener.getsockname()[1]))
            reader = None if tunnel.sealed else tunnel.whose
        place = find_address(listener, world)
        bus = open_bus(options.redis())
        set_up_logs()
        store = Store.open(options.database() or own_database())
        warden = Warden(store, bus, chat=options.begins_with_chat(), reads=gate is not None)
        registry = TableRegistry(
            store,
            bus,
            public_url=place.now,
            spectators=spectators,
            warden=warden,
            keep_matches=keep_matches,
        )
        site = Site(place.address, world, names, options.solo, options.analysis, reader)
        app = create_app(store, bus, registry, site, gate)
        form()  # where it cannot be had, this says so
        _allow_many_connections()
        _calm_collector()
        config = server_config(app, proxies=options.proxies())
        TableServer(config, lambda: _begin(place, options), registry.close).run([listener])
    _LOG.info("stopped")
    return 0


def server_config(app: Starlette, *, proxies: str | None = None) -> uvicorn.Config:
    """How uvicorn serves the application.

    Args:
        app: the application.
        proxies: addresses and networks, with commas between, of proxies that may say where a call comes from, be there
            several in a row.

    Raises:
        UsageError: for one that cannot be read.
    """
    return uvicorn.Config(
        cast(Any, Entrance(app, None if proxies is None else name_proxies(proxies))),
        interface="asgi3",
        http=HttpTransport,
        ws=WebSocketTransport,
        ws_max_size=MAX_FRAME,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # half the time, a third of the memory, and no length to learn from
        access_log=False,
        log_config=None,
        proxy_headers=False,  # ``Entrance`` reads them
        server_header=False,
        timeout_graceful_shutdown=STOP_SECONDS,
    )


class TableServer(uvicorn.Server):
    """uvicorn, saying goodbye to every browser before it hangs up.

    Args:
        config: of uvicorn.
        started: called when the server listens.
        goodbye: called once it does not any more, while connections are still open.
    """

    def __init__(self, config: uvicorn.Config, started: Callable[[], None], goodbye: Callable[[], Any]) -> None:
        super().__init__(config)
        self._started = started
        self._goodbye = goodbye

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            self._started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen no more, say goodbye, hang up."""
        for server in self.servers:
            server.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(BYE_SECONDS):
                await self._goodbye()
        await super().shutdown(sockets)
        if self.force_exit:  # by a second Ctrl-C; uvicorn would cut the application off, and log where it stood
            await self.lifespan.shutdown()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal, be it that of a closed window. uvicorn would raise it once more at the end, and the exit
        status would tell of it.
        """
        with super().capture_signals(), self._heeding("SIGHUP"):
            yield
            self._captured_signals.clear()

    @contextmanager
    def _heeding(self, name: str) -> Iterator[None]:
        """Stop on one more signal, where the system has it and nobody has said to ignore it."""
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
    """Where people, or a proxy, come in.

    Raises:
        UsageError: where that cannot be.
    """
    if options.share and (options.public_url or options.socket):
        raise UsageError("--share brings an address of its own: without --public-url and --socket")
    if options.socket is None:
        return bind(options.host, options.port)
    if options.public_url is None:
        raise UsageError("--socket needs --public-url: nobody can find a Unix socket but a proxy, which has an address")
    return bind_socket(options.socket)


@contextmanager
def _open_tunnel(tunnel: Tunnel, language: str, port: int) -> Iterator[str]:
    """A way in from the world, for as long as it is needed; its address.

    Raises:
        UsageError: where it does not open.
    """
    texts = catalog(language)
    _say(texts.text("play.serve.sharing", tunnel=tunnel.name))
    _say(texts.text("play.serve.sealed" if tunnel.sealed else "play.serve.through", whose=tunnel.whose))
    running = tunnel.open(port, lambda: _say(texts.text("play.serve.shut", tunnel=tunnel.name)))
    try:
        yield running.address
    finally:
        running.close()


def _serve_metrics(place: str) -> ThreadingHTTPServer:
    """Show figures at ``HOST:PORT``.

    Raises:
        UsageError: where that cannot be.
    """
    host, port = split_place(place)
    try:
        return metrics.serve(host, port)
    except (OSError, OverflowError) as error:
        raise UsageError(f"--metrics {place}: {error}") from None


def _allow_many_connections() -> None:
    """Take as many open files as the system gives without asking; each connection is one."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _calm_collector() -> None:
    """Let the garbage collector look rarely: as it comes it stops the play for a tenth of a second now and then."""
    gc.freeze()  # what is there by now stays, and is looked at no more
    gc.set_threshold(*COLLECT)


def _begin(place: ServerAddress, options: ServerOptions) -> None:
    """Say where the tables are, and go over to native code when it is there."""
    _announce(place, options)
    speed_up(tell=lambda state: _LOG.info("native code", state=state))


def _announce(place: ServerAddress, options: ServerOptions) -> None:
    """Say where the tables are, and show them."""
    _LOG.info("started", port=place.port, kernel=form().name)
    texts = catalog(options.language)
    if place.local != place.address or not place.public:
        _say(texts.text("play.serve.here", address=place.local))
    if place.public:
        _say(texts.text("play.serve.world", address=place.address))
    elif place.address != place.local:
        _say(texts.text("play.serve.house", address=place.address))
    if place.address != place.local:
        _say(*qr_lines(place.address, sys.stdout.encoding))
    _say(texts.text("play.serve.stop"))
    if options.open_browser if options.open_browser is not None else _has_screen():
        webbrowser.open(place.local)


def _say(*lines: str) -> None:
    """Tell whoever started it. The tables are there also where that cannot be said, as on a disk that is full."""
    with suppress(OSError):
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()


def _has_screen() -> bool:
    """Whether a person sits at this computer, as far as one can tell."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))

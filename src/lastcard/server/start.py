"""``lastcard serve``: an address to listen on, a store, the kernel, the server, and on until somebody stops it."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import structlog
import uvicorn
from starlette.applications import Starlette

from lastcard.engine.jit import form, speed_up
from lastcard.errors import UsageError, named
from lastcard.server.game.presence import SPECTATORS
from lastcard.server.guard import metrics
from lastcard.server.guard.gate import Gate
from lastcard.server.guard.logs import set_up_logs
from lastcard.server.guard.security import set_shared
from lastcard.server.http.address import ServerAddress, bind, check_public_url, find_address, qr_lines
from lastcard.server.http.app import Site, create_app
from lastcard.server.store.place import own_database
from lastcard.server.store.store import Store
from lastcard.server.table.registry import TableRegistry
from lastcard.server.table.warden import Warden
from lastcard.server.wire.connections import HttpTransport
from lastcard.server.wire.protocol import MAX_FRAME
from lastcard.server.wire.transport import WebSocketTransport
from lastcard.server.wire.workers import open_bus
from lastcard.words.locale import catalog

PORT: Final = 8020
ANY_HOST: Final = "0.0.0.0"
PING_SECONDS: Final = 20.0
LOCAL_PROXY: Final = "127.0.0.1,::1"
STOP_SECONDS: Final = 4
"""How long connections may take to end."""
COLLECT: Final = (5_000, 20, 50)
"""New objects until the youngest are looked through, and how many times until the older ones are."""
BYE_SECONDS: Final = 3.0
"""How long the tables may take to say goodbye."""

TOKEN_VARIABLE: Final = "LASTCARD_ADMIN_TOKEN"
"""Of the environment: the token for the admin page."""
_DAYS: Final = re.compile(r"[1-9]\d{0,4}d")

_LOG: Final = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """What the command line says: the options of ``lastcard serve``, in its words."""

    host: str = ANY_HOST
    port: int = PORT
    database_url: str | None = None
    redis_url: str | None = None
    metrics: str | None = None
    allow_host: Sequence[str] = ()
    trusted_proxies: str | None = None
    shared_addresses: str | None = None
    spectators: int = SPECTATORS
    public_url: str | None = None
    keep_matches: str | None = None
    """How long matches that are over are kept, as in ``90d``; None for ever."""
    chat: str | None = None
    """``on``, ``off`` or ``never``; None for off where the world may come."""
    admin_token_file: Path | None = None
    """Where the token for the admin page stands; None takes that of the environment, if there is one."""
    open_browser: bool | None = None
    """None: where there is a person at a screen."""
    language: str = "en"


def serve(options: ServerOptions) -> int:
    """Serve until a signal says stop.

    Returns:
        The exit status: 0.

    Raises:
        LastcardError: where it cannot: a taken port, a bad address, a database that does not open.
    """
    public_url = None if options.public_url is None else check_public_url(options.public_url)
    keep_matches, gate = _seconds(options.keep_matches), _gate(options.admin_token_file)
    set_shared(options.shared_addresses)
    with ExitStack() as opened:
        listener = opened.enter_context(bind(options.host, options.port))
        if options.metrics is not None:
            opened.callback(_serve_metrics(options.metrics).server_close)
        place = find_address(listener, public_url)
        bus = open_bus(options.redis_url)
        store = Store.open(options.database_url or own_database())
        chat = options.chat or ("on" if public_url is None else "off")
        warden = Warden(store, bus, chat=chat, reads=gate is not None)
        registry = TableRegistry(
            store,
            bus,
            public_url=place.address,
            spectators=options.spectators,
            warden=warden,
            keep_matches=keep_matches,
        )
        app = create_app(
            store,
            bus,
            registry,
            Site(place.address, public_url, tuple(name.lower() for name in options.allow_host)),
            gate,
        )
        set_up_logs()
        form()  # where it cannot be had, this says so
        _allow_many_connections()
        _calm_collector()
        proxies = options.trusted_proxies or (None if public_url is None else LOCAL_PROXY)
        config = server_config(app, proxies=proxies)
        TableServer(config, lambda: _begin(place, options), registry.close).run([listener])
    _LOG.info("stopped")
    return 0


def server_config(app: Starlette, *, proxies: str | None = None) -> uvicorn.Config:
    """How uvicorn serves the application.

    Args:
        app: the application.
        proxies: addresses and networks, with commas between, of proxies that may say where a call comes from, be there
            several in a row.
    """
    return uvicorn.Config(
        app,
        http=HttpTransport,
        ws=WebSocketTransport,
        ws_max_size=MAX_FRAME,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # half the time, a third of the memory, and no length to learn from
        access_log=False,
        log_config=None,
        proxy_headers=proxies is not None,
        forwarded_allow_ips=proxies,
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

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on a signal. uvicorn would raise it once more at the end, and the exit status would tell of it."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()


def _seconds(days: str | None) -> float | None:
    """How long ``90d`` is.

    Raises:
        UsageError: for anything else.
    """
    if days is None:
        return None
    if not _DAYS.fullmatch(days):
        raise UsageError(f"--keep-matches {days}: a number of days, as in 90d")
    return int(days[:-1]) * 24 * 3600.0


def _gate(file: Path | None) -> Gate | None:
    """The door to the admin page; None without a token.

    Raises:
        UsageError: for a file that cannot be read, and a token that could be guessed.
    """
    token = os.environ.get(TOKEN_VARIABLE)
    if file is not None:
        with named(file, "cannot be read"):
            token = file.read_text(encoding="utf-8").strip()
    return Gate(token) if token else None


def _serve_metrics(place: str) -> ThreadingHTTPServer:
    """Show figures at ``HOST:PORT``.

    Raises:
        UsageError: where that cannot be.
    """
    host, _, port = place.rpartition(":")
    try:
        return metrics.serve(host.strip("[]"), int(port))
    except (OSError, ValueError, OverflowError) as error:
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
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _has_screen() -> bool:
    """Whether a person sits at this computer, as far as one can tell."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))

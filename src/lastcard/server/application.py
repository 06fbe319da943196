"""The application made from the options of a server, for a server of its own or mounted in another application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import fields
from typing import Any, Final, NamedTuple

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from lastcard.bots.registry import replace_levels
from lastcard.errors import UsageError, suggest
from lastcard.kernel.jit import backend
from lastcard.server.http.app import Site, create_app
from lastcard.server.security.admin_auth import AdminAuth
from lastcard.server.security.security import Network, read_networks, set_nat_networks
from lastcard.server.security.webauthn import open_relying_party
from lastcard.server.setup.server_options import ServerOptions
from lastcard.server.store.database_address import own_database
from lastcard.server.store.store import Store
from lastcard.server.table.moderation import Moderation
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.voice_servers import VoiceServers
from lastcard.server.wire.worker_bus import open_bus

_OF_A_LISTENER: Final = {"host", "port", "socket", "share", "metrics", "trusted_proxies", "open_browser", "public_url"}
"""Options of the server that listens."""


class AppSettings(NamedTuple):
    """The options of the application that need no connection, parsed."""

    admin_auth: AdminAuth | None
    host_names: tuple[str, ...]
    max_spectators: int
    match_retention_s: float | None
    voice_servers: VoiceServers
    embed_origins: tuple[str, ...]
    notify_networks: tuple[Network, ...]


def read_settings(options: ServerOptions) -> AppSettings:
    """Return the parsed options, and use those for client addresses and bots in this process.

    Raises:
        UsageError: for an invalid value.
    """
    settings = AppSettings(
        options.admin_auth(),
        options.host_names(),
        options.max_spectators(),
        options.match_retention_s(),
        options.voice_servers(),
        options.embed_origins(),
        tuple(read_networks(options.notify_networks or "", "--notify-networks")),
    )
    set_nat_networks(options.nat_networks)
    replace_levels(options.substitutes())
    return settings


def open_app(
    options: ServerOptions,
    settings: AppSettings,
    address: str,
    public_url: str | None,
    *,
    current_url: str | Callable[[], str],
    reader: str | None = None,
) -> Starlette:
    """Return the application on its database and bus.

    Args:
        settings: the options' ``read_settings``.
        address: the URL in QR codes.
        public_url: the public URL; None for a server in the local network only.
        current_url: the URL in links, or a function that returns it if it may change.
        reader: the operator of a tunnel that could read the traffic.

    Raises:
        LastcardError: for an invalid option, or a database that does not open.
    """
    admin_auth = settings.admin_auth
    bus = open_bus(options.redis())
    store = Store.open(options.database() or own_database())
    moderation = Moderation(store, bus, chat=options.initial_chat(), has_reader=admin_auth is not None)
    registry = TableRegistry(
        store,
        bus,
        public_url=current_url,
        spectators=settings.max_spectators,
        moderation=moderation,
        match_retention_s=settings.match_retention_s,
        voice_servers=settings.voice_servers,
    )
    site = Site(
        address,
        public_url,
        settings.host_names,
        options.solo_play,
        options.analysis,
        reader,
        puzzles=options.puzzles == "on",
        voice=settings.voice_servers.kind,
        open_tables=options.open_tables == "on",
        embed_origins=settings.embed_origins,
        relying_party=open_relying_party(options.normalized_url()),  # the address of a tunnel changes
        notify_networks=settings.notify_networks,
    )
    return create_app(store, bus, registry, site, admin_auth)


class MountedApp:
    """The table server as a part of another ASGI application. It opens at its first request, or with ``lifespan``."""

    def __init__(self, app: Starlette) -> None:
        self._app = app
        self._opening = asyncio.Lock()
        self._opened: AsyncExitStack | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, a WebSocket or the lifespan."""
        if scope["type"] != "lifespan":
            await self.open()
        await self._app(scope, receive, send)

    async def open(self) -> None:
        """Open tables and bus, unless they are."""
        async with self._opening:
            if self._opened is None:
                stack = AsyncExitStack()
                await stack.enter_async_context(self._app.router.lifespan_context(self._app))
                self._opened = stack

    async def close(self) -> None:
        """Close tables, bus and database."""
        if self._opened is not None:
            await self._opened.aclose()
            self._opened = None

    @asynccontextmanager
    async def lifespan(self, app: Any) -> AsyncIterator[None]:
        """Open it while the other application runs: its ``lifespan``, or a part of that."""
        await self.open()
        try:
            yield
        finally:
            await self.close()


def asgi(address: str, **options: Any) -> MountedApp:
    """Return the table server as an ASGI application that another can mount.

    Its WebSockets have the limits of that other server instead of our own.

    Args:
        address: the public URL of the tables with the path of the mount, such as ``https://example.org/cards``.
        options: options of ``lastcard serve`` by name, such as ``database_url`` or ``spectators`` (docs/server.md).

    Raises:
        LastcardError: for an unknown or invalid option, or a database that does not open.
    """
    for name in _OF_A_LISTENER & options.keys():
        raise UsageError(f"{name} is an option of lastcard serve alone: the other application's server listens")
    names = sorted({each.name for each in fields(ServerOptions)} - _OF_A_LISTENER)
    for name in sorted(options.keys() - set(names)):
        raise UsageError(f"there is no option {name!r}{suggest(name, names)}; there are {', '.join(names)}")
    server_options = ServerOptions(public_url=address, **options)
    public_url = server_options.normalized_url()
    assert public_url is not None
    settings = read_settings(server_options)
    backend()  # raises if the backend is not available
    return MountedApp(open_app(server_options, settings, public_url, public_url, current_url=public_url))

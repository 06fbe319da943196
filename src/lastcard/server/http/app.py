"""The server as an ASGI application: all routes behind one security middleware."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import structlog
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders, State
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lastcard.errors import LastcardError, StoreError
from lastcard.server.game.refusal_messages import error_text, refusal_text
from lastcard.server.http import (
    admin,
    careers,
    daily_deals,
    devices,
    duplicate_matches,
    embedding,
    link_previews,
    matches,
    open_seats,
    pages,
    passkeys,
    reports,
    rules,
    running_matches,
    turn_notices,
)
from lastcard.server.http.embedding import EMBED_PATH
from lastcard.server.http.requests import (
    CallerLimits,
    RequestError,
    address_of,
    error_response,
    path_of,
    texts_for,
    wants_page,
)
from lastcard.server.http.sessions import Sessions
from lastcard.server.http.table_socket import table_socket
from lastcard.server.security import metrics
from lastcard.server.security.admin_auth import AdminAuth
from lastcard.server.security.logs import note_fault
from lastcard.server.security.security import (
    Limit,
    Network,
    embedded_headers,
    is_known_host,
    is_own_origin,
    security_headers,
)
from lastcard.server.security.webauthn import RelyingParty
from lastcard.server.store.store import Store
from lastcard.server.table.day_director import DayDirector
from lastcard.server.table.duplicate_director import DuplicateDirector
from lastcard.server.table.matchmaking import Matchmaker
from lastcard.server.table.notifier import Notifier
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.checked_client import CheckedClient
from lastcard.server.wire.http_transport import block_address
from lastcard.server.wire.worker_bus import Bus
from lastcard.session.table_state import CommandError

_SAFE_METHODS: Final = ("GET", "HEAD")
"""Methods answered before the engine is compiled; all others wait for that."""
_NEVER_BANNED: Final = ("/admin", "/api/admin", "/web/", "/api/locale/", "/healthz", "/readyz")
"""Paths exempt from bans, so that administrators cannot lock themselves out."""
_CREDENTIALS: Final = (b"cookie", b"authorization")
"""Headers that say who calls; pages on other sites do without."""
MAX_WAIT_S: Final = 10.0
"""Maximum seconds that a request waits because its address has sent too many."""
SOCKET_COST: Final = 4
"""Cost of a WebSocket in requests."""
_LOG: Final = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Site:
    """How clients reach the server, and what they compute themselves."""

    address: str
    """The URL in QR codes: the public one, or the one in the local network."""
    public_url: str | None = None
    """The public URL; None for a server in the local network only."""
    hosts: tuple[str, ...] = ()
    """More host names of the server, without port."""
    solo_play: str = "server"
    """Where *Play now* and lessons run: ``server`` or ``client``."""
    analysis: str = "server"
    """Where hints and reports of matches against bots are computed: ``server`` or ``client``."""
    reader: str | None = None
    """The operator of a tunnel that ends HTTPS and could read the traffic; None without one."""
    puzzles: bool = False
    """Whether puzzles may be made of the matches."""
    voice: str = ""
    """The kind of servers through which voice reaches other networks: ``turn``, ``stun`` or (empty) none."""
    open_tables: bool = False
    """Whether people may play with strangers."""
    relying_party: RelyingParty | None = None
    """What checks passkeys; None for a server without them."""
    embed_origins: tuple[str, ...] = ()
    """Origins of sites that may show pages of this one in an ``<iframe>``; ``*`` for all."""
    notify_networks: tuple[Network, ...] = ()
    """Networks to which notifications may go although they are not public."""

    @property
    def base(self) -> str:
        """Return the base path of the pages without a slash at the end; empty if there is none."""
        return urlsplit(self.address).path

    @property
    def data_attributes(self) -> str:
        """Return the page's settings as HTML attributes."""
        wanted = {"solo": self.solo_play, "analysis": self.analysis}
        attributes = [f' data-{name}="client"' for name, where in wanted.items() if where == "client"]
        voice = [f' data-voice="{self.voice}"'] if self.voice else []
        switches = {"open-tables": self.open_tables, "passkeys": self.relying_party, "embed": self.embed_origins}
        return "".join([*attributes, *voice, *(f" data-{name}" for name, on in switches.items() if on)])

    @property
    def names(self) -> frozenset[str]:
        """Return all host names that are not always allowed."""
        addresses = filter(None, (self.address, self.public_url))
        known = [urlsplit(address).hostname or "" for address in addresses]
        return frozenset(name.lower() for name in (*known, *self.hosts, socket.gethostname()))


def create_app(
    store: Store, bus: Bus, registry: TableRegistry, site: Site, admin_auth: AdminAuth | None = None
) -> Starlette:
    """Return the application; it opens and closes bus and tables, and closes the store."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await bus.open()
        await registry.open()
        director.open()
        await day_director.open()
        yield
        await day_director.close()
        await director.close()
        await registry.close()
        await bus.close()
        await asyncio.to_thread(store.close)

    director = DuplicateDirector(store, registry)
    notifier = Notifier(store, CheckedClient(site.notify_networks), registry.url)
    day_director = DayDirector(store, registry, notifier)
    app = Starlette(
        routes=[
            *pages.routes,
            *rules.routes,
            *matches.routes,
            *reports.routes,
            *careers.routes,
            *daily_deals.routes,
            *duplicate_matches.routes,
            *running_matches.routes,
            *open_seats.routes,
            *devices.routes,
            *embedding.routes,
            *link_previews.routes,
            *passkeys.routes,
            *turn_notices.routes,
            *admin.routes,
            WebSocketRoute("/ws/{code}", table_socket),
        ],
        middleware=[Middleware(SecurityMiddleware, site=site)],
        exception_handlers={
            CommandError: _answer_command_error,
            HTTPException: _answer_http_error,
            StoreError: _answer_store_error,
            LastcardError: _answer_lastcard_error,
        },
        lifespan=lifespan,
    )
    app.state = State(
        {
            "store": store,
            "registry": registry,
            "site": site,
            "limits": CallerLimits(),
            "sessions": Sessions(),
            "readiness": pages.Readiness(store),
            "director": director,
            "day_director": day_director,
            "notifier": notifier,
            "matchmaker": Matchmaker(store, registry) if site.open_tables else None,
            "moderation": registry.moderation,
            "admin_auth": admin_auth,
            "joining": asyncio.Lock(),
            "relying_party": site.relying_party,
        }
    )
    return app


class SecurityMiddleware:
    """Wraps every route: refuses unknown host names and changes from foreign pages, adds security headers, and logs and
    answers unexpected errors.
    """

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._public_url = site.public_url
        self._names = site.names
        self._base = site.base
        self._embed_origins = site.embed_origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope = self._with_base(scope)
        headers = Headers(scope=scope)
        known = is_known_host(headers.get("host"), self._names)
        address, moderation = address_of(HTTPConnection(scope)), scope["app"].state.moderation
        if scope["type"] == "websocket":
            welcome = (
                await _has_turn(scope, address, SOCKET_COST) and known and not moderation.is_banned_address(address)
            )
            await (self._app if welcome else _hang_up)(scope, receive, send)
            return
        # Below a base path other servers may share the name, so headers for the whole name are not set.
        https = self._public_url is not None and self._public_url.startswith("https:") and not self._base
        own = security_headers(headers.get("host"), https=https)
        if path_of(Request(scope)).startswith(EMBED_PATH):
            scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] not in _CREDENTIALS]}
            own = embedded_headers(own, headers.get("host"), self._base + EMBED_PATH, self._embed_origins)
        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                MutableHeaders(scope=message).update(own)
            await send(message)

        if not await _has_turn(scope, address):
            answer = _answer_command_error(Request(scope), RequestError(429, "too-fast"))
            answer.headers["connection"] = "close"
            await answer(scope, receive, send_guarded)
            return
        if self._base and scope["path"] == self._base:  # the page finds its base path by the slash
            await RedirectResponse(f"{self._base}/", 308)(scope, receive, send_guarded)
            return
        if not known:
            await _answer_command_error(Request(scope), RequestError(421, "foreign"))(scope, receive, send_guarded)
            return
        if scope["method"] not in _SAFE_METHODS and not is_own_origin(
            headers.get("origin"), headers.get("host"), self._public_url
        ):
            await _answer_command_error(Request(scope), RequestError(403, "foreign"))(scope, receive, send_guarded)
            return
        if moderation.is_banned_address(address) and not path_of(Request(scope)).startswith(_NEVER_BANNED):
            await _answer_command_error(Request(scope), RequestError(403, "banned"))(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, receive, send_guarded)
        except Exception as error:
            reference = note_fault(error, scope["method"])
            if not begun:
                fault = RequestError(500, "fault", reference=reference)
                await _answer_command_error(Request(scope), fault)(scope, receive, send_guarded)

    def _with_base(self, scope: Scope) -> Scope:
        """Return a request with its whole path, whether or not a proxy has removed the base path."""
        path, base = scope["path"], self._base
        if base and path != base and not path.startswith(f"{base}/"):
            path = base + path
        return {**scope, "path": path, "root_path": base}


async def _has_turn(scope: Scope, address: str, cost: int = 1) -> bool:
    """Wait for the turn of a request; return False if its address has sent so many that it would take too long."""
    limit: Limit = scope["app"].state.limits.requests
    wait = limit.spend(address, cost, most=MAX_WAIT_S)
    if wait > MAX_WAIT_S:
        block_address(address)
        return False
    if wait:
        await asyncio.sleep(wait)
    return True


async def _hang_up(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "websocket.close"})


# --- errors ----------------------------------------------------------------------------------------------


def _answer_command_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, CommandError)
    metrics.REFUSED.labels(error.code).inc()
    status = error.status if isinstance(error, RequestError) else 422
    if status == 404 and wants_page(request):
        return pages.show_not_found(request)
    return error_response(status, error.code, refusal_text(texts_for(request), error.code, error.values))


def _answer_http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return _answer_command_error(request, RequestError(status, "not-found"))


def _answer_store_error(request: Request, error: Exception) -> Response:
    _LOG.error("no answer", why=str(error))
    return error_response(503, StoreError.code, texts_for(request).text("web.refused.no-store"))


def _answer_lastcard_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, LastcardError)
    return error_response(422, error.code, error_text(texts_for(request), error))

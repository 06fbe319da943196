"""The server as an ASGI application: all routes behind one guard."""

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
from lastcard.server.game.refusals import error_text, refused_text
from lastcard.server.guard import metrics
from lastcard.server.guard.gate import Gate
from lastcard.server.guard.logs import note_fault
from lastcard.server.guard.security import Limit, is_known_host, is_own_origin, security_headers
from lastcard.server.http import admin, careers, history, pages, reports, rules, running
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
from lastcard.server.http.socket import table_socket
from lastcard.server.seats.document import Denied
from lastcard.server.store.store import Store
from lastcard.server.table.registry import TableRegistry
from lastcard.server.wire.connections import shut_out
from lastcard.server.wire.workers import Bus

_READING: Final = ("GET", "HEAD")
"""What is answered before the engine is compiled; all else waits for that."""
_NEVER_BARRED: Final = ("/admin", "/api/admin", "/web/", "/api/locale/", "/healthz", "/readyz")
"""Whoever runs the server cannot lock themselves out."""
LONGEST_WAIT: Final = 10.0
"""Seconds a request may have to wait because its address has sent too many."""
SOCKET_COST: Final = 4
"""Requests that cost as much as somebody who comes to a table."""
_LOG: Final = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Site:
    """Where the server is reached."""

    address: str
    """What a QR code says: the public address, or the one in the house."""
    public_url: str | None = None
    """Set where the whole world may come."""
    hosts: tuple[str, ...] = ()
    """More names under which people find it, without port."""
    solo: str = "server"
    """Where *Play now* and lessons run: ``server`` or ``page``."""
    analysis: str = "server"
    """Where hints and reports of matches against bots are worked out: ``server`` or ``page``."""
    reader: str | None = None
    """Whose machines could read what people from elsewhere see and do: those of a tunnel at which HTTPS ends."""

    @property
    def thinking(self) -> bool:
        """Whether pages run the rules themselves, for one or the other."""
        return "page" in (self.solo, self.analysis)

    @property
    def base(self) -> str:
        """The path below which the pages are, without a slash at its end; empty where there is none."""
        return urlsplit(self.address).path

    @property
    def marks(self) -> str:
        """How the page learns what it is to do itself, as attributes."""
        wanted = {"solo": self.solo, "analysis": self.analysis}
        return "".join(f' data-{name}="page"' for name, where in wanted.items() if where == "page")

    @property
    def names(self) -> frozenset[str]:
        """All names that are not plain in themselves."""
        addresses = filter(None, (self.address, self.public_url))
        known = [urlsplit(address).hostname or "" for address in addresses]
        return frozenset(name.lower() for name in (*known, *self.hosts, socket.gethostname()))


def create_app(store: Store, bus: Bus, registry: TableRegistry, site: Site, gate: Gate | None = None) -> Starlette:
    """The application; it opens and closes bus and tables, and closes the store.

    Args:
        store: open.
        bus: between workers.
        registry: all tables of this worker.
        site: where the server is reached.
        gate: before the page of whoever runs the server; None where there is no such page.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await bus.open()
        await registry.open()
        yield
        await registry.close()
        await bus.close()
        await asyncio.to_thread(store.close)

    app = Starlette(
        routes=[
            *pages.routes,
            *rules.routes,
            *history.routes,
            *reports.routes,
            *careers.routes,
            *running.routes,
            *admin.routes,
            WebSocketRoute("/ws/{code}", table_socket),
        ],
        middleware=[Middleware(Guard, site=site)],
        exception_handlers={
            Denied: _denied,
            HTTPException: _no_route,
            StoreError: _no_store,
            LastcardError: _no_sense,
        },
        lifespan=lifespan,
    )
    readiness = pages.Readiness(store)
    app.state = State(
        {
            "store": store,
            "registry": registry,
            "site": site,
            "limits": CallerLimits(),
            "sessions": Sessions(),
            "readiness": readiness,
            "warden": registry.warden,
            "gate": gate,
        }
    )
    return app


class Guard:
    """Stands before every route: who calls us by a strange name is sent away, changes come from our own pages only,
    every answer has its headers, and an error nobody expected is noted and answered.
    """

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._public_url = site.public_url
        self._thinking = site.thinking
        self._names = site.names
        self._base = site.base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a call through."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope = self._placed(scope)
        headers = Headers(scope=scope)
        known = is_known_host(headers.get("host"), self._names)
        address, warden = address_of(HTTPConnection(scope)), scope["app"].state.warden
        if scope["type"] == "websocket":
            welcome = await _has_turn(scope, address, SOCKET_COST) and known and not warden.bars(address)
            await (self._app if welcome else _hang_up)(scope, receive, send)
            return
        # Below a path the server is not alone at its name, and orders for the whole name are not its to give.
        https = self._public_url is not None and self._public_url.startswith("https:") and not self._base
        own = security_headers(headers.get("host"), https=https, thinking=self._thinking)
        begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                MutableHeaders(scope=message).update(own)
            await send(message)

        if not await _has_turn(scope, address):
            answer = _denied(Request(scope), RequestError(429, "too-fast"))
            answer.headers["connection"] = "close"
            await answer(scope, receive, send_guarded)
            return
        if self._base and scope["path"] == self._base:  # pages know where they are by the slash
            await RedirectResponse(f"{self._base}/", 308)(scope, receive, send_guarded)
            return
        if not known:
            await _denied(Request(scope), RequestError(421, "foreign"))(scope, receive, send_guarded)
            return
        if scope["method"] not in _READING and not is_own_origin(
            headers.get("origin"), headers.get("host"), self._public_url
        ):
            await _denied(Request(scope), RequestError(403, "foreign"))(scope, receive, send_guarded)
            return
        if warden.bars(address) and not path_of(Request(scope)).startswith(_NEVER_BARRED):
            await _denied(Request(scope), RequestError(403, "banned"))(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, receive, send_guarded)
        except Exception as error:
            reference = note_fault(error, scope["method"])
            if not begun:
                fault = RequestError(500, "fault", reference=reference)
                await _denied(Request(scope), fault)(scope, receive, send_guarded)

    def _placed(self, scope: Scope) -> Scope:
        """A call with its whole path, whether or not a proxy has cut off the part by which it knows the server."""
        path, base = scope["path"], self._base
        if base and path != base and not path.startswith(f"{base}/"):
            path = base + path
        return {**scope, "path": path, "root_path": base}


async def _has_turn(scope: Scope, address: str, cost: int = 1) -> bool:
    """Wait for the turn of a call; False where its address has sent so many that it would take too long."""
    limit: Limit = scope["app"].state.limits.requests
    wait = limit.spend(address, cost, most=LONGEST_WAIT)
    if wait > LONGEST_WAIT:
        shut_out(address)
        return False
    if wait:
        await asyncio.sleep(wait)
    return True


async def _hang_up(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a WebSocket."""
    await send({"type": "websocket.close"})


# --- errors as answers -----------------------------------------------------------------------------------


def _denied(request: Request, error: Exception) -> Response:
    assert isinstance(error, Denied)
    metrics.REFUSED.labels(error.code).inc()
    status = error.status if isinstance(error, RequestError) else 422
    if status == 404 and wants_page(request):
        return pages.show_nothing(request)
    return error_response(status, error.code, refused_text(texts_for(request), error.code, error.values))


def _no_route(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return _denied(request, RequestError(status, "not-found"))


def _no_store(request: Request, error: Exception) -> Response:
    _LOG.error("no answer", why=str(error))
    return error_response(503, StoreError.code, texts_for(request).text("web.refused.no-store"))


def _no_sense(request: Request, error: Exception) -> Response:
    assert isinstance(error, LastcardError)
    return error_response(422, error.code, error_text(texts_for(request), error))

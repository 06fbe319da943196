"""The admin API: statistics, people, settings, bans, complaints.

All routes require the cookie that the token was exchanged for; without a token for the server they do not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

import structlog
from msgspec import UNSET, Meta, Struct, UnsetType, structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.server.http.requests import RequestError, address_of, base_of, json_response, read_json, set_cookie
from lastcard.server.security.admin_auth import COOKIE, SESSION_S, AdminAuth
from lastcard.server.store.rows import BanRow, Complaint, TableRow
from lastcard.server.store.store import Store
from lastcard.server.table.moderation import AdminSettings, Moderation, Word
from lastcard.server.table.session_storage import restore_state
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.table.worker_stats import WorkerStats
from lastcard.session.table_state import CommandError

MAX_TABLES: Final = 200
"""Maximum number of tables shown, most recently saved first."""
_PATH: Final = "/api/admin"
_LOG: Final = structlog.get_logger()


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """The typed token."""

    token: Annotated[str, Meta(max_length=500)]


class AdminAccess(Struct, frozen=True):
    """What the page can ask for before anybody has signed in."""

    offered: bool
    """Whether the server was started with a token for the page."""
    granted: bool
    """Whether the caller has signed in."""


class AdminSettingsChange(Struct, frozen=True, forbid_unknown_fields=True):
    """Orders as ``AdminSettings`` has them; what is left out stays as it is."""

    notice: Annotated[str, Meta(max_length=300)] | UnsetType = UNSET
    draining: bool | UnsetType = UNSET
    chat: Annotated[str, Meta(pattern="^(on|off|never)?$")] | UnsetType = UNSET
    words: Annotated[tuple[Word, ...], Meta(max_length=500)] | UnsetType = UNSET


class NewBan(Struct, frozen=True, forbid_unknown_fields=True):
    """A ban to add: of a person, or of a network."""

    name: Annotated[str, Meta(max_length=60)] = ""
    player: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    network: Annotated[str, Meta(min_length=1, max_length=60)] | None = None
    widely: bool = False
    """Whether to ban also the networks of the person's connections."""
    days: Annotated[int, Meta(ge=0, le=3650)] = 0
    """Duration; 0: forever."""


class AdminPerson(Struct, frozen=True):
    """A person at a table."""

    player: str
    name: str
    here: bool


class AdminTable(Struct, frozen=True):
    """A table, as the operator of the server sees it: no cards."""

    code: str
    phase: str
    rules: str
    bots: int
    people: tuple[AdminPerson, ...]
    touched: int
    """Time of the last save, in milliseconds since 1970."""


class AdminPage(Struct, frozen=True):
    """Everything that the admin page shows."""

    orders: AdminSettings
    chat: str
    """What new tables begin with."""
    workers: dict[str, WorkerStats]
    tables: tuple[AdminTable, ...]
    bans: tuple[BanRow, ...]
    complaints: tuple[Complaint, ...]


# --- authentication ----------------------------------------------------------------------------------------


async def sign_in(request: Request) -> Response:
    """``POST /api/admin/session``: exchange the token for a cookie; wrong tokens are counted."""
    auth = _admin_auth(request)
    limit, address = request.app.state.limits.keys, address_of(request)
    wanted = await read_json(request, SignIn)
    if not limit.has(address):
        raise RequestError(429, "too-fast")
    if not auth.is_token(wanted.token):
        limit.take(address)
        _LOG.warning("wrong admin token")
        raise RequestError(403, "wrong-token")
    response = json_response(None)
    set_cookie(request, response, COOKIE, auth.issue_cookie(), SESSION_S, _cookie_path(request))
    return response


async def show_access(request: Request) -> Response:
    """``GET /api/admin/session``: return whether there is an admin page, and whether the caller has signed in."""
    auth: AdminAuth | None = request.app.state.admin_auth
    granted = auth is not None and auth.is_valid_cookie(request.cookies.get(COOKIE, ""))
    return json_response(AdminAccess(auth is not None, granted))


async def sign_out(request: Request) -> Response:
    """``DELETE /api/admin/session``: delete the cookie."""
    response = json_response(None)
    response.delete_cookie(COOKIE, path=_cookie_path(request), httponly=True, samesite="strict")
    return response


def _cookie_path(request: Request) -> str:
    """Return the path of the cookie: only this API gets it."""
    return f"{base_of(request)}{_PATH}"


def _admin_auth(request: Request) -> AdminAuth:
    """Return the authentication of the admin page.

    Raises:
        RequestError: if there is none.
    """
    auth: AdminAuth | None = request.app.state.admin_auth
    if auth is None:
        raise RequestError(404, "no-admin")
    return auth


def _require_admin(request: Request) -> Moderation:
    """Return the moderation, for a signed-in administrator.

    Raises:
        RequestError: for anybody else.
    """
    if not _admin_auth(request).is_valid_cookie(request.cookies.get(COOKIE, "")):
        raise RequestError(401, "no-token")
    moderation: Moderation = request.app.state.moderation
    return moderation


# --- reading ------------------------------------------------------------------------------------------------


async def show_admin_page(request: Request) -> Response:
    """``GET /api/admin``: return the state of the server."""
    moderation = _require_admin(request)
    store: Store = request.app.state.store
    registry: TableRegistry = request.app.state.registry
    figures = await registry.worker_stats()
    here = {code: people for worker in figures.values() for code, people in worker.people.items()}
    rows = await store.latest_tables(MAX_TABLES)
    page = AdminPage(
        orders=moderation.settings,
        chat=moderation.chat,
        workers=figures,
        tables=tuple(table for row in rows if (table := _table(row, here.get(row.code, {}))) is not None),
        bans=tuple(moderation.bans),
        complaints=tuple(await store.list_complaints()),
    )
    return json_response(page)


def _table(row: TableRow, here: Mapping[str, str]) -> AdminTable | None:
    """Return a saved table; None if it cannot be read."""
    try:
        state = restore_state(row.doc)
    except CommandError:
        return None
    seated = {sitter.player: sitter.name for sitter in state.seats if sitter is not None and sitter.player is not None}
    names = {**here, **{person.id: person.name for person in state.queue}, **seated}
    return AdminTable(
        code=row.code,
        phase=state.phase,
        rules=state.settings.rules,
        bots=sum(occupant is not None and occupant.bot is not None for occupant in state.seats),
        people=tuple(AdminPerson(player, name, player in here) for player, name in names.items()),
        touched=row.touched,
    )


# --- writing ------------------------------------------------------------------------------------------------


async def change_settings(request: Request) -> Response:
    """``POST /api/admin/orders``: change some settings."""
    moderation = _require_admin(request)
    wanted = await read_json(request, AdminSettingsChange)
    changes = {name: value for name, value in structs.asdict(wanted).items() if value is not UNSET}
    if changes:
        await moderation.change_settings(**changes)
    _LOG.info("orders given", what=sorted(changes))
    return json_response(moderation.settings)


async def ban(request: Request) -> Response:
    """``POST /api/admin/bans``: ban a person or a network."""
    moderation = _require_admin(request)
    wanted = await read_json(request, NewBan)
    if (wanted.player is None) == (wanted.network is None):
        raise RequestError(422, "unreadable", why="player, network")
    await moderation.ban(**structs.asdict(wanted))
    _LOG.info("banned", what="person" if wanted.network is None else "network", days=wanted.days)
    return json_response(None, 201)


async def lift_ban(request: Request) -> Response:
    """``DELETE /api/admin/bans/ID``: end a ban."""
    if not await _require_admin(request).lift_ban(request.path_params["id"]):
        raise RequestError(404, "not-found")
    _LOG.info("ban lifted")
    return json_response(None)


async def resolve_complaint(request: Request) -> Response:
    """``DELETE /api/admin/complaints/ID``: resolve a complaint."""
    _require_admin(request)
    store: Store = request.app.state.store
    if not await store.resolve_complaint(request.path_params["id"]):
        raise RequestError(404, "not-found")
    return json_response(None)


routes: Final = [
    Route(_PATH, show_admin_page),
    Route(f"{_PATH}/session", show_access),
    Route(f"{_PATH}/session", sign_in, methods=["POST"]),
    Route(f"{_PATH}/session", sign_out, methods=["DELETE"]),
    Route(f"{_PATH}/orders", change_settings, methods=["POST"]),
    Route(f"{_PATH}/bans", ban, methods=["POST"]),
    Route(f"{_PATH}/bans/{{id:id}}", lift_ban, methods=["DELETE"]),
    Route(f"{_PATH}/complaints/{{id:id}}", resolve_complaint, methods=["DELETE"]),
]

"""The page of whoever runs the server, over HTTP: how it is, who is there, orders, bans, complaints.

Everything here asks for the cookie that the token was given for; without a token for the server there is nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

import structlog
from msgspec import UNSET, Meta, Struct, UnsetType, structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.server.guard.gate import COOKIE, OPEN_SECONDS, Gate
from lastcard.server.http.requests import RequestError, address_of, base_of, is_https, json_response, read_json
from lastcard.server.seats.document import Denied, Document, read_document
from lastcard.server.store.rows import BanRow, Complaint, TableRow
from lastcard.server.store.store import Store
from lastcard.server.table.figures import Figures
from lastcard.server.table.registry import TableRegistry
from lastcard.server.table.warden import Orders, Warden, Word

MOST_TABLES: Final = 200
"""Tables that are shown, those touched last."""
_PATH: Final = "/api/admin"
_LOG: Final = structlog.get_logger()


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """The token, as it was typed."""

    token: Annotated[str, Meta(max_length=500)]


class AdminAccess(Struct, frozen=True):
    """What the page can ask for before anybody has signed in."""

    offered: bool
    """Whether the server was started with a token for the page."""
    granted: bool
    """Whether the caller has signed in."""


class NewOrders(Struct, frozen=True, forbid_unknown_fields=True):
    """Orders as ``Orders`` has them; what is left out stays as it is."""

    notice: Annotated[str, Meta(max_length=300)] | UnsetType = UNSET
    draining: bool | UnsetType = UNSET
    chat: Annotated[str, Meta(pattern="^(on|off|never)?$")] | UnsetType = UNSET
    words: Annotated[tuple[Word, ...], Meta(max_length=500)] | UnsetType = UNSET


class NewBan(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who may not come any more: a person, or a network."""

    name: Annotated[str, Meta(max_length=60)] = ""
    player: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    network: Annotated[str, Meta(min_length=1, max_length=60)] | None = None
    widely: bool = False
    """Whether also the networks that person is connected from."""
    days: Annotated[int, Meta(ge=0, le=3650)] = 0
    """How long; 0 for ever."""


class AdminPerson(Struct, frozen=True):
    """Somebody at a table."""

    player: str
    name: str
    here: bool


class AdminTable(Struct, frozen=True):
    """A table, as whoever runs the server sees it: no cards."""

    code: str
    phase: str
    rules: str
    bots: int
    people: tuple[AdminPerson, ...]
    touched: int
    """When it was saved last, in milliseconds since 1970."""


class AdminPage(Struct, frozen=True):
    """All there is on the page."""

    orders: Orders
    chat: str
    """What new tables begin with."""
    workers: dict[str, Figures]
    tables: tuple[AdminTable, ...]
    bans: tuple[BanRow, ...]
    complaints: tuple[Complaint, ...]


# --- the door ---------------------------------------------------------------------------------------------


async def sign_in(request: Request) -> Response:
    """``POST /api/admin/session``: the token for a cookie; wrong ones are counted."""
    gate = _gate(request)
    limit, address = request.app.state.limits.keys, address_of(request)
    key = await read_json(request, Key)
    if not limit.has(address):
        raise RequestError(429, "too-fast")
    if not gate.opens(key.token):
        limit.take(address)
        _LOG.warning("wrong admin token")
        raise RequestError(403, "wrong-token")
    response = json_response(None)
    response.set_cookie(
        COOKIE,
        gate.pass_for(),
        OPEN_SECONDS,
        path=_cookie_path(request),
        secure=is_https(request),
        httponly=True,
        samesite="strict",
    )
    return response


async def show_access(request: Request) -> Response:
    """``GET /api/admin/session``: whether there is a page, and whether the caller has signed in to it."""
    gate: Gate | None = request.app.state.gate
    granted = gate is not None and gate.knows(request.cookies.get(COOKIE, ""))
    return json_response(AdminAccess(gate is not None, granted))


async def sign_out(request: Request) -> Response:
    """``DELETE /api/admin/session``: the cookie goes."""
    response = json_response(None)
    response.delete_cookie(COOKIE, path=_cookie_path(request), httponly=True, samesite="strict")
    return response


def _cookie_path(request: Request) -> str:
    """Where the browser shows the cookie: to nothing but this."""
    return f"{base_of(request)}{_PATH}"


def _gate(request: Request) -> Gate:
    """The door.

    Raises:
        RequestError: where there is none.
    """
    gate: Gate | None = request.app.state.gate
    if gate is None:
        raise RequestError(404, "no-admin")
    return gate


def _admitted(request: Request) -> Warden:
    """The warden, for whoever has come through the door.

    Raises:
        RequestError: for anybody else.
    """
    if not _gate(request).knows(request.cookies.get(COOKIE, "")):
        raise RequestError(401, "no-token")
    warden: Warden = request.app.state.warden
    return warden


# --- looking ----------------------------------------------------------------------------------------------


async def show_all(request: Request) -> Response:
    """``GET /api/admin``: how the server is."""
    warden = _admitted(request)
    store: Store = request.app.state.store
    registry: TableRegistry = request.app.state.registry
    figures = await registry.figures()
    here = {code: people for worker in figures.values() for code, people in worker.people.items()}
    rows = await store.latest_tables(MOST_TABLES)
    page = AdminPage(
        orders=warden.orders,
        chat=warden.chat,
        workers=figures,
        tables=tuple(table for row in rows if (table := _table(row, here.get(row.code, {}))) is not None),
        bans=tuple(warden.bans),
        complaints=tuple(await store.complaints()),
    )
    return json_response(page)


def _table(row: TableRow, here: Mapping[str, str]) -> AdminTable | None:
    """A saved table; None where it cannot be read."""
    try:
        document = read_document(row.doc)
    except Denied:
        return None
    return AdminTable(
        code=row.code,
        phase=document.phase,
        rules=document.settings.rules,
        bots=sum(place is not None and place.bot is not None for place in document.seats),
        people=tuple(AdminPerson(player, name, player in here) for player, name in _people(document, here).items()),
        touched=row.touched,
    )


def _people(document: Document, here: Mapping[str, str]) -> dict[str, str]:
    """Names by id: those who sit, then those who wait and watch."""
    seated = {place.player: place.name for place in document.seats if place is not None and place.player is not None}
    waiting = {person.id: person.name for person in document.queue}
    return {**here, **waiting, **seated}


# --- doing ------------------------------------------------------------------------------------------------


async def give_orders(request: Request) -> Response:
    """``POST /api/admin/orders``: some orders anew."""
    warden = _admitted(request)
    wanted = await read_json(request, NewOrders)
    changes = {name: value for name, value in structs.asdict(wanted).items() if value is not UNSET}
    if changes:
        await warden.order(**changes)
    _LOG.info("orders given", what=sorted(changes))
    return json_response(warden.orders)


async def ban(request: Request) -> Response:
    """``POST /api/admin/bans``: let somebody in no more."""
    warden = _admitted(request)
    wanted = await read_json(request, NewBan)
    if (wanted.player is None) == (wanted.network is None):
        raise RequestError(422, "unreadable", why="player, network")
    await warden.ban(**structs.asdict(wanted))
    _LOG.info("banned", what="person" if wanted.network is None else "network", days=wanted.days)
    return json_response(None, 201)


async def lift_ban(request: Request) -> Response:
    """``DELETE /api/admin/bans/ID``: let somebody in again."""
    if not await _admitted(request).lift(request.path_params["id"]):
        raise RequestError(404, "not-found")
    _LOG.info("ban lifted")
    return json_response(None)


async def settle(request: Request) -> Response:
    """``DELETE /api/admin/complaints/ID``: this is settled."""
    _admitted(request)
    store: Store = request.app.state.store
    if not await store.settle(request.path_params["id"]):
        raise RequestError(404, "not-found")
    return json_response(None)


routes: Final = [
    Route(_PATH, show_all),
    Route(f"{_PATH}/session", show_access),
    Route(f"{_PATH}/session", sign_in, methods=["POST"]),
    Route(f"{_PATH}/session", sign_out, methods=["DELETE"]),
    Route(f"{_PATH}/orders", give_orders, methods=["POST"]),
    Route(f"{_PATH}/bans", ban, methods=["POST"]),
    Route(f"{_PATH}/bans/{{id:id}}", lift_ban, methods=["DELETE"]),
    Route(f"{_PATH}/complaints/{{id:id}}", settle, methods=["DELETE"]),
]

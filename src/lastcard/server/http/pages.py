"""Routes: the page, its files, who one is, new tables, QR codes, and how the server is."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import segno
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from lastcard.errors import StoreError
from lastcard.server.guard import metrics, security
from lastcard.server.http.assets import find_assets
from lastcard.server.http.requests import (
    RequestError,
    address_of,
    json_response,
    known_player,
    player_of,
    read_json,
    texts_for,
)
from lastcard.server.seats.document import Person
from lastcard.server.store.rows import Player
from lastcard.server.table.table import LiveTable
from lastcard.server.wire.parts import Settings
from lastcard.server.wire.protocol import Seat
from lastcard.words.locale import LANGUAGES

_ASSETS: Final = find_assets(Path(__file__).parents[2] / "web")
_PAGES: Final = ("/", "/t/{code}", "/tv/{code}", "/matches", "/match/{id}", "/rules", "/rules/{name:path}", "/about")
"""Addresses in the browser; one page draws them all."""
_FORMER: Final = re.compile(r"[a-z0-9]+\.js")
_RENEW: Final = "location.reload();\nawait new Promise(() => {});\n"
"""A module that loads the page anew, and nobody goes on with it before that."""


class Me(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person says of himself."""

    name: Annotated[str, Meta(max_length=200)]
    language: Annotated[str, Meta(max_length=20)] = ""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be made."""

    settings: Settings = Settings()
    quick: bool = False


class ProgramSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat in which a program may play."""

    seat: Seat


class TablePreview(Struct, frozen=True):
    """What one may know of a table before one joins it."""

    code: str
    host: str
    phase: str
    rules: str
    seats: int
    taken: int
    """Seats that belong to persons."""


# --- the page ---------------------------------------------------------------------------------------------


async def show_page(request: Request) -> Response:
    """The one page."""
    return _respond(request, "index.html")


async def send_file(request: Request) -> Response:
    """A file of the page.

    Modules once lay beside each other. A page that was opened then and now asks for one more of them is older than this
    server: mixed with modules of today it would have two of each, so it is loaded anew, at the address it shows.
    """
    path = request.path_params["path"]
    if _FORMER.fullmatch(path):
        return Response(_RENEW, headers={"cache-control": "no-store"}, media_type="text/javascript")
    return _respond(request, path)


def _respond(request: Request, name: str) -> Response:
    asset = _ASSETS.get(name)
    if asset is None:
        raise RequestError(404, "not-found")
    return asset.respond(request)


async def show_code(request: Request) -> Response:
    """The QR code of a table's address, black on white whatever the page's colors."""
    code = security.clean_code(request.path_params["code"])
    if code is None:
        raise RequestError(404, "not-found")
    picture = io.BytesIO()
    address = f"{request.app.state.site.address}/t/{code}"
    segno.make(address, micro=False).save(picture, kind="svg", scale=8, border=3, light="#fff", xmldecl=False)
    return Response(picture.getvalue(), headers={"cache-control": "no-cache"}, media_type="image/svg+xml")


# --- who one is -------------------------------------------------------------------------------------------


async def show_me(request: Request) -> Response:
    """Who the caller is."""
    player = await player_of(request)
    if player is None:
        raise RequestError(404, "nobody")
    return json_response(player)


async def save_me(request: Request) -> Response:
    """Take a name, or another one."""
    me = await read_json(request, Me)
    _count(request.app.state.limits.names, request)
    name = security.clean_name(me.name)
    if not name:
        raise RequestError(422, "no-name")
    language = me.language if me.language in LANGUAGES else texts_for(request).language
    store = request.app.state.store
    player = await player_of(request)
    if player is not None:
        changed = replace(player, name=name, language=language)
        await store.save_player(changed)
        if changed.name != player.name:
            await request.app.state.registry.rename(Person(changed.id, changed.name))
        return json_response(changed)
    player, token = Player(security.new_id(), name, language), security.new_token()
    await store.create_player(player, security.hash_token(token))
    response = json_response(player)
    secure = _is_https(request)
    response.set_cookie(
        security.COOKIE, token, security.COOKIE_SECONDS, secure=secure, httponly=True, samesite="strict"
    )
    return response


async def delete_me(request: Request) -> Response:
    """Forget the caller: name, tokens, and the name at all tables and in all matches."""
    player = await known_player(request)
    await request.app.state.registry.forget(player.id)
    await request.app.state.store.delete_player(player.id)
    response = json_response(None)
    response.delete_cookie(security.COOKIE, secure=_is_https(request), httponly=True, samesite="strict")
    return response


def _is_https(request: Request) -> bool:
    """Whether the page came over HTTPS, be it from a proxy; its origin has been checked."""
    return request.headers.get("origin", "").lower().startswith("https:")


def _count(limit: security.Limit, request: Request) -> None:
    if not limit.take(address_of(request)):
        raise RequestError(429, "too-fast")


# --- tables -----------------------------------------------------------------------------------------------


async def create_table(request: Request) -> Response:
    """A new table, with the caller as its host."""
    player = await known_player(request)
    wanted = await read_json(request, NewTable)
    _count(request.app.state.limits.tables, request)
    table = await request.app.state.registry.create(player, wanted.settings, quick=wanted.quick)
    return json_response({"code": table.code}, 201)


async def show_table(request: Request) -> Response:
    """What one may know of a table before one joins it."""
    misses, address = request.app.state.limits.misses, address_of(request)
    if not misses.has(address):
        raise RequestError(429, "too-fast")
    try:
        table = await _found(request)
    except RequestError:
        misses.take(address)
        raise
    state = table.state()
    return json_response(
        TablePreview(
            code=state.code,
            host=table.document.host.name,
            phase=state.phase,
            rules=state.settings.rules,
            seats=state.settings.seats,
            taken=sum(seat is not None and seat.player is not None for seat in state.seats),
        )
    )


async def open_seat(request: Request) -> Response:
    """A token with which a program may play in a seat; it is shown this once."""
    player = await known_player(request)
    wanted = await read_json(request, ProgramSeat)
    _count(request.app.state.limits.tables, request)
    table = await _found(request)
    return json_response({"token": await table.open_seat(player.id, wanted.seat), "table": table.join_url}, 201)


async def _found(request: Request) -> LiveTable:
    """The table of the code in the address."""
    code = request.path_params["code"]
    table: LiveTable | None = await request.app.state.registry.find(code)
    if table is None:
        raise RequestError(404, "no-table", table=security.clean_text(code, 20))
    return table


# --- how the server is --------------------------------------------------------------------------------------


async def is_alive(request: Request) -> Response:
    """Whether the process answers."""
    return PlainTextResponse("ok\n")


async def is_ready(request: Request) -> Response:
    """Whether it can serve: the store answers."""
    try:
        await request.app.state.store.ping()
    except StoreError as error:
        return PlainTextResponse(f"{error}\n", 503)
    return PlainTextResponse("ready\n")


async def show_metrics(request: Request) -> Response:
    """Numbers for Prometheus, for callers of the same house only."""
    if not security.is_near(address_of(request)):
        raise RequestError(404, "not-found")
    metrics.TABLES.set(len(request.app.state.registry.tables))
    return PlainTextResponse(metrics.exposition())


routes: Final = [
    *(Route(path, show_page) for path in _PAGES),
    Route("/web/{path:path}", send_file),
    Route("/qr/{code}.svg", show_code),
    Route("/api/me", show_me),
    Route("/api/me", save_me, methods=["POST"]),
    Route("/api/me", delete_me, methods=["DELETE"]),
    Route("/api/tables", create_table, methods=["POST"]),
    Route("/api/tables/{code}", show_table),
    Route("/api/tables/{code}/programs", open_seat, methods=["POST"]),
    Route("/healthz", is_alive),
    Route("/readyz", is_ready),
    Route("/metrics", show_metrics),
]

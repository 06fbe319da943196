"""Routes for the page, its files, the caller's profile, new tables, QR codes, and health checks."""

from __future__ import annotations

import asyncio
import io
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Final

import msgspec
import segno
import structlog
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from lastcard.bundle.site import MODEL_TEXT
from lastcard.bundle.web_version import MEDIA_TYPES
from lastcard.errors import StoreError
from lastcard.server.http.assets import WebFolder
from lastcard.server.http.link_previews import preview_tags
from lastcard.server.http.replays import ByteCache
from lastcard.server.http.requests import (
    CachedResponse,
    RequestError,
    address_of,
    base_of,
    cookie_path,
    find_table,
    guess_code,
    guess_table,
    is_https,
    json_response,
    known_player,
    path_of,
    player_of,
    read_json,
    run_limited,
    set_token,
    texts_for,
)
from lastcard.server.security import metrics, security
from lastcard.server.store.rows import Player
from lastcard.server.store.store import Store
from lastcard.server.table.moderation import COMPLAINT_RETENTION_S
from lastcard.server.table.table_registry import ABANDONED_S
from lastcard.session import names
from lastcard.session.commands import Level, SeatNumber, Style
from lastcard.session.table_settings import WantedSettings
from lastcard.session.table_state import Person
from lastcard.text.locale import LANGUAGES, catalog

_FOLDER: Final = Path(__file__).parents[2] / "web"
_WEB: Final = WebFolder(_FOLDER)
_PAGES: Final = (
    "/",
    "/t/{code}",
    "/tv/{code}",
    "/me",
    "/matches",
    "/daily",
    "/duplicate",
    "/duplicate/{code}",
    "/duplicate/{code}/tv",
    "/match/{id}",
    "/rules",
    "/rules/{name:path}",
    "/puzzles",
    "/puzzles/{id}",
    "/about",
    "/privacy",
    "/program",
    "/admin",
)
"""URL patterns of the browser; one page draws them all."""
_FORWARDED: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers set by proxies."""
_DAY_S: Final = 24 * 3600
_LOG: Final = structlog.get_logger()
_PICTURE_WORKER: Final = ThreadPoolExecutor(1, "pictures")
_PICTURES: Final = ByteCache(limit_bytes=1 << 20)


class ProfileChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a person's profile."""

    name: Annotated[str, Meta(max_length=200)]
    language: Annotated[str, Meta(max_length=20)] = ""
    shown: bool | None = None
    """Whether leaderboards may name this person; None leaves it unchanged."""
    table: Annotated[str, Meta(max_length=20)] = ""
    """The code of the table that the person wants to join, because many may come from one address with it."""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to create."""

    settings: WantedSettings = WantedSettings()
    quick: bool = False
    lesson: Annotated[int, Meta(ge=0, le=9)] = 0
    """The number of the lesson of its game that comes first; 0 for none."""
    bots: Annotated[tuple[Level | None, ...], Meta(max_length=9)] = ()
    """The levels of bots beside the host; None for a free seat."""
    styles: Annotated[tuple[Style, ...], Meta(max_length=9)] = ()
    """The styles of these bots, in the same order; empty or missing for none."""


class ProgramSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat in which a program may play."""

    seat: SeatNumber


class PreviewSeat(Struct, frozen=True):
    """An occupant of a table: a person, or a bot of a level."""

    name: str
    bot: str | None
    look: str
    """As in ``SeatInfo``."""


class TablePreview(Struct, frozen=True):
    """The public information about a table for a person who has not joined."""

    code: str
    host: str
    phase: str
    rules: str
    seats: int
    taken: int
    """Seats that belong to persons."""
    sitting: tuple[PreviewSeat, ...]
    """The occupants by seat."""


class SiteFacts(Struct, frozen=True):
    """What a server keeps for how long, as it is set up; in days."""

    matches: int | None
    """Days for which finished matches are stored; None for as long as their players want."""
    tables: int
    """Days for which untouched tables are stored."""
    reports: int | None
    """Days for which reports are stored; None if nobody reads them."""
    chat: bool
    """Whether there is chat at any table."""
    reader: str | None
    """The operator of a tunnel who could read the traffic; None for nobody."""
    puzzles: bool
    """Whether puzzles without names may be made of finished matches."""
    open: bool
    """Whether people may play with strangers."""


# --- the page ---------------------------------------------------------------------------------------------


async def show_page(request: Request) -> Response:
    """Return the page."""
    page = _page(request)
    tags = preview_tags(request, request.path_params["code"]) if path_of(request).startswith("/t/") else ""
    if tags:
        page = CachedResponse(page.body.replace(b"  </head>", tags.encode() + b"  </head>", 1), page.media_type)
    return in_language(await page.send(request))


def show_not_found(request: Request) -> Response:
    """Return the page for an unknown path, with an error in the reader's language."""
    return in_language(_page(request).respond(request, 404))


def _page(request: Request) -> CachedResponse:
    return page_at(request, path_of(request), base_of(request), request.app.state.site.data_attributes)


def page_at(request: Request, path: str, base: str, attributes: str) -> CachedResponse:
    """Return the page for a path below a base path, in the language of the request, as ``WebVersion.page`` does."""
    return _WEB.current().page(path, texts_for(request).language, base, attributes)


def in_language(response: Response) -> Response:
    """Mark an answer as dependent on the language."""
    response.headers.add_vary_header("Accept-Language")
    return response


async def send_file(request: Request) -> Response:
    """Return a file of the page."""
    response = await _WEB.send(request, request.path_params["path"])
    if response is None:
        raise RequestError(404, "not-found")
    return response


async def send_service_worker(request: Request) -> Response:
    """Return the service worker, which reports that the server is unreachable."""
    return await _service_worker().send(request)


@cache
def _service_worker() -> CachedResponse:
    """The script after its texts in every language: another script for another language would replace a running one."""
    texts = {
        language: {name: catalog(language).text(f"web.away.{name}") for name in ("title", "text", "again")}
        for language in LANGUAGES
    }
    script = (_FOLDER / "net" / "outageworker.js").read_bytes()
    return CachedResponse(b"self.away = %s;\n%s" % (msgspec.json.encode(texts), script), MEDIA_TYPES[".js"])


async def send_model_text(request: Request) -> Response:
    """Return the description of the site for language models."""
    return PlainTextResponse(MODEL_TEXT.read_bytes())


async def show_qr_code(request: Request) -> Response:
    """Return the QR code of a table's URL, always black on white."""
    if security.clean_code(request.path_params["code"]) is None:
        raise RequestError(404, "not-found")
    table = await guess_table(request)
    address = table.join_url()
    picture = _PICTURES.get(address)
    if picture is None:
        picture = await run_limited(request, _PICTURE_WORKER, lambda: _picture(address))
        _PICTURES.put(address, picture)
    return Response(picture, headers={"cache-control": "no-cache"}, media_type="image/svg+xml")


def _picture(address: str) -> bytes:
    picture = io.BytesIO()
    segno.make(address, micro=False).save(picture, kind="svg", scale=8, border=3, light="#fff", xmldecl=False)
    return picture.getvalue()


async def show_site(request: Request) -> Response:
    """Return the retention periods of the site."""
    registry, moderation = request.app.state.registry, request.app.state.moderation
    retention_s = registry.match_retention_s
    return json_response(
        SiteFacts(
            matches=None if retention_s is None else round(retention_s / _DAY_S),
            tables=round(ABANDONED_S / _DAY_S),
            reports=round(COMPLAINT_RETENTION_S / _DAY_S) if moderation.has_reader else None,
            chat=moderation.chat != "never",
            reader=request.app.state.site.reader,
            puzzles=request.app.state.site.puzzles,
            open=request.app.state.site.open_tables,
        )
    )


# --- profile ------------------------------------------------------------------------------------------------


async def show_me(request: Request) -> Response:
    """Return the caller's profile; null for a caller without a name."""
    player = await player_of(request)
    if player is None:
        return json_response(None)
    renewed = await request.app.state.sessions.renew(request, player)
    return json_response(player) if renewed is None else set_token(request, json_response(player), renewed)


async def save_me(request: Request) -> Response:
    """Save the caller's name and other settings."""
    me = await read_json(request, ProfileChange)
    limits, player = request.app.state.limits, await player_of(request)
    invited = player is None and bool(me.table) and await guess_code(request, me.table) is not None
    _count(limits.guests if invited else limits.names, request)
    name = names.clean_name(me.name)
    if not name:
        raise RequestError(422, "no-name")
    request.app.state.moderation.check_words(name, "name-refused")
    language = me.language if me.language in LANGUAGES else texts_for(request).language
    store = request.app.state.store
    if player is not None:
        if request.app.state.moderation.is_banned_player(player.id):
            raise RequestError(403, "banned")
        shown = player.shown if me.shown is None else me.shown
        changed = replace(player, name=name, language=language, shown=shown)
        await store.save_player(changed)
        if changed.name != player.name:
            await request.app.state.registry.rename(Person(changed.id, changed.name))
        return json_response(changed)
    player, token = Player(security.new_id(), name, language), security.new_session()
    await store.create_player(player, security.hash_token(token))
    return set_token(request, json_response(player), token)


async def end_sessions(request: Request) -> Response:
    """Replace all tokens of the caller by a new one for this browser."""
    player = await known_player(request)
    _count(request.app.state.limits.names, request)
    token = security.new_session()
    await request.app.state.store.renew_token(player.id, security.hash_token(token))
    request.app.state.registry.hang_up(player.id)
    return set_token(request, json_response(player), token)


async def export_me(request: Request) -> Response:
    """Return everything stored about the caller, as a file."""
    player = await known_player(request)
    _count(request.app.state.limits.records, request)
    response = json_response(await request.app.state.store.export_player(player.id))
    response.headers["content-disposition"] = 'attachment; filename="lastcard-data.json"'
    return response


async def delete_me(request: Request) -> Response:
    """Delete all data of the caller: name, tokens, and their name at tables and in matches."""
    player = await known_player(request)
    registry = request.app.state.registry
    await registry.forget(player.id)  # first, because the caller can retry after a failure
    await request.app.state.store.delete_player(player.id)
    await registry.forget(player.id)  # again, because another tab may have connected meanwhile
    response = json_response(None)
    response.delete_cookie(
        security.COOKIE, path=cookie_path(request), secure=is_https(request), httponly=True, samesite="strict"
    )
    return response


def _count(limit: security.Limit, request: Request) -> None:
    if not limit.take(address_of(request)):
        raise RequestError(429, "too-fast")


# --- tables -----------------------------------------------------------------------------------------------


async def create_table(request: Request) -> Response:
    """Create a table with the caller as host."""
    player = await known_player(request)
    wanted = await read_json(request, NewTable)
    _count(request.app.state.limits.tables, request)
    table = await request.app.state.registry.create(
        player,
        wanted.settings,
        quick=wanted.quick,
        lesson=wanted.lesson,
        bots=list(zip_longest(wanted.bots, wanted.styles[: len(wanted.bots)], fillvalue="")),
    )
    return json_response({"code": table.code}, 201)


async def show_table(request: Request) -> Response:
    """Return the public information about a table."""
    table = await guess_table(request)
    info = table.describe()
    return json_response(
        TablePreview(
            code=info.code,
            host=table.state.host.name,
            phase=info.phase,
            rules=info.settings.rules,
            seats=info.settings.seats,
            taken=sum(seat is not None and seat.player is not None for seat in info.seats),
            sitting=tuple(PreviewSeat(seat.name, seat.bot, seat.look) for seat in info.seats if seat is not None),
        )
    )


async def open_seat(request: Request) -> Response:
    """Return a token for a program in a seat; it is shown only once."""
    player = await known_player(request)
    wanted = await read_json(request, ProgramSeat)
    _count(request.app.state.limits.tables, request)
    table = await find_table(request)
    return json_response({"token": await table.open_seat(player.id, wanted.seat), "table": table.join_url()}, 201)


# --- health -------------------------------------------------------------------------------------------------


async def is_alive(request: Request) -> Response:
    """Return whether the process answers."""
    return PlainTextResponse("ok\n")


async def is_ready(request: Request) -> Response:
    """Return whether the server can work: the store answers and accepts writes. Reasons are only in the log."""
    if await request.app.state.readiness.is_ready():
        return PlainTextResponse("ready\n")
    return PlainTextResponse("not ready\n", 503)


class Readiness:
    """A cached check of the store, because anybody may request it at any rate."""

    CACHE_S = 1.0

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asked: asyncio.Task[bool] | None = None
        self._until = 0.0

    async def is_ready(self) -> bool:
        """Return whether the store works; all requests within a moment share one answer."""
        if self._asked is None or time.monotonic() >= self._until:
            self._until = time.monotonic() + self.CACHE_S
            self._asked = asyncio.create_task(self._ask())
        return await asyncio.shield(self._asked)

    async def _ask(self) -> bool:
        try:
            await self._store.ping()
        except StoreError as error:
            _LOG.error("not ready", why=str(error))
            return False
        return True


async def show_metrics(request: Request) -> Response:
    """Return the metrics for Prometheus, only to local clients and without a public URL: a proxy makes all
    clients look local.
    """
    forwarded = any(name in request.headers for name in _FORWARDED)
    if request.app.state.site.public_url is not None or forwarded or not security.is_local_network(address_of(request)):
        raise RequestError(404, "not-found")
    return PlainTextResponse(metrics.exposition())


routes: Final = [
    *(Route(path, show_page) for path in _PAGES),
    Route("/web/{path:path}", send_file),
    Route("/service.js", send_service_worker),
    Route("/llms.txt", send_model_text),
    Route("/qr/{code}.svg", show_qr_code),
    Route("/api/site", show_site),
    Route("/api/me", show_me),
    Route("/api/me", save_me, methods=["POST"]),
    Route("/api/me", delete_me, methods=["DELETE"]),
    Route("/api/me/data", export_me),
    Route("/api/me/sessions", end_sessions, methods=["DELETE"]),
    Route("/api/tables", create_table, methods=["POST"]),
    Route("/api/tables/{code}", show_table),
    Route("/api/tables/{code}/programs", open_seat, methods=["POST"]),
    Route("/healthz", is_alive),
    Route("/readyz", is_ready),
    Route("/metrics", show_metrics),
]

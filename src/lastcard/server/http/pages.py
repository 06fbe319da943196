"""Routes: the page, its files, who one is, new tables, QR codes, and how the server is."""

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

from lastcard.bundle.web import TYPES
from lastcard.errors import StoreError
from lastcard.server.guard import metrics, security
from lastcard.server.http.assets import WebFolder
from lastcard.server.http.replays import ReplayCache
from lastcard.server.http.requests import (
    Kept,
    RequestError,
    address_of,
    base_of,
    find_table,
    guess_table,
    is_https,
    json_response,
    known_player,
    path_of,
    player_of,
    read_json,
    texts_for,
    worked,
)
from lastcard.server.seats.document import Person
from lastcard.server.store.rows import Player
from lastcard.server.store.store import Store
from lastcard.server.table.registry import ABANDONED
from lastcard.server.table.warden import KEPT_COMPLAINTS
from lastcard.server.wire.parts import WantedSettings
from lastcard.server.wire.protocol import Level, Seat, Style
from lastcard.text.locale import LANGUAGES, catalog

_FOLDER: Final = Path(__file__).parents[2] / "web"
_WEB: Final = WebFolder(_FOLDER)
_PAGES: Final = (
    "/",
    "/t/{code}",
    "/tv/{code}",
    "/me",
    "/matches",
    "/match/{id}",
    "/rules",
    "/rules/{name:path}",
    "/about",
    "/privacy",
    "/program",
    "/admin",
)
"""Addresses in the browser; one page draws them all."""
_FORWARDED: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""What proxies say."""
_DAY: Final = 24 * 3600
_LOG: Final = structlog.get_logger()
_PAINTER: Final = ThreadPoolExecutor(1, "pictures")
_PICTURES: Final = ReplayCache(room=1 << 20)


class Me(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person says of himself."""

    name: Annotated[str, Meta(max_length=200)]
    language: Annotated[str, Meta(max_length=20)] = ""
    shown: bool | None = None
    """Whether tables of honor may name this person; None leaves it as it is."""
    table: Annotated[str, Meta(max_length=20)] = ""
    """The code of the table the person is on the way to: many may come from one address who have it."""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be made."""

    settings: WantedSettings = WantedSettings()
    quick: bool = False
    lesson: bool = False
    """Whether the lesson of its game is played there first."""
    bots: Annotated[tuple[Level | None, ...], Meta(max_length=9)] = ()
    """The levels of bots that sit there from the beginning, beside the maker; None for a free seat."""
    styles: Annotated[tuple[Style, ...], Meta(max_length=9)] = ()
    """In which styles these bots play, in the same order; empty, or left out at the end, for none of their own."""


class ProgramSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat in which a program may play."""

    seat: Seat


class Sitting(Struct, frozen=True):
    """Somebody at a table: a person, or a bot of a level."""

    name: str
    bot: str | None
    look: str
    """As in ``SeatInfo``."""


class TablePreview(Struct, frozen=True):
    """What one may know of a table before one joins it."""

    code: str
    host: str
    phase: str
    rules: str
    seats: int
    taken: int
    """Seats that belong to persons."""
    sitting: tuple[Sitting, ...]
    """Who sits there, by seat."""


class SiteFacts(Struct, frozen=True):
    """What a server keeps for how long, as it is set up; in days."""

    matches: int | None
    """Matches that are over; None for as long as their players want."""
    tables: int
    """Tables nobody has touched."""
    reports: int | None
    """What people report; None where nobody reads it."""
    chat: bool
    """Whether there is chat at any table."""
    reader: str | None
    """Whose machines could read what people from elsewhere see and do; None for nobody's."""


# --- the page ---------------------------------------------------------------------------------------------


async def show_page(request: Request) -> Response:
    """The one page."""
    return _in_language(await _page(request).send(request))


def show_nothing(request: Request) -> Response:
    """The one page where there is nothing: it says so in the language of the reader."""
    return _in_language(_page(request).respond(request, 404))


def _page(request: Request) -> Kept:
    return _WEB.now().page(
        path_of(request), texts_for(request).language, base_of(request), request.app.state.site.marks
    )


def _in_language(response: Response) -> Response:
    """An answer that is another one in another language."""
    response.headers.add_vary_header("Accept-Language")
    return response


async def send_file(request: Request) -> Response:
    """A file of the page."""
    response = await _WEB.send(request, request.path_params["path"])
    if response is None:
        raise RequestError(404, "not-found")
    return response


async def send_service_worker(request: Request) -> Response:
    """The service worker, which says in the language of the reader that the server is away."""
    return _in_language(await _service_worker(texts_for(request).language).send(request))


@cache
def _service_worker(language: str) -> Kept:
    texts = catalog(language)
    words = {"lang": language} | {name: texts.text(f"web.away.{name}") for name in ("title", "text", "again")}
    script = (_FOLDER / "line" / "awayworker.js").read_bytes()
    return Kept(b"self.away = %s;\n%s" % (msgspec.json.encode(words), script), TYPES[".js"])


async def show_code(request: Request) -> Response:
    """The QR code of a table's address, black on white whatever the page's colors."""
    if security.clean_code(request.path_params["code"]) is None:
        raise RequestError(404, "not-found")
    table = await guess_table(request)
    address = table.join_url
    picture = _PICTURES.get(address)
    if picture is None:
        picture = await worked(request, _PAINTER, lambda: _picture(address))
        _PICTURES.put(address, picture)
    return Response(picture, headers={"cache-control": "no-cache"}, media_type="image/svg+xml")


def _picture(address: str) -> bytes:
    picture = io.BytesIO()
    segno.make(address, micro=False).save(picture, kind="svg", scale=8, border=3, light="#fff", xmldecl=False)
    return picture.getvalue()


async def show_site(request: Request) -> Response:
    """What is kept for how long."""
    registry, warden = request.app.state.registry, request.app.state.warden
    keep = registry.keep_matches
    return json_response(
        SiteFacts(
            matches=None if keep is None else round(keep / _DAY),
            tables=round(ABANDONED / _DAY),
            reports=round(KEPT_COMPLAINTS / _DAY) if warden.reads else None,
            chat=warden.chat != "never",
            reader=request.app.state.site.reader,
        )
    )


# --- who one is -------------------------------------------------------------------------------------------


async def show_me(request: Request) -> Response:
    """Who the caller is; null for somebody who has not given a name yet."""
    player = await player_of(request)
    if player is None:
        return json_response(None)
    renewed = await request.app.state.sessions.renew(request, player)
    return json_response(player) if renewed is None else _with_token(request, json_response(player), renewed)


async def save_me(request: Request) -> Response:
    """Take a name, or another one."""
    me = await read_json(request, Me)
    limits, player = request.app.state.limits, await player_of(request)
    invited = player is None and bool(me.table) and await _is_table(request, me.table)
    _count(limits.guests if invited else limits.names, request)
    name = security.clean_name(me.name)
    if not name:
        raise RequestError(422, "no-name")
    request.app.state.warden.check_words(name, "name-refused")
    language = me.language if me.language in LANGUAGES else texts_for(request).language
    store = request.app.state.store
    if player is not None:
        if request.app.state.warden.bars_player(player.id):
            raise RequestError(403, "banned")
        shown = player.shown if me.shown is None else me.shown
        changed = replace(player, name=name, language=language, shown=shown)
        await store.save_player(changed)
        if changed.name != player.name:
            await request.app.state.registry.rename(Person(changed.id, changed.name))
        return json_response(changed)
    player, token = Player(security.new_id(), name, language), security.new_session()
    await store.create_player(player, security.hash_token(token))
    return _with_token(request, json_response(player), token)


async def end_sessions(request: Request) -> Response:
    """End all other sessions of the caller: this browser gets a new token, and no other one is good any more."""
    player = await known_player(request)
    _count(request.app.state.limits.names, request)
    token = security.new_session()
    await request.app.state.store.renew_token(player.id, security.hash_token(token))
    request.app.state.registry.hang_up(player.id)
    return _with_token(request, json_response(player), token)


async def _is_table(request: Request, code: str) -> bool:
    """Whether a code is that of a table; wrong ones are counted, and after too many none is right."""
    misses, address = request.app.state.limits.misses, address_of(request)
    if not misses.has(address):
        return False
    if await request.app.state.registry.find(code) is not None:
        return True
    misses.take(address)
    return False


def _with_token(request: Request, response: Response, token: str) -> Response:
    """An answer that gives the browser its token."""
    secure = is_https(request)
    response.set_cookie(
        security.COOKIE,
        token,
        security.COOKIE_SECONDS,
        path=_cookie_path(request),
        secure=secure,
        httponly=True,
        samesite="strict",
    )
    return response


async def delete_me(request: Request) -> Response:
    """Forget the caller: name, tokens, and the name at all tables and in all matches."""
    player = await known_player(request)
    registry = request.app.state.registry
    await registry.forget(player.id)  # first, for where that fails the caller can ask again
    await request.app.state.store.delete_player(player.id)
    await registry.forget(player.id)  # again, for another tab may have come in meanwhile
    response = json_response(None)
    response.delete_cookie(
        security.COOKIE, path=_cookie_path(request), secure=is_https(request), httponly=True, samesite="strict"
    )
    return response


def _cookie_path(request: Request) -> str:
    """Where the browser shows the cookie: to nothing that is found beside the server under the same name."""
    return base_of(request) or "/"


def _count(limit: security.Limit, request: Request) -> None:
    if not limit.take(address_of(request)):
        raise RequestError(429, "too-fast")


# --- tables -----------------------------------------------------------------------------------------------


async def create_table(request: Request) -> Response:
    """A new table, with the caller as its host."""
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
    """What one may know of a table before one joins it."""
    table = await guess_table(request)
    state = table.state()
    return json_response(
        TablePreview(
            code=state.code,
            host=table.document.host.name,
            phase=state.phase,
            rules=state.settings.rules,
            seats=state.settings.seats,
            taken=sum(seat is not None and seat.player is not None for seat in state.seats),
            sitting=tuple(Sitting(seat.name, seat.bot, seat.look) for seat in state.seats if seat is not None),
        )
    )


async def open_seat(request: Request) -> Response:
    """A token with which a program may play in a seat; it is shown this once."""
    player = await known_player(request)
    wanted = await read_json(request, ProgramSeat)
    _count(request.app.state.limits.tables, request)
    table = await find_table(request)
    return json_response({"token": await table.open_seat(player.id, wanted.seat), "table": table.join_url}, 201)


# --- how the server is --------------------------------------------------------------------------------------


async def is_alive(request: Request) -> Response:
    """Whether the process answers."""
    return PlainTextResponse("ok\n")


async def is_ready(request: Request) -> Response:
    """Whether it can serve: the store answers and takes what is written. Why not, only the log says."""
    if await request.app.state.readiness.holds():
        return PlainTextResponse("ready\n")
    return PlainTextResponse("not ready\n", 503)


class Readiness:
    """Whether a store works, as it was found a moment ago: strangers may ask as often as they like.

    Args:
        store: to be asked.
    """

    SECONDS = 1.0

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asked: asyncio.Task[bool] | None = None
        self._until = 0.0

    async def holds(self) -> bool:
        """Whether it works; all who ask within a moment get one answer."""
        if self._asked is None or time.monotonic() >= self._until:
            self._until = time.monotonic() + self.SECONDS
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
    """Numbers for Prometheus, for callers of the same house only, and not where the whole world may come: whatever
    stands in front of the server would make everybody a caller of the house.
    """
    forwarded = any(name in request.headers for name in _FORWARDED)
    if request.app.state.site.public_url is not None or forwarded or not security.is_near(address_of(request)):
        raise RequestError(404, "not-found")
    return PlainTextResponse(metrics.exposition())


routes: Final = [
    *(Route(path, show_page) for path in _PAGES),
    Route("/web/{path:path}", send_file),
    Route("/service.js", send_service_worker),
    Route("/qr/{code}.svg", show_code),
    Route("/api/site", show_site),
    Route("/api/me", show_me),
    Route("/api/me", save_me, methods=["POST"]),
    Route("/api/me", delete_me, methods=["DELETE"]),
    Route("/api/me/sessions", end_sessions, methods=["DELETE"]),
    Route("/api/tables", create_table, methods=["POST"]),
    Route("/api/tables/{code}", show_table),
    Route("/api/tables/{code}/programs", open_seat, methods=["POST"]),
    Route("/healthz", is_alive),
    Route("/readyz", is_ready),
    Route("/metrics", show_metrics),
]

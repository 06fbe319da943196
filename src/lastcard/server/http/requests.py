"""What every route needs: who asks, what was sent, what an address may ask for, answers and errors as JSON.

``app.state`` holds ``store``, ``registry`` and ``site`` of ``create_app``, ``limits``, ``sessions``, ``readiness``,
``warden`` and ``gate``.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cached_property
from typing import Final, TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from lastcard.server.guard.security import (
    COOKIE,
    TOKEN_LENGTH,
    Limit,
    clean_text,
    count_off,
    hash_token,
    is_shared,
    network_of,
)
from lastcard.server.seats.document import Denied
from lastcard.server.store.rows import Player
from lastcard.server.store.store import Store
from lastcard.server.table.table import LiveTable
from lastcard.text.locale import LANGUAGES, Catalog, catalog

T = TypeVar("T")

JSON: Final = "application/json"
MAX_BODY: Final = 16 * 1024
"""Bytes a request may have."""
BODY_SECONDS: Final = 10.0
"""How long it may take to come."""
MOST_STRANGERS: Final = 64
"""WebSockets an address of the wide world may have that have shown no code of a table yet."""
MOST_SOCKETS: Final = 400
"""And with those at tables; the same house has more."""
_NEAR_TIMES: Final = 200
_SMALL: Final = 500
"""Bytes below which compression gains nothing."""
_PACKER: Final = ThreadPoolExecutor(1, "gzip")
"""One at a time, so that nothing is compressed twice, and the event loop does not wait for it."""
_LIKE_TEXT: Final = ("text/", "application/", "image/svg")
"""Media types that are not compressed in themselves."""


class CallerLimits:
    """What one address may ask for, and how many connections it may have."""

    def __init__(self) -> None:
        self.names = Limit(rate=0.1, burst=20, near=100)
        self.guests = Limit(rate=0.5, burst=200, near=20)
        """Names of people who have the code of a table: a school class is behind one address."""
        self.tables = Limit(rate=0.1, burst=20, near=100)
        self.misses = Limit(rate=0.2, burst=10)
        """Codes that belong to no table."""
        self.requests = Limit(rate=100, burst=20, near=10)
        """Requests; what comes faster waits for its turn, so that a page that loads is slower at worst."""
        self.records = Limit(rate=0.02, burst=10, near=10)
        """Records of matches that are brought in."""
        self.work = Limit(rate=0.1, burst=3, near=10)
        """Seconds of work in the threads that make replays, records and pages of rules."""
        self.keys = Limit(rate=0.02, burst=5, near=2)
        """Wrong tokens for the page of whoever runs the server."""
        self._strangers: Counter[str] = Counter()
        self._connected: Counter[str] = Counter()

    def connect(self, address: str) -> bool:
        """Count one more WebSocket, of a stranger; False where its address has too many."""
        network, times = network_of(address), _NEAR_TIMES if is_shared(address) else 1
        if self._strangers[network] >= MOST_STRANGERS * times or self._connected[network] >= MOST_SOCKETS * times:
            return False
        self._strangers[network] += 1
        self._connected[network] += 1
        return True

    def arrive(self, address: str) -> None:
        """One of them is at a table, and no stranger any more."""
        count_off(self._strangers, network_of(address))

    def disconnect(self, address: str, *, stranger: bool) -> None:
        """A WebSocket is gone."""
        if stranger:
            self.arrive(address)
        count_off(self._connected, network_of(address))


class RequestError(Denied):
    """A request that does not get what it asked for.

    Args:
        status: of HTTP.
        code: and ``values``, as those of ``Denied``.
    """

    def __init__(self, status: int, code: str, **values: object) -> None:
        super().__init__(code, **values)
        self.status = status


class Kept:
    """An answer that the browser keeps, and of which it asks whether it is still so, or never asks again.

    Args:
        body: of the answer.
        media_type: of the body.
    """

    def __init__(self, body: bytes, media_type: str = JSON) -> None:
        self.body = body
        self.media_type = media_type
        self._tag = hashlib.sha256(body).hexdigest()[:24]
        self._is_packable = len(body) >= _SMALL and media_type.startswith(_LIKE_TEXT)

    @cached_property
    def _packed(self) -> bytes:
        """The body in gzip, made once."""
        return gzip.compress(self.body, mtime=0)

    async def send(self, request: Request, *, keep: str = "no-cache") -> Response:
        """The answer as of ``respond``; the event loop goes on while the body is compressed."""
        if self._is_packable and "_packed" not in vars(self) and takes_gzip(request):
            await asyncio.get_running_loop().run_in_executor(_PACKER, lambda: self._packed)
        return self.respond(request, keep=keep)

    def respond(self, request: Request, status: int = 200, *, keep: str = "no-cache") -> Response:
        """The answer, or 304 where the browser has it as it is.

        Args:
            request: that is answered; whether it takes gzip, it says.
            status: of HTTP.
            keep: how long the browser may keep it, as ``Cache-Control`` says it.
        """
        packed = self._packed if self._is_packable and takes_gzip(request) else None
        tag = f'"{self._tag}"' if packed is None else f'"{self._tag}-gzip"'
        headers = {"etag": tag, "cache-control": keep}
        if self._is_packable:
            headers["vary"] = "Accept-Encoding"
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if packed is None:
            return Response(self.body, status, headers, self.media_type)
        return Response(packed, status, {**headers, "content-encoding": "gzip"}, self.media_type)


def takes_gzip(request: Request) -> bool:
    """Whether whoever asks can read gzip."""
    for offered in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, quality = offered.replace(" ", "").partition(";q=")
        if name in ("gzip", "x-gzip", "*"):
            return quality.strip("0.") != "" or not quality
    return False


def json_response(body: object, status: int = 200) -> Response:
    """A JSON answer; it is one person's, so nobody keeps it."""
    return Response(msgspec.json.encode(body), status, {"cache-control": "no-store"}, media_type=JSON)


def error_response(status: int, code: str, text: str) -> Response:
    """An error as JSON."""
    return json_response({"error": code, "text": text}, status)


async def read_json(request: Request, kind: type[T], most: int = MAX_BODY) -> T:
    """The JSON body of a request.

    Args:
        request: of somebody who may send one.
        kind: what it has to be.
        most: bytes it may have.

    Raises:
        RequestError: where it is too long, no JSON, or not of that kind.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != JSON:
        raise RequestError(415, "unreadable", why="Content-Type")
    body = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise RequestError(413, "too-long", limit=most)
    except TimeoutError:
        raise RequestError(408, "unreadable", why="timeout") from None
    except ClientDisconnect:  # nobody is there to hear the answer
        raise RequestError(400, "unreadable", why="disconnect") from None
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RequestError(422, "unreadable", why=error) from None


async def worked(request: Request, worker: Executor, work: Callable[[], T]) -> T:
    """What some work comes to that is done in a thread, within what the address of the caller may cost.

    Raises:
        RequestError: where it has cost too much already.
    """
    limit, address = request.app.state.limits.work, address_of(request)
    if not limit.has(address, 0):
        raise RequestError(429, "too-fast")

    def measured() -> tuple[T, float]:
        begun = time.thread_time()
        return work(), time.thread_time() - begun

    done, seconds = await asyncio.get_running_loop().run_in_executor(worker, measured)
    limit.spend(address, seconds)
    return done


class IdConvertor(Convertor[str]):
    """``{id:id}`` in an address: what can be the id of something; for anything else there is no route."""

    regex = "[0-9A-Za-z_-]{1,40}"

    def convert(self, value: str) -> str:
        """From the address."""
        return value

    def to_string(self, value: str) -> str:
        """Into an address."""
        return value


register_url_convertor("id", IdConvertor())


async def player_of(connection: HTTPConnection) -> Player | None:
    """Who calls, by the cookie; None for somebody the store does not know."""
    token = connection.cookies.get(COOKIE)
    if not token or len(token) > TOKEN_LENGTH:
        return None
    store: Store = connection.app.state.store
    return await store.player_by_token(hash_token(token))


def wants_page(request: Request) -> bool:
    """Whether a person is at the address, and not a program that asks the API."""
    html = "text/html" in request.headers.get("accept", "")
    return request.method in ("GET", "HEAD") and html and not path_of(request).startswith("/api/")


def base_of(connection: HTTPConnection) -> str:
    """The path below which people find the server, without a slash at its end; empty where there is none."""
    base: str = connection.scope.get("root_path", "")
    return base


def path_of(connection: HTTPConnection) -> str:
    """The path that is asked for, as if people found the server at the root."""
    path: str = connection.scope["path"]
    return path.removeprefix(base_of(connection))


def token_of(connection: HTTPConnection) -> str | None:
    """The token of a program (``Authorization: Bearer …``), which no page of anybody can send for a person."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" and 0 < len(token) <= 100 else None


async def admitted_player(connection: HTTPConnection) -> Player | None:
    """Who calls; None for somebody who has not given a name yet.

    Raises:
        RequestError: for somebody who may not come.
    """
    player = await player_of(connection)
    if player is not None and connection.app.state.warden.bars_player(player.id):
        raise RequestError(403, "banned")
    return player


async def known_player(connection: HTTPConnection) -> Player:
    """Who calls.

    Raises:
        RequestError: for somebody who has not given a name yet, or may not come.
    """
    player = await admitted_player(connection)
    if player is None:
        raise RequestError(401, "nobody")
    return player


async def guess_table(request: Request) -> LiveTable:
    """The table of the code in the address, for anybody; wrong codes are counted.

    Raises:
        RequestError: where there is none, or where the caller has guessed too often.
    """
    misses, address = request.app.state.limits.misses, address_of(request)
    if not misses.has(address):
        raise RequestError(429, "too-fast")
    try:
        return await find_table(request)
    except RequestError:
        misses.take(address)
        raise


async def find_table(request: Request) -> LiveTable:
    """The table of the code in the address.

    Raises:
        RequestError: where there is none.
    """
    code = request.path_params["code"]
    table: LiveTable | None = await request.app.state.registry.find(code)
    if table is None:
        raise RequestError(404, "no-table", table=clean_text(code, 20))
    return table


def address_of(connection: HTTPConnection) -> str:
    """The address a request comes from, for limits."""
    return connection.client.host if connection.client else ""


def is_https(request: Request) -> bool:
    """Whether the page came over HTTPS, be it from a proxy. The origin, which has been checked, is sent with changes;
    else the proxy says so, or the address people know.
    """
    origin = request.headers.get("origin")
    if origin is not None:
        return origin.lower().startswith("https:")
    public = urlsplit(request.app.state.site.public_url or "")
    known = public.scheme == "https" and public.netloc.lower() == request.headers.get("host", "").lower()
    return known or request.url.scheme == "https"


def texts_for(connection: HTTPConnection) -> Catalog:
    """The words for a caller: as ``lang`` in the address says, or the browser's first language that is ours."""
    wanted = connection.query_params.get("lang") or connection.headers.get("accept-language", "")
    for part in wanted.split(","):
        language = part.split(";")[0].split("-")[0].strip().lower()
        if language in LANGUAGES:
            return catalog(language)
    return catalog("en")

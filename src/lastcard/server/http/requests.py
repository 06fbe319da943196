"""Shared parts of all routes: callers, request bodies, rate limits, answers and errors as JSON.

``app.state`` holds ``store``, ``registry`` and ``site`` of ``create_app``, ``limits``, ``sessions``, ``readiness``,
``moderation``, ``director``, ``matchmaker``, ``admin_auth``, ``relying_party`` and ``joining``, a lock for merging
profiles.
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
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from lastcard.server.security.security import (
    COOKIE,
    COOKIE_S,
    TOKEN_CHARS,
    Limit,
    clean_code,
    decrement,
    hash_token,
    is_shared_address,
    network_of,
)
from lastcard.server.store.rows import Player
from lastcard.server.store.store import Store
from lastcard.server.table.live_table import LiveTable
from lastcard.session.names import clean_text
from lastcard.session.table_state import CommandError
from lastcard.text.locale import LANGUAGES, Catalog, catalog

T = TypeVar("T")

JSON: Final = "application/json"
BODY_LIMIT_BYTES: Final = 16 * 1024
"""Maximum bytes of a request."""
BODY_S: Final = 10.0
"""Maximum seconds until a body is complete."""
MAX_STRANGERS: Final = 64
"""Maximum WebSockets of an internet address that have not yet named a table."""
MAX_SOCKETS: Final = 400
"""Maximum WebSockets of an internet address in total; local addresses may have more."""
_SHARED_FACTOR: Final = 200
_MIN_PACKED_BYTES: Final = 500
"""Size in bytes below which compression does not pay."""
_PACKER: Final = ThreadPoolExecutor(1, "gzip")
"""One thread, so that nothing is compressed twice and the event loop does not wait."""
_COMPRESSIBLE: Final = ("text/", "application/", "image/svg")
"""Media types that are not compressed in themselves."""


class CallerLimits:
    """The rate and connection limits of one address."""

    def __init__(self) -> None:
        self.names = Limit(rate=0.1, burst=20, shared_factor=100)
        self.guests = Limit(rate=0.5, burst=200, shared_factor=20)
        """Names of people who have the code of a table: a school class is behind one address."""
        self.tables = Limit(rate=0.1, burst=20, shared_factor=100)
        self.misses = Limit(rate=0.2, burst=10)
        """Codes that belong to no table."""
        self.requests = Limit(rate=100, burst=20, shared_factor=10)
        """Requests; what comes faster waits for its turn, so that a page that loads is slower at worst."""
        self.records = Limit(rate=0.02, burst=10, shared_factor=10)
        """Imported records, and exports of all data of a person."""
        self.work = Limit(rate=0.1, burst=3, shared_factor=10)
        """Seconds of work in the threads that make replays, records and pages of rules."""
        self.figures = Limit(rate=0.1, burst=10, shared_factor=10)
        """Seconds of work in the thread that measures rules; new rules take half a second."""
        self.keys = Limit(rate=0.02, burst=5, shared_factor=2)
        """Wrong tokens for the admin page."""
        self._strangers: Counter[str] = Counter()
        self._connected: Counter[str] = Counter()

    def connect(self, address: str) -> bool:
        """Count a new WebSocket; return False if its address has too many."""
        network, times = network_of(address), _SHARED_FACTOR if is_shared_address(address) else 1
        if self._strangers[network] >= MAX_STRANGERS * times or self._connected[network] >= MAX_SOCKETS * times:
            return False
        self._strangers[network] += 1
        self._connected[network] += 1
        return True

    def arrive(self, address: str) -> None:
        """Count a WebSocket as being at a table."""
        decrement(self._strangers, network_of(address))

    def disconnect(self, address: str, *, stranger: bool) -> None:
        """Count a WebSocket as closed."""
        if stranger:
            self.arrive(address)
        decrement(self._connected, network_of(address))


class RequestError(CommandError):
    """A request that is refused with an HTTP status; code and values are those of ``CommandError``."""

    def __init__(self, status: int, code: str, **values: Any) -> None:
        super().__init__(code, **values)
        self.status = status


class CachedResponse:
    """An answer that browsers cache, either forever or with revalidation."""

    def __init__(self, body: bytes, media_type: str = JSON) -> None:
        self.body = body
        self.media_type = media_type
        self._tag = hashlib.sha256(body).hexdigest()[:24]
        self._is_packable = len(body) >= _MIN_PACKED_BYTES and media_type.startswith(_COMPRESSIBLE)

    @cached_property
    def _packed(self) -> bytes:
        """Return the body in gzip, compressed once."""
        return gzip.compress(self.body, mtime=0)

    async def send(self, request: Request, *, cache_control: str = "no-cache") -> Response:
        """Return the answer as ``respond`` does, but compress the body in a thread."""
        if self._is_packable and "_packed" not in vars(self) and takes_gzip(request):
            await asyncio.get_running_loop().run_in_executor(_PACKER, lambda: self._packed)
        return self.respond(request, cache_control=cache_control)

    def respond(self, request: Request, status: int = 200, *, cache_control: str = "no-cache") -> Response:
        """Return the answer, in gzip if the browser accepts that, or 304 if it has it."""
        packed = self._packed if self._is_packable and takes_gzip(request) else None
        tag = f'"{self._tag}"' if packed is None else f'"{self._tag}-gzip"'
        headers = {"etag": tag, "cache-control": cache_control}
        if self._is_packable:
            headers["vary"] = "Accept-Encoding"
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if packed is None:
            return Response(self.body, status, headers, self.media_type)
        return Response(packed, status, {**headers, "content-encoding": "gzip"}, self.media_type)


def takes_gzip(request: Request) -> bool:
    """Return whether a client accepts gzip."""
    for offered in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, quality = offered.replace(" ", "").partition(";q=")
        if name in ("gzip", "x-gzip", "*"):
            return quality.strip("0.") != "" or not quality
    return False


def set_cookie(request: Request, response: Response, name: str, value: str, lifetime_s: int, path: str) -> None:
    """Add a cookie that no script and no foreign page can use."""
    secure = is_https(request)
    response.set_cookie(name, value, lifetime_s, path=path, secure=secure, httponly=True, samesite="strict")


def set_token(request: Request, response: Response, token: str) -> Response:
    """Return an answer that gives the browser its token."""
    set_cookie(request, response, COOKIE, token, COOKIE_S, cookie_path(request))
    return response


def cookie_path(request: Request) -> str:
    """Return the path of the cookie: other servers under the same name do not get it."""
    return base_of(request) or "/"


def store_of(request: Request) -> Store:
    """Return the store of the server."""
    store: Store = request.app.state.store
    return store


def json_response(body: object, status: int = 200) -> Response:
    """Return a JSON answer that is not cached, because it is one person's."""
    return Response(msgspec.json.encode(body), status, {"cache-control": "no-store"}, media_type=JSON)


def error_response(status: int, code: str, text: str) -> Response:
    """Return an error as JSON."""
    return json_response({"error": code, "text": text}, status)


async def read_json(request: Request, kind: type[T], most: int = BODY_LIMIT_BYTES) -> T:
    """Return the JSON body of a request, of a type and at most so many bytes.

    Raises:
        RequestError: if it is too long, no JSON, or of another type.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != JSON:
        raise RequestError(415, "unreadable", why="Content-Type")
    body = b""
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    raise RequestError(413, "too-long", limit=most)
    except TimeoutError:
        raise RequestError(408, "unreadable", why="timeout") from None
    except ClientDisconnect:  # nobody receives the answer
        raise RequestError(400, "unreadable", why="disconnect") from None
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RequestError(422, "unreadable", why=error) from None


async def run_limited(request: Request, worker: Executor, work: Callable[[], T], limit: Limit | None = None) -> T:
    """Return the result of work in a thread, within the cost limit of the caller's address.

    Args:
        limit: the limit; None for that of replays, records and pages of rules.

    Raises:
        RequestError: if the address has used too much already.
    """
    address = address_of(request)
    limit = limit or request.app.state.limits.work
    if not limit.has(address, 0):
        raise RequestError(429, "too-fast")

    def measured() -> tuple[T, float]:
        begun = time.thread_time()
        return work(), time.thread_time() - begun

    done, seconds = await asyncio.get_running_loop().run_in_executor(worker, measured)
    limit.spend(address, seconds)
    return done


class IdConvertor(StringConvertor):
    """Converter ``{id:id}`` for URLs: matches only valid ids."""

    regex = "[0-9A-Za-z_-]{1,40}"


register_url_convertor("id", IdConvertor())


async def player_of(connection: HTTPConnection) -> Player | None:
    """Return the player of the cookie; None if the store does not know them."""
    token = connection.cookies.get(COOKIE)
    if not token or len(token) > TOKEN_CHARS:
        return None
    store: Store = connection.app.state.store
    return await store.player_by_token(hash_token(token))


def wants_page(request: Request) -> bool:
    """Return whether a person opens the URL in a browser, and not a program that uses the API."""
    html = "text/html" in request.headers.get("accept", "")
    return request.method in ("GET", "HEAD") and html and not path_of(request).startswith("/api/")


def base_of(connection: HTTPConnection) -> str:
    """Return the base path of the server without a slash at the end; empty if there is none."""
    base: str = connection.scope.get("root_path", "")
    return base


def path_of(connection: HTTPConnection) -> str:
    """Return the path of a request without the base path."""
    path: str = connection.scope["path"]
    return path.removeprefix(base_of(connection))


def token_of(connection: HTTPConnection) -> str | None:
    """Return the token of a program (``Authorization: Bearer …``), which no foreign page can send for a person."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" and 0 < len(token) <= 100 else None


async def admitted_player(connection: HTTPConnection) -> Player | None:
    """Return the caller; None for a caller without a name.

    Raises:
        RequestError: if the caller is banned.
    """
    player = await player_of(connection)
    if player is not None and connection.app.state.moderation.is_banned_player(player.id):
        raise RequestError(403, "banned")
    return player


async def known_player(connection: HTTPConnection) -> Player:
    """Return the caller.

    Raises:
        RequestError: if the caller has no name or is banned.
    """
    player = await admitted_player(connection)
    if player is None:
        raise RequestError(401, "nobody")
    return player


async def guess_code(connection: HTTPConnection, code: str) -> LiveTable | None:
    """Return the table of a code; wrong codes are counted, and after too many none is accepted."""
    misses, address = connection.app.state.limits.misses, address_of(connection)
    if not misses.has(address):
        return None
    table: LiveTable | None = await connection.app.state.registry.find(code)
    if table is None:
        misses.take(address)
    return table


async def guess_table(request: Request) -> LiveTable:
    """Return the table of the code in the URL for any caller; wrong codes are counted.

    Raises:
        RequestError: if there is none, or the caller has guessed too often.
    """
    _require_code(request)  # what cannot be a code guesses none
    misses, address = request.app.state.limits.misses, address_of(request)
    if not misses.has(address):
        raise RequestError(429, "too-fast")
    try:
        return await find_table(request)
    except RequestError:
        misses.take(address)
        raise


async def find_table(request: Request) -> LiveTable:
    """Return the table of the code in the URL.

    Raises:
        RequestError: if there is none.
    """
    _require_code(request)
    code = request.path_params["code"]
    table: LiveTable | None = await request.app.state.registry.find(code)
    if table is None:
        raise RequestError(404, "no-table", table=clean_text(code, 20))
    return table


def _require_code(request: Request) -> None:
    if clean_code(request.path_params["code"]) is None:
        raise RequestError(404, "no-code")


def address_of(connection: HTTPConnection) -> str:
    """Return the address of a request, for limits."""
    return connection.client.host if connection.client else ""


def is_https(request: Request) -> bool:
    """Return whether the page was loaded over HTTPS, maybe through a proxy. It uses the checked origin, else the
    proxy's header or the public URL.
    """
    origin = request.headers.get("origin")
    if origin is not None:
        return origin.lower().startswith("https:")
    public = urlsplit(request.app.state.site.public_url or "")
    known = public.scheme == "https" and public.netloc.lower() == request.headers.get("host", "").lower()
    return known or request.url.scheme == "https"


def texts_for(connection: HTTPConnection) -> Catalog:
    """Return the texts for a caller: in the language of the ``lang`` parameter, or the browser's."""
    wanted = connection.query_params.get("lang") or connection.headers.get("accept-language", "")
    for part in wanted.split(","):
        language = part.split(";")[0].split("-")[0].strip().lower()
        if language in LANGUAGES:
            return catalog(language)
    return catalog("en")

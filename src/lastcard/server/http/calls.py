"""What every HTTP route needs: who calls, what was sent, answers and errors as JSON.

``app.state`` holds what ``create_app`` was given: ``store``, ``bus``, ``house``, ``site``, ``ready``.
"""

from __future__ import annotations

from typing import Final, TypeVar

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from lastcard.server.guard.security import COOKIE, hash_token
from lastcard.server.store.store import Player, Store
from lastcard.words.locale import LANGUAGES, Catalog, catalog

T = TypeVar("T")

JSON: Final = "application/json"
MAX_BODY: Final = 16 * 1024
"""Bytes a call may send."""


class CallError(Exception):
    """A call that does not get what it asked for.

    Args:
        status: of HTTP.
        code: stable; the words are the text ``web.refused.<code>``.
        values: what stands in the words.
    """

    def __init__(self, status: int, code: str, **values: object) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.values = values


def answer(body: object, status: int = 200) -> Response:
    """A JSON answer; it is one person's, so nobody keeps it."""
    return Response(msgspec.json.encode(body), status, {"cache-control": "no-store"}, media_type=JSON)


def answer_error(status: int, code: str, text: str) -> Response:
    """An error as JSON."""
    return answer({"error": code, "text": text}, status)


async def sent(request: Request, kind: type[T]) -> T:
    """The JSON body of a call.

    Raises:
        CallError: where it is too long, no JSON, or not of that kind.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != JSON:
        raise CallError(415, "unreadable", why="Content-Type")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise CallError(413, "too-long", limit=MAX_BODY)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CallError(422, "unreadable", why=error) from None


async def player_of(call: HTTPConnection) -> Player | None:
    """Who calls, by the cookie; None for somebody the store does not know."""
    token = call.cookies.get(COOKIE)
    if not token or len(token) > 100:
        return None
    store: Store = call.app.state.store
    return await store.player_by_token(hash_token(token))


def token_of(call: HTTPConnection) -> str | None:
    """The token of a program (``Authorization: Bearer …``), which no page of anybody can send for a person."""
    kind, _, token = call.headers.get("authorization", "").partition(" ")
    return token if kind.lower() == "bearer" and 0 < len(token) <= 100 else None


async def known_player(call: HTTPConnection) -> Player:
    """Who calls.

    Raises:
        CallError: for somebody who has not given a name yet.
    """
    player = await player_of(call)
    if player is None:
        raise CallError(401, "nobody")
    return player


def address_of(call: HTTPConnection) -> str:
    """The address a call comes from, for limits."""
    return call.client.host if call.client else ""


def texts_for(call: HTTPConnection) -> Catalog:
    """The words for a caller: as ``lang`` in the address says, or the browser's first language that is ours."""
    wanted = call.query_params.get("lang") or call.headers.get("accept-language", "")
    for part in wanted.split(","):
        language = part.split(";")[0].split("-")[0].strip().lower()
        if language in LANGUAGES:
            return catalog(language)
    return catalog("en")

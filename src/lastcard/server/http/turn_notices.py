"""Where the caller is notified of their turns, over HTTP: browsers and webhooks, each with a switch and a test."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.game.rulesets import GAMES
from lastcard.server.http.requests import RequestError, address_of, json_response, known_player, read_json, store_of
from lastcard.server.security.security import Limit
from lastcard.server.store.notification_queries import PUSH
from lastcard.server.store.rows import NotificationAddress, Player
from lastcard.server.table.notifier import Notice, Notifier
from lastcard.server.wire.checked_client import MAX_ADDRESS_CHARS
from lastcard.server.wire.web_push import are_browser_keys

_PERSON_LIMIT: Final = Limit(rate=0.1, burst=10)
"""The limit of a person for new addresses and tests, which send something to others."""


class NotificationPlace(Struct, frozen=True):
    """An address of the caller without its secret part."""

    id: str
    kind: str
    host: str
    enabled: bool
    failing: bool
    """Whether the last notification has not arrived."""


class Notifications(Struct, frozen=True):
    """The body of ``GET /api/me/notifications``."""

    key: str | None
    """The key that a browser subscribes with; None if this server has no Web Push."""
    places: tuple[NotificationPlace, ...]


class BrowserKeys(Struct, frozen=True):
    """The keys of a browser's subscription, in base64url."""

    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=40)]


class NewPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """An address to notify the caller at."""

    kind: Literal["push", "discord", "slack", "ntfy", "matrix"]
    address: Annotated[str, Meta(max_length=MAX_ADDRESS_CHARS)]
    keys: BrowserKeys | None = None
    """Of a browser."""


class PlaceSwitch(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to notify the caller at an address."""

    enabled: bool


class TestResult(Struct, frozen=True):
    """The result of a test."""

    arrived: bool


async def list_places(request: Request) -> Response:
    """``GET /api/me/notifications``: return where the caller is notified."""
    player = await known_player(request)
    signer = await _notifier(request).signer()
    rows = await store_of(request).notification_addresses(player.id)
    return json_response(Notifications(None if signer is None else signer.public_key, tuple(map(_describe, rows))))


async def add_place(request: Request) -> Response:
    """``POST /api/me/notifications``: notify the caller at an address, which must be public and encrypted."""
    player = await known_player(request)
    wanted = await read_json(request, NewPlace)
    keys = None if wanted.keys is None else {"p256dh": wanted.keys.p256dh, "auth": wanted.keys.auth}
    if (wanted.kind == PUSH) != (keys is not None) or (keys is not None and not are_browser_keys(keys)):
        raise RequestError(422, "unreadable", why="keys")
    _count(request, player)
    row = await _notifier(request).add(player.id, wanted.kind, wanted.address, keys)
    return json_response(_describe(row), 201)


async def switch_place(request: Request) -> Response:
    """``POST /api/me/notifications/ID``: turn an address on or off."""
    player = await known_player(request)
    enabled = (await read_json(request, PlaceSwitch)).enabled
    if not await store_of(request).set_notification_address(player.id, request.path_params["id"], enabled):
        raise RequestError(404, "not-found")
    return json_response(None)


async def remove_place(request: Request) -> Response:
    """``DELETE /api/me/notifications/ID``: forget an address."""
    player = await known_player(request)
    if not await store_of(request).delete_notification_address(player.id, request.path_params["id"]):
        raise RequestError(404, "not-found")
    return json_response(None)


async def test_place(request: Request) -> Response:
    """``POST /api/me/notifications/ID/test``: send a notification to an address, and return whether it arrived."""
    player = await known_player(request)
    rows = await store_of(request).notification_addresses(player.id)
    row = next((row for row in rows if row.id == request.path_params["id"]), None)
    if row is None:
        raise RequestError(404, "not-found")
    _count(request, player)
    notice = Notice("test", GAMES[0], request.app.state.registry.url("/"))
    return json_response(TestResult(await _notifier(request).deliver(row, notice, player.language)))


def _count(request: Request, player: Player) -> None:
    """Count a request that sends something to others.

    Raises:
        RequestError: if there were too many.
    """
    if not (_PERSON_LIMIT.take(player.id) and request.app.state.limits.tables.take(address_of(request))):
        raise RequestError(429, "too-fast")


def _describe(row: NotificationAddress) -> NotificationPlace:
    return NotificationPlace(row.id, row.kind, urlsplit(row.address).hostname or "", row.enabled, row.failures > 0)


def _notifier(request: Request) -> Notifier:
    notifier: Notifier = request.app.state.notifier
    return notifier


routes: Final = [
    Route("/api/me/notifications", list_places),
    Route("/api/me/notifications", add_place, methods=["POST"]),
    Route("/api/me/notifications/{id:id}", switch_place, methods=["POST"]),
    Route("/api/me/notifications/{id:id}", remove_place, methods=["DELETE"]),
    Route("/api/me/notifications/{id:id}/test", test_place, methods=["POST"]),
]

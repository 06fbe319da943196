"""Open tables over HTTP, on servers that allow them: how many wait, a seat, and whom the caller has blocked."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.game.rulesets import GAMES
from lastcard.server.http.requests import (
    RequestError,
    address_of,
    admitted_player,
    json_response,
    known_player,
    read_json,
)
from lastcard.server.security.security import Limit
from lastcard.server.store.rows import now_ms
from lastcard.server.table.matchmaking import Matchmaker
from lastcard.session.commands import PlayerId

_PERSON_LIMIT: Final = Limit(rate=0.2, burst=10)
"""The limit for a person: they may try all games, and come back after a match."""


class SeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The game that the caller wants to play."""

    game: Annotated[str, Meta(max_length=16)]


class BlockRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A person with whom the caller does not want to play at open tables."""

    player: PlayerId


async def show_open_tables(request: Request) -> Response:
    """``GET /api/open``: return how many open tables wait, and what is stored about the caller in this matter."""
    matchmaker, player = _matchmaker(request), await admitted_player(request)
    return json_response(await matchmaker.describe(player.id if player else ""))


async def take_seat(request: Request) -> Response:
    """``POST /api/open``: give the caller a seat at an open table; return its code, or how long they have to wait."""
    matchmaker, player = _matchmaker(request), await known_player(request)
    game = (await read_json(request, SeatRequest)).game
    if game not in GAMES:
        raise RequestError(422, "unreadable", why="game")
    if not (_PERSON_LIMIT.take(player.id) and request.app.state.limits.tables.take(address_of(request))):
        raise RequestError(429, "too-fast")
    seat = await matchmaker.find_seat(player, game)
    return json_response(seat, 200 if seat.code is None else 201)


async def block(request: Request) -> Response:
    """``POST /api/me/blocks``: do not seat the caller with a person at open tables any more."""
    player = await known_player(request)
    other = (await read_json(request, BlockRequest)).player
    if other == player.id:
        raise RequestError(422, "no-such-player")
    if not request.app.state.limits.names.take(address_of(request)):
        raise RequestError(429, "too-fast")
    await request.app.state.store.block(player.id, other, now_ms())
    return json_response(None)


async def unblock_all(request: Request) -> Response:
    """``DELETE /api/me/blocks``: forget whom the caller has blocked."""
    await request.app.state.store.unblock_all((await known_player(request)).id)
    return json_response(None)


def _matchmaker(request: Request) -> Matchmaker:
    """Return what gives seats.

    Raises:
        RequestError: if this server has no open tables.
    """
    matchmaker: Matchmaker | None = request.app.state.matchmaker
    if matchmaker is None:
        raise RequestError(404, "no-open-tables")
    return matchmaker


routes: Final = [
    Route("/api/open", show_open_tables),
    Route("/api/open", take_seat, methods=["POST"]),
    Route("/api/me/blocks", block, methods=["POST"]),
    Route("/api/me/blocks", unblock_all, methods=["DELETE"]),
]

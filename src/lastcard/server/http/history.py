"""Matches over HTTP: one's own, and by their id, which is the share link, replay and record of any.

An id cannot be guessed, so whoever has it may read; what a reader may see is decided in ``replays``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.server.http.replays import ReplayCache, is_live, record_name, record_text, replay_text
from lastcard.server.http.requests import JSON, RequestError, json_response, known_player
from lastcard.server.store.rows import MatchRow, MoveRow
from lastcard.server.store.store import Store

MOST_LISTED: Final = 200
"""How many of their matches a person is shown."""

_WORKER: Final = ThreadPoolExecutor(1, "replays")
"""One at a time: playing matches again must not crowd out those being played."""
_SHELF: Final = ReplayCache()


class MatchLine(Struct, frozen=True):
    """A match in the list of a person."""

    id: str
    table: str
    rules: str
    names: tuple[str, ...]
    started: int
    """In milliseconds since 1970; ``finished`` too."""
    finished: int | None
    winners: tuple[int, ...] | None
    seat: int
    """The person's own."""
    live: bool


async def list_matches(request: Request) -> Response:
    """``GET /api/matches``: the caller's own, latest first."""
    player = await known_player(request)
    store: Store = request.app.state.store
    rows = await store.matches_of(player.id, MOST_LISTED)
    return json_response([_line(row, player.id) for row in rows])


async def show_replay(request: Request) -> Response:
    """``GET /api/matches/ID/replay``: every step of a match, or what spectators have seen of it so far."""
    row, moves = await _found(request)
    text = await _worked(_replay, row, moves)
    return Response(text, headers={"cache-control": "no-store"}, media_type=JSON)


async def send_record(request: Request) -> Response:
    """``GET /api/matches/ID/record``: the record as a file to keep."""
    row, moves = await _found(request)
    text = await _worked(record_text, row, moves)
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="{record_name(row)}"',
    }
    return Response(text, headers=headers, media_type="text/toml")


async def delete_match(request: Request) -> Response:
    """``DELETE /api/matches/ID``: no longer one of the caller's own."""
    player = await known_player(request)
    store: Store = request.app.state.store
    if not await store.delete_match_for(player.id, request.path_params["id"]):
        raise RequestError(404, "not-found")
    return json_response({"id": request.path_params["id"]})


async def _found(request: Request) -> tuple[MatchRow, list[MoveRow]]:
    """The match of the address and its log.

    Raises:
        RequestError: where there is none.
    """
    store: Store = request.app.state.store
    row = await store.load_match(request.path_params["id"])
    if row is None:
        raise RequestError(404, "not-found")
    return row, await store.moves(row.id)


async def _worked(
    work: Callable[[MatchRow, Sequence[MoveRow]], bytes | str], row: MatchRow, moves: Sequence[MoveRow]
) -> bytes | str:
    """What a function makes of a match, away from the event loop."""
    return await asyncio.get_running_loop().run_in_executor(_WORKER, work, row, moves)


def _replay(row: MatchRow, moves: Sequence[MoveRow]) -> bytes:
    """A replay, from the shelf where nothing has changed since."""
    key = (row.id, row.names, is_live(row), len(moves))
    text = _SHELF.get(key)
    if text is None:
        text = replay_text(row, moves)
        _SHELF.put(key, text)
    return text


def _line(row: MatchRow, player: str) -> MatchLine:
    return MatchLine(
        id=row.id,
        table=row.table,
        rules=row.rules,
        names=row.names,
        started=row.started,
        finished=row.finished,
        winners=row.winners,
        seat=row.seat_of(player),
        live=is_live(row),
    )


routes: Final = [
    Route("/api/matches", list_matches),
    Route("/api/matches/{id}", delete_match, methods=["DELETE"]),
    Route("/api/matches/{id}/replay", show_replay),
    Route("/api/matches/{id}/record", send_record),
]

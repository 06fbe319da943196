"""Matches over HTTP: one's own, and by their id, which is the share link, replay and record of any.

An id cannot be guessed, so whoever has it may read; what a reader may see is decided in ``replays``. A match at a table
without spectators is its players' own until it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.errors import RecordError
from lastcard.match.record import Record
from lastcard.server.game.record_import import record_rows
from lastcard.server.guard.security import NAME_LENGTH, clean_name
from lastcard.server.http.replays import ReplayCache, is_live, record_bytes, record_name, replay_text
from lastcard.server.http.requests import (
    JSON,
    RequestError,
    address_of,
    admitted_player,
    json_response,
    known_player,
    player_of,
    read_json,
    worked,
)
from lastcard.server.seats.document import Denied, read_document
from lastcard.server.store.rows import MatchRow, MoveRow
from lastcard.server.store.store import Store

MOST_LISTED: Final = 200
"""How many of their matches a person is shown."""
MOST_BYTES: Final = 256 * 1024
"""Of a record that is brought in; a long match has a tenth of that."""
MOST_MOVES: Final = 20_000
MOST_BROUGHT: Final = 100
"""How many matches a person may bring in."""

_WORKER: Final = ThreadPoolExecutor(1, "replays")
"""One at a time: playing matches again must not crowd out those being played."""
_PROVER: Final = ThreadPoolExecutor(1, "records")
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
    """The person's own; -1 in a match that was brought in."""
    live: bool
    taken_back: bool
    """Whether moves were taken back in it, so that it counts nowhere."""
    brought: bool
    """Whether it was played elsewhere and its record brought in, so that it counts nowhere either."""


class Brought(Struct, frozen=True, forbid_unknown_fields=True):
    """A record of a match, as a file has it."""

    record: Annotated[str, Meta(max_length=MOST_BYTES)]


async def list_matches(request: Request) -> Response:
    """``GET /api/matches``: the caller's own, latest first; none for a caller without a name."""
    player = await admitted_player(request)
    if player is None:
        return json_response([])
    store: Store = request.app.state.store
    rows = await store.matches_of(player.id, MOST_LISTED)
    practice = await store.taken_back([row.id for row in rows])
    return json_response([_line(row, player.id, row.id in practice) for row in rows])


async def bring_match(request: Request) -> Response:
    """``POST /api/matches``: a match that was played elsewhere becomes one of the caller's, once its record is proved.

    Whether its seed was chosen blindly, or its hands seen by one person, nobody can tell: it counts nowhere.
    """
    player = await known_player(request)
    state = request.app.state
    if not state.limits.records.take(address_of(request)):
        raise RequestError(429, "too-fast")
    brought = await read_json(request, Brought, 2 * MOST_BYTES)
    try:
        row, moves = await worked(request, _PROVER, lambda: _prove(brought.record))
    except RecordError as error:
        raise RequestError(422, "bad-record", why=error) from None
    for name in row.names:
        if clean_name(name) != name:
            raise RequestError(422, "bad-record", why=f"a name of at most {NAME_LENGTH} plain letters, not {name!r}")
        state.warden.check_words(name, "name-refused")
    store: Store = state.store
    match = await store.bring_match(row, moves, player.id, MOST_BROUGHT)
    if match is None:
        raise RequestError(422, "too-many-records", limit=MOST_BROUGHT)
    return json_response({"id": match}, 201)


def _prove(text: str) -> tuple[MatchRow, list[MoveRow]]:
    """The rows of a record that is true."""
    record = Record.parse(text)
    count = sum(len(played.moves) for played in record.rounds)
    if count > MOST_MOVES:
        raise RecordError(f"{count} moves; a server takes {MOST_MOVES}")
    if record.winners is None:
        raise RecordError("result: the match is not over")
    return record_rows(record)


async def show_replay(request: Request) -> Response:
    """``GET /api/matches/ID/replay``: every step of a match, or what spectators have seen of it so far."""
    _, text = await _kept(request, replay_text)
    return Response(text, headers={"cache-control": "no-store"}, media_type=JSON)


async def send_record(request: Request) -> Response:
    """``GET /api/matches/ID/record``: the record as a file to keep."""
    row, text = await read_record(request)
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="{record_name(row)}"',
    }
    return Response(text, headers=headers, media_type="text/toml")


async def read_record(request: Request) -> tuple[MatchRow, bytes]:
    """The match of the address and its record.

    Raises:
        RequestError: where there is none that the caller may see.
    """
    return await _kept(request, record_bytes)


async def delete_match(request: Request) -> Response:
    """``DELETE /api/matches/ID``: no longer one of the caller's own."""
    player = await known_player(request)
    store: Store = request.app.state.store
    if not await store.delete_match_for(player.id, request.path_params["id"]):
        raise RequestError(404, "not-found")
    return json_response({"id": request.path_params["id"]})


async def _kept(request: Request, make: Callable[[MatchRow, Sequence[MoveRow]], bytes]) -> tuple[MatchRow, bytes]:
    """The match of the address, and what is made of it: from the shelf where nothing has changed since.

    Raises:
        RequestError: where there is none that the caller may see.
    """
    store: Store = request.app.state.store
    row = await store.load_match(request.path_params["id"])
    if row is None or row.position is not None or (is_live(row) and not await _may_watch(request, row)):
        raise RequestError(404, "not-found")
    moves: list[MoveRow] | None = await store.moves(row.id) if is_live(row) else None
    key = (make, row.id, row.names, None if moves is None else len(moves))
    text = _SHELF.get(key)
    if text is None:
        log = await store.moves(row.id) if moves is None else moves
        text = await worked(request, _WORKER, lambda: _found(key, lambda: make(row, log)))
    return row, text


def _found(key: object, make: Callable[[], bytes]) -> bytes:
    """What is on the shelf, made where it is not there: whoever has waited for others to ask the same finds it."""
    text = _SHELF.get(key)
    if text is None:
        text = make()
        _SHELF.put(key, text)
    return text


async def _may_watch(request: Request, row: MatchRow) -> bool:
    """Whether the caller may see a match that goes on: settings cannot change meanwhile, so its table has them."""
    store: Store = request.app.state.store
    table = await store.load_table(row.table)
    with suppress(Denied):
        if table is None or read_document(table.doc).settings.spectators:
            return True
    player = await player_of(request)
    return player is not None and player.id in row.persons


def _line(row: MatchRow, player: str, taken_back: bool) -> MatchLine:
    played = player in row.persons
    return MatchLine(
        id=row.id,
        table=row.table,
        rules=row.rules,
        names=row.names,
        started=row.started,
        finished=row.finished,
        winners=row.winners,
        seat=row.seat_of(player) if played else -1,
        live=is_live(row),
        taken_back=taken_back,
        brought=not played,
    )


routes: Final = [
    Route("/api/matches", list_matches),
    Route("/api/matches", bring_match, methods=["POST"]),
    Route("/api/matches/{id:id}", delete_match, methods=["DELETE"]),
    Route("/api/matches/{id:id}/replay", show_replay),
    Route("/api/matches/{id:id}/record", send_record),
]

"""Matches over HTTP: the caller's own, and any by its id, with replay and record.

An id cannot be guessed, so everybody who has it may read; ``replays`` decides what they see. A running match at a
table without spectators is visible only to its players.
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
from lastcard.server.http.replays import ByteCache, is_live, is_sealed, record_bytes, record_name, replay_text
from lastcard.server.http.requests import (
    JSON,
    RequestError,
    address_of,
    admitted_player,
    json_response,
    known_player,
    player_of,
    read_json,
    run_limited,
)
from lastcard.server.store.store import Store
from lastcard.server.table.session_storage import restore_state
from lastcard.session.match_rows import MatchRow, MoveRow
from lastcard.session.names import NAME_CHARS, clean_name
from lastcard.session.table_state import CommandError

MAX_LISTED: Final = 200
RECORD_LIMIT_BYTES: Final = 256 * 1024
"""Maximum bytes of an imported record; a long match has a tenth of that."""
MAX_MOVES: Final = 20_000
MAX_IMPORTED: Final = 100
"""Maximum number of imported matches of a person."""

_WORKER: Final = ThreadPoolExecutor(1, "replays")
"""One thread, so that replays do not delay running matches."""
_VERIFIER: Final = ThreadPoolExecutor(1, "records")
_CACHE: Final = ByteCache()


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
    """Seat of the person; -1 in an imported match."""
    live: bool
    taken_back: bool
    """Whether moves were taken back; such a match does not count in statistics."""
    brought: bool
    """Whether its record was imported; such a match does not count in statistics either."""


class ImportRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The record of a match, as in a file."""

    record: Annotated[str, Meta(max_length=RECORD_LIMIT_BYTES)]


async def list_matches(request: Request) -> Response:
    """``GET /api/matches``: return the caller's own matches, latest first; none for a caller without a name."""
    player = await admitted_player(request)
    if player is None:
        return json_response([])
    store: Store = request.app.state.store
    rows = await store.matches_of(player.id, MAX_LISTED)
    practice = await store.taken_back([row.id for row in rows])
    return json_response([_line(row, player.id, row.id in practice) for row in rows])


async def import_match(request: Request) -> Response:
    """``POST /api/matches``: import a match that was played elsewhere, after its record is verified.

    It counts nowhere, because nobody knows whether its seed was random or its hands were hidden.
    """
    player = await known_player(request)
    state = request.app.state
    if not state.limits.records.take(address_of(request)):
        raise RequestError(429, "too-fast")
    wanted = await read_json(request, ImportRequest, 2 * RECORD_LIMIT_BYTES)
    try:
        row, moves = await run_limited(request, _VERIFIER, lambda: _verify_record(wanted.record))
    except RecordError as error:
        raise RequestError(422, "bad-record", why=error) from None
    for name in row.names:
        if clean_name(name) != name:
            raise RequestError(422, "bad-record", why=f"a name of at most {NAME_CHARS} plain letters, not {name!r}")
        state.moderation.check_words(name, "name-refused")
    store: Store = state.store
    match = await store.import_match_for(row, moves, player.id, MAX_IMPORTED)
    if match is None:
        raise RequestError(422, "too-many-records", limit=MAX_IMPORTED)
    return json_response({"id": match}, 201)


def _verify_record(text: str) -> tuple[MatchRow, list[MoveRow]]:
    record = Record.parse(text)
    count = sum(len(played.moves) for played in record.rounds)
    if count > MAX_MOVES:
        raise RecordError(f"{count} moves; a server takes {MAX_MOVES}")
    if record.winners is None:
        raise RecordError("result: the match is not over")
    return record_rows(record)


async def show_replay(request: Request) -> Response:
    """``GET /api/matches/ID/replay``: return every step of a match; for a running one, what spectators have seen."""
    _, text = await _load_cached(request, replay_text)
    return Response(text, headers={"cache-control": "no-store"}, media_type=JSON)


async def send_record(request: Request) -> Response:
    """``GET /api/matches/ID/record``: return the record as a file."""
    row, text = await read_record(request)
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="{record_name(row)}"',
    }
    return Response(text, headers=headers, media_type="text/toml")


async def read_record(request: Request) -> tuple[MatchRow, bytes]:
    """Return the match of the URL and its record.

    Raises:
        RequestError: if there is none that the caller may see.
    """
    return await _load_cached(request, record_bytes)


async def delete_match(request: Request) -> Response:
    """``DELETE /api/matches/ID``: remove a match from the caller's own."""
    player = await known_player(request)
    store: Store = request.app.state.store
    if not await store.delete_match_for(player.id, request.path_params["id"]):
        raise RequestError(404, "not-found")
    return json_response({"id": request.path_params["id"]})


async def _load_cached(
    request: Request, make: Callable[[MatchRow, Sequence[MoveRow]], bytes]
) -> tuple[MatchRow, bytes]:
    """Return the match of the URL and what is made of it, cached until the match changes.

    Raises:
        RequestError: if there is none that the caller may see.
    """
    store: Store = request.app.state.store
    row = await store.load_match(request.path_params["id"])
    if row is None or row.position is not None or (is_live(row) and not await _may_watch(request, row)):
        raise RequestError(404, "not-found")
    moves: list[MoveRow] | None = await store.read_moves(row.id) if is_live(row) else None
    key = (make, row.id, row.names, None if moves is None else len(moves), is_sealed(row))
    text = _CACHE.get(key)
    if text is None:
        log = await store.read_moves(row.id) if moves is None else moves
        text = await run_limited(request, _WORKER, lambda: _get_or_make(key, lambda: make(row, log)))
    return row, text


def _get_or_make(key: object, make: Callable[[], bytes]) -> bytes:
    """Return a cached value, or make it. All run in one thread, so later callers find the result in the cache."""
    text = _CACHE.get(key)
    if text is None:
        text = make()
        _CACHE.put(key, text)
    return text


async def _may_watch(request: Request, row: MatchRow) -> bool:
    """Return whether the caller may see a running match, by the settings of its table (fixed in a match)."""
    store: Store = request.app.state.store
    table = await store.load_table(row.table)
    with suppress(CommandError):
        if table is None or restore_state(table.doc).settings.spectators:
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
    Route("/api/matches", import_match, methods=["POST"]),
    Route("/api/matches/{id:id}", delete_match, methods=["DELETE"]),
    Route("/api/matches/{id:id}/replay", show_replay),
    Route("/api/matches/{id:id}/record", send_record),
]

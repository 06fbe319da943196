"""Duplicate matches over HTTP: open one, start it, its page with tables and standings, and its archive.

A code cannot be guessed, so everybody who has it may read. Results of a deal are shown to nobody before all tables have
played it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.formats.duplicate_archive import DuplicateArchive
from lastcard.formats.record_files import Record
from lastcard.game.rulesets import ruleset
from lastcard.game.seeds import commitment
from lastcard.server.game import duplicates
from lastcard.server.game.duplicates import MAX_TABLES, complete_deals, rank_players
from lastcard.server.http.replays import record_text
from lastcard.server.http.requests import (
    RequestError,
    address_of,
    admitted_player,
    json_response,
    known_player,
    read_json,
    run_limited,
)
from lastcard.server.security.security import clean_code
from lastcard.server.store.rows import DuplicateResultRow, DuplicateRow
from lastcard.server.store.store import Store
from lastcard.server.table.duplicate_director import DuplicateDirector, DuplicatePlan
from lastcard.server.table.session_storage import restore_state
from lastcard.session.commands import Level
from lastcard.session.match_rows import MatchRow, MoveRow
from lastcard.session.movement import seat_order
from lastcard.session.names import clean_text
from lastcard.session.table_settings import WantedSettings
from lastcard.session.table_state import CommandError, TableState

MAX_DEALS: Final = 50

_WORKER: Final = ThreadPoolExecutor(1, "archives")


class NewDuplicate(Struct, frozen=True, forbid_unknown_fields=True):
    """A duplicate match that the caller wants to open."""

    settings: WantedSettings = WantedSettings()
    tables: Annotated[int, Meta(ge=1, le=MAX_TABLES)] = 2
    """With a single table, *master* bots play the same deals."""
    deals: Annotated[int, Meta(ge=1, le=MAX_DEALS)] = 4
    level: Level = "casual"
    """The level of the bots in free seats."""


class DuplicatePlayer(Struct, frozen=True):
    """Who plays at a table of a duplicate match."""

    name: str
    bot: str | None
    """The level of a bot; None for a person."""
    mine: bool


class DuplicateTableInfo(Struct, frozen=True):
    """A table of a duplicate match."""

    number: int
    """From 1."""
    code: str | None
    """The code to join; None for a run of bots."""
    join_url: str | None
    deal: int
    """How many deals have begun here."""
    done: int
    """How many deals have ended here."""
    players: list[DuplicatePlayer | None]
    """By their seats in the first deal; None for a free seat."""


class DuplicateLine(Struct, frozen=True):
    """A line of the standings, of the deals that all tables have played."""

    rank: int
    table: int
    place: int
    """The player's seat in the first deal."""
    match_points: int
    share: float
    """Match points as a share of the most possible."""
    adjusted: float
    """Rounds won more than in the same seats at the other tables, without luck, in the mean of all deals."""


class DuplicateScore(Struct, frozen=True):
    """What one table has made of a deal."""

    match: str
    """The id of the match, with its replay."""
    points: list[int]
    """By seat."""
    winners: list[int]


class DuplicateDeal(Struct, frozen=True):
    """A deal that all tables have played."""

    deal: int
    """From 1."""
    order: list[int]
    """By seat, who had it, as their seat in the first deal."""
    scores: list[DuplicateScore]
    """By table."""


class DuplicatePage(Struct, frozen=True):
    """The body of ``GET /api/duplicates/CODE``: a duplicate match with its tables and standings."""

    code: str
    rules: str
    seats: int
    deals: int
    started: bool
    finished: bool
    mine: bool
    """Whether the caller may start it: they opened it, or its host is erased."""
    promise: str
    """SHA-256 of the secret of all deals."""
    secret: str | None
    """In hex; None until all tables have played all deals."""
    tables: list[DuplicateTableInfo]
    played: list[DuplicateDeal]
    lines: list[DuplicateLine]


async def open_duplicate(request: Request) -> Response:
    """``POST /api/duplicates``: open a duplicate match with the caller as host; return its code."""
    player = await known_player(request)
    wanted = await read_json(request, NewDuplicate)
    limit, address = request.app.state.limits.tables, address_of(request)
    if not all(limit.take(address) for _ in range(wanted.tables)):
        raise RequestError(429, "too-fast")
    plan = DuplicatePlan(wanted.settings, wanted.tables, wanted.deals, wanted.level)
    director: DuplicateDirector = request.app.state.director
    return json_response({"code": await director.create(player, plan)}, 201)


async def start_duplicate(request: Request) -> Response:
    """``POST /api/duplicates/CODE/start``: start all tables; only the host may, and anybody once the host is erased."""
    player = await known_player(request)
    duplicate = await _find(request)
    if duplicate.host not in ("", player.id):
        raise RequestError(403, "duplicate-host")
    director: DuplicateDirector = request.app.state.director
    await director.start(duplicate)
    return json_response({"code": duplicate.code})


async def show_duplicate(request: Request) -> Response:
    """``GET /api/duplicates/CODE``: return a duplicate match with its tables and standings."""
    player = await admitted_player(request)
    duplicate = await _find(request)
    store: Store = request.app.state.store
    if duplicate.started and not duplicate.finished:
        director: DuplicateDirector = request.app.state.director
        results = await director.count(duplicate)
        duplicate = await _find(request)  # perhaps it is over now
    else:
        results = await store.duplicate_results(duplicate.code)
    deals = complete_deals(results, duplicate.tables)
    caller = None if player is None else player.id
    return json_response(
        DuplicatePage(
            code=duplicate.code,
            rules=duplicate.rules,
            seats=duplicate.seats,
            deals=duplicate.deals,
            started=duplicate.started is not None,
            finished=duplicate.finished is not None,
            mine=caller is not None and duplicate.host in ("", caller),
            promise=commitment(duplicate.secret),
            secret=None if duplicate.finished is None else duplicate.secret.hex(),
            tables=await _tables(request, duplicate, results, caller),
            played=[_deal(deal, duplicate.seats, found) for deal, found in deals.items()],
            lines=_lines(duplicate, deals),
        )
    )


async def send_archive(request: Request) -> Response:
    """``GET /api/duplicates/CODE/archive``: return the archive of a duplicate match that is over, as a file."""
    duplicate = await _find(request)
    if duplicate.finished is None:
        raise RequestError(409, "duplicate-open")
    store: Store = request.app.state.store
    matches = [(row, await store.read_moves(row.id)) for row in await store.duplicate_matches(duplicate.code)]
    text = await run_limited(request, _WORKER, lambda: _archive_text(duplicate, matches))
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="lastcard-duplicate-{duplicate.code}.toml"',
    }
    return Response(text, headers=headers, media_type="text/toml")


def _archive_text(duplicate: DuplicateRow, matches: list[tuple[MatchRow, list[MoveRow]]]) -> str:
    archive = DuplicateArchive(
        rules=ruleset(duplicate.rules),
        tables=len(duplicate.tables),
        deals=duplicate.deals,
        promise=commitment(duplicate.secret),
        secret=duplicate.secret,
        records=tuple([Record.parse(record_text(row, moves)) for row, moves in matches]),
    )
    return archive.text()


async def _find(request: Request) -> DuplicateRow:
    """Return the duplicate match of the code in the URL; wrong codes are counted.

    Raises:
        RequestError: if there is none, or the caller has guessed too often.
    """
    misses, address, text = request.app.state.limits.misses, address_of(request), request.path_params["code"]
    if not misses.has(address):
        raise RequestError(429, "too-fast")
    code = clean_code(text)
    store: Store = request.app.state.store
    found = None if code is None else await store.find_duplicate(code)
    if found is None:
        misses.take(address)
        raise RequestError(404, "no-duplicate", duplicate=clean_text(text, 20))
    return found


async def _tables(
    request: Request, duplicate: DuplicateRow, results: list[DuplicateResultRow], caller: str | None
) -> list[DuplicateTableInfo]:
    """Return the tables that still exist."""
    store: Store = request.app.state.store
    found: list[DuplicateTableInfo] = []
    for number, code in enumerate(duplicate.tables, start=1):
        row = await store.load_table(code)
        with suppress(CommandError):  # another version has written it
            if row is not None:
                done = sum(result.table == code for result in results)
                url = request.app.state.registry.url(f"/t/{code}")
                found.append(_table(number, code, url, restore_state(row.doc), done, caller))
    return found


def _table(number: int, code: str, url: str, state: TableState, done: int, caller: str | None) -> DuplicateTableInfo:
    part = state.duplicate
    assert part is not None
    players = [
        None
        if occupant is None
        else DuplicatePlayer(occupant.name, occupant.bot, occupant.player is not None and occupant.player == caller)
        for occupant in duplicates.by_place(state)
    ]
    return DuplicateTableInfo(
        number=number,
        code=None if part.has_run else code,
        join_url=None if part.has_run else url,
        deal=part.deal,
        done=done,
        players=players,
    )


def _deal(deal: int, seats: int, results: tuple[DuplicateResultRow, ...]) -> DuplicateDeal:
    scores = [DuplicateScore(result.match, result.points, result.winners) for result in results]
    return DuplicateDeal(deal, list(seat_order(seats, deal)), scores)


def _lines(duplicate: DuplicateRow, deals: dict[int, tuple[DuplicateResultRow, ...]]) -> list[DuplicateLine]:
    if not deals:
        return []
    tables = len(duplicate.tables)
    totals = rank_players(deals, tables, duplicate.seats)
    most = 2 * (tables - 1) * len(deals)
    return [
        DuplicateLine(
            rank=1 + sum(other.match_points > total.match_points for other in totals),
            table=total.table,
            place=total.place,
            match_points=total.match_points,
            share=total.match_points / most,
            adjusted=total.adjusted,
        )
        for total in totals
    ]


routes: Final = [
    Route("/api/duplicates", open_duplicate, methods=["POST"]),
    Route("/api/duplicates/{code}", show_duplicate),
    Route("/api/duplicates/{code}/start", start_duplicate, methods=["POST"]),
    Route("/api/duplicates/{code}/archive", send_archive),
]

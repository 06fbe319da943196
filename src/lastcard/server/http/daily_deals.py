"""The daily deals over HTTP: today's games with the caller's calendar, a try, and the standings of a day."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Final

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.analysis.master_run import MasterRun, run_master
from lastcard.game import daily_deal
from lastcard.game.daily_deal import PERSON_SEAT, count_streak, day_end_ms
from lastcard.game.rulesets import GAMES
from lastcard.game.seeds import commitment, new_seed
from lastcard.server.game.daily import count_result
from lastcard.server.http.requests import (
    RequestError,
    address_of,
    admitted_player,
    json_response,
    known_player,
    read_json,
)
from lastcard.server.store.rows import DailyStanding
from lastcard.server.store.store import Store
from lastcard.session.match_log import new_match

MAX_LINES: Final = 100
"""Maximum number of results in the standings of a day."""
COUNT_BATCH: Final = 20
"""Number of results that are counted for one request."""
MAX_RUNS: Final = 30
"""Maximum number of runs of a *master* in memory; each takes some seconds."""

_WORKER: Final = ThreadPoolExecutor(1, "daily")
"""One thread, so that play is not delayed."""
_RUNS: Final[OrderedDict[bytes, asyncio.Future[MasterRun]]] = OrderedDict()
"""Runs of a *master*, done or not, by the seed of the deal."""


class DailyTry(Struct, frozen=True):
    """A try of the caller at a daily deal."""

    day: str
    """In UTC, as in ``2026-11-30``."""
    game: str
    finished: bool
    won: bool


class DailyGame(Struct, frozen=True):
    """Today's deal of a game."""

    game: str
    table: str | None
    """The code of the table of the caller's try; None before it."""
    finished: bool


class DailyPage(Struct, frozen=True):
    """The body of ``GET /api/daily``: today's deals, and the tries of the caller."""

    day: str
    ends: int
    """When the day is over, in milliseconds since 1970."""
    streak: int
    """On how many days in succession the caller has finished a deal."""
    games: list[DailyGame]
    tries: list[DailyTry]
    """Latest first."""


class DailyStart(Struct, frozen=True, forbid_unknown_fields=True):
    """The game of today's deal that the caller wants to play."""

    game: Annotated[str, Meta(max_length=16)]


class DailyLine(Struct, frozen=True):
    """A result."""

    place: int
    name: str | None
    """None for a person whom leaderboards may not name, or who has deleted their data."""
    mine: bool
    won: bool
    points: int
    """What the cards left in hand count."""
    moves: int
    luck: float | None
    """In rounds won; None until the report of the match was requested."""
    late: bool
    """Whether the round ended after the day."""
    match: str | None
    """The id of the match, with its proof; of others only once the day is over."""


class DailyStandings(Struct, frozen=True):
    """The body of ``GET /api/daily/DAY/GAME``: the results of a day's deal of a game, best first."""

    day: str
    game: str
    over: bool
    """Whether the day is over."""
    promise: str
    """SHA-256 of the secret."""
    secret: str | None
    """In hex; None until the day is over."""
    players: int
    lines: list[DailyLine]
    """The best, and that of the caller."""
    master: MasterRun | None
    """None until it is known: ask again after some seconds. Nobody sees it before they have finished themselves."""


async def show_today(request: Request) -> Response:
    """``GET /api/daily``: return today's deals; a caller without a name has no tries."""
    day, player = daily_deal.today(), await admitted_player(request)
    store: Store = request.app.state.store
    rows = [] if player is None else await store.daily_tries(player.id)
    tries = [DailyTry(row.day, row.game, row.winners is not None, PERSON_SEAT in (row.winners or ())) for row in rows]
    own = {row.game: row for row in rows if row.day == day}
    games = [
        DailyGame(game, own[game].table if game in own else None, game in own and own[game].winners is not None)
        for game in GAMES
    ]
    streak = count_streak({each.day for each in tries if each.finished}, day)
    return json_response(DailyPage(day, day_end_ms(day), streak, games, tries))


async def start_try(request: Request) -> Response:
    """``POST /api/daily``: return the table of the caller's only try at today's deal of a game."""
    player = await known_player(request)
    game = (await read_json(request, DailyStart)).game
    if game not in GAMES:
        raise RequestError(422, "no-such-game", games=", ".join(GAMES))
    day, store = daily_deal.today(), request.app.state.store
    code = await store.find_daily_try(day, game, player.id)
    if code is None:
        if not request.app.state.limits.tables.take(address_of(request)):
            raise RequestError(429, "too-fast")
        secret = await store.daily_secret(day, game, new_seed())
        table = await request.app.state.registry.create_daily(player, day, game, secret)
        code = await store.begin_daily_try(day, game, player.id, table.code)
    return json_response({"code": code}, 201)


async def show_standings(request: Request) -> Response:
    """``GET /api/daily/DAY/GAME``: return the results of a day's deal of a game."""
    day, game = request.path_params["day"], request.path_params["game"]
    store: Store = request.app.state.store
    try:
        ends = day_end_ms(day)
    except ValueError:
        raise RequestError(404, "not-found") from None
    if game not in GAMES or day > daily_deal.today():
        raise RequestError(404, "not-found")
    secret = await store.find_daily_secret(day, game)
    if secret is None:
        raise RequestError(404, "not-found")
    player = await admitted_player(request)
    await _count(store, day)
    mine = None if player is None else player.id
    standings = await store.daily_standings(day, game, mine, MAX_LINES)
    over = day < daily_deal.today()
    lines = [_line(found, mine, ends, over=over) for found in standings]
    master = None
    if standings and (over or any(line.mine for line in lines)):
        master = await _find_run(store, standings[0].match)
    return json_response(
        DailyStandings(
            day=day,
            game=game,
            over=over,
            promise=commitment(secret),
            secret=secret.hex() if over else None,
            players=standings[0].players if standings else 0,
            lines=lines,
            master=master,
        )
    )


async def _count(store: Store, day: str) -> None:
    """Save the results of finished matches of a day that have none yet."""
    loop = asyncio.get_running_loop()
    for match in await store.uncounted_dailies(day, COUNT_BATCH):
        row = await store.load_match(match)
        if row is not None:
            moves = await store.read_moves(match)
            await store.save_daily_results([await loop.run_in_executor(_WORKER, count_result, row, moves)])


async def _find_run(store: Store, match: str) -> MasterRun | None:
    """Return the run of a *master* on the deal of a match, or begin it and return None."""
    row = await store.load_match(match)
    if row is None:
        return None
    if row.seed not in _RUNS:
        _RUNS[row.seed] = asyncio.get_running_loop().run_in_executor(_WORKER, run_master, new_match(row))
        if len(_RUNS) > MAX_RUNS:
            _RUNS.popitem(last=False)
    run = _RUNS[row.seed]
    return run.result() if run.done() else None


def _line(found: DailyStanding, caller: str | None, ends: int, *, over: bool) -> DailyLine:
    mine = caller is not None and found.player == caller
    return DailyLine(
        place=found.place,
        name=found.name if mine or found.shown else None,
        mine=mine,
        won=PERSON_SEAT in found.winners,
        points=found.points,
        moves=found.moves,
        luck=found.luck,
        late=found.finished >= ends,
        match=found.match if mine or over else None,
    )


routes: Final = [
    Route("/api/daily", show_today),
    Route("/api/daily", start_try, methods=["POST"]),
    Route("/api/daily/{day:id}/{game:id}", show_standings),
]

"""Career statistics over HTTP: the caller's own, and leaderboards of people who have played with each other."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.server.game.career import career, count_calls, rank_players
from lastcard.server.http.requests import admitted_player, guess_table, json_response
from lastcard.server.store.rows import PastMatch
from lastcard.server.store.store import Store

MAX_MATCHES: Final = 1000
"""Maximum number of matches considered, latest first."""
COUNT_BATCH: Final = 10
"""Matches per request whose calls are counted; each is replayed in some hundredths of a second."""
LEADERBOARD_LINES: Final = 10

_WORKER: Final = ThreadPoolExecutor(1, "careers")
"""One thread, so that play is not delayed."""


async def show_career(request: Request) -> Response:
    """``GET /api/me/career``: return the caller's statistics, null for a caller without a name. Calls are counted a few
    matches at a time.
    """
    player = await admitted_player(request)
    if player is None:
        return json_response(None)
    store: Store = request.app.state.store
    matches = await store.past_matches([player.id], 1, MAX_MATCHES)
    uncounted = [match for match in matches if not match.calls][:COUNT_BATCH]
    if uncounted:
        await _count(store, uncounted)
        matches = await store.past_matches([player.id], 1, MAX_MATCHES)
    return json_response(career(matches, player.id))


async def show_own_leaderboard(request: Request) -> Response:
    """``GET /api/me/honors``: return the leaderboard of those with whom the caller has played."""
    player = await admitted_player(request)
    if player is None:
        return json_response([])
    store: Store = request.app.state.store
    return json_response(rank_players(await store.past_matches([player.id], 1, MAX_MATCHES))[:LEADERBOARD_LINES])


async def show_table_leaderboard(request: Request) -> Response:
    """``GET /api/tables/CODE/honors``: return the leaderboard of the persons who sit at a table."""
    table = await guess_table(request)
    store: Store = request.app.state.store
    seated = [player for player in table.state.players if player is not None]
    return json_response(rank_players(await store.past_matches(seated, 2, MAX_MATCHES), seated)[:LEADERBOARD_LINES])


async def _count(store: Store, matches: list[PastMatch]) -> None:
    loop = asyncio.get_running_loop()
    for match in matches:
        row = await store.load_match(match.id)
        if row is not None:
            moves = await store.read_moves(row.id)
            await store.save_calls(await loop.run_in_executor(_WORKER, count_calls, row, moves))


routes: Final = [
    Route("/api/me/career", show_career),
    Route("/api/me/honors", show_own_leaderboard),
    Route("/api/tables/{code}/honors", show_table_leaderboard),
]

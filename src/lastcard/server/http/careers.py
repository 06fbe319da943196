"""What matches come to, over HTTP: one's own career, and tables of honor of people who have played with each other."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.server.game.career import career, count_calls, honors
from lastcard.server.http.requests import admitted_player, guess_table, json_response
from lastcard.server.store.rows import PastMatch
from lastcard.server.store.store import Store

MOST: Final = 1000
"""Matches that are looked at, the latest."""
COUNTED: Final = 10
"""Matches in which calls are counted for one question; each is played again, in some hundredths of a second."""
HONORED: Final = 10
"""Lines of a table of honor."""

_WORKER: Final = ThreadPoolExecutor(1, "careers")
"""One at a time: play must not wait."""


async def show_career(request: Request) -> Response:
    """``GET /api/me/career``: what the caller's matches come to, null for a caller without a name; calls are counted a
    few matches at a time.
    """
    player = await admitted_player(request)
    if player is None:
        return json_response(None)
    store: Store = request.app.state.store
    matches = await store.past_matches([player.id], 1, MOST)
    uncounted = [match for match in matches if not match.calls][:COUNTED]
    if uncounted:
        await _count(store, uncounted)
        matches = await store.past_matches([player.id], 1, MOST)
    return json_response(career(matches, player.id))


async def show_own_honors(request: Request) -> Response:
    """``GET /api/me/honors``: the table of honor of those with whom the caller has played."""
    player = await admitted_player(request)
    if player is None:
        return json_response([])
    store: Store = request.app.state.store
    return json_response(honors(await store.past_matches([player.id], 1, MOST))[:HONORED])


async def show_table_honors(request: Request) -> Response:
    """``GET /api/tables/CODE/honors``: that of the persons who sit at a table."""
    table = await guess_table(request)
    store: Store = request.app.state.store
    seated = [player for player in table.document.players if player is not None]
    return json_response(honors(await store.past_matches(seated, 2, MOST), seated)[:HONORED])


async def _count(store: Store, matches: list[PastMatch]) -> None:
    """Count the calls of matches, and keep what was counted."""
    loop = asyncio.get_running_loop()
    for match in matches:
        row = await store.load_match(match.id)
        if row is not None:
            moves = await store.moves(row.id)
            await store.keep_calls(await loop.run_in_executor(_WORKER, count_calls, row, moves))


routes: Final = [
    Route("/api/me/career", show_career),
    Route("/api/me/honors", show_own_honors),
    Route("/api/tables/{code}/honors", show_table_honors),
]

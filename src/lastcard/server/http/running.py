"""The matches that a person plays just now, over HTTP: the first page leads back to them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.server.http.requests import admitted_player, json_response
from lastcard.server.store.store import Store
from lastcard.server.table.registry import TableRegistry
from lastcard.server.table.table import LiveTable

MOST_SHOWN: Final = 3
"""Matches a person is led back to, those begun last; each table is loaded for it."""
_LATEST: Final = 20
"""Matches that are looked through for them."""


class RunningMatch(Struct, frozen=True):
    """A match in which the caller has a seat."""

    table: str
    """The code of the table."""
    rules: str
    turn: str | None
    """The name of whoever is on turn; None between rounds."""
    yours: bool
    """Whether that is the caller."""


async def list_running(request: Request) -> Response:
    """``GET /api/me/tables``: the matches that go on in which the caller has a seat, those begun last first.

    None for a caller without a name.
    """
    player = await admitted_player(request)
    if player is None:
        return json_response([])
    store: Store = request.app.state.store
    registry: TableRegistry = request.app.state.registry
    rows = [row for row in await store.matches_of(player.id, _LATEST) if row.finished is None]
    found: list[RunningMatch] = []
    for row in rows:
        table = await registry.find(row.table)
        match = None if table is None or table.document.match != row.id else running_match(table, player.id)
        found += [] if match is None else [match]
        if len(found) == MOST_SHOWN:
            break
    return json_response(found)


def running_match(table: LiveTable, player: str) -> RunningMatch | None:
    """The match on a table; None where none goes on, or the person has no seat in it."""
    document, live = table.document, table.live
    seat = document.seat_of(player)
    if live is None or not document.in_match or seat is None:
        return None
    turn = None if live.round_over else live.match.round.turn
    place = None if turn is None else document.seats[turn]
    return RunningMatch(
        table=table.code,
        rules=document.settings.rules,
        turn=None if place is None else place.name,
        yours=turn == seat,
    )


routes: Final = [Route("/api/me/tables", list_running)]

"""The running matches of a person over HTTP, for links on the first page."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.server.http.requests import admitted_player, json_response
from lastcard.server.store.store import Store
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.table_registry import TableRegistry

MAX_SHOWN: Final = 3
"""Maximum number of other matches shown; each table is loaded for it."""
_MAX_SEARCHED: Final = 20


class RunningMatch(Struct, frozen=True):
    """A match in which the caller has a seat."""

    table: str
    """The code of the table."""
    rules: str
    turn: str | None
    """The name of the person on turn; None between rounds."""
    yours: bool
    """Whether the caller is on turn."""
    due: int | None = None
    """By the day, until when the caller's move is due, in milliseconds since 1970."""
    closes: int = 0
    """When the match is closed because nobody moves, likewise; 0 if people do."""


async def list_running(request: Request) -> Response:
    """``GET /api/me/tables``: return the running matches in which the caller has a seat.

    All by the day in which they are on turn come first, by deadline, then the latest others. A caller without a name
    has none.
    """
    player = await admitted_player(request)
    if player is None:
        return json_response([])
    store: Store = request.app.state.store
    registry: TableRegistry = request.app.state.registry
    rows = [row for row in await store.matches_of(player.id, _MAX_SEARCHED) if row.finished is None]
    turns = await store.list_day_turns(player.id)
    found = [RunningMatch(turn.code, turn.rules, player.name, True, turn.due, turn.closes) for turn in turns]
    most = len(found) + MAX_SHOWN
    for row in rows:
        if any(row.table == turn.code for turn in turns):
            continue
        table = await registry.find(row.table)
        match = None if table is None or table.state.match != row.id else running_match(table, player.id)
        found += [] if match is None else [match]
        if len(found) == most:
            break
    return json_response(found)


def running_match(table: LiveTable, player: str) -> RunningMatch | None:
    """Return the running match of a table; None if there is none or the person has no seat in it."""
    state, play = table.state, table.play
    seat = state.seat_of(player)
    if play is None or not state.in_match or seat is None:
        return None
    turn = None if play.round_over else play.match.round.turn
    occupant = None if turn is None else state.seats[turn]
    return RunningMatch(
        table=table.code,
        rules=state.settings.rules,
        turn=None if occupant is None else occupant.name,
        yours=turn == seat,
    )


routes: Final = [Route("/api/me/tables", list_running)]

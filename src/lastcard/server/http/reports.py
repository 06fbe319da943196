"""Luck and skill in a match that is over, over HTTP: worked out when it is first asked for, then kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Container, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lastcard.analysis.findings import Report, RoundReport
from lastcard.analysis.moments import Moment, moments
from lastcard.analysis.report import report
from lastcard.analysis.words import Line, Words
from lastcard.server.game.career import findings_of
from lastcard.server.game.match_log import play_whole
from lastcard.server.guard import metrics
from lastcard.server.guard.fair import FairQueue, Owner
from lastcard.server.guard.security import Limit, network_of
from lastcard.server.http.history import read_record
from lastcard.server.http.replays import is_live
from lastcard.server.http.requests import RequestError, address_of, json_response, player_of, texts_for
from lastcard.server.store.rows import MatchRow, MoveRow
from lastcard.server.store.store import Store
from lastcard.text.locale import Catalog

MOST_KEPT: Final = 32
"""Reports of matches that are kept; the one not asked for longest goes first."""
MOST_WAITING: Final = 4
"""Reports that may wait for one person; each takes some seconds."""

_WORKER: Final = ThreadPoolExecutor(1, "reports")
"""One at a time: play must not wait. Who asks for the same waits, and then finds it."""
_QUEUE: Final = FairQueue(1, lambda: _WORKER)
"""To it, by address and person: who asks for many waits for them alone."""
metrics.WAITING.labels("reports").set_function(_QUEUE.__len__)
_measured: Final = metrics.THOUGHTS.labels("report").time()
_LIMIT: Final = Limit(rate=0.05, burst=10)
"""By person."""
_MOMENTS_LIMIT: Final = Limit(rate=0.2, burst=20)
_ADDRESS_LIMIT: Final = Limit(rate=0.5, burst=50)
"""Of both, for all persons of an address together."""
Key = tuple[str, tuple[str, ...]]
"""What is kept of a match is kept with the names in it: one that is deleted is not to be read there."""
_KEPT: Final[OrderedDict[Key, Report]] = OrderedDict()
_MOMENTS: Final[OrderedDict[Key, list[Moment]]] = OrderedDict()
T = TypeVar("T")


class Mark(Struct, frozen=True):
    """A decision on the chart."""

    ply: int
    """Which act of the round it is, from 1."""
    seat: int
    kind: str
    """``mistake`` or ``find``."""


class Curve(Struct, frozen=True):
    """The chart of a round."""

    title: str
    chances: list[list[float]]
    """After the deal and each act, the chance of every seat; ``errors``: half of the 95 % interval of each."""
    errors: list[list[float]]
    marks: list[Mark]


class Figures(Struct, frozen=True):
    """A table: heads, and for each player, or each kind of mistake, figures with their uncertainty."""

    title: str
    about: str
    heads: list[str]
    rows: list[list[tuple[str, str]]]


class Listing(Struct, frozen=True):
    """Findings in words."""

    title: str
    none: str
    lines: list[Line]


class ReportPage(Struct, frozen=True):
    """A report as the screen shows it: the body of ``GET /api/matches/ID/report``."""

    notes: list[str]
    marks: str
    """What the chart shows, in words."""
    curves: list[Curve]
    tables: list[Figures]
    lists: list[Listing]


async def show_report(request: Request) -> Response:
    """``GET /api/matches/ID/report``: luck and skill in a match that is over.

    A page that can work it out itself says so by ``?here``; where the server leaves it to pages, and one person at most
    has played with bots, it is given the record instead: with several persons the figures count for all of them.
    """
    texts, row = texts_for(request), await _finished(request)
    key = _key(row)
    new = key not in _KEPT
    if new and "here" in request.query_params and request.app.state.site.analysis == "page" and len(row.persons) <= 1:
        _, record = await read_record(request)
        return json_response({"record": record.decode()})
    answer = await _answer(request, row, _KEPT, _LIMIT, lambda row, moves: make_page(row, moves, texts))
    if new and key in _KEPT:
        store: Store = request.app.state.store
        await store.keep_findings(findings_of(row.id, _KEPT[key]))
    return answer


async def show_moments(request: Request) -> Response:
    """``GET /api/matches/ID/moments``: what is worth saying of a match as soon as it is over."""
    return await _answer(request, await _finished(request), _MOMENTS, _MOMENTS_LIMIT, find_moments)


async def _finished(request: Request) -> MatchRow:
    """The match of the address.

    Raises:
        RequestError: where there is none that is over and was shuffled.
    """
    store: Store = request.app.state.store
    row = await store.load_match(request.path_params["id"])
    if row is None or row.position is not None or is_live(row):
        raise RequestError(404, "not-found")
    return row


async def _answer(
    request: Request,
    row: MatchRow,
    kept: Container[Key],
    limit: Limit,
    work: Callable[[MatchRow, Sequence[MoveRow]], object],
) -> Response:
    """What is worked out of a match that is over.

    Args:
        request: asks for it.
        row: the match.
        kept: matches for which there is nothing to work out any more.
        limit: for those for which there is.
        work: done in a thread.
    """
    store: Store = request.app.state.store
    owner = await _owner(request)
    if _key(row) not in kept:
        address = address_of(request)
        if _QUEUE.waiting(owner) >= MOST_WAITING or not _ADDRESS_LIMIT.take(address):
            raise RequestError(429, "too-fast")
        if not limit.take(address if owner.name is None else str(owner.name)):
            raise RequestError(429, "too-fast")
    moves = await store.moves(row.id)
    return json_response(await asyncio.wrap_future(_QUEUE.submit(owner, _measured(work), row, moves)))


async def show_place(request: Request) -> Response:
    """``GET /api/reports/place``: how many others are served before the caller's next report."""
    return json_response({"ahead": _QUEUE.ahead(await _owner(request))})


async def _owner(request: Request) -> Owner:
    """For whom a report is made: a person, else whoever is at an address; one at a time for each."""
    player = await player_of(request)
    return Owner(network_of(address_of(request)), None if player is None else player.id, alone=True)


def find_moments(row: MatchRow, moves: Sequence[MoveRow]) -> list[Moment]:
    """What is worth saying of a match; nothing of one that was abandoned.

    Args:
        row: a match that is over.
        moves: its log.
    """
    if row.winners is None:
        return []
    return _keep(_MOMENTS, _key(row), lambda: moments(play_whole(row, moves), _seats_of_persons(row)))


def _seats_of_persons(row: MatchRow) -> set[int]:
    """Where persons sat, those too who took a seat over."""
    first = {seat for seat, player in enumerate(row.players) if player is not None}
    return first | {seat for seat, _ in row.heirs}


def make_page(row: MatchRow, moves: Sequence[MoveRow], texts: Catalog) -> ReportPage:
    """The page of a match.

    Args:
        row: a match that is over.
        moves: its log.
        texts: the language.
    """
    found = _keep(_KEPT, _key(row), lambda: report(play_whole(row, moves), threads=1))
    words = Words(found, texts)
    heads, rows = words.kinds()
    return ReportPage(
        notes=list(words.notes()),
        marks=words.text("chart.marks"),
        curves=[_curve(one, words) for one in found.rounds],
        tables=[
            Figures(words.text("account.title"), words.text("account.sum"), *words.accounts()),
            Figures(words.text("decisions.title"), words.text("decisions.about"), *words.decisions()),
            *([Figures(words.text("kinds.title"), words.text("kinds.about"), heads, rows)] if rows else []),
        ],
        lists=[
            Listing(words.text(f"{name}.title"), words.text(f"{name}.none"), lines)
            for name, lines in words.lists().items()
        ],
    )


def _key(row: MatchRow) -> Key:
    return row.id, row.names


def _keep(shelf: OrderedDict[Key, T], key: Key, make: Callable[[], T]) -> T:
    """What is on a shelf for a match, made where it is not there."""
    found = shelf.get(key)
    if found is None:
        found = shelf[key] = make()
        if len(shelf) > MOST_KEPT:
            shelf.popitem(last=False)
    shelf.move_to_end(key)
    return found


def _curve(one: RoundReport, words: Words) -> Curve:
    moments = one.moments
    return Curve(
        title=words.round(one.number),
        chances=[[round(chance.value, 3) for chance in moment] for moment in moments],
        errors=[[round(chance.margin, 3) for chance in moment] for moment in moments],
        marks=[Mark(d.ply, d.seat, d.kind) for d in one.decisions if d.kind is not None],
    )


routes: Final = [
    Route("/api/reports/place", show_place),
    Route("/api/matches/{id:id}/report", show_report),
    Route("/api/matches/{id:id}/moments", show_moments),
]

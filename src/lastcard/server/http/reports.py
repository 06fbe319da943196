"""Reports about luck and skill in finished matches, over HTTP: computed on first request, then cached."""

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

from lastcard.analysis.highlights import Highlight, find_highlights
from lastcard.analysis.report import estimate_match_chances, make_report
from lastcard.analysis.report_model import Decision, Report, RoundChances, RoundReport
from lastcard.analysis.report_text import ChanceTexts, ReportLine, ReportTexts
from lastcard.server.game.career import finding_rows
from lastcard.server.http.matches import read_record
from lastcard.server.http.replays import is_live, is_sealed
from lastcard.server.http.requests import RequestError, address_of, json_response, player_of, texts_for
from lastcard.server.security import metrics
from lastcard.server.security.fair_queue import FairQueue, Owner
from lastcard.server.security.security import Limit, network_of
from lastcard.server.store.store import Store
from lastcard.session.match_log import replay_match
from lastcard.session.match_rows import MatchRow, MoveRow
from lastcard.text.locale import Catalog

MAX_CACHED: Final = 32
"""Maximum number of cached reports; the least recently used goes first."""
MAX_WAITING: Final = 4
"""Maximum number of a person's waiting reports; each takes some seconds."""

_WORKER: Final = ThreadPoolExecutor(1, "reports")
"""One thread, so that play is not delayed. Later requests for the same report find it in the cache."""
_QUEUE: Final = FairQueue(1, lambda: _WORKER)
"""The queue of the thread by address and person, so that many requests of one delay nobody else."""
_CHANCES_WORKER: Final = ThreadPoolExecutor(1, "chances")
_CHANCES_QUEUE: Final = FairQueue(1, lambda: _CHANCES_WORKER)
"""The queue of another thread for what is shown first, which takes a second and must not wait for whole reports."""
metrics.WAITING.labels("reports").set_function(_QUEUE.__len__)
_timed: Final = metrics.THOUGHTS.labels("report").time()
_LIMIT: Final = Limit(rate=0.05, burst=10)
"""The limit for a person."""
_CHANCES_LIMIT: Final = Limit(rate=0.05, burst=10)
_HIGHLIGHTS_LIMIT: Final = Limit(rate=0.2, burst=20)
_ADDRESS_LIMIT: Final = Limit(rate=0.5, burst=50)
"""The limit for all persons of an address together."""
Key = tuple[str, tuple[str, ...]]
"""The key of a cached report has the names in it, so that a deleted name is never served."""
_REPORTS: Final[OrderedDict[Key, Report]] = OrderedDict()
_HIGHLIGHTS: Final[OrderedDict[Key, list[Highlight]]] = OrderedDict()
T = TypeVar("T")


class Mark(Struct, frozen=True):
    """A decision on the chart."""

    ply: int
    """Ply of the round, from 1."""
    seat: int
    kind: str
    """``mistake`` or ``find``."""
    best: str | None = None
    """The best move instead of a mistake, for a puzzle."""


class Curve(Struct, frozen=True):
    """The chart of a round."""

    title: str
    chances: list[list[float]]
    """After the deal and each move, the chance of every seat; ``errors``: half of the 95 % interval of each."""
    errors: list[list[float]]
    marks: list[Mark]


class ReportTable(Struct, frozen=True):
    """A table: heads, and for each player, or each kind of mistake, figures with their uncertainty."""

    title: str
    about: str
    heads: list[str]
    rows: list[list[tuple[str, str]]]


class Listing(Struct, frozen=True):
    """A list of decisions or events in words."""

    title: str
    none: str
    lines: list[ReportLine]


class ReportPage(Struct, frozen=True):
    """A report as the screen shows it: the body of ``GET /api/matches/ID/report``."""

    notes: list[str]
    marks: str
    """Legend of the chart."""
    curves: list[Curve]
    tables: list[ReportTable]
    """Empty if these are only the chances."""
    lists: list[Listing]


async def show_report(request: Request) -> Response:
    """``GET /api/matches/ID/report``: return luck and skill in a finished match.

    A page that can compute reports says so by ``?here``. If pages make reports here and at most one person has
    played, such a page gets the record instead; with several persons the results count for all of them. ``?first``
    requests only the chances, after a second, if the report is not ready.
    """
    texts, row = texts_for(request), await _finished(request)
    key = _key(row)
    new = key not in _REPORTS
    here = "here" in request.query_params and request.app.state.site.analysis == "client"
    if new and here and len(row.persons) <= 1 and not is_sealed(row):  # a page needs the seed
        _, record = await read_record(request)
        return json_response({"record": record.decode()})
    if new and "first" in request.query_params:
        return await _answer(
            request, row, (), _CHANCES_LIMIT, lambda row, moves: make_first_page(row, moves, texts), _CHANCES_QUEUE
        )
    answer = await _answer(request, row, _REPORTS, _LIMIT, lambda row, moves: make_page(row, moves, texts))
    if new and key in _REPORTS:
        store: Store = request.app.state.store
        await store.save_findings(finding_rows(row.id, _REPORTS[key]))
    return answer


async def show_highlights(request: Request) -> Response:
    """``GET /api/matches/ID/moments``: return the highlights of a finished match."""
    return await _answer(request, await _finished(request), _HIGHLIGHTS, _HIGHLIGHTS_LIMIT, find_match_highlights)


async def _finished(request: Request) -> MatchRow:
    """Return the match of the URL.

    Raises:
        RequestError: if there is none that is finished and was shuffled.
    """
    store: Store = request.app.state.store
    row = await store.load_match(request.path_params["id"])
    if row is None or row.position is not None or is_live(row):
        raise RequestError(404, "not-found")
    return row


async def _answer(
    request: Request,
    row: MatchRow,
    cached: Container[Key],
    limit: Limit,
    work: Callable[[MatchRow, Sequence[MoveRow]], object],
    queue: FairQueue = _QUEUE,
) -> Response:
    """Return the result of work on a finished match, done in a thread; matches that are not cached are rate-limited."""
    store: Store = request.app.state.store
    owner = await _owner(request)
    if _key(row) not in cached:
        address = address_of(request)
        if queue.waiting(owner) >= MAX_WAITING or not _ADDRESS_LIMIT.take(address):
            raise RequestError(429, "too-fast")
        if not limit.take(address if owner.name is None else str(owner.name)):
            raise RequestError(429, "too-fast")
    moves = await store.read_moves(row.id)
    return json_response(await asyncio.wrap_future(queue.submit(owner, _timed(work), row, moves)))


async def show_queue_position(request: Request) -> Response:
    """``GET /api/reports/place``: return how many others come before the caller's next report."""
    return json_response({"ahead": _QUEUE.ahead(await _owner(request))})


async def _owner(request: Request) -> Owner:
    """Return the queue owner of a report: the person, else the address; one report at a time for each."""
    player = await player_of(request)
    return Owner(network_of(address_of(request)), None if player is None else player.id, is_serial=True)


def find_match_highlights(row: MatchRow, moves: Sequence[MoveRow]) -> list[Highlight]:
    """Return the highlights of a finished match; none for an abandoned one."""
    if row.winners is None:
        return []
    return _get_or_make(
        _HIGHLIGHTS, _key(row), lambda: find_highlights(replay_match(row, moves), _seats_of_persons(row))
    )


def _seats_of_persons(row: MatchRow) -> set[int]:
    """Return the seats that one person has had since the first round; nobody is blamed for moves before a takeover."""
    inherited = {seat for seat, _ in row.takeovers}
    seats = enumerate(zip(row.players, row.bots, strict=True))
    return {seat for seat, (player, bot) in seats if player is not None and bot is None and seat not in inherited}


def make_page(row: MatchRow, moves: Sequence[MoveRow], texts: Catalog) -> ReportPage:
    """Return the report page of a finished match."""
    found = _get_or_make(_REPORTS, _key(row), lambda: make_report(replay_match(row, moves), threads=1))
    words = ReportTexts(found, texts)
    heads, rows = words.mistake_table()
    return ReportPage(
        notes=list(words.notes()),
        marks=words.text("chart.marks"),
        curves=[_curve(one, _marks(one), words) for one in found.rounds],
        tables=[
            ReportTable(words.text("account.title"), words.text("account.sum"), *words.attribution_table()),
            ReportTable(words.text("decisions.title"), words.text("decisions.about"), *words.decision_table()),
            *([ReportTable(words.text("kinds.title"), words.text("kinds.about"), heads, rows)] if rows else []),
        ],
        lists=[_listing(name, lines, words) for name, lines in words.lists().items()],
    )


def make_first_page(row: MatchRow, moves: Sequence[MoveRow], texts: Catalog) -> ReportPage:
    """Return the chances in a finished match, as the part of its report that is shown first."""
    words = ChanceTexts(estimate_match_chances(replay_match(row, moves)), texts)
    return ReportPage(
        notes=list(words.notes()),
        marks="",
        curves=[_curve(one, [], words) for one in words.report.rounds],
        tables=[],
        lists=[_listing("changes", words.largest_changes(), words)],
    )


def _listing(name: str, lines: list[ReportLine], words: ChanceTexts) -> Listing:
    return Listing(words.text(f"{name}.title"), words.text(f"{name}.none"), lines)


def _marks(one: RoundReport) -> list[Mark]:
    return [Mark(d.ply, d.seat, d.kind, _better_move(d)) for d in one.decisions if d.kind is not None]


def _better_move(decision: Decision) -> str | None:
    """Return the move that would have been better than a mistake; None if that is no move, or it was none."""
    return str(decision.best) if decision.kind == "mistake" and decision.best is not None else None


def _key(row: MatchRow) -> Key:
    return row.id, row.names


def _get_or_make(cache: OrderedDict[Key, T], key: Key, make: Callable[[], T]) -> T:
    found = cache.get(key)
    if found is None:
        found = cache[key] = make()
        if len(cache) > MAX_CACHED:
            cache.popitem(last=False)
    cache.move_to_end(key)
    return found


def _curve(one: RoundChances, marks: list[Mark], words: ChanceTexts) -> Curve:
    moments = one.moments
    return Curve(
        title=words.round(one.number),
        chances=[[round(chance.value, 3) for chance in moment] for moment in moments],
        errors=[[round(chance.margin, 3) for chance in moment] for moment in moments],
        marks=marks,
    )


routes: Final = [
    Route("/api/reports/place", show_queue_position),
    Route("/api/matches/{id:id}/report", show_report),
    Route("/api/matches/{id:id}/moments", show_highlights),
]

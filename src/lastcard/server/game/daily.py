"""Daily deals: their days, streaks and results, and the run of a *master* on the same deal.

A day is one of UTC by the clock of the server, written as in ``2026-11-30``: neither the time zone nor the clock of a
device matters.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from msgspec import Struct

from lastcard.analysis.report import make_report
from lastcard.bots.base import choose_move
from lastcard.bots.registry import make_bots
from lastcard.server.store.daily_queries import PERSON_SEAT
from lastcard.server.store.rows import DailyResultRow
from lastcard.session.match_log import drop_taken_back, new_match, replay_match
from lastcard.session.match_rows import NEXT_ROUND, MatchRow, MoveRow

MASTER_LEVEL: Final = "master"
_DAY: Final = timedelta(days=1)


class MasterRun(Struct, frozen=True):
    """What a *master* made of a day's deal in the person's seat, against the same bots."""

    won: bool
    cards: int
    points: int
    moves: int
    luck: float
    """In rounds won."""


def today() -> str:
    """Return the day of the server's clock."""
    return datetime.now(UTC).date().isoformat()


def day_end_ms(day: str) -> int:
    """Return when a day ends, in milliseconds since 1970; raises a ValueError for a text that is no day."""
    end = datetime.combine(date.fromisoformat(day) + _DAY, datetime.min.time(), UTC)
    return round(1000 * end.timestamp())


def count_streak(days: Collection[str], today: str) -> int:
    """Return on how many days in succession somebody has played, up to today or, before today's deal, yesterday."""
    day = date.fromisoformat(today)
    if today not in days:
        day -= _DAY
    streak = 0
    while day.isoformat() in days:
        streak, day = streak + 1, day - _DAY
    return streak


def count_result(row: MatchRow, moves: Sequence[MoveRow]) -> DailyResultRow:
    """Return the result of a finished try."""
    round_ = replay_match(row, moves).round
    own = sum(move.seat == PERSON_SEAT for move in drop_taken_back(moves) if move.action != NEXT_ROUND)
    return DailyResultRow(row.id, len(round_.hand(PERSON_SEAT)), round_.held[PERSON_SEAT], own)


def run_master(row: MatchRow) -> MasterRun:
    """Return the run of a *master* on the deal of a match. The same deal gives the same run on every machine."""
    match = new_match(row)
    levels = [MASTER_LEVEL if seat == PERSON_SEAT else bot or MASTER_LEVEL for seat, bot in enumerate(row.bots)]
    bots = make_bots(levels, row.seed)
    moves = 0
    while not match.over:
        if match.round.over:
            match.next_round()
        seat, move = choose_move(match.round, bots)
        match.do(seat, move)
        moves += seat == PERSON_SEAT
    round_ = match.round
    luck = make_report(match, threads=1).accounts[PERSON_SEAT].luck.value
    won = PERSON_SEAT in (match.winners or ())
    return MasterRun(won, len(round_.hand(PERSON_SEAT)), round_.held[PERSON_SEAT], moves, luck)

"""Results of daily deals, counted from the log of a match."""

from __future__ import annotations

from collections.abc import Sequence

from lastcard.game.daily_deal import PERSON_SEAT
from lastcard.server.store.rows import DailyResultRow
from lastcard.session.match_log import drop_taken_back, replay_match
from lastcard.session.match_rows import NEXT_ROUND, MatchRow, MoveRow


def count_result(row: MatchRow, moves: Sequence[MoveRow]) -> DailyResultRow:
    """Return the result of a finished try."""
    round_ = replay_match(row, moves).round
    own = sum(move.seat == PERSON_SEAT for move in drop_taken_back(moves) if move.action != NEXT_ROUND)
    return DailyResultRow(row.id, len(round_.hand(PERSON_SEAT)), round_.held[PERSON_SEAT], own)

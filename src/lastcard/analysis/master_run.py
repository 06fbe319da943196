"""The run of a *master* on a daily deal, in the person's seat and against the same bots."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from lastcard.analysis.report import make_report
from lastcard.bots.base import choose_move
from lastcard.bots.registry import make_bots
from lastcard.game.daily_deal import DAILY_LEVEL, PERSON_SEAT
from lastcard.match.match import Match

MASTER_LEVEL: Final = "master"


class MasterRun(Struct, frozen=True):
    """What a *master* made of a day's deal in the person's seat, against the same bots."""

    won: bool
    cards: int
    points: int
    moves: int
    luck: float
    """In rounds won."""


def run_master(match: Match) -> MasterRun:
    """Plays a daily deal that has no moves yet to its end; the same deal gives the same run on every machine."""
    levels = [MASTER_LEVEL if seat == PERSON_SEAT else DAILY_LEVEL for seat in range(len(match.players))]
    bots = make_bots(levels, match.seed)
    moves = 0
    while not match.over:
        seat, move = choose_move(match.round, bots)
        match.do(seat, move)
        moves += seat == PERSON_SEAT
    round_, won = match.round, PERSON_SEAT in (match.winners or ())
    return MasterRun(won, len(round_.hand(PERSON_SEAT)), round_.held[PERSON_SEAT], moves, measure_person_luck(match))


def measure_person_luck(match: Match) -> float:
    """Returns the luck of the person in a finished daily deal, in rounds won."""
    return make_report(match, threads=1).accounts[PERSON_SEAT].luck.value

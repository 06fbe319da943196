"""Matches to report on, and reports that take little time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from lastcard.analysis.report import make_report
from lastcard.analysis.report_model import Report
from lastcard.bots.base import choose_move
from lastcard.bots.registry import make_bot
from lastcard.bots.search import SearchConfig
from lastcard.formats.record_files import Record
from lastcard.game.moves import Move
from lastcard.match.match import Match
from lastcard.match.round import Round

QUICK_SETTINGS: Final[dict[str, Any]] = {
    "rollouts": 120,
    "search_config": SearchConfig(rollouts=120, deals=32, burn=40, thin=3),
    "measure_config": SearchConfig(deals=8, burn=20, thin=2),
    "threads": 1,
}
"""Few rollouts: the meaning of a figure does not depend on their number."""

EFFORTS: Final = SearchConfig(rollouts=64, deals=16, burn=30, thin=3), SearchConfig(deals=8, burn=20, thin=2)
"""Finding and measuring, with less effort. Parts of powers of two are exact, so both languages have the same ties."""
ROLLOUTS: Final = 64
SEARCH_BUDGETS: Final = dict(zip(("searchBudget", "measureBudget"), map(msgspec.to_builtins, EFFORTS), strict=True))
"""``EFFORTS`` for the page."""

MoveOverride = Callable[[Round, int], Move | str | None]
"""A move instead of the bot's move; None for the bot's own."""


def play_match(
    rules: str, bots: str, rounds: int = 1, seed: object = 1, override: MoveOverride = lambda table, seat: None
) -> Match:
    """A match of some rounds between bots, whose names are separated by commas."""
    names = bots.split(",")
    match = Match(rules, [f"{name} {seat}" for seat, name in enumerate(names)], seed=str(seed))
    players = [make_bot(name, match.seed, seat) for seat, name in enumerate(names)]
    while True:
        while not match.round.over:
            table = match.round
            move = override(table, table.turn)
            if move is not None:
                match.do(table.turn, move)
                continue
            match.do(*choose_move(table, players))
        if match.over or match.number + 1 == rounds:
            return match
        match.next_round()


def quick_report(source: Match | Record, **more: Any) -> Report:
    """A report that takes little time."""
    return make_report(source, **(QUICK_SETTINGS | more))

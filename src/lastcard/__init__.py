"""lastcard: UNO All Wild, classic UNO and UNO Wild Jackpot by exact rules.

Names are loaded when they are first used, so that importing the package is fast.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from lastcard.analysis.report import make_report as report
    from lastcard.arena.arena import run_arena
    from lastcard.arena.bot_play import play
    from lastcard.arena.simulation import Rounds, simulate
    from lastcard.bots.base import Bot
    from lastcard.bots.registry import make_bot
    from lastcard.errors import IllegalMove, LastcardError, NotationError, RecordError, RulesError, UsageError
    from lastcard.formats.move_rows import tabulate_moves
    from lastcard.formats.record_files import read_record, read_records, write_record, write_records
    from lastcard.formats.replay import replay
    from lastcard.formats.replay import verify_record as verify
    from lastcard.game.cards import Card, Cards, Color, parse_cards
    from lastcard.game.moves import Move, parse_move
    from lastcard.game.options import RuleOptions
    from lastcard.game.position import Position, parse_position
    from lastcard.game.rulecards import RuleCard
    from lastcard.game.rulesets import ALL_WILD, CLASSIC, WILD_JACKPOT, Ruleset, ruleset
    from lastcard.match.events import Event
    from lastcard.match.match import Match
    from lastcard.match.record import Record
    from lastcard.match.round import Round
    from lastcard.match.view import View
    from lastcard.text.explanation import explain_ruleset as explain

__version__ = "1.0.0"

if "numpy" not in sys.modules:
    # After NumPy is imported, the threads of OpenBLAS would compute in vain for a tenth of a second before they sleep.
    # With this exponent of two they wait for half a millisecond (docs/decisions/0057).
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "20")

__all__ = [
    "ALL_WILD",
    "CLASSIC",
    "WILD_JACKPOT",
    "Bot",
    "Card",
    "Cards",
    "Color",
    "Event",
    "IllegalMove",
    "LastcardError",
    "Match",
    "Move",
    "NotationError",
    "Position",
    "Record",
    "RecordError",
    "Round",
    "Rounds",
    "RuleCard",
    "RuleOptions",
    "RulesError",
    "Ruleset",
    "UsageError",
    "View",
    "__version__",
    "explain",
    "make_bot",
    "parse_cards",
    "parse_move",
    "parse_position",
    "play",
    "read_record",
    "read_records",
    "replay",
    "report",
    "ruleset",
    "run_arena",
    "simulate",
    "tabulate_moves",
    "verify",
    "write_record",
    "write_records",
]

_MODULES: Final = {
    "analysis.report": ("report",),
    "arena.arena": ("run_arena",),
    "arena.bot_play": ("play",),
    "arena.simulation": ("Rounds", "simulate"),
    "bots.base": ("Bot",),
    "bots.registry": ("make_bot",),
    "errors": ("IllegalMove", "LastcardError", "NotationError", "RecordError", "RulesError", "UsageError"),
    "formats.move_rows": ("tabulate_moves",),
    "formats.record_files": ("read_record", "read_records", "write_record", "write_records"),
    "formats.replay": ("replay", "verify"),
    "game.cards": ("Card", "Cards", "Color", "parse_cards"),
    "game.moves": ("Move", "parse_move"),
    "game.options": ("RuleOptions",),
    "game.position": ("Position", "parse_position"),
    "game.rulecards": ("RuleCard",),
    "game.rulesets": ("ALL_WILD", "CLASSIC", "WILD_JACKPOT", "Ruleset", "ruleset"),
    "match.events": ("Event",),
    "match.match": ("Match",),
    "match.record": ("Record",),
    "match.round": ("Round",),
    "match.view": ("View",),
    "text.explanation": ("explain",),
}
_MODULE_OF: Final = {name: module for module, names in _MODULES.items() for name in names}
_NAMES_THERE: Final = {"explain": "explain_ruleset", "report": "make_report", "verify": "verify_record"}
"""Names in their modules, where they are longer than here."""


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), _NAMES_THERE.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

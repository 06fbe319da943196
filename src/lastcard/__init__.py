"""lastcard: UNO All Wild, classic UNO and UNO Wild Jackpot by exact rules.

Names are loaded when they are first used, so that importing the package is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from lastcard.arena.simulation import Rounds, simulate
    from lastcard.errors import IllegalMove, LastcardError, NotationError, RecordError, RulesError, UsageError
    from lastcard.game.moves import Move, parse_move
    from lastcard.game.options import RuleOptions
    from lastcard.game.position import Position, parse_position
    from lastcard.game.rulecards import RuleCard
    from lastcard.game.rulesets import ALL_WILD, CLASSIC, WILD_JACKPOT, Ruleset, ruleset
    from lastcard.match.match import Match
    from lastcard.match.record import Record
    from lastcard.match.round import Round
    from lastcard.match.view import View

    __version__: str

__all__ = [
    "ALL_WILD",
    "CLASSIC",
    "WILD_JACKPOT",
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
    "parse_move",
    "parse_position",
    "ruleset",
    "simulate",
]

_MODULES: Final = {
    "game.moves": ("Move", "parse_move"),
    "errors": ("IllegalMove", "LastcardError", "NotationError", "RecordError", "RulesError", "UsageError"),
    "arena.simulation": ("Rounds", "simulate"),
    "match.match": ("Match",),
    "game.position": ("Position", "parse_position"),
    "match.record": ("Record",),
    "game.options": ("RuleOptions",),
    "match.round": ("Round",),
    "game.rulecards": ("RuleCard",),
    "game.rulesets": ("ALL_WILD", "CLASSIC", "WILD_JACKPOT", "Ruleset", "ruleset"),
    "match.view": ("View",),
}
_MODULE_OF: Final = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from lastcard.cli.version import installed_version

        return installed_version() or "0"
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""lastcard: UNO All Wild, classic UNO and UNO Wild Jackpot by exact rules.

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from lastcard.arena.simulate import Rounds, simulate
    from lastcard.errors import LastcardError, NotationError, RecordError, Refused, RulesError, UsageError
    from lastcard.game.actions import Move, parse_move
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
    "LastcardError",
    "Match",
    "Move",
    "NotationError",
    "Position",
    "Record",
    "RecordError",
    "Refused",
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

_HOMES: Final = {
    "game.actions": ("Move", "parse_move"),
    "errors": ("LastcardError", "NotationError", "RecordError", "Refused", "RulesError", "UsageError"),
    "arena.simulate": ("Rounds", "simulate"),
    "match.match": ("Match",),
    "game.position": ("Position", "parse_position"),
    "match.record": ("Record",),
    "game.options": ("RuleOptions",),
    "match.round": ("Round",),
    "game.rulecards": ("RuleCard",),
    "game.rulesets": ("ALL_WILD", "CLASSIC", "WILD_JACKPOT", "Ruleset", "ruleset"),
    "match.view": ("View",),
}
_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from lastcard.cli.version import installed

        return installed() or "0"
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

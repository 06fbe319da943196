"""The bots there are, by name: the kinds, and the levels made of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from lastcard.bots.base import ATTENTIVE, CASUAL, Bot, Manners
from lastcard.bots.kinds import HeuristicBot, RandomBot, TrainedBot
from lastcard.bots.learned import styles
from lastcard.bots.search import Effort, SearchBot
from lastcard.errors import UsageError, suggest
from lastcard.game.numbers import as_int
from lastcard.game.rulesets import MAX_PLAYERS

BOTS: Final[dict[str, Callable[..., Bot]]] = {
    "random": RandomBot,
    "heuristic": HeuristicBot,
    "trained": TrainedBot,
    "search": SearchBot,
}
"""Every kind of bot: name and what makes one of a seed, manners and its settings."""

DEFAULT_BOT: Final = "heuristic"


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of bots.

    Args:
        bot: the kind, one of ``BOTS``.
        manners: how it behaves, apart from how well it plays.
        settings: of the kind.
    """

    bot: str
    manners: Manners = ATTENTIVE
    settings: dict[str, Any] = field(default_factory=dict)


LEVELS: Final[dict[str, Level]] = {
    "learner": Level("random", Manners(calls=60, catches=20, jumps=20, bluffs=50, challenges=50, pace=1.3)),
    "casual": Level("heuristic", CASUAL, {"slips": 50}),
    "sharp": Level("heuristic"),
    "expert": Level("search", settings={"effort": Effort()}),
    "master": Level("search", settings={"effort": Effort(trust=0.97, strays=0.3, prior=0.8, habits=1)}),
}
"""Every level by name, weakest first."""
DEFAULT_LEVEL: Final = "casual"
"""For free seats at a table of the server, and for the hand of a person who is away."""

_SETTINGS: Final = {each.name: each for each in fields(Effort)}


def styles_of(level: str) -> tuple[str, ...]:
    """The styles that bots of a level may have: all there are where it plays by rules of thumb, else none."""
    return tuple(styles()) if LEVELS[level].bot == HeuristicBot.name else ()


def name_bot(level: str, style: str = "") -> str:
    """What ``make_bot`` calls a bot of a level.

    Args:
        level: one of ``LEVELS``.
        style: one of ``styles_of`` it; empty for none.
    """
    return f"{level}:style={style}" if style else level


def level_of(name: str) -> Level:
    """The level in a name that ``make_bot`` takes."""
    return LEVELS[name.partition(":")[0]]


def make_bot(name: str, seed: bytes, seat: int, manners: Manners | None = None) -> Bot:
    """A bot of a kind or level.

    Args:
        name: one of ``BOTS`` or ``LEVELS``; a bot that searches may be told how hard, as in
            ``expert:rollouts=500:trust=0.5`` (``bots.search.Effort``), one that plays by rules of thumb in which style,
            as in ``sharp:style=hoarder`` (``bots.learned.styles``).
        seed: of the match; each seat gets dice of its own from it, which tell nothing about the deal.
        seat: where it sits.
        manners: how it behaves; None for as it is made.

    Raises:
        UsageError: for an unknown name or setting; lists those there are.
    """
    head, *words = name.split(":")
    if head not in BOTS and head not in LEVELS:
        there = f"there are {', '.join((*BOTS, *LEVELS))}"
        raise UsageError(f"there is no bot {head!r}; {there}{suggest(head, (*BOTS, *LEVELS))}")
    level = LEVELS.get(head) or Level(head)
    settings = dict(level.settings)
    if words:
        if level.bot == HeuristicBot.name:
            settings["style"] = read_style(head, words)
        elif level.bot == SearchBot.name:
            settings["effort"] = read_effort(words, settings.get("effort", Effort()))
        else:
            raise UsageError(
                f"{head} takes no settings; bots that search do, as in expert:rollouts=500,"
                " and those that play by rules of thumb, as in sharp:style=hoarder"
            )
    place = as_int("a seat", seat, 0, MAX_PLAYERS - 1)
    secret = hashlib.sha256(b"lastcard bot" + bytes([place]) + seed).digest()
    return BOTS[level.bot](secret, level.manners if manners is None else manners, **settings)


def read_style(head: str, words: Sequence[str]) -> str:
    """The style in a word such as ``style=hoarder``.

    Args:
        head: the bot that is told.
        words: its settings.

    Raises:
        UsageError: for anything else.
    """
    name, _, style = words[0].partition("=")
    if len(words) > 1 or name != "style":
        raise UsageError(f"{head} takes one setting, style, as in {head}:style=hoarder; not {':'.join(words)!r}")
    if style not in styles():
        raise UsageError(f"there is no style {style!r}; there are {', '.join(styles())}{suggest(style, styles())}")
    return style


def read_effort(words: Sequence[str], effort: Effort) -> Effort:
    """An effort changed by words such as ``rollouts=500``.

    Raises:
        UsageError: for a word that is no setting, or a value it cannot have.
    """
    for word in words:
        name, _, value = word.partition("=")
        if name not in _SETTINGS:
            raise UsageError(f"{name!r} is not a setting of a search; there are {', '.join(_SETTINGS)}")
        try:
            number: Any = int(value) if _SETTINGS[name].type == "int" else float(value)
        except ValueError:
            raise UsageError(f"{word!r} should be {name}= and a number") from None
        effort = replace(effort, **{name: number})
    return effort


def make_bots(names: Sequence[str], seed: bytes, manners: Manners | None = None) -> list[Bot]:
    """Bots for the seats 0, 1, … ; see ``make_bot``."""
    return [make_bot(name, seed, seat, manners) for seat, name in enumerate(names)]

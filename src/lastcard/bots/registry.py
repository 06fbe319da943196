"""The kinds of bots and the levels made of them, by name."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, TypeVar

from lastcard.bots.base import ATTENTIVE, CASUAL, Behavior, Bot
from lastcard.bots.own_bots import BotSource, SubstituteBot, find_plugins, make_own_bot, name_source
from lastcard.bots.search import SearchBot, SearchConfig
from lastcard.bots.simple_bots import HeuristicBot, RandomBot, TrainedBot
from lastcard.bots.weights import styles
from lastcard.errors import UsageError, suggest
from lastcard.game.numbers import require_int
from lastcard.game.rulesets import MAX_PLAYERS
from lastcard.game.seeds import Seed, parse_seed

Source = TypeVar("Source")

BOTS: Final[dict[str, Callable[..., Bot]]] = {
    "random": RandomBot,
    "heuristic": HeuristicBot,
    "trained": TrainedBot,
    "search": SearchBot,
}
"""Every kind of bot by name, with a function that makes one from a seed, behavior and settings."""

DEFAULT_BOT: Final = "heuristic"


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of bots: one of the kinds in ``BOTS``, with its behavior and settings."""

    bot: str
    behavior: Behavior = ATTENTIVE
    settings: dict[str, Any] = field(default_factory=dict)


LEVELS: Final[dict[str, Level]] = {
    "learner": Level("random", Behavior(calls=60, catches=20, jumps=20, bluffs=50, challenges=50, pace=1.3)),
    "casual": Level("heuristic", CASUAL, {"blunder_rate": 50}),
    "sharp": Level("heuristic"),
    "expert": Level("search", settings={"config": SearchConfig()}),
    "master": Level("search", settings={"config": SearchConfig(rationality=0.97, deviation=0.3, prior=0.8, habits=1)}),
}
"""Every level by name, weakest first."""
_SUBSTITUTES: Final[dict[str, str]] = {}
"""Names of the bots that play for a level in this process; see ``replace_levels``."""
DEFAULT_LEVEL: Final = "casual"
"""Level of bots at free seats of a server's table, and for a person who is away."""

_SEARCH_SETTINGS: Final = {each.name: each for each in fields(SearchConfig)}


def styles_of(level: str) -> tuple[str, ...]:
    """The styles of a level's bots: all if it plays by rules of thumb, else none."""
    return tuple(styles()) if LEVELS[level].bot == HeuristicBot.name else ()


def name_bot(level: str, style: str = "") -> str:
    """The name by which ``make_bot`` makes a bot of a level, with one of its ``styles_of`` unless that is empty."""
    return f"{level}:style={style}" if style else level


def level_of(name: str) -> Level:
    """The level in a name that ``make_bot`` takes."""
    return LEVELS[name.partition(":")[0]]


def make_bot(source: BotSource, seed: Seed = b"", seat: int = 0, behavior: Behavior | None = None) -> Bot:
    """A bot of a kind or level, of another package, or of your own.

    >>> make_bot("expert:rollouts=500").choose(Round.deal("classic", 2, seed=1).view(1))
    <Move R7>

    Args:
        source: one of ``BOTS`` or ``LEVELS``, or the name of an entry point ``lastcard.bots``. A bot that searches
            takes settings, as in ``expert:rollouts=500:rationality=0.5`` (``bots.search.SearchConfig``). One that plays
            by rules of thumb takes a style, as in ``sharp:style=hoarder`` (``bots.weights.styles``). A class or
            function of your own makes a bot; a bot is returned as it is.
        seed: seed of the match, bytes of any length or another argument of ``seeds.parse_seed``; each seat gets its own
            dice from it, which reveal nothing about the deal.
        seat: the bot's seat.
        behavior: its behavior; None for that of its level. Other bots have only their own.

    Raises:
        UsageError: for an unknown name or setting; lists those there are. For something that is no bot.
    """
    seat_index = require_int("a seat", seat, 0, MAX_PLAYERS - 1)
    root = seed if isinstance(seed, bytes) else parse_seed(seed)
    secret = hashlib.sha256(b"lastcard bot" + bytes([seat_index]) + root).digest()
    if not isinstance(source, str):
        return make_own_bot(source, secret)
    head, *words = source.split(":")
    if head not in BOTS and head not in LEVELS:
        if head in find_plugins():
            return make_own_bot(find_plugins()[head].load(), secret, ":".join(words))
        names = (*BOTS, *LEVELS, *find_plugins())
        raise UsageError(
            f"there is no bot {source!r}; there are {', '.join(names)}{suggest(head, names)}; a class of your own is "
            "FILE.py:Class for lastcard arena and simulate, or has a name by an entry point of its package"
        )
    level = LEVELS.get(head) or Level(head)
    bot = BOTS[level.bot](
        secret, level.behavior if behavior is None else behavior, **_read_settings(head, level, words)
    )
    return SubstituteBot(make_bot(_SUBSTITUTES[head], seed, seat), bot) if head in _SUBSTITUTES else bot


def replace_levels(substitutes: Mapping[str, str]) -> None:
    """Let other bots play for levels in this process from now on, by name, where they can.

    Raises:
        UsageError: for an unknown level or bot.
    """
    for level, name in substitutes.items():
        if level not in LEVELS:
            raise UsageError(f"there is no level {level!r}; there are {', '.join(LEVELS)}{suggest(level, LEVELS)}")
        if name.partition(":")[0] in LEVELS:
            raise UsageError(f"{level} is played by a bot that is no level itself, not by {name!r}")
        make_bot(name)
    _SUBSTITUTES.clear()
    _SUBSTITUTES.update(substitutes)


def _read_settings(head: str, level: Level, words: Sequence[str]) -> dict[str, Any]:
    """The settings of the bot ``head``, as keyword arguments; raises a UsageError for invalid ones."""
    settings = dict(level.settings)
    if words:
        if level.bot == HeuristicBot.name:
            settings["style"] = read_style(head, words)
        elif level.bot == SearchBot.name:
            settings["config"] = read_search_config(words, settings.get("config", SearchConfig()))
        else:
            raise UsageError(
                f"{head} takes no settings; bots that search do, as in expert:rollouts=500,"
                " and those that play by rules of thumb, as in sharp:style=hoarder"
            )
    return settings


def read_style(head: str, words: Sequence[str]) -> str:
    """The style in settings such as ``style=hoarder`` of the bot ``head``; raises a UsageError for any other."""
    name, _, style = words[0].partition("=")
    if len(words) > 1 or name != "style":
        raise UsageError(f"{head} takes one setting, style, as in {head}:style=hoarder; not {':'.join(words)!r}")
    if style not in styles():
        raise UsageError(f"there is no style {style!r}; there are {', '.join(styles())}{suggest(style, styles())}")
    return style


def read_search_config(words: Sequence[str], config: SearchConfig) -> SearchConfig:
    """A search config changed by words such as ``rollouts=500``; raises a UsageError for an invalid word or value."""
    for word in words:
        name, _, value = word.partition("=")
        if name not in _SEARCH_SETTINGS:
            raise UsageError(f"{name!r} is not a setting of a search; there are {', '.join(_SEARCH_SETTINGS)}")
        try:
            number: Any = int(value) if _SEARCH_SETTINGS[name].type == "int" else float(value)
        except ValueError:
            raise UsageError(f"{word!r} should be {name}= and a number") from None
        config = replace(config, **{name: number})
    return config


def fill_seats(bots: Sequence[Source], seats: int, word: str = "seat") -> tuple[Source, ...]:
    """The bots repeated in order until every seat has one; a UsageError for none or too many calls a seat ``word``."""
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise UsageError(f"bots are named one by one, as in ('sharp', 'random'), not given as {bots!r}")
    for bot in bots:
        name_source(bot)  # refuses what is no bot
    if not 0 < len(bots) <= seats:
        free, right = (f"1 {word}", "one") if seats == 1 else (f"{seats} {word}s", f"1 to {seats}")
        raise UsageError(f"{len(bots) or 'no'} bots for {free}; name {right}, repeated until every seat has one")
    return tuple(bots[i % len(bots)] for i in range(seats))


def make_bots(sources: Sequence[BotSource], seed: bytes, behavior: Behavior | None = None) -> list[Bot]:
    """Bots for the seats 0, 1, … ; see ``make_bot``."""
    return [make_bot(source, seed, seat, behavior) for seat, source in enumerate(sources)]

"""Bots that are not in this package: a program's own classes, functions and objects, and those of other packages."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from lastcard.bots.base import Bot
from lastcard.errors import UsageError

if TYPE_CHECKING:
    from lastcard.game.moves import Move
    from lastcard.match.view import View

ENTRY_POINT_GROUP: Final = "lastcard.bots"
BotSource = str | Bot | Callable[..., Bot]
"""A bot by name; a bot; or a class or function that makes one, called with ``seed`` if it has that parameter. One of
another package is called with ``settings`` too: ``NAME:SETTINGS``."""


@cache
def find_plugins() -> dict[str, EntryPoint]:
    """Returns the bots of other packages, by the names of their entry points."""
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}


def is_bot(source: object) -> TypeGuard[Bot]:
    """Whether an object is a bot itself, not a class or function that makes one."""
    return hasattr(source, "choose") and not isinstance(source, type)


def list_sources(bots: BotSource | Sequence[BotSource]) -> Sequence[BotSource]:
    """Returns several bots as they are, and one as a list."""
    return bots if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots]


def name_source(source: object) -> str:
    """Returns the name of a bot: the attribute ``name`` that it was given, else that of its class or function.

    Raises:
        UsageError: for something that is neither a name nor a bot nor makes one.
    """
    if isinstance(source, str):
        return source
    if not is_bot(source) and not callable(source):
        raise UsageError(
            "a bot is a name such as 'sharp', a class or function that makes one, or an object with choose(view),"
            f" not {source!r}"
        )
    given = getattr(source, "__dict__", {}).get("name")
    return str(given or getattr(source, "__name__", type(source).__name__))


def make_own_bot(source: Bot | Callable[..., Bot], seed: bytes, settings: str = "") -> Bot:
    """Returns the bot of a source that is no name; a bot itself is returned as it is.

    Args:
        settings: the text after the colon in the name of a bot of another package.

    Raises:
        UsageError: for something that is no bot, or makes none; for settings if it has no parameter of that name.
    """
    name = name_source(source)  # refuses what is no bot
    made: Any = source
    if not is_bot(source):
        signature = inspect.signature(made)
        given: dict[str, Any] = {"seed": seed} if "seed" in signature.parameters else {}
        if "settings" in signature.parameters:
            given["settings"] = settings
        elif settings:
            raise UsageError(f"{name} takes no settings, such as {settings!r}")
        try:
            signature.bind(**given)
        except TypeError as error:
            raise UsageError(
                f"{name} makes no bot without arguments but its seed: {error}; pass a function that does"
            ) from None
        made = made(**given)
    for method in ("choose", "react"):
        if not callable(getattr(made, method, None)):
            raise UsageError(
                f"{name} makes a bot without {method}(view); a class that inherits from lastcard.Bot needs choose only"
            )
    bot: Bot = made
    return bot


class SubstituteBot(Bot):
    """A bot that plays for another, which plays where the first has no answer (a UsageError)."""

    def __init__(self, bot: Bot, usual: Bot) -> None:
        self._bot, self._usual = bot, usual

    def choose(self, view: View) -> Move:
        """The first bot's move, else the usual one's."""
        try:
            return self._bot.choose(view)
        except UsageError:
            return self._usual.choose(view)

    def react(self, view: View) -> Move | None:
        """The first bot's reaction, else the usual one's."""
        try:
            return self._bot.react(view)
        except UsageError:
            return self._usual.react(view)

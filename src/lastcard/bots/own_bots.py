"""Bots that are not in this package: a program's own classes, functions and objects, and those of other packages."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final, TypeGuard, TypeVar

from lastcard.bots.base import Bot
from lastcard.errors import IllegalMove, NotationError, UsageError

if TYPE_CHECKING:
    from lastcard.game.moves import Move
    from lastcard.match.view import View

Result = TypeVar("Result")

_MAX_LISTED: Final = 8
"""Number of legal moves in an error message."""
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
    """Returns the name of a bot: the text ``name`` of the object or its class, else that of the class or function.

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
    owners = (source, type(source)) if is_bot(source) else (source,)
    names = (getattr(owner, "__dict__", {}).get("name") for owner in owners)  # none that a parent class has
    given = next((name for name in names if name and isinstance(name, str)), None)
    return given or str(getattr(source, "__name__", type(source).__name__))


def submit_move(
    submit: Callable[[int, Move], Result],
    list_legal: Callable[[int], Sequence[Move]],
    bot: Bot | None,
    seat: int,
    move: Move | None,
) -> Result:
    """Returns ``submit(seat, move)``; its error also names the bot that chose the move, and legal moves.

    The error discloses cards of the bot's seat, so it is for the owner of the program, not for other players.

    Args:
        submit: ``do`` or ``verify`` of the round or its match.
        list_legal: ``legal`` of the round.
        bot: the bot that chose the move; None if no bot did.
        move: the move; None if the bot returned none.

    Raises:
        IllegalMove, NotationError: if the move is refused, or None.
    """
    try:
        if move is None:
            raise NotationError("a bot returns one of view.legal on its turn")
        return submit(seat, move)
    except (IllegalMove, NotationError) as error:
        if bot is not None:
            legal = list_legal(seat)
            listed = ", ".join(map(str, legal[:_MAX_LISTED])) or "none"
            more = f" and {len(legal) - _MAX_LISTED} more" if len(legal) > _MAX_LISTED else ""
            error.args = (f"the bot {name_source(bot)} at seat {seat} chose {move}: {error}; legal are {listed}{more}",)
        raise


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
        found = getattr(made, method, None)
        if not callable(found) or getattr(found, "__func__", None) is Bot.choose:
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

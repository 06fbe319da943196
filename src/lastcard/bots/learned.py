"""What was learned before: the weights of the rules of thumb (``mind.weight``), and networks for each game."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import IO, Any, Final

import numpy as np

from lastcard.ai.scene import Learned, keep
from lastcard.bots.networks import read_network, read_numbers


def thumb_weights(rules: str, players: int) -> Any:
    """The weights for a game, as float64 in the order of ``mind.weight``; not to be changed.

    Args:
        rules: a ruleset by name.
        players: how many; two have weights of their own.
    """
    return styled_weights(rules, players, "")


@cache
def styles() -> dict[str, dict[str, list[float]]]:
    """What each style adds to the weights of the rules of thumb, by groups of them; not to be changed."""
    found: dict[str, dict[str, list[float]]] = _read("styles.json")
    return found


def styled_weights(rules: str, players: int, style: str) -> Any:
    """``thumb_weights`` of a player with a style of its own.

    Args:
        rules: a ruleset by name.
        players: how many.
        style: one of ``styles``; empty for none.
    """
    return _weights(_game(rules), "two" if players == 2 else "more", style)


def network(rules: str) -> Any:
    """The network of a game (``mind.network``), as float32.

    Args:
        rules: a ruleset by name.
    """
    return _parameters("network", _game(rules))


def policy(rules: str) -> Any:
    """The learned player of a game (``mind.actor``), as float32.

    Args:
        rules: a ruleset by name.
    """
    return _parameters("policy", _game(rules))


def yardstick(rules: str) -> Any:
    """``policy`` before practice, as float32: one of those by whom luck is measured (``mind.mixed``).

    Args:
        rules: a ruleset by name.
    """
    return _parameters("yardstick", _game(rules))


def adviser(rules: str) -> Any:
    """The network that advises search in a game (``mind.adviser``), as float32.

    Args:
        rules: a ruleset by name.
    """
    return _parameters("adviser", _game(rules))


WITH_HABITS: Final = frozenset({"all-wild"})
"""The games of which habits are known."""


def habits(rules: str) -> Any:
    """What a player with practice does (``mind.habits``), as int8; nothing for games of which it is not known.

    Args:
        rules: a ruleset by name.
    """
    game = _game(rules)
    return _habits(game) if game in WITH_HABITS else no_habits(rules)


# What is read is kept by game: there are more rulesets than there is room for.


def _game(rules: str) -> str:
    return rules.partition("+")[0]


@cache
def _weights(game: str, players: str, style: str) -> Any:
    """The weights of a game for ``two`` players or ``more``, by the groups in which they stand in the file."""
    groups: dict[str, list[float]] = _read("thumb.json")[game][players]
    more = styles()[style] if style else {}
    added = [change for name, group in groups.items() for change in more.get(name, [0.0] * len(group))]
    return keep(np.array([weight for group in groups.values() for weight in group], np.float64) + np.array(added))


@cache
def _habits(game: str) -> Any:
    with _open(f"habits-{game}.npy") as file:
        return keep(read_numbers(file))


@cache
def _parameters(kind: str, game: str) -> Any:
    """The numbers of a network; not to be changed, though nothing stops it: compiled code takes one kind of arrays."""
    with _open(f"{kind}-{game}.npy") as file:
        return keep(read_network(file))


def _open(name: str) -> IO[bytes]:
    return files("lastcard.bots").joinpath(name).open("rb")


def _read(name: str) -> Any:
    return json.loads(files("lastcard.bots").joinpath(name).read_text(encoding="utf-8"))


@cache
def _nothing() -> Any:
    return keep(np.zeros(0, np.float32))


def no_network(rules: str) -> Any:
    """In place of one of the others, where it is not asked."""
    return _nothing()


@cache
def _no_habits() -> Any:
    return keep(np.zeros(0, np.int8))


def no_habits(rules: str) -> Any:
    """In place of ``habits``, where they are not asked."""
    return _no_habits()


@dataclass(frozen=True)
class Library:
    """Which networks a bot asks, each by what gets it for a ruleset by name.

    Args:
        judge: see ``network``.
        player: see ``policy``.
        adviser: see ``adviser``.
        habits: see ``habits``.
        style: one of ``styles``, in which the rules of thumb are followed; empty for none.
    """

    judge: Callable[[str], Any] = no_network
    player: Callable[[str], Any] = no_network
    adviser: Callable[[str], Any] = no_network
    habits: Callable[[str], Any] = no_habits
    style: str = ""

    def learned(self, rules: str, players: int) -> Learned:
        """What it has for a table.

        Args:
            rules: a ruleset by name.
            players: how many.
        """
        return Learned(
            styled_weights(rules, players, self.style),
            self.judge(rules),
            self.player(rules),
            self.adviser(rules),
            self.habits(rules),
        )


ALL_UNASKED: Final = Library()

"""The trained parameters: the weights of the rules of thumb (``ai.weight_index``), and networks for each game."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import IO, Any, Final

import numpy as np

from lastcard.ai.decision_input import Weights, kernel_copy
from lastcard.bots.network_files import read_network, read_numbers


def heuristic_weights(rules: str, players: int) -> Any:
    """The weights for a game, as float64 in the order of ``ai.weight_index``; not to be changed.

    Two players have weights of their own.
    """
    return styled_weights(rules, players, "")


@cache
def styles() -> dict[str, dict[str, list[float]]]:
    """The change of the weights by each style, by groups of weights; not to be changed."""
    found: dict[str, dict[str, list[float]]] = _read("styles.json")
    return found


def styled_weights(rules: str, players: int, style: str) -> Any:
    """``heuristic_weights`` of a player with one of ``styles``; empty for none."""
    return _weights(_game(rules), "two" if players == 2 else "more", style)


def load_value_net(rules: str) -> Any:
    """The value net of a game (``ai.value_net``), as float32."""
    return _load(f"value-{_game(rules)}.npy")


def load_policy_net(rules: str) -> Any:
    """The policy net of a game (``ai.policy_net``), as float32."""
    return _load(f"policy-{_game(rules)}.npy")


def load_reference_net(rules: str) -> Any:
    """The policy net before practice, as float32: one of the players by whom luck is measured (``ai.opponent_mix``)."""
    return _load(f"reference-{_game(rules)}.npy")


def load_prior_net(rules: str) -> Any:
    """The prior net of a game, which guides the search (``ai.prior_net``), as float32."""
    return _load(f"prior-{_game(rules)}.npy")


GAMES_WITH_HABITS: Final = frozenset({"all-wild"})
"""The games that have habits."""


def habits(rules: str) -> Any:
    """The habits of master bots (``ai.habits``), as int8; empty for games that have none."""
    game = _game(rules)
    return _load(f"habits-{game}.npy", read_numbers) if game in GAMES_WITH_HABITS else no_habits(rules)


# Files are cached by game: there are too many rulesets to cache by ruleset.


def _game(rules: str) -> str:
    return rules.partition("+")[0]


@cache
def _weights(game: str, players: str, style: str) -> Any:
    """The weights of a game for ``two`` players or ``more``, by the groups of the file."""
    groups: dict[str, list[float]] = _read("heuristic.json")[game][players]
    more = styles()[style] if style else {}
    offsets = [change for name, group in groups.items() for change in more.get(name, [0.0] * len(group))]
    return kernel_copy(
        np.array([weight for group in groups.values() for weight in group], np.float64) + np.array(offsets)
    )


@cache
def _load(name: str, read: Callable[[IO[bytes]], Any] = read_network) -> Any:
    """The array of a file; not to be changed, though it is writable: compiled code takes one kind of arrays."""
    with files("lastcard.bots").joinpath(name).open("rb") as file:
        return kernel_copy(read(file))


def _read(name: str) -> Any:
    return json.loads(files("lastcard.bots").joinpath(name).read_text(encoding="utf-8"))


@cache
def _empty(kind: Any) -> Any:
    return kernel_copy(np.zeros(0, kind))


def no_network(rules: str) -> Any:
    """An empty network, for bots that use none."""
    return _empty(np.float32)


def no_habits(rules: str) -> Any:
    """Empty habits, for bots that use none."""
    return _empty(np.int8)


@dataclass(frozen=True)
class WeightLoader:
    """The networks of a bot, each as a function that loads it for a ruleset by name, and one of ``styles`` or none."""

    value_net: Callable[[str], Any] = no_network
    policy_net: Callable[[str], Any] = no_network
    prior_net: Callable[[str], Any] = no_network
    habits: Callable[[str], Any] = no_habits
    style: str = ""

    def load(self, rules: str, players: int) -> Weights:
        """The weights and networks for a table."""
        return Weights(
            styled_weights(rules, players, self.style),
            self.value_net(rules),
            self.policy_net(rules),
            self.prior_net(rules),
            self.habits(rules),
        )


HEURISTIC_ONLY: Final = WeightLoader()

"""What was learned before: the weights of the rules of thumb (``mind.worth``), and a network for each game."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np


@cache
def thumb_weights(rules: str, players: int) -> Any:
    """The weights for a game, as float64 in the order of ``mind.policy``.

    Args:
        rules: a ruleset by name.
        players: how many; two have weights of their own.
    """
    text = files("lastcard.bots").joinpath("thumb.json").read_text(encoding="utf-8")
    groups = json.loads(text)[rules.partition("+")[0]]["two" if players == 2 else "more"]
    weights = np.array([weight for group in groups.values() for weight in group], np.float64)
    weights.flags.writeable = False
    return weights


@cache
def network(rules: str) -> Any:
    """The network of a game (``mind.network``), as float32.

    Args:
        rules: a ruleset by name.
    """
    return _parameters(f"network-{rules.partition('+')[0]}.npy")


@cache
def policy(rules: str) -> Any:
    """The learned player of a game (``mind.actor``), as float32.

    Args:
        rules: a ruleset by name.
    """
    return _parameters(f"policy-{rules.partition('+')[0]}.npy")


@cache
def adviser(rules: str) -> Any:
    """The network that advises search in a game (``mind.adviser``), as float32.

    Args:
        rules: a ruleset by name.
    """
    return _parameters(f"adviser-{rules.partition('+')[0]}.npy")


def _parameters(name: str) -> Any:
    with files("lastcard.bots").joinpath(name).open("rb") as file:
        parameters = np.load(file)
    parameters.flags.writeable = False
    return parameters

"""Policies that choose for many tables at once: functions, saved networks, and pools of them as changing opponents."""

from __future__ import annotations

import inspect
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from lastcard.bots.own_bots import BotSource, is_bot
from lastcard.envs.features import Features, features
from lastcard.errors import UsageError, wrap_os_errors

BatchPolicy = Callable[[Any, Any], Any]
"""Function of observations (n, size) and action masks, uint8 (n, actions), that returns n legal action ids."""


class PolicyPool:
    """Policies of which one is drawn for each episode at each table.

    Args:
        policies: the policies. The list ``policies`` may grow during training; later episodes draw from all.
    """

    def __init__(self, policies: Sequence[BatchPolicy]) -> None:
        if not policies:
            raise UsageError("a pool has one policy or more")
        self.policies = list(policies)

    def __call__(self, observations: Any, masks: Any) -> Any:
        """The actions of the newest policy."""
        return self.policies[-1](observations, masks)


def is_policy(source: object) -> TypeGuard[BatchPolicy | PolicyPool]:
    """Whether something plays for many tables: a function of two arguments (one that makes a bot takes fewer)."""
    if not callable(source) or is_bot(source) or isinstance(source, type):
        return False
    parameters = inspect.signature(source).parameters.values()
    return sum(each.default is each.empty and each.kind is not each.VAR_KEYWORD for each in parameters) == 2


Opponent = BotSource | BatchPolicy | PolicyPool
"""A player of another seat than the learner's."""


class PolicySeat:
    """A policy or pool at one seat of ``count`` tables; ``seed`` decides which policy of a pool plays."""

    def __init__(self, source: BatchPolicy | PolicyPool, count: int, seed: bytes) -> None:
        self._pool = source if isinstance(source, PolicyPool) else PolicyPool([source])
        self._drawn = np.zeros(count, np.int64)
        self._rng = np.random.default_rng(list(seed))

    def begin(self, tables: Any) -> None:
        """Draw policies for new episodes at some tables (int64 indices)."""
        self._drawn[tables] = self._rng.integers(len(self._pool.policies), size=len(tables))

    def choose(self, tables: Any, observations: Any, masks: Any) -> Any:
        """int64 (n,): action ids for some tables (int64 indices of shape (n,)), each from its policy."""
        actions, drawn = np.empty(len(tables), np.int64), self._drawn[tables]
        for number in np.unique(drawn):
            rows = drawn == number
            actions[rows] = self._pool.policies[number](observations[rows], masks[rows])
        return actions


class NetworkPolicy:
    """A network of linear layers with rectifiers between them, which plays its best-rated legal action.

    Args:
        rules: ruleset of the environment in which it was trained.
        layers: weights float32 (outputs, inputs) and biases (outputs,) of each layer. Inputs of the first are an
            observation divided by ``Features.scale``; outputs of the last are ratings of all action ids.

    Raises:
        UsageError: for layers that do not fit the rules or each other.
    """

    def __init__(self, rules: str, players: int, layers: Sequence[tuple[Any, Any]]) -> None:
        self.rules, self.players = rules, players
        self.layers = [(np.asarray(weights, np.float32), np.asarray(biases, np.float32)) for weights, biases in layers]
        self.features: Features = features(rules, players)
        size = self.features.size
        for weights, biases in self.layers:
            if weights.ndim != 2 or weights.shape != (len(biases), size):
                raise UsageError(
                    f"a layer of {size} inputs has weights of shape (outputs, {size}), not {weights.shape}"
                )
            size = len(biases)
        if size != len(self.features.action_space):
            raise UsageError(f"{rules} has {len(self.features.action_space)} actions, not {size}")

    def rate(self, observations: Any) -> Any:
        """float32 (n, actions): the ratings of all actions, legal or not."""
        x = observations / self.features.scale
        for i, (weights, biases) in enumerate(self.layers):
            x = (np.maximum(x, 0) if i else x) @ weights.T + biases
        return x

    def __call__(self, observations: Any, masks: Any) -> Any:
        """int64 (n,): the best-rated legal actions; a UsageError for masks of other rules."""
        count = len(self.features.action_space)
        if masks.shape[1] != count:
            raise UsageError(f"the policy has {count} actions of {self.rules}, not {masks.shape[1]}")
        return np.where(masks == 0, -np.inf, self.rate(observations)).argmax(axis=1)

    def save(self, file: Path | str) -> None:
        """Write the policy to an ``.npz`` file, for ``load_policy``."""
        layers: dict[str, Any] = {
            f"{name}{i}": part for i, layer in enumerate(self.layers) for name, part in zip("wb", layer, strict=True)
        }
        with wrap_os_errors(Path(file), "the policy cannot be written"), Path(file).open("wb") as target:
            np.savez(target, rules=np.array(self.rules), players=np.array(self.players), **layers)


def load_policy(file: Path | str) -> NetworkPolicy:
    """The policy in a file of ``NetworkPolicy.save``; raises a UsageError for any other file."""
    try:
        with np.load(file, allow_pickle=False) as parts:
            count = len(parts.files) // 2 - 1
            layers = [(parts[f"w{i}"], parts[f"b{i}"]) for i in range(count)]
            return NetworkPolicy(str(parts["rules"]), int(parts["players"]), layers)
    except (OSError, EOFError, KeyError, ValueError, TypeError, zipfile.BadZipFile) as error:
        raise UsageError(f"{file} is not a policy that NetworkPolicy.save has written: {error}") from None

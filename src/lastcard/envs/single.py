"""One table as a ``gymnasium.Env``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from lastcard.envs import vector
from lastcard.envs.batch_policies import Opponent
from lastcard.envs.gymnasium import BatchVectorEnv
from lastcard.game.rulesets import Ruleset


class SingleTableEnv(gymnasium.Env[Any, Any]):
    """One table: a learner at one seat, bots at the others.

    The action mask is in ``info["action_mask"]`` and, as bool, what ``action_masks()`` returns. With the end of an
    episode ``info["rewards"]`` has those of all seats. The arguments are those of ``envs.vector``, without ``n`` and
    ``autoreset_mode``.

    Raises:
        RulesError, UsageError: as ``envs.vector`` does.
    """

    def __init__(
        self, rules: Ruleset | str, players: int = 2, bots: Sequence[Opponent] = ("random",), **settings: Any
    ) -> None:
        self._tables = vector(rules, players, 1, bots=bots, autoreset_mode="Disabled", **settings)
        self.observation_space = self._tables.single_observation_space
        self.action_space = self._tables.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode: its first observation and info. ``options`` are ignored."""
        super().reset(seed=seed)
        observations, infos = self._tables.reset(seed=seed)
        return observations[0], {name: values[0] for name, values in infos.items()}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Make the learner's move, and those of the others until it is asked again; see ``BatchVectorEnv.step``."""
        observations, rewards, terminated, truncated, infos = self._tables.step(np.array([action]))
        info: dict[str, Any] = {name: infos[name][0] for name in ("action_mask", "rewards") if name in infos}
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def action_masks(self) -> Any:
        """bool (actions,): the legal actions, under the name that sb3-contrib's MaskablePPO asks for."""
        return self._tables.batch.action_mask[0].astype(bool)


def make_vector(num_envs: int, **settings: Any) -> BatchVectorEnv:
    """Tables for ``gymnasium.make_vec``; the settings are those of ``envs.vector``."""
    return vector(n=num_envs, **settings)

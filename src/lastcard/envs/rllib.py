"""A table whose observations hold the mask, as RLlib's module for masked actions needs it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from lastcard.envs.single import SingleTableEnv


class MaskedTableEnv(gymnasium.Env[Any, Any]):
    """A ``SingleTableEnv`` whose observations are dicts of ``action_mask`` and ``observations``, both float32.

    Args:
        config: the arguments of ``SingleTableEnv`` by name, which are RLlib's ``env_config``.

    Raises:
        RulesError, UsageError: as ``SingleTableEnv`` does.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        self._table = SingleTableEnv(**config)
        self.action_space = self._table.action_space
        mask = gymnasium.spaces.Box(0.0, 1.0, self._table.action_masks().shape, np.float32)
        self.observation_space = gymnasium.spaces.Dict(action_mask=mask, observations=self._table.observation_space)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode: its first observation and info. ``options`` are ignored."""
        super().reset(seed=seed)
        row, info = self._table.reset(seed=seed)
        return self._with_mask(row), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """As ``SingleTableEnv.step``."""
        row, reward, terminated, truncated, info = self._table.step(action)
        return self._with_mask(row), reward, terminated, truncated, info

    def _with_mask(self, row: Any) -> dict[str, Any]:
        return {"action_mask": self._table.action_masks().astype(np.float32), "observations": row}

"""Tables as a vector environment of Stable-Baselines3, for the MaskablePPO of sb3-contrib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from lastcard.envs.gymnasium import BatchVectorEnv
from lastcard.errors import UsageError

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError:
    raise UsageError("this adapter needs Stable-Baselines3: install lastcard[sb3]") from None


class TablesVecEnv(VecEnv):  # type: ignore[misc]
    """The tables of a ``BatchVectorEnv``, with ``action_masks`` where MaskablePPO asks for it.

    Args:
        tables: tables in the mode *SameStep*, which is how Stable-Baselines3 begins episodes.

    Raises:
        UsageError: for another mode.
    """

    def __init__(self, tables: BatchVectorEnv) -> None:
        if tables.autoreset_mode is not AutoresetMode.SAME_STEP:
            raise UsageError(f"Stable-Baselines3 needs the mode SameStep, not {tables.autoreset_mode.value}")
        self._tables = tables
        self.render_mode = None
        super().__init__(tables.num_envs, tables.single_observation_space, tables.single_action_space)

    def reset(self) -> Any:
        """The observations of new episodes at all tables; the seed of ``seed`` counts once, as that of all tables."""
        observations, _ = self._tables.reset(seed=self._seeds[0])
        self._reset_seeds()
        return observations

    def step_async(self, actions: Any) -> None:
        """Save the actions for ``step_wait``."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Make the moves; returns observations, float32 rewards, ends, and an info for each table.

        The info of an ended episode has ``terminal_observation`` and ``TimeLimit.truncated``.
        """
        observations, rewards, terminated, truncated, infos = self._tables.step(self._actions)
        over = terminated | truncated
        each: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(over).tolist():
            each[i] = {"terminal_observation": infos["final_obs"][i], "TimeLimit.truncated": bool(truncated[i])}
        return observations, rewards.astype(np.float32), over, each

    def action_masks(self) -> Any:
        """bool (n, actions): the legal actions."""
        return self._tables.batch.action_mask.astype(bool)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """The result of ``action_masks`` for each table; raises an AttributeError for any other method."""
        if method_name != self.action_masks.__name__:
            raise AttributeError(f"tables have no method {method_name}; they have action_masks")
        return list(self.action_masks()[self._list_indices(indices)])

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute of the environment, once for each table."""
        return [getattr(self, attr_name) for _ in self._list_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raises a UsageError: tables have no settings of their own."""
        raise UsageError(f"{attr_name} cannot be set: make other tables")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """False for each table: tables have no wrappers of their own."""
        return [False for _ in self._list_indices(indices)]

    def close(self) -> None:
        """Close the tables."""
        self._tables.close()

    def _list_indices(self, indices: Any) -> Sequence[int]:
        return [*self._get_indices(indices)]

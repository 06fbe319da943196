"""Tables as a batched environment of TorchRL."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from lastcard.envs.gymnasium import BatchVectorEnv
from lastcard.errors import UsageError

try:
    import torch
    from tensordict import TensorDict
    from torchrl.data import Binary, Bounded, Categorical, Composite
    from torchrl.envs import EnvBase
except ImportError:
    raise UsageError("this adapter needs TorchRL: install lastcard[torchrl]") from None


class TablesEnv(EnvBase):  # type: ignore[misc]
    """The tables of a ``BatchVectorEnv`` with the batch size (n,): keys ``observation``, ``action_mask``, ``action``.

    Args:
        tables: tables in the mode *Disabled*, since TorchRL resets those that are done.

    Raises:
        UsageError: for another mode.
    """

    def __init__(self, tables: BatchVectorEnv) -> None:
        if tables.autoreset_mode is not AutoresetMode.DISABLED:
            raise UsageError(f"TorchRL needs the mode Disabled, not {tables.autoreset_mode.value}")
        n, size, actions = tables.num_envs, tables.batch.features.size, len(tables.batch.action_space)
        super().__init__(batch_size=torch.Size([n]))
        self._tables = tables
        self._seed: int | None = None
        dtype = torch.from_numpy(tables.batch.observations[:0]).dtype
        self.observation_spec = Composite(
            observation=Bounded(0, 255, shape=(n, size), dtype=dtype),
            action_mask=Binary(shape=(n, actions), dtype=torch.bool),
            shape=(n,),
        )
        self.action_spec = Categorical(actions, shape=(n,), dtype=torch.int64)
        self.reward_spec = Bounded(-float("inf"), float("inf"), shape=(n, 1), dtype=torch.float32)
        done = {name: Binary(shape=(n, 1), dtype=torch.bool) for name in ("done", "terminated", "truncated")}
        self.done_spec = Composite(done, shape=(n,))

    def _pack(self, observations: Any, infos: dict[str, Any], **flags: Any) -> TensorDict:
        """A state as TorchRL's; ``flags`` are arrays of shape (n,)."""
        mask = infos["action_mask"].astype(bool)
        # Random actions are drawn by the spec, also where an episode is over and the action will not be used.
        self.action_spec.update_mask(torch.from_numpy(mask | ~mask.any(1, keepdims=True)))
        parts = {"observation": observations, "action_mask": mask}
        parts |= {name: flag[:, np.newaxis] for name, flag in flags.items()}
        return TensorDict({name: torch.from_numpy(part) for name, part in parts.items()}, self.batch_size)

    def _reset(self, tensordict: Any = None, **_: Any) -> TensorDict:
        selected = None if tensordict is None else tensordict.get("_reset", None)
        mask = np.ones(self._tables.num_envs, bool) if selected is None else selected.numpy().reshape(-1)
        observations, infos = self._tables.reset(seed=self._seed, options={"reset_mask": mask})
        self._seed = None
        over = np.zeros_like(mask)
        return self._pack(observations, infos, done=over, terminated=over, truncated=over)

    def _step(self, tensordict: Any) -> TensorDict:
        observations, rewards, terminated, truncated, infos = self._tables.step(tensordict["action"].numpy())
        reward, done = rewards.astype(np.float32), terminated | truncated
        return self._pack(observations, infos, reward=reward, done=done, terminated=terminated, truncated=truncated)

    def _set_seed(self, seed: int | None) -> None:
        self._seed = seed

"""One table as a Gymnasium environment, and the ids in the registries of Gymnasium and PettingZoo."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pettingzoo  # type: ignore[import-untyped]
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

from lastcard import envs
from lastcard.envs.batch import REGISTRY_IDS
from lastcard.envs.gymnasium import BatchVectorEnv
from lastcard.envs.pettingzoo import raw_env
from lastcard.errors import UsageError


@pytest.mark.parametrize("env_id", REGISTRY_IDS)
def test_a_single_table_is_a_table_of_a_vector(env_id: str) -> None:
    """The same rows, rewards, flags, masks and rewards of all seats for the same seed."""
    env = gymnasium.make(env_id, players=3, bots=("sharp", "random"), reward="rank")
    many = envs.vector(REGISTRY_IDS[env_id], 3, 1, bots=("sharp", "random"), reward="rank", autoreset_mode="NextStep")
    row, info = env.reset(seed=3)
    rows, infos = many.reset(seed=3)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(200):
        assert row in env.observation_space and (row == rows[0]).all()
        assert (info["action_mask"] == infos["action_mask"][0]).all()
        assert (env.get_wrapper_attr("action_masks")() == info["action_mask"]).all()
        if not info["action_mask"].any():
            assert (info["rewards"] == infos["rewards"][0]).all()
            ends += 1
            row, info = env.reset()
            rows, *_, infos = many.step(np.array([0]))
            continue
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        row, reward, terminated, truncated, info = env.step(action)
        rows, *others, infos = many.step(np.array([action]))
        assert [reward, terminated, truncated] == [each[0] for each in others]
    assert ends


@pytest.mark.parametrize(("mode", "kind"), [(None, BatchVectorEnv), ("sync", SyncVectorEnv), ("async", AsyncVectorEnv)])
def test_make_vec_takes_every_mode(mode: str | None, kind: Any) -> None:
    env: Any = gymnasium.make_vec("lastcard/Classic-v1", 3, vectorization_mode=mode, players=4, bots=("sharp",))
    assert isinstance(env, kind), env
    assert env.spec.id == "lastcard/Classic-v1"
    _, infos = env.reset(seed=1)
    for _ in range(20):
        chosen = env.action_space.sample(mask=tuple(infos["action_mask"]))
        *_, infos = env.step(chosen)
    env.close()


def test_a_vector_by_id_has_all_settings() -> None:
    env: Any = gymnasium.make_vec(
        "lastcard/WildJackpot-v1", 5, bots=("sharp",), autoreset_mode="NextStep", dtype="uint8", seed=4
    )
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.single_observation_space.dtype == np.uint8 and env.num_envs == 5
    with pytest.raises(UsageError, match=r"there is no setting 'playrs'; .* did you mean"):
        gymnasium.make_vec("lastcard/Classic-v1", 2, playrs=3)


def test_an_illegal_action_is_refused() -> None:
    env = gymnasium.make("lastcard/Classic-v1")
    _, info = env.reset(seed=1)
    with pytest.raises(UsageError, match="is not legal for seat 0"):
        env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))


@pytest.mark.parametrize("env_id", REGISTRY_IDS)
def test_pettingzoo_makes_tables_by_id(env_id: str) -> None:
    env = pettingzoo.make("aec", env_id, players=3, max_cycles=7)
    assert isinstance(env, raw_env) and env.config.ruleset.game == REGISTRY_IDS[env_id]
    assert env.config.max_steps == 21

"""The table for RLlib: a ``SingleTableEnv`` with the mask in its observations."""

from __future__ import annotations

from typing import Any

from lastcard.envs.rllib import MaskedTableEnv
from lastcard.envs.single import SingleTableEnv

SETTINGS: dict[str, Any] = {"rules": "wild-jackpot", "players": 3, "bots": ("sharp",), "seed": 1, "max_steps": 30}


def test_observations_hold_row_and_mask() -> None:
    env, twin = MaskedTableEnv(SETTINGS), SingleTableEnv(**SETTINGS)
    ends = 0
    (seen, info), (row, same) = env.reset(seed=5), twin.reset(seed=5)
    for _ in range(300):
        assert env.observation_space.contains(seen)
        assert (seen["observations"] == row).all() and (seen["action_mask"] == same["action_mask"]).all()
        action = seen["action_mask"].argmax()
        seen, *result, info = env.step(action)
        row, *others, same = twin.step(action)
        assert result == others and info["action_mask"].tolist() == same["action_mask"].tolist()
        if result[1] or result[2]:
            ends += 1
            (seen, _), (row, same) = env.reset(), twin.reset()
    assert ends > 5

"""The examples for learning frameworks are short and run, each in a fresh environment: ``make test-extras``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from lastcard import envs
from lastcard.errors import UsageError

ROOT: Final = Path(__file__).parents[1]
EXAMPLES: Final = {path.stem.split("_")[0]: path for path in (ROOT / "examples/envs/frameworks").glob("*.py")}
"""The example of each extra."""
MAX_LINES: Final = 30
INSTALLED: Final = os.environ.get("LASTCARD_FRAMEWORK", "")
"""The extra of this environment."""


def needs(extra: str) -> pytest.MarkDecorator:
    """A mark for tests that run in the environment of one extra."""
    return pytest.mark.skipif(extra != INSTALLED, reason=f"make test-extras FRAMEWORKS={extra}")


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=list(EXAMPLES))
def test_an_example_is_short(example: Path) -> None:
    assert len(example.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("extra", [pytest.param(extra, marks=needs(extra)) for extra in EXAMPLES])
def test_an_example_runs(extra: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES[extra])], capture_output=True, text=True, timeout=1800, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@needs("sb3")
def test_tables_for_stable_baselines_have_masks_and_last_rows() -> None:
    """Play by masks alone is legal; the row that ends an episode is in its info, and rewards are the tables'."""
    from stable_baselines3.common.vec_env import VecMonitor

    from lastcard.envs.sb3 import TablesVecEnv

    tables = envs.vector("classic", players=3, n=8, bots=("sharp",), seed=1, max_steps=40)
    env, twin = VecMonitor(TablesVecEnv(tables)), envs.vector("classic", 3, 8, bots=("sharp",), seed=1, max_steps=40)
    env.seed(5)
    rows, (other, _) = env.reset(), twin.reset(seed=5)
    ends = 0
    for _ in range(150):
        assert (rows == other).all()
        actions = [int(mask.argmax()) for mask in env.env_method("action_masks")]
        rows, rewards, over, infos = env.step(actions)
        other, their_rewards, terminated, truncated, their_infos = twin.step(actions)
        assert (rewards == their_rewards).all() and (over == terminated | truncated).all()
        for i, info in enumerate(infos):
            if over[i]:
                ends += 1
                assert (info["terminal_observation"] == their_infos["final_obs"][i]).all()
                assert info["TimeLimit.truncated"] == truncated[i] and info["episode"]["r"] == their_rewards[i]
    assert ends
    with pytest.raises(UsageError, match="needs the mode SameStep, not NextStep"):
        TablesVecEnv(envs.vector(autoreset_mode="NextStep"))


@needs("torchrl")
def test_tables_for_torchrl_begin_anew_where_they_are_done() -> None:
    from torchrl.envs.utils import check_env_specs

    from lastcard.envs.torchrl import TablesEnv

    tables = envs.vector("classic", players=2, n=8, bots=("sharp",), seed=1, autoreset_mode="Disabled")
    env = TablesEnv(tables)
    check_env_specs(env)
    env.set_seed(3)
    data = env.rollout(100, break_when_any_done=False)
    ended = data["next", "done"][:, :-1, 0]
    assert data.batch_size == (8, 100) and ended.any()
    assert data["action_mask"].gather(2, data["action"].unsqueeze(2)).all()
    hands = data["observation"][:, 1:, tables.batch.features.fields["hand"]].sum(2)
    assert (hands[ended] >= 7).all() and ((data["next", "reward"] != 0) == data["next", "done"]).all()
    with pytest.raises(UsageError, match="needs the mode Disabled, not SameStep"):
        TablesEnv(envs.vector())

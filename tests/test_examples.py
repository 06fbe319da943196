"""The examples for learners are short and run; ``make test-examples`` runs them with their defaults."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
EXAMPLES: Final = sorted((ROOT / "examples" / "envs").glob("*.py"))
MAX_LINES: Final = 80
"""Maximum number of lines of an example."""
WHOLE: Final = "LASTCARD_WHOLE_EXAMPLES"
"""Variable that makes examples run with their defaults."""
QUICK: Final = {
    "evaluate_in_arena": ["--deals", "4"],
    "openspiel_best_response": ["--bots", "random", "--max-steps", "1"],
    "openspiel_cfr": ["--iterations", "2", "--max-steps", "2"],
    "openspiel_mcts": ["--rounds", "1", "--simulations", "2"],
    "random_play": ["--episodes", "2"],
    "ppo_masked": ["--steps", "10000"],
    "rlcard_dqn": ["--episodes", "5"],
    "self_play": ["--steps", "16", "--games", "10"],
}
"""Arguments that make them short."""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short(example: Path) -> None:
    assert len(example.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example: Path, tmp_path: Path) -> None:
    """Without PyTorch, those that need it say what to install."""
    words = [] if os.environ.get(WHOLE) else QUICK.get(example.stem, [])
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, str(example), *words],
        capture_output=True,
        text=True,
        timeout=1800,
        env={**os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(tmp_path)},
    )
    if "import torch" in example.read_text(encoding="utf-8") and find_spec("torch") is None:
        assert "learn]'" in done.stdout + done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip()

"""The examples are short and run; ``make test-examples`` runs those for learners with their defaults."""

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
PROGRAMS: Final = sorted((ROOT / "examples" / "python").glob("*.py"))
MAX_LINES: Final = {"ppo": 300}
"""Maximum number of lines of an example for learners; 80 for the others."""
MAX_PROGRAM_LINES: Final = 15
"""Maximum number of lines of a program for the Python API, without blank ones and its docstring."""
REQUEST: Final = """
from starlette.testclient import TestClient
from mounted_server import app
with TestClient(app, base_url="http://localhost:8000") as client:
    print(client.get("/").text, client.get("/cards/").raise_for_status())
"""
WHOLE: Final = "LASTCARD_WHOLE_EXAMPLES"
"""Variable that makes examples run with their defaults."""
QUICK: Final = {
    "evaluate_in_arena": ["--deals", "4"],
    "openspiel_best_response": ["--bots", "random", "--max-steps", "1"],
    "openspiel_cfr": ["--iterations", "2", "--max-steps", "2"],
    "openspiel_mcts": ["--rounds", "1", "--simulations", "2"],
    "random_play": ["--episodes", "2"],
    "ppo": ["--steps", "5000", "--levels", "sharp", "--deals", "10"],
    "rlcard_dqn": ["--episodes", "5"],
    "self_play": ["--steps", "16", "--games", "10"],
}
"""Arguments that make them short."""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in an empty folder, which is also that of the user's files."""
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), str(PROGRAMS[0].parent), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(folder)}
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, timeout=1800, cwd=folder, env=environment
    )


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_is_short_and_runs(program: Path, tmp_path: Path) -> None:
    lines = list(filter(None, program.read_text(encoding="utf-8").splitlines()))
    assert len(lines) - 1 <= MAX_PROGRAM_LINES
    done = run(tmp_path, *(["-c", REQUEST] if program.stem == "mounted_server" else [str(program)]))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short(example: Path) -> None:
    assert len(example.read_text(encoding="utf-8").splitlines()) <= MAX_LINES.get(example.stem, 80)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(example: Path, tmp_path: Path) -> None:
    """Without PyTorch, those that need it say what to install."""
    words = [] if os.environ.get(WHOLE) else QUICK.get(example.stem, [])
    done = run(tmp_path, str(example), *words)
    if "import torch" in example.read_text(encoding="utf-8") and find_spec("torch") is None:
        assert "learn]'" in done.stdout + done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip()

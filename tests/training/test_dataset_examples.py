"""The examples that read data sets run (docs/datasets.md); ``make test-extras EXTRAS=datasets`` has what they need."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from lastcard.cli.main import main

EXAMPLES: Final = Path(__file__).parents[2] / "examples" / "datasets"
MAX_LINES: Final = 30
"""Maximum number of lines of an example, without blank ones."""
OUTPUTS: Final = {
    "duckdb_query": r"draw .* times, with \d",
    "minari_record": r"\d{3} decisions, \d+ of 20 won",
    "polars_summary": r"casual.*sharp",
    "torch_clone": r"agrees with the bot in [6-9]\d\.\d% of \d+ decisions",
}
"""What each prints."""


def test_examples_are_short() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == set(OUTPUTS)
    for path in EXAMPLES.glob("*.py"):
        lines = list(filter(str.strip, path.read_text(encoding="utf-8").splitlines()))
        assert len(lines) <= MAX_LINES, path.name


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a data set, as the examples name it."""
    folder = tmp_path_factory.mktemp("examples")
    words = ["--bots", "casual,sharp", "--rounds", "60", "--seed", "1", "--chances", "--workers", "1"]
    assert main(["dataset", "classic", *words, "--out", str(folder / "decisions")]) == 0
    return folder


@pytest.mark.parametrize("example", OUTPUTS)
def test_an_example_runs(example: str, folder: Path) -> None:
    pytest.importorskip(example.partition("_")[0], reason="tested in an environment of its own")
    environment = {**os.environ, "MINARI_DATASETS_PATH": str(folder / "minari"), "POLARS_FMT_MAX_ROWS": "9"}
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{example}.py")],
        capture_output=True, text=True, timeout=600, cwd=folder, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert re.search(OUTPUTS[example], done.stdout, re.DOTALL), done.stdout

"""The programs of tools/ start from the root of a checkout, and explain their usage."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PROGRAMS: Final = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
    for path in (ROOT / "tools").rglob("*.py")
    if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8") and path.name != "assembly.py"
)
"""All but the second half of ``tools.wasm``, which the first one starts."""


ASK: Final = """
import runpy, sys
for program in sys.argv[1:]:
    sys.argv = [program, "--help"]
    try:
        runpy.run_module(program, run_name="__main__")
    except SystemExit as exit:
        assert not exit.code, program
"""
"""One process for all, because most of the time goes to imports that they share."""


def run(*command: str) -> str:
    """The output of Python in the root of the checkout."""
    done = subprocess.run([sys.executable, *command], cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_help() -> None:
    said = run("-c", ASK, *PROGRAMS)
    assert [line.split()[3] for line in said.splitlines() if line.startswith("usage: python -m ")] == PROGRAMS


def test_differential_in_processes_of_its_own() -> None:
    said = run("-m", "tools.differential", "--plies", "1", "--workers", "1", "--seed", "5")
    assert said.splitlines()[-1] == "no difference"

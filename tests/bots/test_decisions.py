"""Same view and seed, same answer: decisions of bots in some hundred situations, fixed in tests/golden."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lastcard.kernel.jit import requested_backend
from support.decisions import FILE, few_lines, golden_lines


def test_bots_answer_as_before() -> None:
    """Every level and kind, on its turn and out of turn, and a search's value of every choice."""
    for wanted, found in zip(FILE.read_text(encoding="utf-8").splitlines(), golden_lines(), strict=True):
        assert found == wanted


def test_the_situations_are_of_all_kinds() -> None:
    """Every decision of a turn, calls, catches and cards laid out of turn."""
    text = FILE.read_text(encoding="utf-8")
    decisions = Counter(line.partition(":")[0].split()[4] for line in text.splitlines())
    assert {"play", "drawn", "challenge", "stack", "color", "throw", "bury", "pull"} <= decisions.keys()
    moves = Counter(move for line in text.splitlines() for move in line.partition(": ")[2].split(", "))
    assert moves["uno"] and any(move.startswith("catch") for move in moves) and any("!" in move for move in moves)
    assert moves["challenge"] and moves["accept"]


@pytest.mark.skipif(requested_backend() == "native", reason="compared with the module, which answers like native code")
def test_plain_python_gives_the_same_answers() -> None:
    """Networks, chance and sums are the same with the compiler off: no operation rounds differently."""
    done = subprocess.run(
        [sys.executable, "-m", "support.decisions", "few"],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == list(few_lines())

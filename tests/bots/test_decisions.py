"""Same view and same seed, same answer: what bots do in some hundred situations, pinned in tests/golden."""

from __future__ import annotations

from collections import Counter

from support.decisions import FILE, lines


def test_bots_answer_as_before() -> None:
    """Every level and kind, on its turn and out of turn, and what a search finds its choices worth."""
    for wanted, found in zip(FILE.read_text(encoding="utf-8").splitlines(), lines(), strict=True):
        assert found == wanted


def test_the_situations_are_of_all_kinds() -> None:
    """Every decision of a turn, calls, catches and cards laid out of turn."""
    text = FILE.read_text(encoding="utf-8")
    decisions = Counter(line.partition(":")[0].split()[4] for line in text.splitlines())
    assert {"play", "drawn", "challenge", "stack", "color", "throw", "bury", "pull"} <= decisions.keys()
    moves = Counter(move for line in text.splitlines() for move in line.partition(": ")[2].split(", "))
    assert moves["uno"] and any(move.startswith("catch") for move in moves) and any("!" in move for move in moves)
    assert moves["challenge"] and moves["accept"]

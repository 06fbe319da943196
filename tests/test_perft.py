"""Numbers of move sequences from fixed positions of each ruleset, stored in perft.toml."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastcard.game.position import Position, parse_position
from lastcard.game.rulesets import GAMES
from lastcard.rules import exports, layout, refusal_reasons
from lastcard.rules.round_state import new_round_states
from referee import RoundState, do, legal_moves
from tools.differential.pair import pair_at

POSITIONS: dict[str, dict[str, Any]] = {
    table.pop("name"): table for table in tomllib.loads(Path(__file__).with_name("perft.toml").read_text())["position"]
}
SECRET = bytes(range(32))


def position_of(name: str) -> tuple[Position, list[int]]:
    """A position and its counts."""
    table = dict(POSITIONS[name])
    counts = table.pop("counts")
    return parse_position({"rule_cards": [], **table}), counts


def count(tables: Any, depth: int, out: Any, at: int = 0) -> int:
    """The number of sequences of ``depth`` moves from table ``at``; the tables behind it are overwritten."""
    total = 0
    for seat in range(int(tables[at]["players"])):
        actions = out[at, : exports.list_actions(tables, at, seat, out[at])].tolist()
        if depth == 1:
            total += len(actions)
            continue
        for action in actions:
            tables[at + 1] = tables[at]
            assert exports.apply_action(tables, at + 1, seat, action) == refusal_reasons.OK
            total += count(tables, depth - 1, out, at + 1)
    return total


def count_by_referee(referee: RoundState, depth: int) -> int:
    """The number according to the referee."""
    if referee.decision == "over":
        return 0
    moves = [(seat, move) for seat in range(referee.players) for move in legal_moves(referee, seat)]
    if depth == 1:
        return len(moves)
    total = 0
    for seat, move in moves:
        copied = copy.deepcopy(referee, {id(referee.rules): referee.rules})
        do(copied, seat, move)
        total += count_by_referee(copied, depth - 1)
    return total


@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name: str) -> None:
    """The kernel's counts are the stored ones."""
    position, counts = position_of(name)
    tables = new_round_states(len(counts))
    tables[0] = pair_at(position, SECRET).round_._states[0]
    out = np.zeros((len(counts), layout.MAX_ACTIONS), np.int64)
    assert [count(tables, depth, out) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("name", POSITIONS)
def test_perft_by_referee(name: str) -> None:
    """The referee counts the same, to a smaller depth."""
    position, counts = position_of(name)
    referee = pair_at(position, SECRET).referee
    assert [count_by_referee(referee, depth) for depth in (1, 2, 3)] == counts[:3]


def test_every_ruleset_has_positions() -> None:
    """Each game has more than one position, with the official rules, too."""
    rules = [POSITIONS[name]["rules"] for name in POSITIONS]
    assert all(game in rules for game in GAMES)
    assert all(len(POSITIONS[name]["counts"]) >= 4 for name in POSITIONS)

"""Habits: their origin, where they apply, and that they win."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from lastcard.ai import habits as habit
from lastcard.ai import rollout
from lastcard.bots.network_files import read_network
from lastcard.bots.search import Search, SearchConfig
from lastcard.bots.weights import GAMES_WITH_HABITS, habits, heuristic_weights
from lastcard.game import action_codes
from lastcard.game.moves import parse_move
from lastcard.game.position import parse_position
from lastcard.kernel.jit import requested_backend
from lastcard.match.round import Round
from lastcard.rules import exports, legal, refusal_reasons
from lastcard.rules.layout import MAX_ACTIONS
from lastcard.training.habits import derive_habits
from support.compiled import PLAIN, compiled

ROUNDS: Final = 2 if PLAIN else 300
EFFORT_WITH_HABITS, EFFORT_WITHOUT_HABITS = (
    SearchConfig(rollouts=400, deals=64, burn=50, horizon=0, habits=1),
    SearchConfig(400, None, 0, 64, 50),
)


def test_shipped_habits_are_those_of_training() -> None:
    """Habits come from the player that training leaves in this file, in the rounds of the training seed."""
    assert {"all-wild"} == GAMES_WITH_HABITS
    hasty = read_network(Path(__file__).with_name("hasty-all-wild.npy"))
    assert np.array_equal(derive_habits("all-wild", hasty, 1), habits("all-wild"))


def test_habits_are_preference_orders_of_moves() -> None:
    chains = habits("all-wild").reshape(habit.ROWS, habit.COLUMNS)
    assert (np.sort(chains, axis=1) == np.arange(habit.COLUMNS)).all()
    assert habits("classic").size == 0


@pytest.mark.parametrize(
    ("rules", "players", "effort", "expected"),
    [
        ("all-wild", 2, EFFORT_WITH_HABITS, 1),
        ("all-wild+draw_then_play=never", 2, EFFORT_WITH_HABITS, 1),
        ("all-wild", 3, EFFORT_WITH_HABITS, 0),
        ("classic", 2, EFFORT_WITH_HABITS, 0),
        ("all-wild", 2, EFFORT_WITHOUT_HABITS, 0),
    ],
)
def test_habits_apply_to_two_players_of_all_wild(rules: str, players: int, effort: SearchConfig, expected: int) -> None:
    table = Round.deal(rules, players, seed=3)
    view = table.view(table.turn)
    search = Search(effort)
    search.rank_moves(view, [move for move in view.legal if move.verb not in ("uno", "catch")][:2], 1)
    assert search.workspace.search_states[0]["by_habit"] == expected


def test_a_hand_that_is_one_chain_is_laid() -> None:
    """At two seats Skips and a Reverse keep the turn, so the whole hand is played (AW-40)."""
    fields: dict[str, Any] = {
        "rules": "all-wild",
        "hands": ["WS WS WR W W+4", "W"],
        "discard": "W",
    }
    view = Round.from_position(parse_position(fields)).view(0)
    moves = [parse_move("WS"), parse_move("W")]
    with_habits = {choice.move: choice.chance for choice in Search(EFFORT_WITH_HABITS).rank_moves(view, moves, 1)}
    assert with_habits[moves[0]] == 1.0 > with_habits[moves[1]]


@compiled
def _choose_by_habit(tables: Any, w: Any, table: Any, out: Any, may_hold: bool) -> int:
    t = tables[0]
    return legal.canonical(t, t.turn & 15, habit.choose_by_habit(t, table, w, out, may_hold))


@pytest.mark.skipif(requested_backend() == "module", reason="compiles native code, in make test-native")
@pytest.mark.parametrize(
    ("rules", "least"),
    [("all-wild", 0.58), ("all-wild+stacking=cross+forced_swap_target=not_player_with_one_card", 0.45)],
)
def test_habits_beat_rules_of_thumb(rules: str, least: float) -> None:
    """Habits win 68 % of a larger sample, about half under rules they were not made for; every move is legal."""
    w, mine, out = heuristic_weights(rules, 2), habits(rules), np.zeros(MAX_ACTIONS, np.int64)
    won = 0
    for number in range(ROUNDS):
        one = number % 2
        table, drew, plies = Round.deal(rules, 2, seed=number // 2), False, 0
        while not table.over:
            seat = table.turn
            if seat == one:
                action = _choose_by_habit(table._states, w, mine, out, not drew and plies < 80)
            else:
                action = rollout.heuristic_action(table._states, 0, w, out)
            plies += 1
            if seat == one and action & 255 != action_codes.PASS:
                drew = action & 255 == action_codes.DRAW
            assert exports.apply_action(table._states, 0, seat, action) == refusal_reasons.OK
        won += table.winner == one
    assert PLAIN or won > least * ROUNDS

"""Win chances are calibrated: of positions estimated at 70 %, 70 % ± 3 points are won in self-play."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from lastcard.ai import rollout
from lastcard.analysis.chances import new_rollout_scratch
from lastcard.bots.weights import heuristic_weights
from lastcard.game import action_codes
from lastcard.kernel import arrays
from lastcard.match.round import Round
from lastcard.rules import exports, phases
from lastcard.rules.layout import NOTHING
from lastcard.rules.round_state import new_round_states

POSITIONS: Final = 16_000
ROLLOUTS: Final = 100


def deal_many(rules: str, players: int) -> Any:
    """Freshly dealt rounds, each with a shuffle of its own."""
    tables = new_round_states(POSITIONS)
    tables[:] = Round.deal(rules, players, seed="calibration").states()
    for number in range(POSITIONS):
        exports.deal_round(tables, number, number % players, number, 0)
    return tables


@pytest.mark.parametrize(("rules", "longest"), [("classic", 20), ("all-wild", 10)])
def test_estimated_chances_are_the_shares_won(rules: str, longest: int) -> None:
    weights, bench = heuristic_weights(rules, 2), new_rollout_scratch()
    dice = np.random.default_rng(70)
    tables = deal_many(rules, 2)
    for i in range(POSITIONS):  # one moment of each round, so they are independent
        rollout.play_plies(tables, i, int(dice.integers(longest)), weights, bench.out)
    tables = arrays.copy(tables[tables["phase"] != phases.OVER])
    jobs = arrays.copy(np.array([(i, 0, NOTHING) for i in range(len(tables))], np.int64))
    winners = arrays.zeros((len(tables), ROLLOUTS), np.int8)
    for i in range(len(tables)):
        rollout.run_rollouts(tables, jobs, winners, weights, bench, rollout.JobRange(i, i + 1, i))
        rollout.play_plies(tables, i, 3000, weights, bench.out)  # with the chance it really has
    chance = (winners == 0).mean(axis=1)
    called = np.maximum(chance, 1 - chance)  # 30 % for one of two is 70 % for the other
    right = (tables["winner"] == 0) == (chance > 0.5)
    for percent in (60, 70, 80, 90):
        near = abs(called - percent / 100) < 0.05
        assert near.sum() > 500
        assert right[near].mean() == pytest.approx(called[near].mean(), abs=0.03), percent


def test_fresh_chance_is_drawn_for_every_rollout() -> None:
    """The next outcome is never known: rollouts of one moment differ."""
    tables, bench = Round.deal("classic", 2, seed=3).states(), new_rollout_scratch()
    winners = np.zeros((2, 400), np.int8)
    jobs = np.array([(0, 0, NOTHING), (0, 0, NOTHING)], np.int64)
    rollout.run_rollouts(tables, jobs, winners, heuristic_weights("classic", 2), bench, rollout.JobRange(0, 2, 1))
    assert set(winners[0].tolist()) == {0, 1}
    assert (winners[0] == winners[1]).all(), "the same chance for every job"


def test_a_new_deal_does_not_depend_on_the_hands() -> None:
    """Before the deal a good hand has no value."""
    rules = "classic"
    tables, bench = new_round_states(2), new_rollout_scratch()
    for i in range(2):
        tables[i] = Round.deal(rules, 2, seed=f"hand {i}").states()[0]
    winners = np.zeros((2, 400), np.int8)
    jobs = np.array([(0, 0, rollout.DEAL_AGAIN), (1, 0, rollout.DEAL_AGAIN)], np.int64)
    rollout.run_rollouts(tables, jobs, winners, heuristic_weights(rules, 2), bench, rollout.JobRange(0, 2, 1))
    assert (winners[0] == winners[1]).all()


def test_a_call_in_a_move_is_left_out() -> None:
    """The heuristic policy never calls, so the call is removed before moves are compared."""
    tables, bare = Round.deal("classic", 2, seed=1).states(), 5 | action_codes.NO_ARG << 8
    assert rollout.canonical_action(tables, 0, 0, bare | 1 << 12) == bare

"""Mixed opponents: their moves depend on nothing hidden, and their rollouts are true."""

from __future__ import annotations

import numpy as np
import pytest

from lastcard.ai import opponent_mix
from lastcard.analysis.adjusted import new_mixture
from lastcard.analysis.chances import new_rollout_scratch
from lastcard.analysis.replayed_round import replay_rounds
from lastcard.rules import exports
from lastcard.rules.layout import NOTHING
from lastcard.rules.round_state import ROUND_STATE, new_round_states
from support.report_samples import play_match


@pytest.mark.parametrize("rules", ["classic", "all-wild", "wild-jackpot"])
def test_moves_do_not_depend_on_other_hands(rules: str) -> None:
    """The move is the same with all cards open and with the other hands covered."""
    mixture, out = new_mixture(rules, 2), exports.SCRATCH.actions
    seen = 0
    for seed in range(4):
        replayed = replay_rounds(play_match(rules, "sharp,random", seed=seed).record())[0]
        for i, ply in enumerate(replayed.moves):
            if ply.view is None or ply.heuristic_move is None:
                continue
            covered = new_round_states(1)
            covered[0] = np.frombuffer(ply.view.information_state, ROUND_STATE)[0]
            for who in range(opponent_mix.POLICY_COUNT):
                assert opponent_mix.choose_action_with(
                    replayed.states, i, mixture, who, out
                ) == opponent_mix.choose_action_with(covered, 0, mixture, who, out)
            seen += 1
    assert seen > 40


def test_habits_play_only_games_they_cover() -> None:
    """Habits apply at two seats of All Wild; elsewhere their policy plays like the trained policy net."""
    habits, practiced = opponent_mix.POLICY_COUNT - 1, opponent_mix.POLICY_COUNT - 2
    for rules, players, differ in (("all-wild", "sharp,sharp", True), ("all-wild", "sharp,sharp,sharp", False)):
        replayed = replay_rounds(play_match(rules, players).record())[0]
        mixture, out = new_mixture(rules, replayed.players), exports.SCRATCH.actions
        turns = [i for i, ply in enumerate(replayed.moves) if ply.heuristic_move is not None]
        actions = [
            [opponent_mix.choose_action_with(replayed.states, i, mixture, who, out) for i in turns]
            for who in (habits, practiced)
        ]
        assert (actions[0] != actions[1]) is differ


@pytest.mark.parametrize("rules", ["classic", "all-wild"])
def test_equal_states_have_equal_rollouts_in_every_job(rules: str) -> None:
    """Jobs share chance and die; another seed gives others."""
    replayed = replay_rounds(play_match(rules, "sharp,sharp").record())[0]
    jobs = np.array([(0, 0, NOTHING), (0, 0, NOTHING)], np.int64)
    mixture, bench = new_mixture(rules, 2), new_rollout_scratch()
    first, second = np.full((2, 2, 300), -1, np.int8)
    opponent_mix.run_rollouts_mixed(replayed.states, jobs, first, mixture, bench, 1)
    opponent_mix.run_rollouts_mixed(replayed.states, jobs, second, mixture, bench, 2)
    assert set(first[0].tolist()) == {0, 1}
    assert (first[0] == first[1]).all()
    assert (first[0] != second[0]).any()

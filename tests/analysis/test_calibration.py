"""Chances are true: of positions called 70 %, 70 % ± 3 points are won in self-play."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

from lastcard.ai import chances
from lastcard.analysis.chances import new_bench
from lastcard.bots.learned import thumb_weights
from lastcard.game import act
from lastcard.kernel import arrays
from lastcard.match.round import Round
from lastcard.rules import doors, phase
from lastcard.rules.layout import NOTHING
from lastcard.rules.table import TABLE, new_tables

POSITIONS: Final = 16_000
ROLLOUTS: Final = 100


def deal_many(rules: str, players: int) -> Any:
    """Freshly dealt rounds, each with a shuffle of its own."""
    tables = new_tables(POSITIONS)
    tables[:] = np.frombuffer(Round.deal(rules, players, seed="calibration").table_bytes(), TABLE)[0]
    tables["taping"] = 0
    for number in range(POSITIONS):
        doors.deal_table(tables, number, number % players, number, 0)
    return tables


@pytest.mark.parametrize(("rules", "longest"), [("classic", 20), ("all-wild", 10)])
def test_what_is_called_70_percent_is_won_so_often(rules: str, longest: int) -> None:
    weights, bench = thumb_weights(rules, 2), new_bench()
    dice = np.random.default_rng(70)
    tables = deal_many(rules, 2)
    for i in range(POSITIONS):  # one moment of each round: they are independent
        chances.play_some(tables, i, int(dice.integers(longest)), weights, bench.out)
    tables = arrays.copy(tables[tables["phase"] != phase.OVER])
    jobs = arrays.copy(np.array([(i, 0, NOTHING) for i in range(len(tables))], np.int64))
    winners = arrays.zeros((len(tables), ROLLOUTS), np.int8)
    for i in range(len(tables)):
        chances.play_on(tables, jobs, winners, weights, bench, chances.Part(i, i + 1, i))
        chances.play_some(tables, i, 3000, weights, bench.out)  # with the chance it really has
    chance = (winners == 0).mean(axis=1)
    called = np.maximum(chance, 1 - chance)  # 30 % for one of two is 70 % for the other
    right = (tables["winner"] == 0) == (chance > 0.5)
    for percent in (60, 70, 80, 90):
        near = abs(called - percent / 100) < 0.05
        assert near.sum() > 500
        assert right[near].mean() == pytest.approx(called[near].mean(), abs=0.03), percent


def test_fresh_chance_is_drawn_for_every_rollout() -> None:
    """What would be drawn next is never known: other rollouts of one moment go other ways."""
    table = Round.deal("classic", 2, seed=3)
    tables, bench = new_tables(1), new_bench()
    tables[0] = np.frombuffer(table.table_bytes(), TABLE)[0]
    winners = np.zeros((2, 400), np.int8)
    jobs = np.array([(0, 0, NOTHING), (0, 0, NOTHING)], np.int64)
    chances.play_on(tables, jobs, winners, thumb_weights("classic", 2), bench, chances.Part(0, 2, 1))
    assert set(winners[0].tolist()) == {0, 1}
    assert (winners[0] == winners[1]).all(), "the same chance for every job"


def test_a_deal_anew_forgets_the_hands() -> None:
    """Before the deal a good hand is worth nothing."""
    rules = "classic"
    tables, bench = new_tables(2), new_bench()
    for i in range(2):
        tables[i] = np.frombuffer(Round.deal(rules, 2, seed=f"hand {i}").table_bytes(), TABLE)[0]
    winners = np.zeros((2, 400), np.int8)
    jobs = np.array([(0, 0, chances.DEAL), (1, 0, chances.DEAL)], np.int64)
    chances.play_on(tables, jobs, winners, thumb_weights(rules, 2), bench, chances.Part(0, 2, 1))
    assert (winners[0] == winners[1]).all()


def test_a_call_in_an_act_is_left_out() -> None:
    """Rules of thumb never call; to compare acts the call is taken off."""
    tables = new_tables(1)
    tables[0] = np.frombuffer(Round.deal("classic", 2, seed=1).table_bytes(), TABLE)[0]
    assert chances.plain_act(tables, 0, 0, 5 | act.NO_ARG << 8 | 1 << 12) == 5 | act.NO_ARG << 8

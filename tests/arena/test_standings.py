"""Standings, ratings and times, computed from results."""

from __future__ import annotations

import math
import random
import sys

import pytest

from lastcard.arena.deals import Deal, Plan, RoundResult
from lastcard.arena.decision_times import DecisionTimes, TimeHistogram, merge_times
from lastcard.arena.standings import can_rate, find_duels, make_cross_table, make_entries, rate
from lastcard.bots.base import ATTENTIVE
from lastcard.bots.statistics import Estimate
from lastcard.game.rulesets import ruleset

BETA = 2**0.5 * 25 / 6
"""The difference of ratings at which the odds are e to 1 (Weng and Lin 2011)."""


# --- standings --------------------------------------------------------------------------------------


def played(winner: int | None, points: tuple[int, ...], stuck: bool = False) -> RoundResult:
    return RoundResult(winner, stuck, 10, points, (0,) * len(points), (0,) * len(points), 0)


def make_deal(plan: Plan, *rounds: tuple[tuple[str, ...], RoundResult]) -> Deal:
    """The first deal, with no times."""
    return Deal(0, rounds, {name: DecisionTimes() for name in plan.kinds})


def test_seats_void_rounds_and_shares_are_counted() -> None:
    plan = Plan(ruleset("classic"), ("a", "b", "b"), b"", ATTENTIVE)
    deal = make_deal(
        plan,
        (("a", "b", "b"), played(0, (30, 0, 0))),
        (("b", "a", "b"), played(2, (0, 0, 12))),
        (("b", "b", "a"), played(None, (0, 0, 0))),
    )
    entries = make_entries(plan, [deal])
    assert entries["a"].wins.value == entries["b"].wins.value == pytest.approx(1 / 3)
    assert [entries["a"].equal_share, entries["b"].equal_share] == pytest.approx([1 / 3, 2 / 3])
    assert (entries["a"].points.value, entries["b"].points.value) == (10, 2)
    cross = make_cross_table(plan, [deal])
    # One win on one seat against one on two.
    for one, other, part in (("a", "b", 2 / 3), ("b", "a", 1 / 3)):
        won = cross[one][other]
        assert won is not None and won.value == pytest.approx(part) and not won.has_interval


def test_partners_share_a_win() -> None:
    plan = Plan(ruleset("classic+team_play"), ("a", "b", "c", "b"), b"", ATTENTIVE)
    deal = make_deal(plan, (plan.bots, played(0, (9, 0, 9, 0))))
    wins = {name: entry.wins.value for name, entry in make_entries(plan, [deal]).items()}
    assert wins == {"a": 0.5, "b": 0, "c": 0.5}
    assert make_cross_table(plan, [deal])["a"]["c"] == Estimate(0.5, math.inf)


def test_a_round_is_a_duel_of_its_winner_with_every_other_kind() -> None:
    assert find_duels(("a", "b", "c", "a"), (0,)) == [("a", "b"), ("a", "c")]
    assert find_duels(("a", "b", "a", "b"), (1, 3)) == [("b", "a")] * 4
    assert find_duels(("a", "b"), ()) == []


def test_ratings_predict_win_rates() -> None:
    """Three bots win 3, 2 and 1 of 6 rounds, and so are the odds of their duels."""
    dice = random.Random("ratings")
    found = []
    for _ in range(8):
        winners = dice.choices((0, 1, 2), (3, 2, 1), k=2000)
        found.append(rate("abc", [duel for winner in winners for duel in find_duels("abc", (winner,))]))
    for strong, weak, odds in (("a", "b", 3 / 2), ("b", "c", 2), ("a", "c", 3)):
        apart = sum(ratings[strong].mu - ratings[weak].mu for ratings in found) / len(found)
        assert apart == pytest.approx(BETA * math.log(odds), abs=0.8)


def test_without_openskill_there_are_no_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert can_rate()
    monkeypatch.setitem(sys.modules, "openskill", None)
    plan = Plan(ruleset("classic"), ("a", "b"), b"", ATTENTIVE)
    deal = make_deal(plan, (plan.bots, played(0, (9, 0))))
    assert make_entries(plan, [deal])["a"].rating is None


# --- times ------------------------------------------------------------------------------------------


def test_quantiles_of_times_are_right_within_two_percent() -> None:
    times = TimeHistogram()
    for i in range(1, 1001):
        times.add(i * 1_000_000)
    for part in (0.01, 0.5, 0.99, 1.0):
        assert times.quantile(part) == pytest.approx(1000 * part, rel=0.02)
    assert TimeHistogram().quantile(0.5) is None


def test_clocks_add_up() -> None:
    clocks = [DecisionTimes(), DecisionTimes()]
    for clock in clocks:
        clock.choose.add(5000)
        clock.react.add(0)
    joint = merge_times(clocks)
    assert (joint.choose.count, joint.react.count) == (2, 2)
    assert clocks[0].choose.count == 1

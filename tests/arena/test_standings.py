"""Intervals hold what they promise, ratings and times follow from what was played."""

from __future__ import annotations

import math
import random
import sys

import pytest

from lastcard.arena.clocks import Clock, Times, join_clocks
from lastcard.arena.playing import Deal, Plan, Played
from lastcard.arena.standings import (
    FEWEST,
    Estimate,
    adjust,
    can_rate,
    find_duels,
    make_cross,
    make_entries,
    mean,
    rate,
    share,
)
from lastcard.bots.base import ATTENTIVE
from lastcard.game.rulesets import ruleset

TRIES = 2000
BETA = 2**0.5 * 25 / 6
"""How far apart ratings are where the odds are e to 1 (Weng and Lin 2011)."""


def holds(estimate: Estimate | None, truth: float) -> bool:
    assert estimate is not None and estimate.low is not None and estimate.high is not None
    return estimate.low <= truth <= estimate.high


@pytest.mark.parametrize(("strength", "luck"), [(0.5, 0.0), (0.6, 0.3), (0.25, 0.2), (0.05, 0.04), (0.9, 0.1)])
@pytest.mark.parametrize("deals", [40, 200])
def test_a_share_lies_in_its_interval_95_times_in_a_hundred(strength: float, luck: float, deals: int) -> None:
    """Two rounds of a deal share its luck: one is more easily won, the other less."""
    dice = random.Random(f"{strength} {luck} {deals}")
    held = 0
    for _ in range(TRIES):
        parts = []
        for _ in range(deals):
            swing = dice.choice((-luck, luck))
            parts.append(((dice.random() < strength + swing) + (dice.random() < strength - swing)) / 2)
        held += holds(share(parts, [1.0] * deals), strength)
    assert 0.93 <= held / TRIES <= 0.98


def test_head_to_head_lies_in_its_interval() -> None:
    """A ratio of two sums, of which both scatter: rounds that a third bot won do not count."""
    dice = random.Random("ratio")
    held = 0
    for _ in range(TRIES):
        winners = [[dice.choices("abc", (4, 2, 3))[0] for _ in range(3)] for _ in range(60)]
        wins, duels = ([sum(w in names for w in deal) / 3 for deal in winners] for names in ("a", "ab"))
        held += holds(share(wins, duels), 4 / 6)
    assert 0.93 <= held / TRIES <= 0.98


def test_a_mean_lies_in_its_interval() -> None:
    dice = random.Random("points")
    held = sum(holds(mean([dice.expovariate(1 / 20) for _ in range(200)]), 20) for _ in range(TRIES))
    assert 0.92 <= held / TRIES <= 0.97


def test_rounds_of_a_deal_that_go_together_widen_the_interval() -> None:
    """The deal is the unit: two rounds that always go the same way tell no more than one."""
    split, together = [0.5] * 30 + [1.0, 0.0] * 15, [1.0, 0.0] * 30
    narrow, wide = (share(parts, [1.0] * 60) for parts in (split, together))
    assert narrow is not None and wide is not None
    assert narrow.value == wide.value == 0.5
    assert wide.high is not None and narrow.high is not None and wide.high > narrow.high + 0.02


def test_intervals_at_the_ends_and_of_nothing() -> None:
    assert share([0.0] * 40, [0.0] * 40) is None
    always, never = share([1.0] * 40, [1.0] * 40), share([0.0] * 40, [1.0] * 40)
    assert always is not None and always.low is not None and 0.85 < always.low < 0.95 and always.high == 1.0
    assert never is not None and never.low == 0.0
    few = FEWEST - 1
    assert share([0.5] * few, [1.0] * few) == mean([0.5] * few) == Estimate(0.5)


def test_luck_is_taken_out_as_far_as_it_counts() -> None:
    """Results that are strength, four fifths of luck, and noise: the interval is that of the noise, and holds."""
    dice = random.Random("adjust")
    held = 0
    for _ in range(200):
        luck = [dice.gauss(0, 0.2) for _ in range(100)]
        values = [0.4 + 0.8 * given + dice.gauss(0, 0.05) for given in luck]
        found = adjust(values, luck)
        assert found.low is not None and found.high is not None
        assert found.high - found.low == pytest.approx(2 * 1.96 * 0.05 / 10, rel=0.3)
        held += found.low <= 0.4 <= found.high
    assert held >= 180


def test_luck_that_says_nothing_changes_nothing() -> None:
    values = [0.5, 1.0, 0.0] * 20
    assert adjust(values, [0.0] * 60).value == mean(values).value
    assert adjust(values[:9], [0.1] * 9) == Estimate(0.5)
    assert adjust([1.0] * 40, [0.5, -0.1] * 20) == Estimate(1, 1, 1)


# --- standings --------------------------------------------------------------------------------------


def played(winner: int | None, points: tuple[int, ...], stuck: bool = False) -> Played:
    return Played(winner, stuck, 10, points, (0,) * len(points), (0,) * len(points), 0)


def test_seats_void_rounds_and_shares_are_counted() -> None:
    plan = Plan(ruleset("classic"), ("a", "b", "b"), b"", ATTENTIVE)
    rounds = (
        (("a", "b", "b"), played(0, (30, 0, 0))),
        (("b", "a", "b"), played(2, (0, 0, 12))),
        (("b", "b", "a"), played(None, (0, 0, 0))),
    )
    clocks = {name: Clock() for name in plan.kinds}
    entries = make_entries(plan, [Deal(0, rounds, clocks)])
    assert entries["a"].wins.value == entries["b"].wins.value == pytest.approx(1 / 3)
    assert [entries["a"].even, entries["b"].even] == pytest.approx([1 / 3, 2 / 3])
    assert (entries["a"].points.value, entries["b"].points.value) == (10, 2)
    cross = make_cross(plan, [Deal(0, rounds, clocks)])
    # One win on one seat against one on two.
    for one, other, part in (("a", "b", 2 / 3), ("b", "a", 1 / 3)):
        won = cross[one][other]
        assert won is not None and won.value == pytest.approx(part) and (won.low, won.high) == (None, None)


def test_partners_share_a_win() -> None:
    plan = Plan(ruleset("classic+team_play"), ("a", "b", "c", "b"), b"", ATTENTIVE)
    deal = Deal(0, ((plan.bots, played(0, (9, 0, 9, 0))),), {name: Clock() for name in plan.kinds})
    assert {name: entry.wins.value for name, entry in make_entries(plan, [deal]).items()} == {
        "a": 0.5,
        "b": 0,
        "c": 0.5,
    }
    assert make_cross(plan, [deal])["a"]["c"] == Estimate(0.5)


def test_a_round_is_a_duel_of_its_winner_with_every_other_kind() -> None:
    assert find_duels(("a", "b", "c", "a"), (0,)) == [("a", "b"), ("a", "c")]
    assert find_duels(("a", "b", "a", "b"), (1, 3)) == [("b", "a")] * 4
    assert find_duels(("a", "b"), ()) == []


def test_ratings_tell_who_wins_how_often() -> None:
    """Bots that win 3 rounds of 6, 2 and 1: so are the odds of their duels."""
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
    deal = Deal(0, ((plan.bots, played(0, (9, 0))),), {name: Clock() for name in plan.kinds})
    assert make_entries(plan, [deal])["a"].rating is None


# --- times ------------------------------------------------------------------------------------------


def test_quantiles_of_times_are_right_within_two_percent() -> None:
    times = Times()
    for i in range(1, 1001):
        times.add(i * 1_000_000)
    for part in (0.01, 0.5, 0.99, 1.0):
        assert times.quantile(part) == pytest.approx(1000 * part, rel=0.02)
    assert Times().quantile(0.5) is None


def test_clocks_add_up() -> None:
    clocks = [Clock(), Clock()]
    for clock in clocks:
        clock.choose.add(5000)
        clock.react.add(0)
    joint = join_clocks(clocks)
    assert (joint.choose.count, joint.react.count) == (2, 2)
    assert clocks[0].choose.count == 1

"""Confidence intervals have the coverage that they claim."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from lastcard.bots.statistics import (
    MIN_DEALS,
    Estimate,
    adjusted_mean,
    mean,
    ratio,
    rollout_mean,
    rollout_share,
    rollout_total,
    total,
)

TRIES = 2000


@pytest.mark.parametrize("p", [0.02, 0.25, 0.7])
def test_shares_lie_in_their_intervals(p: float) -> None:
    dice = np.random.default_rng(1)
    figures = [rollout_share((dice.random(400) < p).astype(float)) for _ in range(2000)]
    held = sum(abs(figure.value - p) <= figure.margin for figure in figures)
    assert 0.93 <= held / 2000 <= 0.98


def test_differences_lie_in_their_intervals() -> None:
    """Differences are paired: luck that both rollouts share does not widen the interval."""
    dice = np.random.default_rng(2)
    held, widths = 0, []
    for _ in range(2000):
        luck = dice.random(400)
        figure = rollout_mean((luck < 0.35).astype(float) - (luck < 0.3).astype(float))
        held += abs(figure.value - 0.05) <= figure.margin
        widths.append(figure.margin)
    assert 0.93 <= held / 2000 <= 0.98
    assert max(widths) < 0.035  # two independent shares of 400: 0.065


def test_few_groups_widen_the_interval() -> None:
    """Student's t: sixteen chains of sampled deals estimate the variance poorly."""
    dice = np.random.default_rng(3)
    figures = [rollout_mean(dice.normal(0.1, 0.05, 16), step=0.0) for _ in range(4000)]
    held = sum(abs(figure.value - 0.1) <= figure.margin for figure in figures)
    assert 0.94 <= held / 4000 <= 0.96


def test_many_groups_narrow_the_interval_of_their_sum() -> None:
    """Their scatter is known better than that of one group; the interval holds nevertheless."""
    dice = np.random.default_rng(4)
    held = 0
    for _ in range(4000):
        groups = [(dice.normal(0.1, 0.05 * (1 + i), 16), 0.0) for i in range(8)]
        whole = rollout_total(groups)
        held += abs(whole.value - 0.8) <= whole.margin
        assert whole.margin < total(rollout_mean(*group) for group in groups).margin
    assert 0.94 <= held / 4000 <= 0.96
    one, alone = rollout_total(groups[:1]), rollout_mean(*groups[0])
    assert (one.value, one.margin) == pytest.approx((alone.value, alone.margin))
    assert rollout_total([]) == Estimate()


def test_outcomes_never_seen_have_a_margin() -> None:
    assert rollout_mean(np.zeros(1000)).margin == pytest.approx(1.96 / 1000, rel=0.01)
    assert rollout_share(np.zeros(1000)).margin > 0.001


def test_sums_of_independent_figures() -> None:
    both = total([Estimate(0.5, 0.3), Estimate(-0.2, 0.4)])
    assert both.value == pytest.approx(0.3) and both.margin == 0.5
    assert total([]) == Estimate(0.0, 0.0)


def test_a_loss_is_certain_beyond_its_error_only() -> None:
    assert Estimate(0.05, 0.04).is_positive
    assert not Estimate(0.05, 0.05).is_positive
    assert not Estimate(-0.5, 0.04).is_positive


# --- deals ----------------------------------------------------------------------------------------------


def holds(estimate: Estimate | None, truth: float) -> bool:
    assert estimate is not None
    return estimate.low <= truth <= estimate.high


@pytest.mark.parametrize(("strength", "luck"), [(0.5, 0.0), (0.6, 0.3), (0.25, 0.2), (0.05, 0.04), (0.9, 0.1)])
@pytest.mark.parametrize("deals", [40, 200])
def test_a_share_lies_in_its_interval_95_times_in_a_hundred(strength: float, luck: float, deals: int) -> None:
    """Two rounds of a deal share its luck: one is easier to win, the other harder."""
    dice = random.Random(f"{strength} {luck} {deals}")
    held = 0
    for _ in range(TRIES):
        parts = []
        for _ in range(deals):
            swing = dice.choice((-luck, luck))
            parts.append(((dice.random() < strength + swing) + (dice.random() < strength - swing)) / 2)
        held += holds(ratio(parts, [1.0] * deals), strength)
    assert 0.93 <= held / TRIES <= 0.98


def test_head_to_head_lies_in_its_interval() -> None:
    """The share is a ratio of two random sums: rounds that a third bot won do not count."""
    dice = random.Random("ratio")
    held = 0
    for _ in range(TRIES):
        winners = [[dice.choices("abc", (4, 2, 3))[0] for _ in range(3)] for _ in range(60)]
        wins, duels = ([sum(w in names for w in deal) / 3 for deal in winners] for names in ("a", "ab"))
        held += holds(ratio(wins, duels), 4 / 6)
    assert 0.93 <= held / TRIES <= 0.98


def test_a_mean_lies_in_its_interval() -> None:
    dice = random.Random("points")
    held = sum(holds(mean([dice.expovariate(1 / 20) for _ in range(200)]), 20) for _ in range(TRIES))
    assert 0.92 <= held / TRIES <= 0.97


def test_rounds_of_a_deal_that_go_together_widen_the_interval() -> None:
    """The deal is the unit: two rounds that always end alike give no more information than one."""
    split, together = [0.5] * 30 + [1.0, 0.0] * 15, [1.0, 0.0] * 30
    narrow, wide = (ratio(parts, [1.0] * 60) for parts in (split, together))
    assert narrow is not None and wide is not None
    assert narrow.value == wide.value == 0.5
    assert wide.high > narrow.high + 0.02


def test_intervals_of_extreme_and_missing_shares() -> None:
    assert ratio([0.0] * 40, [0.0] * 40) is None
    always, never = ratio([1.0] * 40, [1.0] * 40), ratio([0.0] * 40, [1.0] * 40)
    assert always is not None and 0.85 < always.low < 0.95 and always.high == 1.0
    assert never is not None and never.low == 0.0
    few = MIN_DEALS - 1
    assert ratio([0.5] * few, [1.0] * few) == mean([0.5] * few) == Estimate(0.5, math.inf)


def test_luck_is_subtracted_by_regression() -> None:
    """Results are strength, four fifths of luck, and noise: the interval is that of the noise, and has its coverage."""
    dice = random.Random("adjust")
    held = 0
    for _ in range(200):
        luck = [dice.gauss(0, 0.2) for _ in range(100)]
        values = [0.4 + 0.8 * given + dice.gauss(0, 0.05) for given in luck]
        found = adjusted_mean(values, luck)
        assert found.high - found.low == pytest.approx(2 * 1.96 * 0.05 / 10, rel=0.3)
        held += found.low <= 0.4 <= found.high
    assert held >= 180


def test_luck_that_says_nothing_changes_nothing() -> None:
    values = [0.5, 1.0, 0.0] * 20
    assert adjusted_mean(values, [0.0] * 60).value == mean(values).value
    assert adjusted_mean(values[:9], [0.1] * 9) == Estimate(0.5, math.inf)
    assert adjusted_mean([1.0] * 40, [0.5, -0.1] * 20) == Estimate(1, 0, (1, 1))


def test_texts_of_an_estimate() -> None:
    """Few deals give no interval: a dash, and None in JSON."""
    some, few = Estimate(0.523, 0.018), Estimate(0.5, math.inf)
    assert (some.text(100), some.interval_text(100)) == ("52.3 ±1.8", "50.5–54.1")
    assert (few.text(100), few.interval_text(100)) == ("50.0", "–")
    assert few.as_dict() == {"value": 0.5, "low": None, "high": None}
    assert (-Estimate(0.5, 0.15, (0.4, 0.7))).interval == (-0.7, -0.4)

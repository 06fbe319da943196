"""Intervals hold what they promise: every figure carries its uncertainty."""

from __future__ import annotations

import numpy as np
import pytest

from lastcard.bots.figures import Figure, mean, share, total


@pytest.mark.parametrize("p", [0.02, 0.25, 0.7])
def test_shares_lie_in_their_intervals(p: float) -> None:
    dice = np.random.default_rng(1)
    figures = [share((dice.random(400) < p).astype(float)) for _ in range(2000)]
    held = sum(abs(figure.value - p) <= figure.error for figure in figures)
    assert 0.93 <= held / 2000 <= 0.98


def test_differences_lie_in_their_intervals() -> None:
    """Paired: what both rollouts share does not widen the interval."""
    dice = np.random.default_rng(2)
    held, widths = 0, []
    for _ in range(2000):
        luck = dice.random(400)
        figure = mean((luck < 0.35).astype(float) - (luck < 0.3).astype(float))
        held += abs(figure.value - 0.05) <= figure.error
        widths.append(figure.error)
    assert 0.93 <= held / 2000 <= 0.98
    assert max(widths) < 0.035  # two shares of 400 that know nothing of each other: 0.065


def test_few_groups_widen_the_interval() -> None:
    """Student's: sixteen chains of imagined deals do not tell well how they scatter."""
    dice = np.random.default_rng(3)
    figures = [mean(dice.normal(0.1, 0.05, 16), step=0.0) for _ in range(4000)]
    held = sum(abs(figure.value - 0.1) <= figure.error for figure in figures)
    assert 0.94 <= held / 4000 <= 0.96


def test_what_was_never_met_may_still_be() -> None:
    assert mean(np.zeros(1000)).error == pytest.approx(1.96 / 1000, rel=0.01)
    assert share(np.zeros(1000)).error > 0.001


def test_sums_of_independent_figures() -> None:
    both = total([Figure(0.5, 0.3), Figure(-0.2, 0.4)])
    assert both.value == pytest.approx(0.3) and both.error == 0.5
    assert total([]) == Figure(0.0, 0.0)


def test_a_loss_is_certain_beyond_its_error_only() -> None:
    assert Figure(0.05, 0.04).certain
    assert not Figure(0.05, 0.05).certain
    assert not Figure(-0.5, 0.04).certain

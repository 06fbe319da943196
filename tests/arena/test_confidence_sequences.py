"""Confidence sequences contain the mean at every stopping time, also of small arenas in compiled code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import variance
from typing import Any

import numpy as np
import pytest

from lastcard.arena.compiled_rounds import CompiledRounds, compiled_kind
from lastcard.arena.confidence_sequences import BettingSequence, mixture_margin
from lastcard.bots.statistics import adjusted_mean, mean, ratio
from lastcard.game.rulesets import ruleset

CONFIDENCE = 0.95
DEALS = 200
SHARES = ((0.25, 0.5, 0.25), (0.45, 0.1, 0.45), (0.1, 0.7, 0.2), (0.02, 0.06, 0.92))
"""Probabilities that a bot wins none, one or both rounds of a deal."""


def always_holds(values: Sequence[float], true_mean: float, step: int) -> bool:
    """Whether every interval of an exact sequence contains the mean."""
    sequence = BettingSequence(CONFIDENCE)
    for number, value in enumerate(values):
        sequence.add(value)
        if number % step == 0:
            low, high = sequence.interval()
            if not low <= true_mean <= high:
                return False
    return True


@pytest.mark.parametrize("shares", SHARES)
def test_an_exact_sequence_covers_the_mean_at_every_time(shares: tuple[float, ...]) -> None:
    """An interval for a fixed number would fail in more than a fifth of the arenas at one of these times."""
    dice = np.random.default_rng(57)
    arenas: Any = dice.choice([0.0, 0.5, 1.0], (150, DEALS), p=shares)
    true_mean = shares[1] / 2 + shares[2]
    held = sum(always_holds(values.tolist(), true_mean, 20) for values in arenas)
    assert held / len(arenas) >= 0.94


def test_an_exact_sequence_excludes_other_means() -> None:
    """With 2,000 deals it is 1.8 times as wide as an interval for that number at most."""
    dice = np.random.default_rng(1)
    sequence = BettingSequence(CONFIDENCE)
    for value in dice.choice([0.0, 0.5, 1.0], 2000, p=SHARES[0]):
        sequence.add(float(value))
    low, high = sequence.interval()
    assert low < 0.5 < high
    assert (high - low) / 2 < 1.8 * 1.96 * math.sqrt(0.125 / 2000)


def test_intervals_never_widen() -> None:
    sequence = BettingSequence(CONFIDENCE)
    ends = []
    for value in [1.0] * 60 + [0.0] * 60:
        sequence.add(value)
        ends.append(sequence.interval())
    assert all(b[0] >= a[0] and b[1] <= a[1] for a, b in pairwise(ends))


def test_an_asymptotic_sequence_covers_the_mean_at_every_time() -> None:
    """Thousands of arenas of adjusted results, whose distribution has long tails."""
    dice = np.random.default_rng(2)
    deals, arenas = 1000, 3000
    values: Any = dice.standard_t(6, (arenas, deals)) * 0.2 + dice.choice([0.0, 0.5, 1.0], (arenas, deals))
    counts = np.arange(1, deals + 1)
    means = values.cumsum(1) / counts
    variances = ((values**2).cumsum(1) - counts * means**2) / np.maximum(1, counts - 1)
    margins = np.sqrt(variances[:, 50:]) * [mixture_margin(int(n), 1.0, CONFIDENCE) for n in counts[50:]]
    held = (abs(means[:, 50:] - 0.5) <= margins).all(axis=1).mean()
    assert held >= 0.94
    fixed = (abs(means[:, -1] - 0.5) <= 1.96 * np.sqrt(variances[:, -1] / deals)).mean()
    assert 0.93 <= fixed <= 0.97


@pytest.fixture(scope="module")
def small_arenas() -> tuple[Any, float]:
    """Shares of *sharp* against *random* in duplicate deals of two seats, by arena and deal, and their mean."""
    sharp, other = (compiled_kind(name, None) or 0 for name in ("sharp", "random"))
    table = CompiledRounds(ruleset("classic"), 2, b"coverage" * 4)
    rounds = 2000 * 60
    seatings = [sharp, other], [other, sharp]
    wins = [(table.play(0, rounds, kinds)[:, 0] == seat).astype(float) for seat, kinds in enumerate(seatings)]
    shares: Any = (wins[0] + wins[1]) / 2
    return shares.reshape(2000, 60), float(shares.mean())


def test_intervals_of_small_arenas_cover_the_mean(small_arenas: tuple[Any, float]) -> None:
    """Two thousand arenas of 60 deals: intervals after a fixed number hold in 93 to 97 %, sequences at every time."""
    arenas, true_mean = small_arenas
    intervals = [ratio(values, [1.0] * 60) for values in arenas.tolist()]
    assert 0.93 <= sum(one is not None and one.low <= true_mean <= one.high for one in intervals) / 2000 <= 0.97
    held = [always_holds(values, true_mean, 20) for values in arenas[:500].tolist()]
    assert sum(held) / 500 >= 0.94
    factor = mixture_margin(60, 1.0, CONFIDENCE)
    held = [abs(mean(v).value - true_mean) <= factor * math.sqrt(variance(v)) for v in arenas.tolist()]
    assert sum(held) / 2000 >= 0.94


def test_adjusted_intervals_cover_the_mean_without_bias() -> None:
    """The part of luck that is subtracted comes from other deals, so even a crooked effect of luck causes no bias."""
    dice = np.random.default_rng(3)
    luck: Any = dice.exponential(1.0, (2000, 40)) - 1
    values: Any = 0.5 + 0.1 * luck + 0.05 * luck**2 - 0.05 + dice.normal(0, 0.02, luck.shape)
    found = [adjusted_mean(v, x) for v, x in zip(values.tolist(), luck.tolist(), strict=True)]
    errors = [one.value - 0.5 for one in found]
    assert abs(sum(errors) / 2000) < 4 * math.sqrt(variance(errors) / 2000)

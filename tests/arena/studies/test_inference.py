"""The statistics of studies, beside known values and textbook formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastcard.arena.studies.inference import (
    DIFFERENT,
    EQUIVALENT,
    UNDECIDED,
    Moments,
    add_sums,
    holm,
    judge_differences,
    p_of_no_difference,
    p_of_relevance,
    rounds_until_ahead,
)

SEED = 58


def sample(mean: float, count: int, seed: int = SEED) -> Moments:
    print(f"seed {seed}")
    return Moments.of(np.random.default_rng(seed).normal(mean, 1, count))


def tail(z: float) -> float:
    """The probability that a standard normal value exceeds ``z``."""
    return math.erfc(z / math.sqrt(2)) / 2


def test_sums_add_up_to_those_of_all_values() -> None:
    values = np.random.default_rng(SEED).normal(3, 2, 500)
    sums = {"x": Moments.of(values[:200])}
    add_sums(sums, {"x": Moments.of(values[200:])})
    assert sums["x"].mean == pytest.approx(values.mean())
    error = values.std(ddof=1) / math.sqrt(500)
    assert sums["x"].error == pytest.approx(error)
    assert sums["x"].most == values.max()
    assert sums["x"].scale(2).error == pytest.approx(2 * error)


def test_missing_values_are_left_out() -> None:
    assert Moments.of([1.0, np.nan, 3.0]).count == 2


def test_few_values_have_no_interval() -> None:
    few = Moments.of([1.0] * 10)
    assert not few.estimate.has_interval
    assert p_of_no_difference(few) == 1


def test_the_test_of_a_difference_is_a_z_test() -> None:
    values = sample(0.1, 400)
    assert p_of_no_difference(values) == pytest.approx(2 * tail(abs(values.mean) / values.error))
    assert p_of_no_difference(values, values.mean) == 1


def test_equivalence_is_two_one_sided_tests() -> None:
    values = sample(0.02, 900)
    above, below = tail((values.mean + 0.1) / values.error), tail((0.1 - values.mean) / values.error)
    assert p_of_relevance(values, 0.1) == pytest.approx(max(above, below))


def test_known_quantiles() -> None:
    values = Moments(100, 19.599639845, 0.0, 0.0)
    values.squares = 99 + values.total * values.mean  # a standard error of 0.1, so z = 1.96
    assert p_of_no_difference(values) == pytest.approx(0.05)


def test_holm_gives_the_known_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


def test_no_evidence_is_not_no_difference() -> None:
    """Few or scattered values decide nothing, however near to zero their mean is."""
    scattered = sample(0, 100)
    centered = Moments(scattered.count, 0.0, scattered.squares, scattered.most)
    assert judge_differences([(centered, 0.01), (Moments.of([0.0] * 50), 0.01)]) == [UNDECIDED, UNDECIDED]
    assert judge_differences([(Moments.of([0.0] * 2000), 0.01), (sample(0, 100_000), 0.05)]) == [EQUIVALENT] * 2


def test_a_real_difference_within_the_margin_does_not_matter() -> None:
    values = sample(0.05, 100_000)
    assert judge_differences([(values, 0.01)]) == [DIFFERENT]
    assert judge_differences([(values, 0.1)]) == [EQUIVALENT]


def test_differences_at_the_margin_are_rarely_called_equivalent() -> None:
    wrong = [p_of_relevance(sample(0.2, 100, SEED + i), 0.2) < 0.05 for i in range(600)]
    assert 0.01 < np.mean(wrong) < 0.09


@pytest.mark.parametrize(("wins", "losses"), [(0.6, 0.4), (0.9, 0.1), (0.55, 0.45)])
def test_rounds_until_ahead_without_ties(wins: float, losses: float) -> None:
    found = rounds_until_ahead(wins, losses)
    assert found is not None

    def chance(rounds: int) -> float:
        ways = [math.comb(rounds, won) * wins**won * losses ** (rounds - won) for won in range(rounds + 1)]
        tie = 0.0 if rounds % 2 else ways[rounds // 2]
        return math.fsum(ways[rounds // 2 + 1 :]) + tie / 2

    assert chance(found) >= 0.95 > chance(found - 1)


def test_rounds_until_ahead_in_extreme_cases() -> None:
    assert rounds_until_ahead(0.3, 0.3) is None
    assert rounds_until_ahead(1.0, 0.0) == 1
    exact, normal = rounds_until_ahead(0.112, 0.1), rounds_until_ahead(0.1118, 0.1)
    assert exact is not None and normal is not None
    assert exact < 4096 < normal < 1.05 * exact

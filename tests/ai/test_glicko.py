"""Ratings by Glicko-2, against figures of another implementation: a search for the zero of step 5 by halving."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastcard.ai import glicko

_SCALE = 173.7178
_TAU = 0.5


def rate(player: tuple[float, float, float], rating: float, score: float) -> tuple[float, float, float]:
    """The values after a game, by the formulas of the paper as they are."""
    mu, phi, sigma = (player[0] - 1500) / _SCALE, player[1] / _SCALE, player[2]
    expected = 1 / (1 + math.exp((rating - 1500) / _SCALE - mu))
    v = 1 / (expected * (1 - expected))
    delta, a = v * (score - expected), math.log(sigma**2)

    def step_5(x: float) -> float:
        whole = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - whole) / (2 * whole**2) - (x - a) / _TAU**2

    low, high = a - 10, a + 10
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if step_5(middle) > 0 else (low, middle)
    sigma = math.exp(low / 2)
    after = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return _SCALE * (mu + after**2 * (score - expected)) + 1500, _SCALE * after, sigma


@pytest.mark.parametrize("score", [0.0, 1.0])
@pytest.mark.parametrize("rating", [1000, 1300, 1600, 1900])
@pytest.mark.parametrize("player", [(1500.0, 350.0, 0.06), (2200.0, 40.0, 0.05), (700.0, 120.0, 0.09)])
def test_a_game_changes_the_values_as_in_the_paper(
    player: tuple[float, float, float], rating: int, score: float
) -> None:
    values = np.array(player)
    glicko.rate_game(values, float(rating), score)
    assert tuple(values) == pytest.approx(rate(player, rating, score), rel=1e-6)


def test_a_maintained_library_agrees() -> None:
    """Figures of elote 1.5.1 from PyPI."""
    values = np.array([1500, 350, 0.06])
    glicko.rate_game(values, 1900.0, 1.0)
    assert values.tolist() == pytest.approx([1980.342621786784, 302.96612129734433, 0.06000541888787371], rel=1e-6)


def test_the_level_of_all_ratings_does_not_matter() -> None:
    """Only differences count, also for the volatility (not so in glicko2 2.1.0, see ``findings``)."""
    low, high = np.array([1500.0, 50.0, 0.06]), np.array([3000.0, 50.0, 0.06])
    for score in (1.0, 0.0) * 20:
        glicko.rate_game(low, 1500.0, score)
        glicko.rate_game(high, 3000.0, score)
    assert high.tolist() == pytest.approx([low[0] + 1500, *low[1:]], rel=1e-9)

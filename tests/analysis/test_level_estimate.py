"""Level estimates from error rates, which claim no more than is certain."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lastcard.analysis.level_estimate import LEVELS, LOSSES_PER_100_DECISIONS, estimate_levels
from lastcard.bots import registry
from lastcard.bots.statistics import Estimate
from lastcard.game.rulesets import GAMES
from lastcard.text.locale import LANGUAGES, catalog

CELLS = [(game, seats) for game, rates in LOSSES_PER_100_DECISIONS.items() for seats in rates]


def test_every_game_and_size_of_table_has_one() -> None:
    assert set(LOSSES_PER_100_DECISIONS) == set(GAMES)
    assert all(set(rates) == {2, 4} for rates in LOSSES_PER_100_DECISIONS.values())
    assert set(LEVELS) == set(registry.LEVELS)


@pytest.mark.parametrize(("game", "seats"), CELLS)
def test_stronger_levels_lose_fewer_chances(game: str, seats: int) -> None:
    rates = LOSSES_PER_100_DECISIONS[game][seats]
    assert len(rates) == len(LEVELS)
    assert all(weaker >= stronger for weaker, stronger in pairwise(rates))
    assert rates[0] > rates[-1]


@pytest.mark.parametrize(("game", "seats"), CELLS)
def test_an_exact_rate_has_one_level(game: str, seats: int) -> None:
    rates = LOSSES_PER_100_DECISIONS[game][seats]
    for level in ("learner", "sharp"):
        assert estimate_levels(game, seats, Estimate(rates[LEVELS.index(level)], 0)) == (level, level)
    assert estimate_levels(game, seats, Estimate(100, 0)) == ("learner", "learner")
    assert estimate_levels(game, seats, Estimate(-100, 0)) == ("master", "master")


def test_a_wide_interval_has_more_levels_or_none() -> None:
    sharp = LOSSES_PER_100_DECISIONS["classic"][4][LEVELS.index("sharp")]
    learner = LOSSES_PER_100_DECISIONS["classic"][4][0]
    found = estimate_levels("classic", 4, Estimate(sharp, learner - sharp))
    assert found is None or LEVELS.index(found[0]) < LEVELS.index("sharp")
    assert estimate_levels("classic", 4, Estimate(sharp, 10)) is None


def test_other_table_sizes_use_the_nearest() -> None:
    for players, near in ((3, 2), (5, 4)):
        for rate in (0.3, 0.9, 1.5, 3):
            assert estimate_levels("classic", players, Estimate(rate, 0.1)) == estimate_levels(
                "classic", near, Estimate(rate, 0.1)
            )


def test_unmeasured_tables_have_no_estimate() -> None:
    assert all(estimate_levels("classic", players, Estimate(0.3, 0.01)) is None for players in range(6, 11))


def test_levels_are_named_as_in_the_menu() -> None:
    for language in LANGUAGES:
        texts = catalog(language)
        for level in LEVELS:
            assert texts.text(f"report.level.{level}") == texts.text(f"web.level.{level}")

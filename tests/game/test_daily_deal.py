"""Days, streaks and seeds of daily deals, the same in the page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random

import pytest

from lastcard.game.daily_deal import count_streak, daily_secret, day_end_ms
from lastcard.game.rulesets import GAMES
from support.node import Node

DAYS = [(date(2026, 11, 1) + timedelta(days=i)).isoformat() for i in range(30)]


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    opened = Node()
    yield opened
    opened.close()


def test_a_streak_ends_with_a_day_left_out() -> None:
    """A month: today's deal may still be open, a day before yesterday must not be missing."""
    for played in range(30):
        assert count_streak(DAYS[:played], DAYS[played - 1] if played else DAYS[0]) == played
        assert count_streak(DAYS[:played], DAYS[played]) == played, "today is not over"
    assert count_streak(DAYS[:10] + DAYS[11:30], "2026-11-30") == 19
    assert count_streak(DAYS[:28], "2026-11-30") == 0


@pytest.mark.parametrize(
    ("today", "played"),
    [("2026-11-10", DAYS[:20]), ("2020-01-01", DAYS[:20]), ("2026-11-21", [*DAYS[:20], "2031-01-01"])],
    ids=["late-by-days", "late-by-years", "was-ahead"],
)
def test_a_wrong_clock_costs_no_streak(today: str, played: list[str]) -> None:
    """A clock that goes back, and one that was ahead for a day and is right again."""
    assert count_streak(played, today) == 20


def test_a_day_is_one_of_utc() -> None:
    assert day_end_ms("1970-01-01") == 24 * 3_600_000
    assert day_end_ms("9999-12-31") > day_end_ms("9999-12-30")
    with pytest.raises(ValueError, match="isoformat"):
        day_end_ms("yesterday")


def test_the_page_counts_and_deals_alike(node: Node) -> None:
    """The page has functions of its own for the two."""
    rng, cases = Random(55), []
    for _ in range(200):
        cases.append((rng.choice(DAYS), sorted(rng.sample(DAYS, rng.randrange(30)))))
    asked = [(day, game) for day in DAYS for game in GAMES]
    found = node.ask("daily", streaks=cases, secrets=asked)
    assert found["streaks"] == [count_streak(days, today) for today, days in cases]
    assert found["secrets"] == [daily_secret(*each).hex() for each in asked]
    assert len(set(found["secrets"])) == len(asked)

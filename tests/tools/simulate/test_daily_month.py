"""A simulated week of daily deals: nothing is wrong, and what is made wrong is found."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest
import structlog

from lastcard.server.http import daily_deals
from lastcard.server.store.store import Store
from tools.simulate.daily_month import Month, MonthError

SEED = 1
DAYS = 7


def test_a_week() -> None:
    """With results after midnight, and an outage over midnight; a seed repeats everything."""
    counts = Month(SEED, DAYS).run()
    assert counts.late and counts.outages_over_midnight and counts.postponed and counts.longest_streak > 2
    assert counts.results > 2 * DAYS and counts.results < counts.tries
    assert Month(SEED, 2).run() == Month(SEED, 2).run()


def test_a_wrong_streak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is lost at the beginning of a day that has no try yet. The log is the usual one afterwards."""

    def count_until_today(days: Collection[str], today: str) -> int:
        return sum(today in days for _ in days)

    monkeypatch.setattr(daily_deals, "count_streak", count_until_today)
    usual = structlog.get_config()
    with pytest.raises(MonthError, match="streak"):
        Month(SEED, DAYS).run()
    assert structlog.get_config() == usual


def test_a_second_try_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    async def begin(store: Store, day: str, game: str, player: str, code: str) -> str:
        return code

    monkeypatch.setattr(Store, "begin_daily_try", begin)
    with pytest.raises(MonthError, match="several tries"):
        Month(SEED, DAYS).run()


def test_a_secret_before_the_day_is_over_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    made = daily_deals.DailyStandings

    def show_secret(**parts: Any) -> daily_deals.DailyStandings:
        return made(**{**parts, "secret": "5a" * 32})

    monkeypatch.setattr(daily_deals, "DailyStandings", show_secret)
    with pytest.raises(MonthError, match="shows the secret"):
        Month(SEED, DAYS).run()

"""Simulated days of tables by the day: nothing is wrong, and what is made wrong is found."""

from __future__ import annotations

import pytest

from lastcard.server.store.store import Store
from lastcard.session import day_pace
from lastcard.session.steps import Steps
from lastcard.session.table_session import Session
from tools.simulate.day_month import DayMonth, DayMonthError

SEED = 3


def test_some_days() -> None:
    """With outages and restarts; a seed repeats everything."""
    counts = DayMonth(SEED, 6).run()
    assert counts.outages and counts.restarts and counts.replaced and counts.notices > 20 and counts.matches > 6
    assert DayMonth(SEED, 1).run() == DayMonth(SEED, 1).run()


def test_a_deadline_that_is_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(day_pace.MOVE_S, "8h", 7 * 3600.0)
    month = DayMonth(SEED, 6)
    monkeypatch.setattr("tools.simulate.day_month.MOVE_S", {"8h": 8 * 3600.0, "24h": 24 * 3600.0, "3d": 72 * 3600.0})
    with pytest.raises(DayMonthError, match="a bot moves for"):
        month.run()


def test_an_outage_that_counts_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lastcard.server.table.day_director.find_outages", lambda service: [])
    with pytest.raises(DayMonthError, match="a bot moves for"):
        DayMonth(SEED, 6).run()


def test_a_missing_call_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def call_for_nobody(session: Session) -> Steps[None]:
        yield from ()

    monkeypatch.setattr(Session, "_call_for_all", call_for_nobody)
    with pytest.raises(DayMonthError, match="nobody has called"):
        DayMonth(SEED, 6).run()


def test_a_second_notification_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = Store.claim_turn_notices.__wrapped__  # type: ignore[attr-defined]

    def claim_twice(connection: object, unseen_before: int) -> object:
        return 2 * claim(connection, unseen_before)

    monkeypatch.setattr(Store.claim_turn_notices, "__wrapped__", claim_twice)
    with pytest.raises(DayMonthError, match="again or in vain"):
        DayMonth(SEED, 1).run()

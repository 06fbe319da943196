"""Bugs: a table logs them, tries again, and does not spin."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import AsyncMock

import pytest

from lastcard.server.security import metrics
from lastcard.server.table.table_registry import SKIPPED_SWEEPS, SWEEP_S
from lastcard.server.wire.protocol import Say
from lastcard.session.commands import MakeMove
from lastcard.session.table_bots import TableBots
from lastcard.session.table_session import Session
from lastcard.session.table_settings import Settings
from support.fakes import MemoryStore, Person, new_table, open_registry, playing_table, set_position


def faults() -> float:
    """The number of logged faults."""
    return float(metrics.FAULTS._value.get())


def failing(work: Callable[..., Any], times: int) -> Callable[..., Any]:
    """A function that raises ``times`` times, and then works."""
    left = times

    def run(*args: Any, **kwargs: Any) -> Any:
        nonlocal left
        left -= 1
        if left >= 0:
            raise ZeroDivisionError
        return work(*args, **kwargs)

    return run


async def test_a_bug_in_a_bot_does_not_end_the_match(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fault is logged, and the table goes on by itself once it can."""
    before = faults()
    monkeypatch.setattr(TableBots, "move", failing(TableBots.move, 2))
    table = await playing_table(ada, seats=2, rules="classic", pace="untimed")
    set_position(table, "R1 R2 R3", "R4 R5 R6", turn=1)
    await asyncio.sleep(20)
    assert table.play.log.ply > 0 and faults() == before + 2


async def test_a_permanent_bug_is_retried_less_often(ada: Person, bob: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour of it does not flood the log; people's moves still work."""
    before = faults()
    monkeypatch.setattr(TableBots, "move", failing(TableBots.move, 10**9))
    table = await playing_table(ada, bob, seats=3, rules="classic", pace="untimed")
    set_position(table, "R1 R2 R3", "R4 R5 R6", "R7 R8 R9", turn=2)
    await asyncio.sleep(3600)
    assert 20 < faults() - before < 80
    await ada.send_command(Say("it hangs"))
    assert bob.received


async def test_a_bug_behind_a_move_leaves_the_table_running(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move is in the log; its consequence, a bot's turn, comes a little later."""
    table = await playing_table(ada, seats=2, rules="classic", pace="untimed")
    set_position(table, "R1 R2 R3", "R4 R5 R6")
    monkeypatch.setattr(Session, "take_alarms", failing(Session.take_alarms, 1))
    with pytest.raises(ZeroDivisionError):
        await table.handle(ada, MakeMove("command-1", table.play.id, "R1"))
    assert table.play.log.ply == 1
    await asyncio.sleep(10)
    assert table.play.log.ply > 1


async def test_a_table_with_people_is_not_abandoned(ada: Person, bob: Person, store: MemoryStore) -> None:
    """The match could go on after its secret was shown."""
    async with open_registry(store) as registry:
        here = await new_table(ada, registry=registry)
        await registry.create(bob.player, Settings())
        await asyncio.sleep(1.5 * SWEEP_S)
        assert store.touched_codes == [here.code]


async def test_a_bug_in_a_periodic_task_does_not_end_it(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sweep of old tables runs an hour later then."""
    before, sweep = faults(), AsyncMock(side_effect=ZeroDivisionError)
    monkeypatch.setattr(store, "sweep", sweep)
    async with open_registry(store):
        await asyncio.sleep(2.5 * SWEEP_S)
        assert sweep.call_count == 2 and faults() == before + 2


@pytest.mark.parametrize(("slept", "hours"), [(False, SKIPPED_SWEEPS), (True, 0)], ids=["set", "asleep"])
async def test_a_corrected_clock_is_trusted_again(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch, slept: bool, hours: int
) -> None:
    """A clock that was set, as on a machine that learns the time late, is trusted after a day; that of a laptop that
    slept has not been set at all.
    """
    sweep = AsyncMock(return_value=0)
    monkeypatch.setattr(store, "sweep", sweep)
    async with open_registry(store):
        now, steady = time.time, time.clock_gettime
        monkeypatch.setattr(time, "time", lambda: now() + 40 * 86_400)
        store.last_saved_ms = round(1000 * time.time())
        if slept:
            monkeypatch.setattr(time, "clock_gettime", lambda clock: steady(clock) + 40 * 86_400)
        await asyncio.sleep((hours + 0.5) * SWEEP_S)
        assert not sweep.called
        await asyncio.sleep(SWEEP_S)
        assert sweep.call_count == 1


@pytest.mark.parametrize(
    ("days", "jump", "swept"),
    [(0, 0.0, 2 * 60), (40, 0.0, 0), (-40, 0.0, 0), (0, 40 * 86_400.0, 0)],
    ids=["as it should be", "off for long", "set back", "set while it runs"],
)
async def test_a_clock_that_jumps_sweeps_nothing(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch, days: int, jump: float, swept: int
) -> None:
    """Rows that all look 40 days old were once deleted at the next start; now a share an hour, in parts.

    The last use of a table was some days ago; after the start the clock is set by a number of seconds.
    """
    pieces: list[int] = []

    async def count_tables() -> tuple[int, int]:
        return 3000, round(1000 * (time.time() - 86_400 * days))

    async def sweep(before: int, most: int) -> int:
        pieces.append(most)
        return most

    monkeypatch.setattr(store, "count_tables", count_tables)
    monkeypatch.setattr(store, "sweep", sweep)
    async with open_registry(store):
        await asyncio.sleep(60)
        assert not pieces, "nothing at the start"
        now = time.time
        monkeypatch.setattr(time, "time", lambda: now() + jump)
        await asyncio.sleep(2.5 * SWEEP_S)
        assert sum(pieces) == swept and max(pieces, default=0) <= 20

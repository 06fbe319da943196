"""Timers of a table, in every event loop."""

from __future__ import annotations

import asyncio

import pytest

from lastcard.server.game.timers import Timers


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
def test_expired_timers_fire_once(loop: str) -> None:
    """On a machine that was too busy for the table, uvloop's handle of a due timer has no time of its own."""

    async def scenario() -> list[str]:
        rung: list[str] = []
        alarms = Timers(lambda: rung.extend(alarms.due()))
        alarms.set("turn", alarms.now - 2)
        alarms.set("bot", alarms.now - 1)
        alarms.set("idle", alarms.now - 3)
        await asyncio.sleep(0.01)
        return rung

    new_loop = asyncio.new_event_loop if loop == "asyncio" else pytest.importorskip(loop).new_event_loop
    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(scenario()) == ["idle", "turn", "bot"]

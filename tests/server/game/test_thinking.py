"""Searching bots compute beside the event loop, and the table goes on whatever happens to a search."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs

from lastcard.bots.registry import LEVELS
from lastcard.bots.search import Search
from lastcard.server.game import thinking
from lastcard.server.security import metrics
from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire.protocol import Moved, Notice
from lastcard.session.commands import SetBot, Start
from lastcard.session.table_bots import TableBots
from lastcard.session.turn_clock import PACES, TurnClock
from lastcard.session.uno_race import UnoRace
from support.fakes import InlineExecutor, ManualExecutor, Person, new_table, playing_table, run_instantly, set_position

HANDS = ("R1 R2 R3", "R4 R5 G6", "R7 R8 R9")


@pytest.fixture
def instant_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches are finished when they are needed, although no time passes."""
    monkeypatch.setattr(thinking, "POOL", InlineExecutor())


@pytest.fixture
def endless_search(monkeypatch: pytest.MonkeyPatch) -> ManualExecutor:
    """No search ever ends."""
    pool = ManualExecutor()
    monkeypatch.setattr(thinking, "POOL", pool)
    return pool


@pytest.fixture
def search_threads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The threads in which a search has chosen, always its first choice."""
    threads: list[int] = []
    monkeypatch.setattr(Search, "run", lambda self: threads.append(threading.get_ident()))
    return threads


async def expert_table(ada: Person, **settings: Any) -> LiveTable:
    """Ada and two expert bots; a bot is on turn."""
    table = await new_table(ada, seats=3, **{"rules": "classic", **settings})
    for seat in (1, 2):
        await ada.send_command(SetBot(seat, "expert"))
    await ada.send_command(Start())
    set_position(table, *HANDS, turn=1)
    return table


@pytest.mark.real_time
async def test_a_search_plays_from_its_own_thread(
    ada: Person, search_threads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for it: with real threads and real time, and the bot's pause shortened."""
    for name in ("THINK_S", "PAUSE_S", "QUESTION_S"):
        monkeypatch.setattr(f"lastcard.session.table_bots.{name}", (0.05, 0.05) if name == "THINK_S" else 0.05)
    table = await expert_table(ada)
    async with asyncio.timeout(60):
        while table.play.log.ply < 2:
            await asyncio.sleep(0.01)
    assert table.play.match.round.turn == 0
    await table.close("restart")
    assert len(search_threads) >= 2 and threading.get_ident() not in search_threads


async def test_a_thought_is_used_when_its_time_comes(
    ada: Person, instant_search: None, search_threads: list[int]
) -> None:
    """The search's choice is played, after the time a person would take."""
    table = await expert_table(ada)
    search_threads.clear()
    set_position(table, *HANDS, turn=1)
    await asyncio.sleep(0.4)
    assert len(search_threads) == 1 and table.play.log.ply == 0
    await asyncio.sleep(20)
    assert len(search_threads) == 2 and table.play.log.ply == 2 and table.play.match.round.turn == 0


async def test_a_table_thinks_once_a_move(
    ada: Person, eve: Person, instant_search: None, search_threads: list[int]
) -> None:
    """People who come and go meanwhile do not affect it."""
    table = await expert_table(ada)
    search_threads.clear()
    set_position(table, *HANDS, turn=1)
    for _ in range(3):
        await eve.join(table)
        eve.disconnect()
    await asyncio.sleep(0.1)
    assert len(search_threads) == 1


def test_a_search_that_is_late_is_not_waited_for(ada: Person, endless_search: ManualExecutor) -> None:
    """A plain bot decides instead, and the log says so; a search that is no longer needed is canceled."""

    async def play() -> None:
        table = await expert_table(ada)
        await asyncio.sleep(0.01)  # the search from before the cards were set is dropped
        endless_search.pending.clear()
        set_position(table, *HANDS, turn=1)
        await asyncio.sleep(20)
        assert table.play.log.ply == 2 and table.play.match.round.turn == 0
        await table.close("restart")

    with capture_logs() as lines:
        run_instantly(play())
    assert [(line["event"], line["bot"]) for line in lines if "bot" in line] == [("bot too slow", "expert")] * 2
    assert ada.count(Notice) == 1 and ada.last(Notice).what == "hurried"
    assert [thought.cancelled() for thought, _, _ in endless_search.pending] == [True, True]


async def test_a_search_that_fails_is_noted_and_replaced(
    ada: Person, instant_search: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plain bot plays its turn; the match goes on."""
    before = metrics.FAULTS._value.get()
    with capture_logs() as lines:
        table = await expert_table(ada)
        monkeypatch.setattr(Search, "run", Mock(side_effect=ZeroDivisionError))
        set_position(table, *HANDS, turn=1)
        await asyncio.sleep(20)
        assert table.play.log.ply == 2 and table.play.match.round.turn == 0
    assert metrics.FAULTS._value.get() == before + 2
    assert [line["where"] for line in lines if line["event"] == "fault"] == ["bot", "bot"]


async def test_a_search_jumps_in(ada: Person, instant_search: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reaction is searched in a thread, too, and is planned once it is there (LC-41)."""
    monkeypatch.setattr(Search, "run", lambda self: None)  # the first choice, which is a card
    table = await expert_table(ada, rules="classic+jump_in")
    set_position(table, "R1 R2 R3", "R7 G5 G6", "B1 B2 B3", rules="classic+jump_in", turn=0)
    await asyncio.sleep(1.5)
    moved = next(message for message in ada.received if isinstance(message, Moved))
    assert (moved.seat, moved.move) == (1, "R7")


def test_shutdown_does_not_wait_for_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that closes drops its searches: those that have not begun never do."""
    busy, begun = threading.Event(), threading.Event()

    def hang(*args: object) -> None:
        begun.set()
        busy.wait(20)

    async def play() -> None:
        table = await expert_table(Person("Ada"))
        await asyncio.to_thread(begun.wait, 20)
        await table.close("restart")

    monkeypatch.setattr(thinking, "decide", hang)
    start = time.monotonic()
    asyncio.run(play())
    busy.set()
    assert time.monotonic() - start < 15


# --- behavior -------------------------------------------------------------------------------------------


async def test_every_level_has_its_own_pace() -> None:
    """A learner takes longer than a sharp player over the same decision (Behavior.pace)."""
    table = await expert_table(Person("Ada"))
    pilot = TableBots(bytes(32), ("Ada", "Nova", "Odo", "Sol"), thinking.Thoughts(bytes(32), lambda: None))
    clock = TurnClock(PACES["normal"], 3, now=100.0)
    waits = []
    for level in ("sharp", "learner"):
        plans = [pilot.plan(table.play.match.round, n, {1: level}, UnoRace(1.0), clock, 100.0) for n in range(300)]
        waits.append(sum(plan.when - 100 for plan in plans if plan is not None) / 300)
    pace = LEVELS["learner"].behavior.pace
    assert pace > 1 and waits[1] / waits[0] == pytest.approx(pace, rel=0.1)


async def test_thinking_time_does_not_reveal_the_hand() -> None:
    """Neither more cards nor more playable ones make it slower; an opponent close to winning makes some slower."""
    table = await playing_table(Person("Ada"), seats=3, rules="classic")
    clock = TurnClock(PACES["normal"], 3, now=100.0)
    times = {}
    for name, own, other in (
        ("nothing fits", "Y1", "Y5 Y6 Y7"),
        ("much fits", "R1 R2 R3 R4 W W+4", "Y5 Y6 Y7"),
        ("danger", "Y1", "Y5"),
    ):
        set_position(table, other, own, "Y5 Y6 Y7 Y8", turn=1, draw="G1 G2 G3 G4 G5 G6 G8 G9")
        pilot = TableBots(bytes(32), ("Ada", "Kit", "Odo"), thinking.Thoughts(bytes(32), lambda: None))
        plan = pilot.plan(table.play.match.round, 0, {1: "casual"}, UnoRace(1.0), clock, 100.0)
        times[name] = plan.when
    assert times["nothing fits"] == times["much fits"] < times["danger"]


@pytest.mark.parametrize(
    ("text", "count"),
    [("max 100000", 8), ("200000 100000", 2), ("50000 100000", 1), ("900000 100000", 8), ("rubbish", 8), (None, 8)],
)
def test_a_container_has_the_processors_it_may_use(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str | None, count: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)), raising=False)
    if text is not None:
        (tmp_path / "cpu.max").write_text(f"{text}\n")
    monkeypatch.setattr(thinking, "_QUOTA", tmp_path / "cpu.max")
    assert thinking.processors() == count

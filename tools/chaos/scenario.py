"""A chaos scenario: tables with people on every worker, faults, recovery, and the checks after it."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import select

from lastcard.server.store.schema import TABLE
from lastcard.server.store.store import Store
from tools.chaos.checker import Log, check
from tools.chaos.cluster import Cluster
from tools.chaos.faults import FaultInjector, all_faults
from tools.chaos.history import Created, History, Shown, Tab
from tools.chaos.people import (
    PATIENCE_S,
    SHORT_PATIENCE_S,
    PeopleContext,
    Person,
    cancel_all,
    create_empty_tables,
    create_table,
    sign_in,
)

RECOVERY_TIMEOUT_S: Final = 150.0
"""Maximum seconds of recovery after the last fault."""
MOVES_AFTER_RECOVERY: Final = 12
"""Minimum number of moves acknowledged after the last fault."""
QUIET_S: Final = 1.0
"""Seconds without a move after which play has stopped."""

TABLES: Final[tuple[tuple[str, int, dict[str, Any]], ...]] = (
    ("classic+uno_window=automatic_call", 3, {"seats": 3}),
    ("classic+jump_in+stacking=same", 4, {"seats": 4, "grace": 300}),
    ("all-wild", 2, {"seats": 3, "bots": "quick"}),
    ("wild-jackpot", 2, {"seats": 2, "grace": 100}),
    ("classic+winning_score=100", 1, {"seats": 2, "bots": "quick", "take_backs": True}),
)
"""Rules, people and settings; bots fill the other seats."""


@dataclass
class Outcome:
    """Result of a scenario."""

    errors: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    """Number of moves in all logs."""
    matches: int = 0
    starts: int = 0
    """Number of restarts of workers."""
    events: int = 0
    """Number of checked events."""


@dataclass(frozen=True)
class Scenario:
    """Parameters of a scenario."""

    max_pause_s: float
    """Maximum pause between two actions of a person, in seconds."""
    draw_duration: Callable[[random.Random], float]
    """Draws the duration of a fault in seconds."""
    draw_pause: Callable[[random.Random], float]
    """Draws the pause before the next fault in seconds."""
    tables: int = len(TABLES)
    """Number of tables, which repeat those in ``TABLES``."""
    duration_s: float | None = None
    """Seconds of faults; None for one fault of each kind."""
    kinds: Collection[str] | None = None
    """Names of the kinds of faults; None for all."""
    parallel_faults: int = 1
    """Maximum number of faults at once."""
    report_progress: Callable[[str], None] = lambda line: None
    """Called once a minute with the progress."""


async def run_scenario(cluster: Cluster, rng: random.Random, scenario: Scenario) -> Outcome:
    """Let people play on a cluster during faults, let it recover, stop its workers, and check everything."""
    outcome, history = Outcome(), History()
    context = PeopleContext([*cluster.workers], history, rng, scenario.max_pause_s)
    faults = [fault for fault in all_faults(cluster, rng) if scenario.kinds is None or fault.name in scenario.kinds]
    injector = FaultInjector(faults, rng, scenario.draw_duration, scenario.draw_pause)
    async with people_at(context, scenario.tables) as people:
        try:
            await wait_until(lambda: all(person.seen[0] for person in people), "matches begin")
            context.patience_s = SHORT_PATIENCE_S
            await _inject_faults(injector, context, scenario)
            context.patience_s = PATIENCE_S
            await _recover(context, people)
        except TimeoutError as late:
            outcome.errors.append(str(late))
    for worker in cluster.workers:
        status = await worker.end(signal.SIGTERM)
        outcome.starts += worker.starts - 1
        if status:
            outcome.errors.append(f"worker {worker.name} ended with {status}")
        outcome.errors += [f"worker {worker.name}: {fault}" for fault in worker.faults]
    logs, tables = await read_logs(cluster.address, history)
    is_quiescent = not outcome.errors
    outcome.errors += check(history.events, logs, tables, is_quiescent=is_quiescent)
    outcome.counts, outcome.faults = context.counts, injector.counts
    outcome.moves, outcome.matches = sum(len(log.moves) for log in logs.values()), len(logs)
    outcome.events = len(history.events)
    return outcome


@asynccontextmanager
async def people_at(context: PeopleContext, tables: int) -> AsyncIterator[list[Person]]:
    """Seat people who play until the end of the scope, with two tabs each if there are several workers."""
    people: list[Person] = []
    cookie = ""
    for number in range(tables):
        rules, people_count, settings = TABLES[number % len(TABLES)]
        url, code = context.endpoints[0].url, ""
        for one in range(people_count):
            name = f"{'ABCDEFGHIJ'[one]} {number}"
            cookie = await sign_in(url, name)
            if one == 0:
                chosen = {"rules": rules, "pace": "untimed", "grace": 0, **settings}
                code = await create_table(url, cookie, chosen)
                context.history.write(Created(code))
            tabs = [
                Person(context, Tab(code, name, n), cookie, people_count) for n in range(min(2, len(context.endpoints)))
            ]
            if len(tabs) == 2:
                tabs[0].other_tab, tabs[1].other_tab = tabs[1], tabs[0]
            people += tabs
    doing = [asyncio.create_task(person.play()) for person in people]
    doing.append(asyncio.create_task(create_empty_tables(context, cookie)))
    try:
        yield people
    finally:
        await cancel_all(doing)


async def wait_until(condition: Callable[[], bool], what: str, seconds: float = RECOVERY_TIMEOUT_S) -> None:
    """Wait until a condition is true; raises a TimeoutError with ``what`` if it never is."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds:.0f} s in vain until {what}")
        await asyncio.sleep(0.05)


async def _inject_faults(injector: FaultInjector, context: PeopleContext, scenario: Scenario) -> None:
    if scenario.duration_s is None:
        await injector.inject_each_once()
        return
    lanes = [asyncio.create_task(injector.inject_until_end()) for _ in range(scenario.parallel_faults)]
    start, next_report = time.monotonic(), 60.0
    while (gone := time.monotonic() - start) < scenario.duration_s and not any(lane.done() for lane in lanes):
        await asyncio.sleep(min(1.0, scenario.duration_s - gone))
        if gone > next_report:
            next_report += 60
            counts, faults = context.counts, injector.counts.total()
            scenario.report_progress(
                f"{gone:,.0f} s: {faults:,} faults, {counts['acknowledged']:,} of {counts['sent']:,} acknowledged"
            )
    injector.end()
    await asyncio.gather(*lanes)


async def _recover(context: PeopleContext, people: Sequence[Person]) -> None:
    """Wait until people have played on, then stopped, and all have seen the same; raises a TimeoutError if not."""
    by_table: dict[str, list[Person]] = {}
    for person in people:
        by_table.setdefault(person.tab.table, []).append(person)
    heads, done = {person: person.seen for person in people}, context.counts["acknowledged"]
    await wait_until(lambda: all(person.seen != heads[person] for person in people), "everybody plays on in peace")
    await wait_until(
        lambda: context.counts["acknowledged"] >= done + MOVES_AFTER_RECOVERY, "some moves are made in peace"
    )
    context.is_playing = False

    def is_quiet() -> bool:
        return (
            time.monotonic() - context.last_new_move_at > QUIET_S
            and all(person.is_online and person.pending is None for person in people)
            and all(len({person.seen for person in company}) == 1 for company in by_table.values())
        )

    await wait_until(is_quiet, "all have seen the same")


async def read_logs(address: str, history: History) -> tuple[dict[str, Log], set[str]]:
    """Returns all matches of a history in the database, and the codes of all tables."""
    store = await asyncio.to_thread(Store.open, address)
    try:
        logs: dict[str, Log] = {}
        for match in dict.fromkeys(event.match for event in history.events if isinstance(event, Shown)):
            row = None if match is None else await store.load_match(match)
            if row is not None:
                logs[row.id] = Log(row, await store.read_moves(row.id))
        tables = await store._read(lambda connection: set(connection.scalars(select(TABLE.c.code))))
    finally:
        store.close()
    return logs, tables

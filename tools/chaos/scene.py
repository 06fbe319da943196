"""A whole scene: tables with people on every worker, faults, then peace, and what is true after it."""

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
from tools.chaos.faults import Torment, all_faults
from tools.chaos.history import Created, History, Saw, Tab
from tools.chaos.people import LITTLE_PATIENCE, PATIENCE, Crowd, Person, create_table, make_tables, sign_in

PEACE_SECONDS: Final = 150.0
"""How long everything may take to be well again once nothing is wrong any more."""
IN_PEACE: Final = 12
"""Moves that are acknowledged once nothing is wrong any more, at least."""
QUIET_SECONDS: Final = 1.0
"""After so long without a move nothing moves any more."""

TABLES: Final[tuple[tuple[str, int, dict[str, Any]], ...]] = (
    ("classic+uno_window=automatic_call", 3, {"seats": 3}),
    ("classic+jump_in+stacking=same", 4, {"seats": 4, "grace": 300}),
    ("all-wild", 2, {"seats": 3, "bots": "quick"}),
    ("wild-jackpot", 2, {"seats": 2, "grace": 100}),
    ("classic+winning_score=100", 1, {"seats": 2, "bots": "quick", "take_backs": True}),
)
"""Rules, people and settings; where there are more seats than people, bots play along."""


@dataclass
class Outcome:
    """What came of a scene."""

    wrong: list[str] = field(default_factory=list)
    """Everything that is not as it must be."""
    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    """In all logs."""
    matches: int = 0
    starts: int = 0
    """Of workers, beyond the first."""
    events: int = 0
    """That were checked."""


@dataclass(frozen=True)
class Plan:
    """How a scene goes.

    Args:
        pace: the longest time in seconds until a person does the next thing.
        hold: draws for how many seconds a fault lasts.
        calm: draws how many seconds pass until the next.
        tables: how many there are, of those in ``TABLES``, over and over.
        seconds: for how long faults come; None: each kind once.
        kinds: of faults, by name, that may come; None: all.
        lanes: how many faults there may be at once.
        tell: is told once a minute how it goes.
    """

    pace: float
    hold: Callable[[random.Random], float]
    calm: Callable[[random.Random], float]
    tables: int = len(TABLES)
    seconds: float | None = None
    kinds: Collection[str] | None = None
    lanes: int = 1
    tell: Callable[[str], None] = lambda line: None


async def play_chaos(cluster: Cluster, dice: random.Random, plan: Plan) -> Outcome:
    """Let people play on a cluster while things go wrong, then have peace, and check everything.

    Args:
        cluster: that runs; its workers are down afterwards.
        dice: for everything that is left to chance.
        plan: how it goes.
    """
    outcome, history = Outcome(), History()
    crowd = Crowd([*cluster.workers], history, dice, plan.pace)
    faults = [fault for fault in all_faults(cluster, dice) if plan.kinds is None or fault.name in plan.kinds]
    torment = Torment(faults, dice, plan.hold, plan.calm)
    async with people_at(crowd, plan.tables) as people:
        try:
            await until(lambda: all(person.seen[0] for person in people), "matches begin")
            crowd.patience = LITTLE_PATIENCE
            await _let_faults_come(torment, crowd, plan)
            crowd.patience = PATIENCE
            await _make_peace(crowd, people)
        except TimeoutError as late:
            outcome.wrong.append(str(late))
    for worker in cluster.workers:
        status = await worker.end(signal.SIGTERM)
        outcome.starts += worker.starts - 1
        if status:
            outcome.wrong.append(f"worker {worker.name} ended with {status}")
        outcome.wrong += [f"worker {worker.name}: {fault}" for fault in worker.faults]
    logs, tables = await read_logs(cluster.address, history)
    settled = not outcome.wrong
    outcome.wrong += check(history.events, logs, tables, settled=settled)
    outcome.counts, outcome.faults = crowd.counts, torment.counts
    outcome.moves, outcome.matches = sum(len(log.moves) for log in logs.values()), len(logs)
    outcome.events = len(history.events)
    return outcome


@asynccontextmanager
async def people_at(crowd: Crowd, tables: int) -> AsyncIterator[list[Person]]:
    """People at tables, who play until the end of the scope; with two tabs each where there are several workers."""
    people: list[Person] = []
    cookie = ""
    for number in range(tables):
        rules, company, settings = TABLES[number % len(TABLES)]
        url, code = crowd.doors[0].url, ""
        for one in range(company):
            name = f"{'ABCDEFGHIJ'[one]} {number}"
            cookie = await sign_in(url, name)
            if one == 0:
                chosen = {"rules": rules, "pace": "untimed", "grace": 0, **settings}
                code = await create_table(url, cookie, chosen)
                crowd.history.write(Created(code))
            tabs = [Person(crowd, Tab(code, name, n), cookie, company) for n in range(min(2, len(crowd.doors)))]
            if len(tabs) == 2:
                tabs[0].twin, tabs[1].twin = tabs[1], tabs[0]
            people += tabs
    doing = [asyncio.create_task(person.live()) for person in people]
    doing.append(asyncio.create_task(make_tables(crowd, cookie)))
    try:
        yield people
    finally:
        for task in doing:
            task.cancel()
        ends = await asyncio.gather(*doing, return_exceptions=True)
        errors = [end for end in ends if isinstance(end, Exception)]
        if errors:
            raise errors[0]


async def until(true: Callable[[], bool], what: str, seconds: float = PEACE_SECONDS) -> None:
    """Wait until something is true.

    Raises:
        TimeoutError: says what was waited for.
    """
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds:.0f} s in vain until {what}")
        await asyncio.sleep(0.05)


async def _let_faults_come(torment: Torment, crowd: Crowd, plan: Plan) -> None:
    if plan.seconds is None:
        await torment.once()
        return
    lanes = [asyncio.create_task(torment.on()) for _ in range(plan.lanes)]
    start, told = time.monotonic(), 60.0
    while (gone := time.monotonic() - start) < plan.seconds and not any(lane.done() for lane in lanes):
        await asyncio.sleep(min(1.0, plan.seconds - gone))
        if gone > told:
            told += 60
            counts, faults = crowd.counts, torment.counts.total()
            plan.tell(
                f"{gone:,.0f} s: {faults:,} faults, {counts['acknowledged']:,} of {counts['sent']:,} acknowledged"
            )
    torment.end()
    await asyncio.gather(*lanes)


async def _make_peace(crowd: Crowd, people: Sequence[Person]) -> None:
    """Everybody plays on, then nobody begins anything new, then all have seen the same.

    Raises:
        TimeoutError: it does not come to that.
    """
    by_table: dict[str, list[Person]] = {}
    for person in people:
        by_table.setdefault(person.tab.table, []).append(person)
    heads, done = {person: person.seen for person in people}, crowd.counts["acknowledged"]
    await until(lambda: all(person.seen != heads[person] for person in people), "everybody plays on in peace")
    await until(lambda: crowd.counts["acknowledged"] >= done + IN_PEACE, "some moves are made in peace")
    crowd.playing = False

    def still() -> bool:
        return (
            time.monotonic() - crowd.heard_at > QUIET_SECONDS
            and all(person.online and person.pending is None for person in people)
            and all(len({person.seen for person in company}) == 1 for company in by_table.values())
        )

    await until(still, "all have seen the same")


async def read_logs(address: str, history: History) -> tuple[dict[str, Log], set[str]]:
    """All matches of a history as the database has them, and the codes of all tables."""
    store = await asyncio.to_thread(Store.open, address)
    try:
        logs: dict[str, Log] = {}
        for match in dict.fromkeys(event.match for event in history.events if isinstance(event, Saw)):
            row = None if match is None else await store.load_match(match)
            if row is not None:
                logs[row.id] = Log(row, await store.moves(row.id))
        tables = await store._read(lambda connection: set(connection.scalars(select(TABLE.c.code))))
    finally:
        store.close()
    return logs, tables

"""A short chaos: people at several tables, faults of many kinds, and what is true after it (``make chaos`` is long)."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from support.randomly import seeded, seeds
from support.services import find_program, missing
from tools.chaos.cluster import Cluster, postgres_cluster, sqlite_cluster
from tools.chaos.scene import IN_PEACE, Outcome, Plan, play_chaos

Make = Callable[[Path, random.Random], AbstractAsyncContextManager[Cluster | None]]
SHORT = Plan(pace=0.2, hold=lambda dice: dice.uniform(0.1, 0.8), calm=lambda dice: dice.uniform(0, 0.2), tables=3)
LINES = ("clients delayed", "clients halved", "clients stalled", "clients reset")
ALONE = ("worker killed", "worker frozen", "clock wrong", "database locked", "disk full", *LINES)
DATABASE = ("database crashed", "database cut", "database stalled")
REDIS = ("redis stopped", "redis flushed", "redis delayed")
TOGETHER = ("worker killed", "worker frozen", "clients stalled", *DATABASE, *REDIS)
pytestmark = pytest.mark.parametrize("seed", seeds(1))


async def play(make: Make, folder: Path, dice: random.Random, kinds: Sequence[str]) -> Outcome | None:
    """Play on a cluster, with one fault of each of some kinds; None where it cannot be had."""
    async with make(folder, dice) as cluster:
        return None if cluster is None else await play_chaos(cluster, dice, replace(SHORT, kinds=kinds))


def check_well(outcome: Outcome, kinds: Sequence[str]) -> None:
    """Nothing is wrong, and something was done."""
    assert not outcome.wrong, "\n".join(outcome.wrong)
    assert outcome.faults == Counter(kinds)
    assert outcome.counts["acknowledged"] > IN_PEACE


def test_one_worker_over_sqlite(seed: int, tmp_path: Path) -> None:
    """It is killed and frozen, its file locked, its disk full, its clock wrong, its line bad."""
    with seeded(seed) as dice:
        outcome = asyncio.run(play(sqlite_cluster, tmp_path, dice, ALONE))
        assert outcome is not None
        check_well(outcome, ALONE)


def test_two_workers_over_postgres_and_redis(seed: int, tmp_path: Path) -> None:
    """The same, and PostgreSQL, Redis and the lines to them fail; people come back through the other worker."""
    with seeded(seed) as dice:
        outcome = asyncio.run(play(postgres_cluster, tmp_path, dice, TOGETHER))
        if outcome is None:
            missing("postgres" if find_program("postgresql", ("postgres",)) is None else "redis")
        check_well(outcome, TOGETHER)

"""A short chaos test: people at several tables, faults of many kinds, and invariants (``make chaos`` is long)."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from support.random_play import seeded, seeds
from support.services import find_program, skip_or_fail
from tools.chaos.cluster import Cluster, postgres_cluster, sqlite_cluster
from tools.chaos.scenario import MOVES_AFTER_RECOVERY, Outcome, Scenario, run_scenario

Make = Callable[[Path, random.Random], AbstractAsyncContextManager[Cluster | None]]
SHORT = Scenario(
    max_pause_s=0.2,
    draw_duration=lambda dice: dice.uniform(0.1, 0.8),
    draw_pause=lambda dice: dice.uniform(0, 0.2),
    tables=3,
)
CONNECTION_FAULTS = ("clients delayed", "clients halved", "clients stalled", "clients reset")
SQLITE_FAULTS = ("worker killed", "worker frozen", "clock wrong", "database locked", "disk full", *CONNECTION_FAULTS)
DATABASE_FAULTS = ("database crashed", "database cut", "database stalled")
REDIS_FAULTS = ("redis stopped", "redis flushed", "redis delayed")
CLUSTER_FAULTS = ("worker killed", "worker frozen", "clients stalled", *DATABASE_FAULTS, *REDIS_FAULTS)
pytestmark = pytest.mark.parametrize("seed", seeds(1))


async def play(make: Make, folder: Path, dice: random.Random, kinds: Sequence[str]) -> Outcome | None:
    """Play on a cluster, with one fault of some kinds each; None if the cluster is not available."""
    async with make(folder, dice) as cluster:
        return None if cluster is None else await run_scenario(cluster, dice, replace(SHORT, kinds=kinds))


def check_well(outcome: Outcome, kinds: Sequence[str]) -> None:
    """Check that nothing is wrong, and something was done."""
    assert not outcome.errors, "\n".join(outcome.errors)
    assert outcome.faults == Counter(kinds)
    assert outcome.counts["acknowledged"] > MOVES_AFTER_RECOVERY


def test_one_worker_over_sqlite(seed: int, tmp_path: Path) -> None:
    """The worker is killed and frozen, its file locked, its disk full, its clock wrong, its connection bad."""
    with seeded(seed) as dice:
        outcome = asyncio.run(play(sqlite_cluster, tmp_path, dice, SQLITE_FAULTS))
        assert outcome is not None
        check_well(outcome, SQLITE_FAULTS)


def test_two_workers_over_postgres_and_redis(seed: int, tmp_path: Path) -> None:
    """The same, and PostgreSQL, Redis and connections to them fail; people come back through the other worker."""
    with seeded(seed) as dice:
        outcome = asyncio.run(play(postgres_cluster, tmp_path, dice, CLUSTER_FAULTS))
        if outcome is None:
            skip_or_fail("postgres" if find_program("postgresql", ("postgres",)) is None else "redis")
        check_well(outcome, CLUSTER_FAULTS)

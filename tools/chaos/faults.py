"""Faults of workers, databases, the bus, connections and clocks. Each is repaired at its end."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import psycopg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from tools.chaos.cluster import Cluster, Worker
from tools.chaos.fault_proxy import FaultProxy

Scope = AbstractAsyncContextManager[None]
_DAY_S: Final = 24 * 3600.0
_TERMINATE_ALL_SQL: Final = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname <> ''"
)


@dataclass(frozen=True, slots=True)
class Fault:
    """A possible fault.

    Args:
        name: name of its kind.
        target: affected part; a part has only one fault at a time.
        scope: context of the fault: it begins on entry and is repaired on exit.
    """

    name: str
    target: str
    scope: Callable[[], Scope]


def all_faults(cluster: Cluster, rng: random.Random) -> list[Fault]:
    """Returns all faults of a cluster, every kind for every worker and connection."""
    found: list[Fault] = []

    def add(name: str, target: str, last: Callable[[], Scope]) -> None:
        found.append(Fault(name, target, last))

    for worker in cluster.workers:
        own = f"worker {worker.name}"
        add("worker killed", own, partial(killed, worker))
        add("worker stopped", own, partial(stopped, worker))
        add("worker frozen", own, partial(frozen, worker))
        add("clock wrong", f"clock {worker.name}", partial(wrong_clock, worker, rng))
        add_proxy_faults(add, "clients", f"line {worker.name}", worker.proxy, rng)
    if cluster.database is None:
        add("database locked", "database", partial(locked_file, cluster))
        add("disk full", "worker a", partial(full_disk, cluster.workers[0]))
        return found
    assert cluster.redis is not None
    add("database crashed", "database", partial(without_postgres, cluster, signal.SIGQUIT))
    add("database restarted", "database", partial(without_postgres, cluster, signal.SIGINT))
    add("database cut", "database", partial(without_connections, cluster))
    add("database locked", "database", partial(locked_tables, cluster))
    add("database read-only", "database", partial(read_only, cluster))
    for name, line in cluster.database_proxies.items():
        add_proxy_faults(add, "database", f"database line {name}", line, rng)
    add("redis stopped", "redis", partial(without_redis, cluster))
    add("redis frozen", "redis", partial(frozen_redis, cluster))
    add("redis flushed", "redis", partial(flushed_redis, cluster))
    for name, line in cluster.redis_proxies.items():
        add_proxy_faults(add, "redis", f"redis line {name}", line, rng)
    return found


def add_proxy_faults(
    add: Callable[[str, str, Callable[[], Scope]], None], kind: str, target: str, proxy: FaultProxy, rng: random.Random
) -> None:
    """Add the faults of a proxy."""
    add(f"{kind} delayed", target, partial(degraded, proxy, delay=0.15))
    add(f"{kind} halved", target, partial(degraded, proxy, splits=True))
    add(f"{kind} stalled", target, partial(stalled, proxy, rng))
    add(f"{kind} reset", target, partial(reset_connections, proxy))


# --- workers --------------------------------------------------------------------------------------------


@asynccontextmanager
async def killed(worker: Worker) -> AsyncIterator[None]:
    """``kill -9``, then restart."""
    await worker.end(signal.SIGKILL)
    yield
    await worker.start()


@asynccontextmanager
async def stopped(worker: Worker) -> AsyncIterator[None]:
    """SIGTERM, then restart."""
    await worker.end(signal.SIGTERM)
    yield
    await worker.start()


@asynccontextmanager
async def frozen(worker: Worker) -> AsyncIterator[None]:
    """The worker is suspended, as on a machine without free memory."""
    worker.send(signal.SIGSTOP)
    try:
        yield
    finally:
        worker.send(signal.SIGCONT)


@asynccontextmanager
async def wrong_clock(worker: Worker, rng: random.Random) -> AsyncIterator[None]:
    """The clock of a worker is wrong by seconds or weeks, then corrected."""
    worker.set_clock(rng.choice([-1, 1]) * rng.choice([rng.uniform(1, 60), rng.uniform(1, 60) * _DAY_S]))
    try:
        yield
    finally:
        worker.set_clock(0)


@asynccontextmanager
async def full_disk(worker: Worker) -> AsyncIterator[None]:
    """No file of the worker can grow."""
    worker.limit_files(1)
    try:
        yield
    finally:
        worker.limit_files(None)


# --- the database ---------------------------------------------------------------------------------------


@asynccontextmanager
async def locked_file(cluster: Cluster) -> AsyncIterator[None]:
    """Another program locks the file of SQLite."""
    blocker = sqlite3.connect(cluster.file, timeout=5, isolation_level=None, check_same_thread=False)
    try:
        with suppress(sqlite3.OperationalError):  # the server writes all the time, so the lock may fail
            await asyncio.to_thread(blocker.execute, "BEGIN IMMEDIATE")
        yield
    finally:
        blocker.close()


@asynccontextmanager
async def without_postgres(cluster: Cluster, how: signal.Signals) -> AsyncIterator[None]:
    """PostgreSQL ends, by SIGQUIT as in a crash, then restarts."""
    assert cluster.database is not None
    await asyncio.to_thread(cluster.database.stop, how)
    yield
    await asyncio.to_thread(cluster.database.start)


@asynccontextmanager
async def without_connections(cluster: Cluster) -> AsyncIterator[None]:
    """All connections to PostgreSQL are terminated, at the beginning and at the end."""
    await asyncio.to_thread(cluster.administer, _TERMINATE_ALL_SQL)
    yield
    await asyncio.to_thread(cluster.administer, _TERMINATE_ALL_SQL)


@asynccontextmanager
async def locked_tables(cluster: Cluster) -> AsyncIterator[None]:
    """Another session locks the tables, so that every write waits."""
    blocker: psycopg.Connection[Any] = await asyncio.to_thread(
        lambda: psycopg.connect(cluster.address, connect_timeout=30)
    )
    try:
        hold = "SET lock_timeout = '5s'; LOCK TABLE move, table_state IN EXCLUSIVE MODE"
        with suppress(psycopg.OperationalError):
            await asyncio.to_thread(blocker.execute, hold)
        yield
    finally:
        await asyncio.to_thread(blocker.close)


@asynccontextmanager
async def read_only(cluster: Cluster) -> AsyncIterator[None]:
    """PostgreSQL is read-only; clients have to reconnect."""
    switch = "ALTER DATABASE postgres SET default_transaction_read_only = {}".format
    await asyncio.to_thread(cluster.administer, switch("on"), _TERMINATE_ALL_SQL)
    try:
        yield
    finally:
        await asyncio.to_thread(cluster.administer, switch("off"), _TERMINATE_ALL_SQL)


# --- the bus --------------------------------------------------------------------------------------------


@asynccontextmanager
async def without_redis(cluster: Cluster) -> AsyncIterator[None]:
    """Redis ends, then restarts."""
    assert cluster.redis is not None
    await asyncio.to_thread(cluster.redis.stop)
    yield
    await asyncio.to_thread(cluster.redis.start)


@asynccontextmanager
async def frozen_redis(cluster: Cluster) -> AsyncIterator[None]:
    """Redis does not respond."""
    assert cluster.redis is not None
    cluster.redis.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        cluster.redis.send_signal(signal.SIGCONT)


@asynccontextmanager
async def flushed_redis(cluster: Cluster) -> AsyncIterator[None]:
    """Redis loses all data and closes all connections, again and again."""
    enough = asyncio.Event()

    async def flush() -> None:
        async with Redis.from_url(cluster.redis_address, socket_timeout=2) as redis:
            while not enough.is_set():
                with suppress(RedisError, OSError):
                    await redis.flushall()
                    await redis.client_kill_filter(_type="pubsub")
                    await redis.client_kill_filter(_type="normal", skipme=True)
                await asyncio.sleep(0.2)

    flushing = asyncio.create_task(flush())
    try:
        yield
    finally:  # a flag, because the client might take a cancellation for its own timeout
        enough.set()
        await flushing


# --- connections ----------------------------------------------------------------------------------------


@asynccontextmanager
async def degraded(proxy: FaultProxy, *, delay: float = 0.0, splits: bool = False) -> AsyncIterator[None]:
    """Data is late, or split."""
    proxy.max_delay_s, proxy.splits = delay, splits
    try:
        yield
    finally:
        proxy.repair()


@asynccontextmanager
async def stalled(proxy: FaultProxy, rng: random.Random) -> AsyncIterator[None]:
    """No data is forwarded, in one direction or both; at the end it is late, or lost with the connection."""
    up, down = rng.choice([(True, True), (True, False), (False, True)])
    proxy.stall(up=up, down=down)
    try:
        yield
    finally:
        if rng.random() < 0.5:
            proxy.reset_all()
        proxy.repair()


@asynccontextmanager
async def reset_connections(proxy: FaultProxy) -> AsyncIterator[None]:
    """All connections are reset, again and again."""

    async def cut() -> None:
        while True:
            proxy.reset_all()
            await asyncio.sleep(0.25)

    cutting = asyncio.create_task(cut())
    try:
        yield
    finally:
        cutting.cancel()
        with suppress(asyncio.CancelledError):
            await cutting


# --- sequence of faults -----------------------------------------------------------------------------------


@dataclass
class FaultInjector:
    """Causes faults one after another.

    Args:
        faults: all faults.
        rng: random generator of their order.
        draw_duration: draws the duration of a fault in seconds.
        draw_pause: draws the pause before the next in seconds.
    """

    faults: Sequence[Fault]
    rng: random.Random
    draw_duration: Callable[[random.Random], float]
    draw_pause: Callable[[random.Random], float]

    def __post_init__(self) -> None:
        self.counts: Counter[str] = Counter()
        """Number of faults of each kind."""
        self.active: Counter[str] = Counter()
        """Current faults."""
        self._stopping = asyncio.Event()
        self._locks = {fault.target: asyncio.Lock() for fault in self.faults}

    def end(self) -> None:
        """Repair all faults, and cause no more."""
        self._stopping.set()

    async def inject_each_once(self) -> None:
        """Cause one fault of every kind."""
        by_name: dict[str, list[Fault]] = {}
        for fault in self.faults:
            by_name.setdefault(fault.name, []).append(fault)
        for name in self.rng.sample(sorted(by_name), len(by_name)):
            await self._inject(self.rng.choice(by_name[name]))

    async def inject_until_end(self) -> None:
        """Cause faults until the end."""
        while not self._stopping.is_set():
            await self.inject_each_once()

    async def _inject(self, fault: Fault) -> None:
        await self._pause(self.draw_pause(self.rng))
        async with self._locks[fault.target]:
            if self._stopping.is_set():
                return
            self.counts[fault.name] += 1
            self.active[fault.name] += 1
            async with fault.scope():
                await self._pause(self.draw_duration(self.rng))
            self.active[fault.name] -= 1

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()

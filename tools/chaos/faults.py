"""Faults of workers, databases, the bus, connections and clocks. Each is repaired at its end."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import psycopg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from support.services import ServiceProcess
from tools.chaos.cluster import Cluster, Worker
from tools.chaos.fault_proxy import FaultProxy

_DAY_S: Final = 24 * 3600.0
_TERMINATE_ALL_SQL: Final = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname <> ''"
)


class Fault(NamedTuple):
    """A possible fault."""

    name: str
    """The name of its kind."""
    target: str
    """The affected part; a part has only one fault at a time."""
    scope: Callable[[], AbstractAsyncContextManager[None]]
    """The context of the fault: it begins on entry and is repaired on exit."""


def all_faults(cluster: Cluster, rng: random.Random) -> Iterator[Fault]:
    """Yields all faults of a cluster, every kind for every worker and connection."""
    for worker in cluster.workers:
        own = f"worker {worker.name}"
        yield Fault("worker killed", own, partial(ended, worker, signal.SIGKILL))
        yield Fault("worker stopped", own, partial(ended, worker, signal.SIGTERM))
        yield Fault("worker frozen", own, partial(frozen, worker.send))
        yield Fault("clock wrong", f"clock {worker.name}", partial(wrong_clock, worker, rng))
        yield from proxy_faults("clients", f"line {worker.name}", worker.proxy, rng)
    if cluster.database is None:
        yield Fault("database locked", "database", partial(locked_file, cluster))
        yield Fault("disk full", "worker a", partial(full_disk, cluster.workers[0]))
        return
    assert cluster.redis is not None
    yield Fault("database crashed", "database", partial(without_service, cluster.database, signal.SIGQUIT))
    yield Fault("database restarted", "database", partial(without_service, cluster.database, signal.SIGINT))
    yield Fault("database cut", "database", partial(without_connections, cluster))
    yield Fault("database locked", "database", partial(locked_tables, cluster))
    yield Fault("database read-only", "database", partial(read_only, cluster))
    for name, line in cluster.database_proxies.items():
        yield from proxy_faults("database", f"database line {name}", line, rng)
    yield Fault("redis stopped", "redis", partial(without_service, cluster.redis, signal.SIGINT))
    yield Fault("redis frozen", "redis", partial(frozen, cluster.redis.send_signal))
    yield Fault("redis flushed", "redis", partial(flushed_redis, cluster))
    for name, line in cluster.redis_proxies.items():
        yield from proxy_faults("redis", f"redis line {name}", line, rng)


def proxy_faults(kind: str, target: str, proxy: FaultProxy, rng: random.Random) -> Iterator[Fault]:
    """Yields the faults of a proxy."""
    yield Fault(f"{kind} delayed", target, partial(degraded, proxy, delay=0.15))
    yield Fault(f"{kind} halved", target, partial(degraded, proxy, splits=True))
    yield Fault(f"{kind} stalled", target, partial(stalled, proxy, rng))
    yield Fault(f"{kind} reset", target, partial(reset_connections, proxy))


# --- workers --------------------------------------------------------------------------------------------


@asynccontextmanager
async def ended(worker: Worker, how: signal.Signals) -> AsyncIterator[None]:
    """The worker ends by a signal, then restarts."""
    await worker.end(how)
    yield
    await worker.start()


@asynccontextmanager
async def frozen(send_signal: Callable[[signal.Signals], None]) -> AsyncIterator[None]:
    """A worker or Redis is suspended, as on a machine without free memory."""
    send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        send_signal(signal.SIGCONT)


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
async def without_service(service: ServiceProcess, how: signal.Signals) -> AsyncIterator[None]:
    """PostgreSQL or Redis ends by a signal, the former by SIGQUIT as in a crash, then restarts."""
    await asyncio.to_thread(service.stop, how)
    yield
    await asyncio.to_thread(service.start)


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
    """Causes faults one after another."""

    faults: Sequence[Fault]
    rng: random.Random
    draw_duration: Callable[[random.Random], float]
    """Draws the duration of a fault in seconds."""
    draw_pause: Callable[[random.Random], float]
    """Draws the pause before the next in seconds."""

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

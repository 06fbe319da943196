"""Workers, databases and the bus, connected by proxies that can cause faults."""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx
import psycopg

from support.services import LOOPBACK, ServiceProcess, ending_with_parent, free_port, own_postgres, own_redis
from tools.chaos.fault_proxy import FaultProxy

START_TIMEOUT_S: Final = 300.0
"""Seconds; a worker of low priority on a busy machine is slow."""
STOP_TIMEOUT_S: Final = 90.0
_LOG_LINES: Final = 200

SERVE_PROGRAM: Final = """
import sys, time
from pathlib import Path

def shift():
    return float(Path(sys.argv[1]).read_text())

now, now_ns = time.time, time.time_ns
time.time = lambda: now() + shift()
time.time_ns = lambda: now_ns() + round(1e9 * shift())

from lastcard.cli.main import main
sys.exit(main(["serve", *sys.argv[2:]]))
"""
"""A server whose wall clock is shifted by a number in a file; the monotonic clock is not.

The library libfaketime would do it for any program, but Python 3.11 cannot sleep under its version 0.9.10.
"""


class Worker:
    """``lastcard serve`` in a process of its own, reached through a fault proxy.

    The folder is for the file with the shift of its clock; ``preamble`` is Python code that it runs first.
    """

    def __init__(self, name: str, options: list[str], folder: Path, rng: random.Random, preamble: str = "") -> None:
        self.name = name
        self.port = free_port()
        self.proxy = FaultProxy(self.port, rng)
        self.faults: list[str] = []
        """Unexpected errors in its log."""
        self.starts = 0
        self._clock = folder / f"{name}.clock"
        self._options = options
        self._program = preamble + SERVE_PROGRAM
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._output: list[str] = []
        self.set_clock(0)

    @property
    def url(self) -> str:
        """Address for clients, through the proxy."""
        return f"http://{LOOPBACK}:{self.proxy.port}"

    @property
    def pid(self) -> int:
        """Id of the process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start it and wait until it listens; restart it if it ends because its database is unavailable."""
        until = time.monotonic() + START_TIMEOUT_S
        place = ["--host", LOOPBACK, "--port", str(self.port), "--no-open", "--kernel", "module"]
        async with httpx.AsyncClient(timeout=3, verify=False) as client:
            while time.monotonic() < until:
                if not self.is_running:
                    await self._spawn([str(self._clock), *place, *self._options])
                with suppress(httpx.TransportError):
                    if (await client.get(f"http://{LOOPBACK}:{self.port}/healthz")).is_success:
                        return
                await asyncio.sleep(0.1)
        raise RuntimeError(f"worker {self.name} did not start:\n" + "\n".join(self._output[-20:]))

    async def _spawn(self, arguments: list[str]) -> None:
        self.starts += 1
        # A pipe, because the limits that simulate a full disk would apply to a file.
        self._process = await asyncio.create_subprocess_exec(
            *ending_with_parent([sys.executable, "-c", self._program, *arguments]),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            limit=1 << 20,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        self._reading = asyncio.create_task(self._read(self._process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for raw in process.stdout:
            text = raw.decode(errors="replace").rstrip()
            self._output = [*self._output[-_LOG_LINES:], text]
            with suppress(ValueError):
                entry = json.loads(text)
                if isinstance(entry, dict) and entry.get("event") == "fault":
                    self.faults.append(text)

    def send(self, number: signal.Signals) -> None:
        """Send it a signal, if it is running."""
        if self.is_running:
            assert self._process is not None
            self._process.send_signal(number)

    async def wait_for_end(self) -> int:
        """Wait for its end; returns the exit status."""
        assert self._process is not None and self._reading is not None
        async with asyncio.timeout(STOP_TIMEOUT_S):
            status = await self._process.wait()
            await self._reading
        return status

    async def end(self, number: signal.Signals) -> int:
        """Send it a signal that ends it, and wait; returns the exit status."""
        self.send(number)
        return await self.wait_for_end()

    def limit_files(self, most: int | None) -> None:
        """Limit the size of its files in bytes, as on a full disk; None for no limit."""
        with suppress(ProcessLookupError):
            _, hard = resource.prlimit(self.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (hard if most is None else most, hard))

    def set_clock(self, wrong_by: float) -> None:
        """Shift its clock by a number of seconds."""
        new = self._clock.with_suffix(".new")
        new.write_text(str(wrong_by))
        new.replace(self._clock)


class Cluster:
    """Workers, their database at an address, and for PostgreSQL the bus between them."""

    def __init__(self, address: str, workers: list[Worker]) -> None:
        self.address = address
        self.workers = workers
        self.database: ServiceProcess | None = None
        self.redis: ServiceProcess | None = None
        self.redis_address = ""
        self.database_proxies: dict[str, FaultProxy] = {}
        """Proxy of each worker to PostgreSQL, by its name."""
        self.redis_proxies: dict[str, FaultProxy] = {}

    @property
    def file(self) -> Path:
        """File of SQLite."""
        return Path(self.address.removeprefix("sqlite:///"))

    @property
    def proxies(self) -> list[FaultProxy]:
        """All proxies."""
        return [
            *(worker.proxy for worker in self.workers),
            *self.database_proxies.values(),
            *self.redis_proxies.values(),
        ]

    def administer(self, *statements: str) -> None:
        """Execute statements on the PostgreSQL server, without a proxy."""
        writing = "-c default_transaction_read_only=off"  # also if the database is read-only
        with psycopg.connect(self.address, autocommit=True, connect_timeout=30, options=writing) as connection:
            for statement in statements:
                connection.execute(statement)


@asynccontextmanager
async def sqlite_cluster(folder: Path, rng: random.Random, preamble: str = "") -> AsyncIterator[Cluster]:
    """Run one worker over a file; ``preamble`` as in ``Worker``."""
    address = f"sqlite:///{folder / 'tables.db'}"
    async with _running(Cluster(address, [Worker("a", ["--database-url", address], folder, rng, preamble)])) as cluster:
        yield cluster


@asynccontextmanager
async def postgres_cluster(
    folder: Path, rng: random.Random, workers: int = 2, preamble: str = ""
) -> AsyncIterator[Cluster | None]:
    """Run workers over a new PostgreSQL and Redis; yields None if these are not installed."""
    async with AsyncExitStack() as stack:
        servers = [await asyncio.to_thread(own_postgres), await asyncio.to_thread(own_redis)]
        for found in servers:
            if found is not None:
                stack.callback(found[0].remove)
        database, redis = servers
        if database is None or redis is None:
            yield None
            return
        for server, _ in (database, redis):
            await asyncio.to_thread(server.start)
        cluster = Cluster(database[1], [])
        cluster.database, cluster.redis, cluster.redis_address = database[0], redis[0], redis[1]
        for number in range(workers):
            name = "abcdefgh"[number]
            to_database, to_redis = (
                FaultProxy(urlsplit(address).port or 0, rng) for address in (database[1], redis[1])
            )
            cluster.database_proxies[name], cluster.redis_proxies[name] = to_database, to_redis
            await to_database.open()
            await to_redis.open()
            options = [
                "--database-url",
                _address_through(database[1], to_database),
                "--redis-url",
                _address_through(redis[1], to_redis),
            ]
            cluster.workers.append(Worker(name, options, folder, rng, preamble))
        yield await stack.enter_async_context(_running(cluster))


def _address_through(address: str, proxy: FaultProxy) -> str:
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.replace(f":{parts.port}", f":{proxy.port}")).geturl()


@asynccontextmanager
async def _running(cluster: Cluster) -> AsyncIterator[Cluster]:
    """Run workers; remaining processes are killed at the end."""
    try:
        for worker in cluster.workers:
            await worker.proxy.open()
        await asyncio.gather(*(worker.start() for worker in cluster.workers))
        yield cluster
    finally:
        for worker in cluster.workers:
            worker.send(signal.SIGKILL)
        for line in cluster.proxies:
            await line.close()
        await asyncio.gather(
            *(worker.wait_for_end() for worker in cluster.workers if worker.starts), return_exceptions=True
        )


def memory_of(pid: int) -> int:
    """Returns the private memory of a process in bytes."""
    text = Path(f"/proc/{pid}/status").read_text()
    return 1024 * next(int(line.split()[1]) for line in text.splitlines() if line.startswith("RssAnon:"))

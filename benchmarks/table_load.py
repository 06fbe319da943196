"""Load test of the table server: the clients run on one core, ``lastcard serve`` on the other. ``make load`` runs it.

python benchmarks/table_load.py [MODE ...] [--seconds S] [--tables N] [--quick] [--json] [--save]

Everything is as in production: a server process, SQLite on disk, every move checked, committed, then sent to all.
Linux only: cores are pinned, and CPU time and memory of the server are read from /proc.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final
from urllib.request import urlopen

import uvloop
from machine import Results, command_line, describe_machine, publish
from table_client import Address, Socket, free_port, host
from table_play import RULES, LoadTable, seat_table, sign_in

from lastcard.kernel.jit import native_state

MODES: Final = ("throughput", "latency", "memory", "flatness", "spectators")
SEATS: Final = 4
PACE_MOVES_S: Final = 1000
"""Moves a second of the latency and flatness runs."""
WINDOWS: Final = 7
"""Number of windows of throughput, of which the median counts."""
TABLE_COUNTS: Final = (10, 100, 500, 2000)
"""Numbers of tables of the flatness runs."""
WATCHED_TABLES: Final = 10
"""Number of tables with spectators."""
SPECTATOR_COUNTS: Final = (0, 10, 50)
"""Numbers of spectators at each of them."""
TABLES_AT_ONCE: Final = 20
"""Number of tables set up at a time."""
READY_TIMEOUT_S: Final = 60.0
"""Maximum seconds until the server is ready."""
COMPILE_TIMEOUT_S: Final = 300.0
"""Maximum seconds until native code is compiled, if none is cached."""


# --- the server -----------------------------------------------------------------------------------------


class Server:
    """A running ``lastcard serve``."""

    def __init__(self, process: subprocess.Popen[bytes], address: Address) -> None:
        self._process = process
        self.address = address

    @property
    def cpu(self) -> float:
        """CPU time in seconds."""
        return cpu_of(self._process.pid)

    @property
    def memory(self) -> int:
        """Memory in bytes."""
        return int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]) * resource.getpagesize()


def prepare_client() -> int:
    """Pin this process to its last core and raise its limit of open files; returns the core for the server."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[-1]})
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
    return cores[0]


def cpu_of(process: int) -> float:
    """Returns the CPU time of a process in seconds, with all threads and system time."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


@contextmanager
def run_server(
    folder: Path, core: int, program: Sequence[str] = ("-m", "lastcard"), source: Path | None = None
) -> Iterator[Server]:
    """Run a server on one core with a fresh database, until the end of the block.

    Args:
        folder: folder for the database and the log.
        core: number of the core.
        program: program that Python runs as ``lastcard``.
        source: path of lastcard; None for the installed one.
    """
    command = [sys.executable, *program, "serve", "--host", "127.0.0.1", "--no-open"]
    command += ["--database-url", f"sqlite:///{folder / 'load.db'}", "--port"]
    log = folder / "server.log"
    with run_server_program(command, log, core, source) as server:
        if native_state() == "left":  # nothing in the environment prevents the switch to native code
            wait_until_native(log)
        yield server


@contextmanager
def run_server_program(command: Sequence[str], log: Path, core: int, source: Path | None = None) -> Iterator[Server]:
    """Run a server program on one core, until the end of the block.

    Args:
        command: command without its last word, a port.
        log: path of its log.
        core: number of the core.
        source: path of lastcard; None for the installed one.
    """
    port = free_port()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, str(port)],
            stdout=out,
            stderr=out,
            preexec_fn=lambda: os.sched_setaffinity(0, {core}),
            env=os.environ if source is None else {**os.environ, "PYTHONPATH": str(source)},
        )
    try:
        wait_until_ready(process, ("127.0.0.1", port), log)
        yield Server(process, ("127.0.0.1", port))
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_ready(process: subprocess.Popen[bytes], address: Address, log: Path) -> None:
    """Wait until the server responds."""
    until = time.monotonic() + READY_TIMEOUT_S
    while time.monotonic() < until and process.poll() is None:
        try:
            urlopen(f"http://{host(address)}/readyz", timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"the server did not start:\n{log.read_text()[-3000:]}")


def wait_until_native(log: Path) -> None:
    """Wait until the server has switched to native code, because loading it would distort the figures for seconds."""
    until = time.monotonic() + COMPILE_TIMEOUT_S
    while time.monotonic() < until:
        said = [line for line in log.read_text().splitlines() if "native code" in line]
        if said and ("used" in said[-1] or "failed" in said[-1]):
            return
        time.sleep(0.1)


# --- measurement ------------------------------------------------------------------------------------------


class ServerLoad:
    """Tables in play on one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.tables: list[LoadTable] = []
        self._cookies: list[str] = []
        self._watchers = 0

    async def grow(self, count: int) -> None:
        """Seat people until there are ``count`` tables, each before its first move."""
        limit = asyncio.Semaphore(TABLES_AT_ONCE)
        self._cookies = self._cookies or await sign_in(self.server.address, SEATS)

        async def seat() -> LoadTable:
            async with limit:
                return await seat_table(self.server.address, self._cookies)

        self.tables += await asyncio.gather(*(seat() for _ in range(count - len(self.tables))))

    async def watch(self, spectators: int) -> None:
        """Add spectators until there are ``spectators`` at each table."""
        cookies = await sign_in(self.server.address, spectators - self._watchers)
        for play in self.tables:
            for socket in play.sockets:
                socket.send(b'{"type":"ping","t":0}')  # otherwise the server treats them as suspended pages
            for cookie in cookies:
                socket = await Socket.connect(self.server.address, f"/ws/{play.code}", cookie, lambda text: None)
                play.sockets.append(socket)
                await socket.opened
                socket.send(b'{"type":"hello","v":1}')
        self._watchers = spectators

    async def play_fast(self, seconds: float) -> Results:
        """Let all play as fast as the server acknowledges."""
        for play in self.tables:
            play.go_on = True
            play.make_move()
        await asyncio.sleep(min(2.0, seconds / 4))
        moves, cpu, start = self.moves, self.server.cpu, time.perf_counter()
        await asyncio.sleep(seconds)
        spent = time.perf_counter() - start
        done, used = self.moves - moves, self.server.cpu - cpu
        found = {
            "moves": done,
            "moves_per_second": done / spent,
            "core_used": used / spent,
            "cpu_us_per_move": 1e6 * used / max(1, done),
        }
        await self.stop_playing()
        return found

    async def make_moves(self, rate: float, seconds: float) -> tuple[int, int]:
        """Make ``rate`` moves a second, table by table, on schedule regardless of responses.

        Returns:
            The number of moves that were due, and of those that no table was ready for.
        """
        for play in self.tables:
            play.times.clear()
        start, sent, late, turn = time.perf_counter(), 0, 0, 0
        while (now := time.perf_counter()) < start + seconds:
            while sent + late < (now - start) * rate:
                tries = 0
                while not self.tables[turn].ready and tries < len(self.tables):
                    turn, tries = (turn + 1) % len(self.tables), tries + 1
                if tries < len(self.tables):
                    self.tables[turn].make_move()
                    sent += 1
                else:
                    late += 1
                turn = (turn + 1) % len(self.tables)
            await asyncio.sleep(0.0005)
        await asyncio.sleep(0.2)
        return sent + late, late

    async def play_at_rate(self, rate: float, seconds: float) -> Results:
        """Measure play at ``rate`` moves a second."""
        cpu, moves = self.server.cpu, self.moves
        _, late = await self.make_moves(rate, seconds)
        times = sorted(moment for play in self.tables for moment in play.times)
        cut = quantiles(times, n=100)
        return {
            "moves": self.moves - moves,
            "moves_per_second": (self.moves - moves) / seconds,
            "not_sent": late,
            "p50_ms": 1000 * median(times),
            "p99_ms": 1000 * cut[98],
            "worst_ms": 1000 * times[-1],
            "cpu_us_per_move": 1e6 * (self.server.cpu - cpu) / max(1, self.moves - moves),
        }

    async def stop_playing(self) -> None:
        """Stop play, and wait for pending messages."""
        for play in self.tables:
            play.go_on = False
        await asyncio.sleep(0.5)
        self.check()

    def check(self) -> None:
        """Check that no table was refused, dropped or stuck."""
        for play in self.tables:
            if play.trouble:
                raise SystemExit(f"table {play.code}: {play.trouble}")

    @property
    def moves(self) -> int:
        """Number of acknowledged moves so far."""
        return sum(play.moves for play in self.tables)

    def close(self) -> None:
        """Close the connections of all people."""
        for play in self.tables:
            play.close()


async def measure_throughput(server: Server, tables: int, seconds: float) -> Results:
    """Measure moves a second at maximum speed, in several windows because a shared machine varies."""
    load = ServerLoad(server)
    await load.grow(tables)
    found = [await load.play_fast(seconds) for _ in range(WINDOWS)]
    load.close()
    rates = sorted(window["moves_per_second"] for window in found)
    middle = {
        key: median(window[key] for window in found) for key in ("moves_per_second", "core_used", "cpu_us_per_move")
    }
    return {"tables": tables, "sockets": tables * SEATS, **middle, "slowest": rates[0], "fastest": rates[-1]}


async def measure_latency(server: Server, tables: int, seconds: float) -> Results:
    """Measure milliseconds from the command to the last peer's event at a steady pace."""
    load = ServerLoad(server)
    await load.grow(tables)
    await load.play_at_rate(PACE_MOVES_S, min(2.0, seconds / 4))
    found = await load.play_at_rate(PACE_MOVES_S, seconds)
    load.check()
    load.close()
    return {"tables": tables, "sockets": tables * SEATS, **found}


async def measure_memory(server: Server, tables: int, seconds: float) -> Results:
    """Measure bytes per seated socket during play, with its share of table, match and log."""
    load = ServerLoad(server)
    await load.grow(max(1, tables // 10))
    await load.play_fast(min(2.0, seconds / 4))
    before, few = server.memory, len(load.tables)
    await load.grow(few + tables)
    await load.play_fast(min(2.0, seconds / 4))
    grown = server.memory - before
    load.close()
    sockets = tables * SEATS
    return {"tables": tables, "sockets": sockets, "kb_per_socket": grown / sockets / 1024}


async def measure_flatness(server: Server, tables: int, seconds: float) -> list[Results]:
    """Measure CPU time of the server per move with more and more tables at the same pace."""
    load = ServerLoad(server)
    rows = []
    for count in (count for count in TABLE_COUNTS if count <= max(tables, TABLE_COUNTS[0])):
        await load.grow(count)
        await load.play_at_rate(PACE_MOVES_S / 2, min(2.0, seconds / 4))
        rows.append({"tables": count, "sockets": count * SEATS, **await load.play_at_rate(PACE_MOVES_S / 2, seconds)})
        load.check()
    load.close()
    return rows


async def measure_spectators(server: Server, tables: int, seconds: float) -> list[Results]:
    """Measure CPU time of the server per move with more and more spectators, at the same pace."""
    load = ServerLoad(server)
    await load.grow(min(tables, WATCHED_TABLES))
    rows: list[Results] = []
    for spectators in SPECTATOR_COUNTS:
        await load.watch(spectators)
        await load.play_at_rate(PACE_MOVES_S / 5, min(2.0, seconds / 4))
        found = await load.play_at_rate(PACE_MOVES_S / 5, seconds)
        load.check()
        figures = {key: found[key] for key in ("moves_per_second", "p50_ms", "p99_ms", "cpu_us_per_move")}
        more = figures["cpu_us_per_move"] - (rows or [figures])[0]["cpu_us_per_move"]
        rows.append({"spectators": spectators, **figures, "cpu_us_each": more / max(1, spectators)})
    load.close()
    return rows


# --- results ----------------------------------------------------------------------------------------------


def run_mode(mode: str, tables: int, seconds: float, server_core: int) -> list[Results]:
    """Measure one thing on a fresh server."""
    measures: dict[str, Callable[[Server, int, float], Any]] = {
        "throughput": measure_throughput,
        "latency": measure_latency,
        "memory": measure_memory,
        "flatness": measure_flatness,
        "spectators": measure_spectators,
    }
    with tempfile.TemporaryDirectory() as folder, run_server(Path(folder), server_core) as server:
        found = uvloop.run(measures[mode](server, tables, seconds))
    return found if isinstance(found, list) else [found]


def make_page(results: Results) -> str:
    """Returns the results as a page of Markdown."""
    about = results["about"]
    lines = [
        f"# Table server, {about['date']}",
        "",
        f"{about['processor']}, {about['cores']} cores, {about['system']}; Python {about['versions']['python']}; commit"
        f" {about['commit']}. Command: `{results['command']}`. Rules `{RULES}`. One core for the server, one for the"
        " client, loopback, SQLite with `synchronous=FULL`.",
    ]
    for mode, rows in results["modes"].items():
        lines += ["", f"## {mode}", "", f"| {' | '.join(rows[0])} |", f"|{'--:|' * len(rows[0])}"]
        for row in rows:
            cells = (f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" for value in row.values())
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the table server over loopback.")
    parser.add_argument("modes", nargs="*", metavar="MODE", help=f"what to measure: {', '.join(MODES)}; default all")
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement, at most 120 (default 10)")
    parser.add_argument("--tables", type=int, help="default 200; for flatness the most, 2000")
    parser.add_argument("--quick", action="store_true", help="a glance: 2 seconds, few tables")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/table-load-DATE.md and .json too")
    asked = parser.parse_args()
    if unknown := set(asked.modes) - set(MODES):
        parser.error(f"there is no mode {', '.join(sorted(unknown))}; there are {', '.join(MODES)}")
    seconds = 2.0 if asked.quick else min(asked.seconds, 120.0)
    server_core = prepare_client()
    results: Results = {
        "about": describe_machine(),
        "command": command_line(),
        "modes": {},
    }
    for mode in asked.modes or MODES:
        tables = asked.tables or (TABLE_COUNTS[-1] if mode == "flatness" else 200) // (10 if asked.quick else 1)
        results["modes"][mode] = run_mode(mode, tables, seconds, server_core)
    publish("table-load", make_page(results), results, save=asked.save, as_json=asked.json)


if __name__ == "__main__":
    main()

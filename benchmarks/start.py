"""Benchmarks the start up to the first card: a move, the terminal, a bot, the server, with empty caches.

    python benchmarks/start.py [--python PYTHON ...] [--only move server] [--runs 3] [--warm]

Each PYTHON has a version of lastcard installed; several alternate. Times are CPU seconds of the whole process, as Linux
counts them, and wall-clock seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, Final
from urllib.request import urlopen

from table_client import call, free_port, host
from websockets.sync.client import ClientConnection, connect

TIMEOUT_S: Final = 500
TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
Times = dict[str, tuple[float, float]]
"""CPU and wall-clock seconds, by step."""

MOVE: Final = """
from lastcard import Match
match = Match("classic", 2, seed=1)
match.do(match.round.turn, match.round.legal(match.round.turn)[0])
"""
MASTER: Final = """
from lastcard import Match
from lastcard.bots.registry import make_bot
table = Match("classic", 4, seed=1).round
print(make_bot("master", bytes(32), table.turn).choose(table.view(table.turn)))
"""


def main() -> None:
    """Measure, and print medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", nargs="+", default=[sys.executable], help="Pythons with lastcard (default: this)")
    parser.add_argument("--only", nargs="+", choices=MEASURES, default=[*MEASURES], help="measurements (default: all)")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="how often (default 3)")
    parser.add_argument("--warm", action="store_true", help="keep the cache from one run to the next")
    args = parser.parse_args()
    os.environ.pop("OPENBLAS_THREAD_TIMEOUT", None)  # this process has imported lastcard, which sets it
    found: dict[str, dict[str, list[tuple[float, float]]]] = {}
    with tempfile.TemporaryDirectory() as warm_cache:
        for _, name, python in product(range(args.runs), args.only, args.python):
            with tempfile.TemporaryDirectory() as fresh:
                env = {**os.environ, "LASTCARD_CACHE": warm_cache if args.warm else fresh, "XDG_DATA_HOME": fresh}
                for step, times in MEASURES[name](python, env).items():
                    found.setdefault(step, {}).setdefault(python, []).append(times)
    print(f"20 million additions: {additions_cpu_s(args.python[0]):.2f} s")
    print(f"CPU seconds, seconds of each Python; medians of {args.runs}")
    for step, by_python in found.items():
        columns = [zip(*runs, strict=True) for runs in by_python.values()]
        print(f"{step:48}", "  ".join(f"{median(cpu):7.3f} {median(seconds):7.3f}" for cpu, seconds in columns))


def additions_cpu_s(python: str) -> float:
    """Returns CPU seconds of twenty million additions, the current speed of the machine."""
    return run([python, "-c", "s = 0\nfor i in range(20_000_000): s += i"], os.environ)[0]


def measure_help(python: str, env: Mapping[str, str]) -> Times:
    """Measure the smallest command."""
    return {"lastcard --help": run([python, "-m", "lastcard", "--help"], env)}


def measure_move(python: str, env: Mapping[str, str]) -> Times:
    """Measure a process that makes the first move of a match."""
    return {"import and first move, whole process": run([python, "-c", MOVE], env)}


def measure_terminal(python: str, env: Mapping[str, str]) -> Times:
    """Measure up to the first prompt, at which the input ends."""
    return {"lastcard play, to the first prompt": run([python, "-m", "lastcard", "play", "--seed", "1"], env)}


def measure_master(python: str, env: Mapping[str, str]) -> Times:
    """Measure a process that makes one decision."""
    return {"a first decision of master, whole process": run([python, "-c", MASTER], env)}


def run(command: list[str], env: Mapping[str, str]) -> tuple[float, float]:
    """Run a command without input; returns its times."""
    start, before = time.perf_counter(), children_cpu_s()
    subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True, timeout=TIMEOUT_S)
    return children_cpu_s() - before, time.perf_counter() - start


def children_cpu_s() -> float:
    """Returns CPU seconds of ended children."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure_server(python: str, env: Mapping[str, str]) -> Times:
    """Measure until the server is ready, and until a person at a table receives the cards."""
    port = free_port()
    command = [python, "-m", "lastcard", "serve", "--host", "127.0.0.1", "--port", str(port), "--no-open"]
    start, times = time.perf_counter(), {}
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def note(name: str) -> None:
        times[name] = cpu_of(process.pid), time.perf_counter() - start

    try:
        wait_until_ready(port)
        note("lastcard serve, until it is ready")
        address, headers = open_table(port)
        with connect(address, additional_headers=headers, open_timeout=TIMEOUT_S) as line:
            line.send(json.dumps({"type": "hello", "v": 1}))
            receive(line, "welcome")
            line.send(json.dumps({"type": "start", "level": "casual"}))
            receive(line, "dealt")
            note("  until the first cards are on a screen")
    finally:
        process.terminate()
        process.wait(TIMEOUT_S)
    return times


def cpu_of(process: int) -> float:
    """Returns CPU seconds of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def wait_until_ready(port: int) -> None:
    """Poll until the server is ready."""
    until = time.monotonic() + TIMEOUT_S
    while True:
        try:
            return urlopen(f"http://127.0.0.1:{port}/readyz", timeout=TIMEOUT_S).close()
        except OSError:
            assert time.monotonic() < until, "the server does not get ready"
            time.sleep(0.02)


def open_table(port: int) -> tuple[str, dict[str, str]]:
    """Returns the address of a new table of classic for four, and the headers of its person."""
    address = "127.0.0.1", port
    _, cookie = asyncio.run(call(address, "POST", "/api/me", body={"name": "Ada", "language": "en"}))
    settings = {"rules": "classic", "seats": 4, "pace": "untimed"}
    table, _ = asyncio.run(call(address, "POST", "/api/tables", cookie, {"settings": settings}))
    headers = {"origin": f"http://{host(address)}", "cookie": cookie}
    return f"ws://{host(address)}/ws/{table['code']}", headers


def receive(line: ClientConnection, kind: str) -> dict[str, Any]:
    """Returns the next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(line.recv(TIMEOUT_S))
        if message["type"] == kind:
            return message


MEASURES: Final[dict[str, Callable[[str, Mapping[str, str]], Times]]] = {
    "help": measure_help,
    "move": measure_move,
    "terminal": measure_terminal,
    "master": measure_master,
    "server": measure_server,
}


if __name__ == "__main__":
    main()

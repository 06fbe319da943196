"""Benchmarks attacks of one client on a table server while people play. ``make attack`` runs it.

python benchmarks/attack.py [NAME ...] [--seconds S] [--rate R] [--tables N] [--before CHECKOUT] [--list] [--save]

The server runs on one core, its people and the attacker on the other. The attacker gets only idle time of that core
(``SCHED_IDLE``), so people wait only for the server. People play at a steady pace, first without an attack, then during
one attack of ``attackers.py``, then without again. If latency is high without an attack, before or after, the machine
was busy, and the measurement is repeated. With ``--before``, every attack also runs on the server of another checkout,
alternately. Linux only, as ``table_load.py``, which provides server and people.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Final, NamedTuple

import msgspec
import uvloop
from attackers import ATTACKER_ADDRESS, KINDS, AttackKind, Target
from machine import HERE, Results, describe_machine, publish
from table_client import call
from table_load import Server, ServerLoad, cpu_of, prepare_client, run_server
from table_play import LoadTable, sign_in

from lastcard.game import daily_deal
from lastcard.kernel.jit import select_backend

MAX_P99_MS: Final = 50.0
"""Milliseconds: the goal."""
CALM_P99_MS: Final = MAX_P99_MS / 2
"""Milliseconds: above this without an attack, the machine is busy."""
TRIES: Final = 5
"""Maximum number of measurements of an attack until the machine is idle before and after."""
MAX_MEMORY_RATIO: Final = 2.0
"""Ratio to the memory without an attack: the goal."""
MIN_MOVES_SHARE: Final = 0.95
"""Minimum share of the moves that were due, for meaningful latencies."""
MEMORY_POLL_S: Final = 0.05
"""Seconds between two samples of the server's memory."""
SWEEP_S: Final = 3.0
ABANDONED_TABLES: Final = 1000
OLD_MS: Final = 40 * 24 * 3_600_000
SERVER_SCRIPT: Final = f"""
import sys
from lastcard.server.security import security
is_local = security.is_local_network
security.is_local_network = lambda address: address != "{ATTACKER_ADDRESS}" and is_local(address)
from lastcard.server.table import table_registry
table_registry.SWEEP_S = {SWEEP_S}
from lastcard.server.setup.server_options import ServerOptions
if "open_tables" in ServerOptions.__dataclass_fields__:  # an older one has none
    import os
    os.environ["LASTCARD_OPEN_TABLES"] = "on"
if "embed_origin" in ServerOptions.__dataclass_fields__:
    os.environ["LASTCARD_EMBED_ORIGIN"] = "*"
    from lastcard.server import application
    from lastcard.server.security.webauthn import open_relying_party
    application.open_relying_party = lambda url: open_relying_party("http://localhost")
from lastcard.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
"""A server for which the attacker has a public address, and that cleans up every few seconds, not every hour."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of an attack."""

    quiet_p99: float
    """Milliseconds until the whole table has a move, 99th percentile: before or after the attack, the larger one."""
    p99: float
    """The same during it."""
    quiet_median: float
    """Median of these times before the attack."""
    median: float
    """Median during it."""
    worst: float
    """Maximum during it."""
    made: float
    """Share of the moves that were due."""
    memory: float
    """Ratio to the server's memory without the attack."""
    quiet_cpu: float
    """Share of a core that the server used without the attack."""
    cpu: float
    """The same during the attack."""
    effort: float
    """Share of a core that the attacker used."""
    cut: int
    """Number of tables whose connections were closed."""

    @property
    def is_calm(self) -> bool:
        """Whether the machine was idle otherwise."""
        return self.quiet_p99 < CALM_P99_MS

    @property
    def meets_goals(self) -> bool:
        """Whether the goals are met."""
        good = self.p99 < MAX_P99_MS and self.made >= MIN_MOVES_SHARE
        return good and self.memory < MAX_MEMORY_RATIO and not self.cut

    def row(self) -> str:
        """Returns the cells of a table."""
        cut = f", {self.cut} tables cut off" if self.cut else ""
        cells = (
            f"{self.effort:.0%}",
            f"{self.quiet_cpu:.0%} → {self.cpu:.0%}",
            f"{self.quiet_median:,.1f} → {self.median:,.1f}",
            f"{self.quiet_p99:,.1f} → {self.p99:,.1f}" + " (not calm)" * (not self.is_calm),
            f"{self.worst:,.0f}",
            f"{self.made:.0%}{cut}",
            f"{self.memory:.2f}",
        )
        return " | ".join(cells)


# --- measurement --------------------------------------------------------------------------------------


class Paced(NamedTuple):
    """Results of a period of play."""

    times: list[float]
    """Milliseconds of all moves, in order."""
    made: float
    """Share of the moves that were due."""
    cpu: float
    """Share of a core that the server used."""


async def pace(load: ServerLoad, rate: float, seconds: float) -> Paced:
    """Let people play at a steady pace."""
    before, start, spent = load.moves, time.perf_counter(), load.server.cpu
    due, _ = await load.make_moves(rate, seconds)
    cpu = (load.server.cpu - spent) / (time.perf_counter() - start)
    times = sorted(1000 * moment for play in load.tables for moment in play.times)
    return Paced(times, (load.moves - before) / max(1, due), cpu)


def p99(times: Sequence[float]) -> float:
    """Returns the 99th percentile; infinity if there are too few."""
    return quantiles(times, n=100, method="inclusive")[98] if len(times) > 1 else float("inf")


@asynccontextmanager
async def peak_of(server: Server) -> AsyncIterator[list[int]]:
    """Record the server's peak memory during the block, in a list of one number."""
    peak = [server.memory]

    async def poll() -> None:
        while True:
            peak[0] = max(peak[0], server.memory)
            await asyncio.sleep(MEMORY_POLL_S)

    polling = asyncio.create_task(poll())
    try:
        yield peak
    finally:
        polling.cancel()


async def prepare(server: Server, load: ServerLoad, kind: AttackKind, folder: Path) -> Target:
    """Prepare an attack: names, a long match, abandoned tables."""
    cookies = await sign_in(server.address, kind.names)
    first: LoadTable = load.tables[0]
    if kind.moves:
        first.go_on = True
        first.make_move()
        while first.moves < kind.moves and not first.trouble:
            await asyncio.sleep(0.1)
        first.go_on = False
        await asyncio.sleep(0.5)
    if kind.point == "1.7":
        await asyncio.to_thread(abandon_tables, folder / "load.db", first.code)
    if kind.results:
        await asyncio.to_thread(add_daily_results, folder / "load.db", kind.results)
    made, _ = await call(server.address, "GET", f"/api/tables/{first.code}")
    return Target(server.address[1], made["code"], first.match, cookies)


def abandon_tables(database: Path, code: str) -> None:
    """Copy a table and its match in a database, as if after 40 days without a move."""
    old = round(1000 * time.time()) - OLD_MS
    with closing(sqlite3.connect(database, timeout=30)) as connection:
        (match,) = connection.execute('SELECT id FROM "match" WHERE table_code = ?', (code,)).fetchone()
        for number in range(ABANDONED_TABLES):
            new = {
                "code": f"Z{number:07}",
                "table_code": f"Z{number:07}",
                "id": f"old-{number}",
                "match": f"old-{number}",
            }
            new |= {"touched": str(old), "at": str(old)}
            for table, key, name in (("table_state", "code", code), ("match", "id", match), ("move", "match", match)):
                columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
                values = ", ".join(f"'{new[column]}'" if column in new else f'"{column}"' for column in columns)
                into = ", ".join(f'"{column}"' for column in columns)
                connection.execute(
                    f'INSERT INTO "{table}" ({into}) SELECT {values} FROM "{table}" WHERE "{key}" = ?', (name,)
                )
            if number % 20 == 19:
                connection.commit()
                time.sleep(0.01)


def add_daily_results(database: Path, count: int) -> None:
    """Add results of today's deal of classic UNO to a database, without the columns that only other matches have."""
    day, now = daily_deal.today(), round(1000 * time.time())
    ids = [f"daily-{number}" for number in range(count)]
    rows = {
        "daily_deal": [(day, "classic", b"5" * 32)],
        "match": [
            (id, id, "classic", 0, b"", "[]", b"", None, now, now + i, f"[{i % 4}]", None, day)
            for i, id in enumerate(ids)
        ],
        "seat": [(id, daily_deal.PERSON_SEAT, "Ann", id, None) for id in ids],
        "daily_try": [(day, "classic", id, id) for id in ids],
        "daily_result": [(id, i % 4, 10 * (i % 4), 5 + i % 30) for i, id in enumerate(ids)],
    }
    with closing(sqlite3.connect(database, timeout=30)) as connection, connection:
        for table, values in rows.items():
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')][: len(values[0])]
            marks = ", ".join("?" * len(columns))
            connection.executemany(f'INSERT INTO "{table}" ({", ".join(columns)}) VALUES ({marks})', values)


async def measure(name: str, server: Server, folder: Path, args: argparse.Namespace) -> Cost:
    """Measure one attack on one server."""
    kind, load = KINDS[name], ServerLoad(server)
    await load.grow(args.tables)
    target = await prepare(server, load, kind, folder)
    await pace(load, args.rate, 1.0)
    quiet = await pace(load, args.rate, args.seconds / 3)
    memory = server.memory
    attacker = subprocess.Popen(
        [sys.executable, str(HERE / "attackers.py"), name],
        stdin=subprocess.PIPE,
        preexec_fn=lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)),
    )
    try:
        assert attacker.stdin is not None
        attacker.stdin.write(msgspec.json.encode(target))
        attacker.stdin.close()
        async with peak_of(server) as peak:
            start, spent = time.perf_counter(), cpu_of(attacker.pid)
            attacked = await pace(load, args.rate, args.seconds)
            effort = (cpu_of(attacker.pid) - spent) / (time.perf_counter() - start)
    finally:
        attacker.kill()
        attacker.wait()
    await asyncio.sleep(0.5)
    after = await pace(load, args.rate, args.seconds / 3)
    cut = sum(bool(play.trouble) for play in load.tables)
    load.close()
    times = attacked.times
    worst = times[-1] if times else float("inf")
    usual = median(quiet.times or [worst]), median(times or [worst])
    return Cost(
        max(p99(quiet.times), p99(after.times)),
        p99(times),
        *usual,
        worst,
        attacked.made,
        peak[0] / memory,
        quiet.cpu,
        attacked.cpu,
        effort,
        cut,
    )


def run(name: str, source: Path | None, args: argparse.Namespace) -> Cost:
    """Measure one attack on a fresh server, of a checkout or the installed one; repeat until the machine is idle."""
    for _ in range(TRIES):
        with tempfile.TemporaryDirectory() as text:
            folder = Path(text)
            with run_server(folder, args.server_core, ("-c", SERVER_SCRIPT), source) as server:
                cost = uvloop.run(measure(name, server, folder, args))
        if cost.is_calm:
            break
    return cost


# --- all of it ----------------------------------------------------------------------------------------


def make_page(found: dict[str, dict[str, Cost]], about: Results, args: argparse.Namespace) -> str:
    """Returns the results as a table."""
    versions = list(next(iter(found.values())))
    head = "".join(
        f" | attacker{of} | server | median, ms | p99, ms | worst | moves made | memory, times"
        for of in ([f", {version}" for version in versions] if len(versions) > 1 else [""])
    )
    options = " ".join(sys.argv[1:]).replace(str(args.before), "DIR")
    lines = [
        f"# The cost of one attacker, {about['date']}",
        "",
        f'`make attack ARGS="{options}"`, {about["processor"]}, {about["cores"]} cores, Python',
        f"{about['versions']['python']}, commit {about['commit']}.",
        "",
        f"{args.tables} tables, {4 * args.tables} sockets, {args.rate:,g} moves a second for {args.seconds:g} s",
        f"of each attack. The goal: p99 below {MAX_P99_MS:g} ms with {MIN_MOVES_SHARE:.0%} of the due moves made,",
        f"memory below {MAX_MEMORY_RATIO:g} times that of the quiet server. Attacker and server: the share of a core",
        "that each used. Times are from a move until the last client of its table has it. The value before an arrow is",
        f"without the attacker; if p99 was above {CALM_P99_MS:g} ms there, before or after the attack, the measurement",
        f"was repeated, up to {TRIES} times.",
        "",
        f"| | attack{head} |",
        "|---|---|" + "--:|--:|--:|--:|--:|--:|--:|" * len(versions),
    ]
    for name, costs in found.items():
        kind = KINDS[name]
        lines.append(f"| {kind.point} | {kind.about} | " + " | ".join(cost.row() for cost in costs.values()) + " |")
    missed = [name for name, costs in found.items() if not costs[versions[-1]].meets_goals]
    lines += ["", "Goals missed: " + (", ".join(missed) or "none") + "."]
    if len(versions) > 1:
        pairs = [tuple(costs.values()) for costs in found.values()]
        ratios = (median(old.p99 / new.p99 for old, new in pairs), median(old.cpu / new.cpu for old, new in pairs))
        lines.append(
            "Median of before / now: p99 {:.2f}, share of the core that the server used {:.2f}.".format(*ratios)
        )
    return "\n".join([*lines, ""])


def main() -> int:
    """Run the command line; returns 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description="Attack a table server over loopback, and see how people play meanwhile."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="of attacks; default all")
    parser.add_argument("--list", action="store_true", help="name all attacks")
    parser.add_argument("--seconds", type=float, default=4, help="of each attack, at most 60 (default 4)")
    parser.add_argument("--rate", type=float, default=1000, help="moves of people a second (default 1000)")
    parser.add_argument("--tables", type=int, default=60, help="of people (default 60)")
    parser.add_argument("--before", type=Path, help="a checkout whose server is attacked too")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/attack-DATE.md too")
    args = parser.parse_args()
    if unknown := [name for name in args.names if name not in KINDS]:
        parser.error(f"there is no attack {', '.join(unknown)}; there are {', '.join(KINDS)}")
    if args.list:
        print("\n".join(f"{name}: {kind.about} ({kind.point})" for name, kind in KINDS.items()))
        return 0
    args.seconds = min(args.seconds, 60.0)
    select_backend("module")  # also of the servers; a change to native code would distort what moves cost
    args.server_core = prepare_client()
    sources = {"before": args.before / "src"} if args.before else {}
    found: dict[str, dict[str, Cost]] = {}
    for name in args.names or KINDS:
        found[name] = {version: run(name, source, args) for version, source in [*sources.items(), ("now", None)]}
        costs_text = "; ".join(f"{version} {cost.row()}" for version, cost in found[name].items())
        print(f"{name}: {costs_text}", file=sys.stderr, flush=True)
    text = make_page(found, describe_machine(), args)
    publish("attack", text, save=args.save)
    return 0 if all(costs["now"].meets_goals for costs in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())

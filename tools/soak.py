"""Soak test: tables come and go for hours, and the server's memory and open files must not grow.

``python -m tools.soak --hours 1``; ``make soak`` calls it. People sign in, make tables, play at them, come and
go, read records and rules, delete their data, and leave for good. The first quarter of the time fills the caches. Then
the median of the first third of the rest is compared with that of the last third. Connections are reported without a
goal, because their number depends on the people present.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import httpx

from tools.chaos.cluster import Cluster, Worker, memory_of, postgres_cluster, sqlite_cluster
from tools.chaos.history import Event, History, Tab
from tools.chaos.people import PeopleContext, Person, cancel_all, create_table, sign_in
from tools.chaos.scenario import TABLES

ROOT: Final = Path(__file__).parents[1]
TABLE_COUNT: Final = 5
"""Number of tables in use at once; abandoned ones are in memory for a minute."""
SAMPLE_INTERVAL_S: Final = 5.0
"""Seconds between two samples of a worker."""
MAX_GROWTH: Final = 0.05
IMPORT_FROM_COPY: Final = """
import sys
sys.path.insert(0, {folder!r})
"""
"""The server runs from a copy, because after a change of a page it would read all pages again, 8 MB."""
SMALL_REPLAY_CACHE: Final = """
from lastcard.server.http.replays import ByteCache
ByteCache.__init__.__defaults__ = (1 << 20,)
"""
"""The replay cache of 32 MB would take hours to fill; 1 MB is full after the warm-up."""


class DiscardingHistory(History):
    """A history that discards events, so that the client does not grow either."""

    def write(self, event: Event) -> None:
        """Discard the event."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Sample of a worker."""

    at: float
    memory: int
    """Private memory in bytes."""
    files: int
    """Number of open files without connections."""
    connections: int


async def run_tables(context: PeopleContext, number: int) -> None:
    """Run one table after another: people come, play for a while and leave."""
    for turn in range(1 << 30):
        rules, people_count, settings = TABLES[(number + turn) % len(TABLES)]
        endpoint = context.rng.choice(context.endpoints)
        cookies = [await sign_in(endpoint.url, f"{'ABCD'[one]}{number} {turn}") for one in range(people_count)]
        code = await create_table(endpoint.url, cookies[0], {"rules": rules, "pace": "untimed", "grace": 0, **settings})
        context.counts["tables"] += 1
        people = [Person(context, Tab(code, str(one)), cookie, people_count) for one, cookie in enumerate(cookies)]
        doing = [asyncio.create_task(person.play()) for person in people]
        await asyncio.sleep(context.rng.uniform(10, 40))
        await cancel_all(doing)
        await browse(context, endpoint.url, people[0], rules)


async def browse(context: PeopleContext, url: str, person: Person, rules: str) -> None:
    """Do what a person does besides playing; some delete all their data."""
    code, match = person.tab.table, person.seen[0]
    headers = {"origin": url, "cookie": person.cookie}
    # On a busy machine, a reused connection may be one that the server has just closed.
    limits = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=url, headers=headers, limits=limits, timeout=30, verify=False) as client:
        of_match = [f"/api/matches/{match}/{what}" for what in ("record", "replay", "moments")]
        of_table = [f"/t/{code}", f"/qr/{code}.svg", f"/api/tables/{code}", f"/api/tables/{code}/honors"]
        for path in ("/", *of_match, *of_table, "/api/matches", "/api/me/career", f"/api/rules/{rules}"):
            context.counts[f"HTTP {(await client.get(path)).status_code}"] += 1
        if context.rng.random() < 0.3:
            context.counts[f"HTTP {(await client.delete('/api/me')).status_code}"] += 1


async def sample_worker(worker: Worker, samples: list[Sample], start: float) -> None:
    """Sample a worker every few seconds."""
    while True:
        await asyncio.sleep(SAMPLE_INTERVAL_S)
        samples.append(Sample(time.monotonic() - start, memory_of(worker.pid), *files_of(worker.pid)))


def files_of(process: int) -> tuple[int, int]:
    """Returns the numbers of open files and sockets of a process."""
    found = [0, 0]
    for each in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            found[str(each.readlink()).startswith("socket:")] += 1
    return found[0], found[1]


async def soak(cluster: Cluster, rng: random.Random, seconds: float) -> tuple[PeopleContext, dict[str, list[Sample]]]:
    """Run tables for some time; returns the people's context, and the samples of each worker."""
    context = PeopleContext([*cluster.workers], DiscardingHistory(), rng, max_pause_s=0.4)
    samples: dict[str, list[Sample]] = {worker.name: [] for worker in cluster.workers}
    start = time.monotonic()
    doing = [asyncio.create_task(run_tables(context, number)) for number in range(TABLE_COUNT)]
    doing += [asyncio.create_task(sample_worker(worker, samples[worker.name], start)) for worker in cluster.workers]
    try:
        done, _ = await asyncio.wait(doing, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()
    finally:
        for task in doing:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*doing, return_exceptions=True)
    return context, samples


def growth(values: Sequence[float]) -> tuple[float, float, float]:
    """Returns the medians of the first and of the last third, and the relative growth."""
    third = len(values) // 3
    first, last = statistics.median(values[:third]), statistics.median(values[-third:])
    return first, last, last / first - 1


def report_of(context: PeopleContext, samples: dict[str, list[Sample]], seconds: float, kind: str) -> tuple[str, bool]:
    """Returns the report, and whether nothing has grown."""
    done = context.counts
    lines = [
        f"## {kind}, {seconds / 60:.0f} minutes",
        "",
        f"{done['tables']:,} tables, {done['connections']:,} connections, {done['sent']:,} moves sent; "
        + ", ".join(f"{name} {times:,}" for name, times in sorted(done.items()) if name.startswith("HTTP"))
        + ".",
        "",
        "| worker | | after the warm-up | at the end | growth |",
        "|---|---|--:|--:|--:|",
    ]
    flat = True
    for name, taken in samples.items():
        warm_samples = [sample for sample in taken if sample.at > seconds / 4]
        for what, values in (
            ("memory, MB", [sample.memory / 1e6 for sample in warm_samples]),
            ("open files", [float(sample.files) for sample in warm_samples]),
        ):
            first, last, more = growth(values)
            flat = flat and more <= MAX_GROWTH
            lines.append(f"| {name} | {what} | {first:,.1f} | {last:,.1f} | {more:+.1%} |")
        there = growth([float(sample.connections) for sample in warm_samples])
        lines.append(f"| {name} | connections | {there[0]:,.1f} | {there[1]:,.1f} | |")
    lines.append("")
    for name, taken in samples.items():
        eighths = [taken[len(taken) * part // 8 : len(taken) * (part + 1) // 8] for part in range(8)]
        medians = ", ".join(f"{statistics.median(sample.memory for sample in part) / 1e6:,.0f}" for part in eighths)
        lines.append(f"Memory of {name} from eighth to eighth of the time: {medians} MB.")
    return "\n".join([*lines, ""]), flat


async def run(kind: str, seed: int, seconds: float) -> tuple[str, bool]:
    """Run a soak test over one kind of database; returns the report, and whether nothing has grown."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="lastcard-soak-") as folder:
        copy = Path(folder, "src")
        shutil.copytree(ROOT / "src", copy)
        preamble = IMPORT_FROM_COPY.format(folder=str(copy)) + SMALL_REPLAY_CACHE
        make = sqlite_cluster if kind == "sqlite" else postgres_cluster
        async with make(Path(folder), rng, preamble=preamble) as cluster:
            if cluster is None:
                return "There are no programs for it.\n", False
            context, samples = await soak(cluster, rng, seconds)
            faults = [fault for worker in cluster.workers for fault in worker.faults]
    name = "SQLite" if kind == "sqlite" else "PostgreSQL and Redis"
    text, flat = report_of(context, samples, seconds, name)
    return "\n".join([text, *faults]), flat and not faults


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns 1 if something has grown or failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=1.0, help="how long (default 1)")
    parser.add_argument("--seed", type=int, help="to repeat one (default: a new one)")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite", help="(default sqlite)")
    parser.add_argument("--save", action="store_true", help="keep what came of it in benchmarks/results")
    args = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(1 << 30) if args.seed is None else args.seed
    print(f"soak with seed {seed}", flush=True)
    text, flat = asyncio.run(run(args.database, seed, 3600 * args.hours))
    print(text)
    if args.save:
        today = datetime.now(UTC).date().isoformat()
        page = ROOT / "benchmarks" / "results" / f"soak-{today}.md"
        head = "" if page.exists() else f"# Soak, {today}\n\n"
        with page.open("a", encoding="utf-8") as results:
            results.write(f"{head}`make soak HOURS={args.hours:.3g}`, seed {seed}.\n\n{text}\n")
    return 0 if flat else 1


if __name__ == "__main__":
    sys.exit(main())

"""Chaos test: people play on one worker over SQLite and on three over PostgreSQL and Redis, while faults occur.

``python -m tools.chaos --minutes 60``; ``make chaos`` calls it. It runs episodes of some minutes, each with
fresh databases and a seed of its own. The seed decides people, games and faults, but not the exact times of responses.
Every episode ends without faults, and then all messages to people are checked against the log.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from tools.chaos.cluster import postgres_cluster, sqlite_cluster
from tools.chaos.scenario import Outcome, Scenario, run_scenario

ROOT: Final = Path(__file__).parents[2]
EPISODE_S: Final = 240.0
"""Seconds of faults."""
WORKERS: Final = 3
NAMES: Final = {"postgres": f"PostgreSQL and Redis, {WORKERS} workers", "sqlite": "SQLite, one worker"}


def draw_duration(rng: random.Random) -> float:
    """Returns the duration of a fault in seconds: mostly short, sometimes longer than clients wait."""
    return rng.uniform(*rng.choice([(0.05, 1), (0.05, 1), (1, 4), (4, 9)]))


def scenario_of(seconds: float) -> Scenario:
    """Returns an episode with a number of seconds of faults."""
    return Scenario(
        max_pause_s=0.3,
        draw_duration=draw_duration,
        draw_pause=lambda dice: dice.uniform(0, 2),
        duration_s=seconds,
        parallel_faults=2,
        report_progress=lambda line: print(f"  {line}", flush=True),
    )


async def play_episode(kind: str, seed: int, seconds: float) -> Outcome | None:
    """Run one episode; returns None if its programs are not installed."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="lastcard-chaos-") as folder:
        place = Path(folder)
        clusters = sqlite_cluster(place, rng) if kind == "sqlite" else postgres_cluster(place, rng, WORKERS)
        async with clusters as cluster:
            return None if cluster is None else await run_scenario(cluster, rng, scenario_of(seconds))


class Episode(NamedTuple):
    """One episode and its result."""

    seed: int
    seconds: float
    outcome: Outcome


def report_of(kind: str, episodes: Sequence[Episode]) -> str:
    """Returns the report of all episodes of a kind."""
    outcomes = [episode.outcome for episode in episodes]
    errors = [f"seed {episode.seed}: {wrong}" for episode in episodes for wrong in episode.outcome.errors]
    counts = sum((outcome.counts for outcome in outcomes), Counter[str]())
    faults = sum((outcome.faults for outcome in outcomes), Counter[str]())
    rows = {
        "seconds of faults": sum(episode.seconds for episode in episodes),
        "faults": faults.total(),
        "starts of workers after the first": sum(outcome.starts for outcome in outcomes),
        "connections of people": counts["connections"],
        "moves sent, those sent again counted again": counts["sent"],
        "acknowledgments": counts["acknowledged"],
        "moves in the logs, bots and deals included": sum(outcome.moves for outcome in outcomes),
        "matches": sum(outcome.matches for outcome in outcomes),
        "tables acknowledged that nobody came to": counts["tables made"],
        "things said and shown that were checked": sum(outcome.events for outcome in outcomes),
        "wrong": len(errors),
    }
    seeds = ", ".join(str(episode.seed) for episode in episodes)
    lines = [f"## {NAMES[kind]}", "", f"Seeds {seeds}.", "", "| | |", "|---|--:|"]
    lines += [f"| {name} | {value:,.0f} |" for name, value in rows.items()]
    lines += ["", "Faults: " + ", ".join(f"{name} {times}" for name, times in sorted(faults.items())) + "."]
    lines += ["", *(f"- {wrong}" for wrong in errors)] if errors else []
    return "\n".join(lines) + "\n"


async def play_all(kinds: Sequence[str], seconds: float, first: int) -> dict[str, list[Episode]]:
    """Run episodes of all kinds in turn until the time is over, or there is an error."""
    totals: dict[str, list[Episode]] = {kind: [] for kind in kinds}
    start, seed = time.monotonic(), first
    while (left := seconds - (time.monotonic() - start)) > 0:
        for kind in kinds:
            lasting = min(EPISODE_S, left / len(kinds))
            print(f"seed {seed}, {NAMES[kind]}, {lasting:.0f} s of faults", flush=True)
            outcome = await play_episode(kind, seed, lasting)
            if outcome is None:
                print("  there are no programs for it", flush=True)
            else:
                totals[kind].append(Episode(seed, lasting, outcome))
                summary = f"  {outcome.faults.total()} faults, {outcome.moves:,} moves, {len(outcome.errors)} wrong"
                print(summary, flush=True)
                if outcome.errors:
                    return totals
            seed += 1
    return totals


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns 1 if there is an error."""
    parser = argparse.ArgumentParser(prog="python -m tools.chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="in all (default 60)")
    parser.add_argument("--seed", type=int, help="of the first episode (default: a new one)")
    parser.add_argument("--database", choices=tuple(NAMES), help="one kind alone (default: both by turns)")
    parser.add_argument("--save", action="store_true", help="keep what came of it in benchmarks/results")
    args = parser.parse_args(arguments)
    first = random.SystemRandom().randrange(1 << 30) if args.seed is None else args.seed
    kinds = tuple(NAMES) if args.database is None else (args.database,)
    start = time.monotonic()
    totals = asyncio.run(play_all(kinds, 60 * args.minutes, first))
    today = datetime.now(UTC).date().isoformat()
    pages = [report_of(kind, episodes) for kind, episodes in totals.items() if episodes]
    seconds = time.monotonic() - start
    head = f"# Chaos, {today}\n\n`make chaos MINUTES={args.minutes:g}`, {seconds:,.0f} s from start to end.\n"
    text = "\n".join([head, *pages])
    print(text)
    if args.save:
        (ROOT / "benchmarks" / "results" / f"chaos-{today}.md").write_text(text, encoding="utf-8")
    return 1 if any(episode.outcome.errors for episodes in totals.values() for episode in episodes) else 0


if __name__ == "__main__":
    sys.exit(main())

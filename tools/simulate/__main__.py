"""Simulates whole tables in virtual time: people, bots, workers, a database and a bus, with faults, from a seed.

``python -m tools.simulate --minutes 60``; ``make simulate`` calls it. Session, log, presence and socket protocol are
the server's code; sockets, disk and time are simulated. Each world has a seed of its own, which repeats it exactly. The
first failure is shrunk to a short script. A month of daily deals (``daily_month``) and one of tables by the day
(``day_month``) come before the worlds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from tools.simulate.daily_month import Month
from tools.simulate.day_month import DayMonth
from tools.simulate.runs import report_of, run_in_processes, run_scenario, run_worlds, summary
from tools.simulate.scenario import Scenario, draw_scenario
from tools.simulate.shrink import read_script, script_lines, shrink
from tools.simulate.world import Outcome

ROOT: Final = Path(__file__).parents[2]
CLOSING_DAYS: Final = 10
"""Days of tables by the day beyond those of daily deals, in which a match without moves is closed."""
SHRINK_S: Final = 120.0
"""CPU seconds for shrinking a failure."""


def explain(scenario: Scenario, outcome: Outcome) -> str:
    """Return a failure with the script of the few steps that lead to it."""
    assert outcome.failure is not None
    fewer, failure = shrink(scenario, outcome.failure, SHRINK_S)
    again = f"again: python -m tools.simulate --seed {scenario.seed} --worlds 1"
    return "\n".join([f"seed {scenario.seed}: {outcome.failure}", again, *script_lines(fewer), f"# {failure}"])


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns 1 after a failure."""
    parser = argparse.ArgumentParser(prog="python -m tools.simulate", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="in all (default 60)")
    parser.add_argument("--seed", type=int, help="of the first world (default: a new one)")
    parser.add_argument("--worlds", type=int, help="maximum number of worlds, in one process")
    parser.add_argument("--processes", type=int, default=multiprocessing.cpu_count(), help="default: all cores")
    parser.add_argument(
        "--days",
        type=int,
        default=30,
        help="of daily deals and of tables by the day, before the first world (default 30)",
    )
    parser.add_argument("--script", type=Path, help="run the steps of a file instead of those of the seed's world")
    parser.add_argument("--report", action="store_true", help="write a page to benchmarks/results")
    args = parser.parse_args(arguments)
    first = random.SystemRandom().randrange(1 << 40) if args.seed is None else args.seed
    print(f"simulation from seed {first}", flush=True)
    print(Month(first, args.days).run(), flush=True)
    print(DayMonth(first, args.days + CLOSING_DAYS).run(), flush=True)
    if args.script is not None:
        steps = read_script(args.script.read_text(encoding="utf-8").splitlines())
        runs = [run_scenario(draw_scenario(first)._replace(steps=steps))]
    elif args.worlds is not None or args.processes == 1:
        runs = run_worlds(first, 60 * args.minutes, args.worlds)
    else:
        runs = run_in_processes(first, args.minutes, args.processes)
    print(summary(runs), report_of(runs), sep="\n\n", flush=True)
    if args.report:
        page = ROOT / "benchmarks" / "results" / f"simulate-{datetime.now(UTC):%Y-%m-%d}.md"
        page.write_text(f"# Simulated tables\n\n{report_of(runs)}", encoding="utf-8")
    failed = next((run for run in runs if run.outcome.failure is not None), None)
    if failed is None:
        return 0
    failure = failed.outcome.failure
    print(f"seed {failed.seed}: {failure}" if args.script else explain(draw_scenario(failed.seed), failed.outcome))
    return 1


if __name__ == "__main__":
    sys.exit(main())

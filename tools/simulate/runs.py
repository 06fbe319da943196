"""Runs of many worlds, in one process or several, and their report."""

from __future__ import annotations

import gc
import multiprocessing
import sys
import time
from typing import NamedTuple

from tools.simulate.scenario import Scenario, draw_scenario
from tools.simulate.world import COUNTED_MOVES, Outcome, World


class Run(NamedTuple):
    """One world and its result."""

    seed: int
    outcome: Outcome
    cpu_s: float


def run_seed(seed: int) -> Run:
    """Run the world of a seed."""
    return run_scenario(draw_scenario(seed))


def run_scenario(scenario: Scenario) -> Run:
    """Run a world. The garbage collector frees it afterwards, and looks at nothing else."""
    start = time.process_time()
    gc.disable()
    gc.freeze()
    try:
        outcome = World(scenario).run()
    finally:
        gc.collect()
        gc.unfreeze()
        gc.enable()
    return Run(scenario.seed, outcome, time.process_time() - start)


def run_worlds(first: int, cpu_s: float, worlds: int | None = None) -> list[Run]:
    """Run worlds in this process from a seed on, for some CPU seconds or until a failure."""
    runs: list[Run] = []
    while not runs or (sum(run.cpu_s for run in runs) < cpu_s and (worlds is None or len(runs) < worlds)):
        runs.append(run_seed(first + len(runs)))
        if runs[-1].outcome.failure is not None:
            break
    return runs


def run_in_processes(first: int, minutes: float, processes: int) -> list[Run]:
    """Run worlds in several processes, for some minutes or until a failure."""
    end, runs = time.monotonic() + 60 * minutes, list[Run]()
    seeds = iter(range(first, sys.maxsize))
    with multiprocessing.get_context("spawn").Pool(processes, maxtasksperchild=None) as pool:
        waiting = [pool.apply_async(run_seed, (next(seeds),)) for _ in range(2 * processes)]
        while waiting:
            runs.append(waiting.pop(0).get())
            if runs[-1].outcome.failure is not None:
                pool.terminate()
                break
            if time.monotonic() < end:
                waiting.append(pool.apply_async(run_seed, (next(seeds),)))
            if len(runs) % 100 == 0:
                print(summary(runs), flush=True)
    return runs


def summary(runs: list[Run]) -> str:
    """Return a line about all worlds."""
    total, cpu_s = _total(runs)
    return (
        f"{len(runs):,} worlds, {total.table_hours:,.0f} table-hours, {total.counts['commands']:,} commands, "
        f"{total.faults.total():,} faults; {total.counts['commands'] / cpu_s:,.0f} commands a CPU second, "
        f"{60 * total.table_hours / cpu_s:,.0f} table-hours a CPU minute"
    )


def _total(runs: list[Run]) -> tuple[Outcome, float]:
    total = Outcome()
    for run in runs:
        total.add(run.outcome)
    return total, sum(run.cpu_s for run in runs)


def report_of(runs: list[Run]) -> str:
    """Return the report of all worlds in Markdown."""
    total, cpu_s = _total(runs)
    counts, refused = total.counts, {name: n for name, n in total.counts.items() if name.startswith("refused: ")}
    rows = {
        "worlds": counts["worlds"],
        f"table-hours with {COUNTED_MOVES} moves or more": total.table_hours,
        "table-hours in all": counts["virtual seconds"] / 3600,
        "CPU seconds": cpu_s,
        "table-hours a CPU minute": 60 * total.table_hours / cpu_s,
        "commands carried out, all checks after each": counts["commands"],
        "commands a CPU second": counts["commands"] / cpu_s,
        "moves in the logs, bots included": counts["moves"],
        "acknowledgments": counts["acknowledgments"],
        "refusals": sum(refused.values()),
        "connections": counts["connections"],
        "faults": total.faults.total(),
        "failures": sum(run.outcome.failure is not None for run in runs),
    }
    lines = [f"Seeds {runs[0].seed} to {max(run.seed for run in runs)}.", "", "| | |", "|---|--:|"]
    lines += [f"| {name} | {value:,.0f} |" for name, value in rows.items()]
    losses = {name: n for name, n in counts.items() if name.startswith(("announcements", "answers", "calls"))}
    faults = sorted({**total.faults, **losses}.items())
    return "\n".join([*lines, "", "| fault | times |", "|---|--:|", *(f"| {name} | {n:,} |" for name, n in faults), ""])

"""Shrinks a failing scenario to the few steps that matter, and reads and writes them as a script."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from tools.simulate.scenario import Scenario, Step
from tools.simulate.world import Failure, World


def shrink(scenario: Scenario, failure: Failure, seconds: float) -> tuple[Scenario, Failure]:
    """Return a scenario with as few steps as possible that fails in the same way, found in some CPU seconds.

    Pieces are left out, first large ones, then smaller ones down to single steps (delta debugging, Zeller 1999).
    """
    end = time.process_time() + seconds
    steps = [step for step in scenario.steps if step.at <= failure.at]
    size = len(steps)
    while size >= 1:
        at = 0
        while at < len(steps) and time.process_time() < end:
            fewer = [*steps[:at], *steps[at + size :]]
            found = World(scenario._replace(steps=fewer)).run().failure
            if found is not None and found.kind == failure.kind:
                steps, failure = [step for step in fewer if step.at <= found.at], found
            else:
                at += size
        size //= 2
    return scenario._replace(steps=steps), failure


def script_lines(scenario: Scenario) -> Iterator[str]:
    """Yield a scenario as a script: a comment about its world, then its steps."""
    database = "SQLite" if scenario.uses_sqlite else "memory"
    yield f"# seed {scenario.seed}, {scenario.workers} workers, database: {database}"
    for table in scenario.tables:
        yield f"# {table.people} people, {table.watchers} watch, {table.screens} screens: {table.settings}"
    yield from map(str, scenario.steps)


def read_script(lines: Sequence[str]) -> list[Step]:
    """Return the steps of a script; lines with ``#`` are comments.

    Raises:
        ValueError: if a line cannot be read.
    """
    steps = []
    for line in lines:
        if line.strip() and not line.startswith("#"):
            at, what, who, dice = line.split("\t")
            steps.append(Step(float(at), what, int(who), float(dice)))
    return steps

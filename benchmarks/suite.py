"""Benchmarks make targets: CPU and wall time, alternating with another checkout.

    python benchmarks/suite.py [--targets test] [--before DIR] [--pairs 2] [--busy 0] [--save]

CPU time is that of all processes that a target starts, on Linux with the pages of its browsers. Both checkouts must be
set up. ``--busy 2`` runs two other busy processes, so that a machine with two cores is half as fast.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from machine import HERE, describe_machine, publish

BUSY_SCRIPT: Final = "while True: pass"
PR_SET_CHILD_SUBREAPER: Final = 36
"""Of Linux's ``prctl``."""
ORPHANS_END_S: Final = 2.0
"""Time in which orphans of a target end, in seconds."""


class Run(NamedTuple):
    """One run of a target: seconds, and whether it passed."""

    cpu_s: float
    wall_s: float
    passed: bool


def children_cpu_s() -> float:
    """The CPU seconds of all child processes that have ended, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def adopt_orphans() -> None:
    """Become the parent of processes whose parent ends: no other process counts the pages of a killed browser."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def run(checkout: Path, target: str) -> Run:
    """Run a target in a checkout; its output goes to standard error."""
    began, before_s = time.monotonic(), children_cpu_s()
    passed = subprocess.run(["make", "--no-print-directory", target], cwd=checkout, stdout=sys.stderr).returncode == 0
    wall_s = time.monotonic() - began
    time.sleep(ORPHANS_END_S)
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return Run(children_cpu_s() - before_s, wall_s, passed)


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Run a number of busy processes."""
    processes = [subprocess.Popen([sys.executable, "-c", BUSY_SCRIPT]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def measure_target(target: str, before: Path | None, pairs: int) -> Iterator[str]:
    """Yields the rows of a table: each run of a target, then the medians and their ratios."""
    sides = {"before": before, "now": HERE.parent} if before else {"now": HERE.parent}
    runs: dict[str, list[Run]] = {side: [] for side in sides}
    for _ in range(pairs):
        for side, checkout in sides.items():
            done = run(checkout, target)
            runs[side].append(done)
            passed = "yes" if done.passed else "no"
            yield f"| `make {target}` | {side} | {done.cpu_s:.0f} | {done.wall_s:.0f} | {passed} |"
    middle = {side: [median(figures) for figures in list(zip(*done, strict=True))[:2]] for side, done in runs.items()}
    if before:
        cpu, wall = (new / old for old, new in zip(middle["before"], middle["now"], strict=True))
        yield f"| `make {target}` | now beside before | {cpu:.2f} | {wall:.2f} | |"


def main() -> None:
    """Measure and print; with --save, write a page into results/."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, metavar="DIR", help="another checkout, which is set up")
    parser.add_argument("--targets", default="test", help="make targets with commas (default %(default)s)")
    parser.add_argument("--pairs", type=int, default=2, help="runs of each checkout (default %(default)s)")
    parser.add_argument("--busy", type=int, default=0, help="other processes at work meanwhile (default %(default)s)")
    parser.add_argument("--save", action="store_true", help="write a page into results/")
    asked = parser.parse_args()
    if asked.before is not None and not (asked.before / "Makefile").is_file():
        parser.error("--before names another checkout, a folder that has a Makefile")
    adopt_orphans()
    about = describe_machine()
    command = f"python benchmarks/suite.py --targets {asked.targets} --pairs {asked.pairs} --busy {asked.busy}"
    command += " --before DIR" * bool(asked.before)
    text = f"""# How long the checks take, {about["date"]}

{about["processor"]}, {about["cores"]} cores, commit {about["commit"]}: `{command}`.

| target | checkout | CPU, s | wall, s | passed |
|---|---|--:|--:|---|
"""
    with busy(asked.busy):
        for target in asked.targets.split(","):
            for row in measure_target(target, asked.before and asked.before.resolve(), asked.pairs):
                print(row, file=sys.stderr)
                text += row + "\n"
    publish("suite", text, save=asked.save)


if __name__ == "__main__":
    main()

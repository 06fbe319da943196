"""Benchmarks whole rounds against another checkout: processes of both alternate, and ratios are taken by pair.

python benchmarks/checkouts.py --before DIR [--backend module,native] [--pairs N] [--save]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, Final

from engine import GAMES, Bench
from machine import HERE, describe_machine, publish

from lastcard.kernel import jit
from lastcard.rules import random_policy

BACKENDS: Final = ("module", "native")
SEATS: Final = (2, 4)
ROUNDS: Final = 3_000
REPEATS: Final = 12

Rates = dict[str, float]


def measure(backend: str) -> Rates:
    """Returns million plies a second of each game, in the fastest of ``REPEATS`` runs; native code also specialized."""
    jit.select_backend(backend)
    benches = {(game, seats): Bench(game, seats) for game in GAMES for seats in SEATS}
    next(iter(benches.values())).play(1)  # compiles
    special = {case: bench.specialize() for case, bench in benches.items()}
    rates: Rates = {}
    for _ in range(REPEATS):
        for (game, seats), bench in benches.items():
            play_functions: dict[str, Callable[..., Any]] = {"": random_policy.play_rounds}
            specialized = special[game, seats]
            if specialized is not None:
                play_functions[", all rulesets"] = specialized.general
            for suffix, play in play_functions.items():
                start = time.perf_counter()
                bench.play(ROUNDS, play)
                rate = bench.tally[random_policy.TALLY_PLIES] / (time.perf_counter() - start) / 1e6
                name = f"{game}, {seats} seats{suffix}"
                rates[name] = max(rates.get(name, 0.0), rate)
    return rates


def run(checkout: Path, backend: str) -> Rates:
    """Run ``measure`` in a process that imports the library of a checkout."""
    command = [sys.executable, __file__, "--measure", backend]
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    rates: Rates = json.loads(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    return rates


def compare(before: Path, backend: str, pairs: int) -> list[str]:
    """Returns the rows of a table: both rates and their ratio."""
    runs = [(run(before, backend), run(HERE.parent, backend)) for _ in range(pairs)]
    rows = []
    for name in runs[0][0]:
        old, new = ([rates[name] for rates in side] for side in zip(*runs, strict=True))
        ratios = [b / a for a, b in zip(old, new, strict=True)]
        best = max(new) / max(old)
        rows.append(f"| {backend} | {name} | {max(old):.1f} | {max(new):.1f} | {best:.3f} | {median(ratios):.3f} |")
    return rows


def main() -> None:
    """Measure and print; with --save, write a page into results/."""
    parser = argparse.ArgumentParser(description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--before", type=Path, help="another checkout")
    what.add_argument("--measure", choices=BACKENDS, help="print the figures of the library that is imported, as JSON")
    parser.add_argument("--backend", default=",".join(BACKENDS), help="module, native or both (default %(default)s)")
    parser.add_argument("--pairs", type=int, default=6, help="runs of each checkout (default %(default)s)")
    parser.add_argument("--save", action="store_true", help="write a page into results/")
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measure(asked.measure)))
        return
    about = describe_machine()
    command = ["git", "rev-parse", "--short", "HEAD"]
    before = subprocess.run(command, cwd=asked.before, capture_output=True, text=True, check=True).stdout.strip()
    text = f"""# Whole rounds beside {before}, {about["date"]}

`python benchmarks/checkouts.py --before DIR --pairs {asked.pairs}`, with {before} in DIR. Commit {about["commit"]},
{about["processor"]}, {about["cores"]} cores. Millions of plies a second by *play-if-you-can*, default options with
automatic calls, one core, the fastest of {asked.pairs} times {REPEATS} runs of {ROUNDS:,} rounds; the checkouts take
turns. The module is what the default install runs; native code is measured for the ruleset and for all rulesets.

| backend | game | before | now | fastest beside fastest | median of the pairs |
|---|---|--:|--:|--:|--:|
"""
    for backend in asked.backend.split(","):
        text += "".join(row + "\n" for row in compare(asked.before.resolve(), backend, asked.pairs))
    publish("checkouts", text, save=asked.save)


if __name__ == "__main__":
    main()

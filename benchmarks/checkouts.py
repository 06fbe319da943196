"""Benchmarks whole rounds against another checkout: processes of both alternate, and ratios are taken by pair.

python benchmarks/checkouts.py --before DIR [--backend module,native] [--pairs N] [--save]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from statistics import median
from typing import Any, Final

from comparison import Figures, commit_of, read_options, run_pairs
from engine import GAMES, Bench
from machine import describe_machine, publish

from lastcard.rules import random_policy

SEATS: Final = (2, 4)
ROUNDS: Final = 3_000
REPEATS: Final = 12


def measure() -> Figures:
    """Returns million plies a second of each game, in the fastest of ``REPEATS`` runs; native code also specialized."""
    benches = {(game, seats): Bench(game, seats) for game in GAMES for seats in SEATS}
    next(iter(benches.values())).play(1)  # compiles
    special = {case: bench.specialize() for case, bench in benches.items()}
    rates: Figures = {}
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


def compare(asked: argparse.Namespace, backend: str) -> list[str]:
    """Returns the rows of a table: both rates and their ratio."""
    runs = run_pairs(asked, "rounds", backend)
    rows = []
    for name in runs[0][0]:
        old, new = ([rates[name] for rates in side] for side in zip(*runs, strict=True))
        ratios = [b / a for a, b in zip(old, new, strict=True)]
        best = max(new) / max(old)
        rows.append(f"| {backend} | {name} | {max(old):.1f} | {max(new):.1f} | {best:.3f} | {median(ratios):.3f} |")
    return rows


def main() -> None:
    """Measure and print; with --save, write a page into results/."""
    asked = read_options(__doc__, "rounds", pairs=6)
    if asked.measure:
        print(json.dumps(measure()))
        return
    about = describe_machine()
    before = commit_of(asked.before)
    text = f"""# Whole rounds beside {before}, {about["date"]}

`python benchmarks/checkouts.py --before DIR --pairs {asked.pairs}`, with {before} in DIR. Commit {about["commit"]},
{about["processor"]}, {about["cores"]} cores. Millions of plies a second by *play-if-you-can*, default options with
automatic calls, one core, the fastest of {asked.pairs} times {REPEATS} runs of {ROUNDS:,} rounds; the checkouts take
turns. The module is what the default install runs; native code is measured for the ruleset and for all rulesets.

| backend | game | before | now | fastest beside fastest | median of the pairs |
|---|---|--:|--:|--:|--:|
"""
    for backend in asked.backend.split(","):
        text += "".join(row + "\n" for row in compare(asked, backend))
    publish("checkouts", text, save=asked.save)


if __name__ == "__main__":
    main()

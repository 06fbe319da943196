"""Benchmarks steps of many tables with one thread and with several, alternating, in wall time.

python benchmarks/threads.py [--threads 2] [--repeats 60]
"""

from __future__ import annotations

import argparse
import time
from typing import Final

from machine import command_line, describe_machine

from lastcard import envs
from lastcard.kernel import jit

GAMES: Final = ("all-wild", "classic", "wild-jackpot")
WORKLOADS: Final = (
    (None, 65536, (64, 256, 1024, 2048, 4096, 16384)),
    ("sharp", 8192, (64, 256, 1024)),
    ("trained", 256, (16, 64)),
)
"""Bot at the three other seats (None: they are learners too), steps in a run, and numbers of tables."""


def compare(rules: str, bot: str | None, steps: int, count: int, asked: argparse.Namespace) -> tuple[float, float]:
    """Returns minimum nanoseconds for one table's step with random action and observation: one thread, several."""
    seats = (None, bot, bot, bot)
    batches = [envs.batch(rules, 4, count, seats=seats, dtype="uint8", seed=1, threads=n) for n in (1, asked.threads)]
    for tables in batches:
        tables.reset()
    steps, least = max(steps // count, 4), [float("inf")] * 2
    for _ in range(asked.repeats):
        for i, tables in enumerate(batches):
            began = time.perf_counter()
            for _ in range(steps):
                tables.step(tables.sample())
            least[i] = min(least[i], (time.perf_counter() - began) / steps / count * 1e9)
    return least[0], least[1]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=60)
    asked = parser.parse_args()
    jit.select_backend("native")
    about = describe_machine()
    print(
        f"`{command_line()}`, {about['processor']}, {about['cores']} cores,"
        f" Python {about['versions']['python']}, Numba {about['versions']['numba']}, commit {about['commit']}.\n\n"
        f"| | other seats | tables | one thread, ns | {asked.threads} threads, ns | times as fast |\n"
        "|---|---|--:|--:|--:|--:|"
    )
    for bot, steps, counts in WORKLOADS:
        for rules in GAMES:
            for count in counts:
                one, several = compare(rules, bot, steps, count, asked)
                figures = f"{one:,.0f} | {several:,.0f} | {one / several:.2f}"
                print(f"| {rules} | {f'*{bot}*' if bot else 'asked'} | {count:,} | {figures} |", flush=True)


if __name__ == "__main__":
    main()

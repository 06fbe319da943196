"""Benchmarks tables on a GPU: steps a second of self-play, with actions, observations and masks on the GPU.

    pip install 'lastcard[gpu]'
    python benchmarks/gpu.py [--tables 1024,8192,65536,262144] [--players 2] [--seconds 2] [--rounds 5] [--save]

A step is one random legal action at one table, with the observation and the mask for the next. The first launch
compiles for minutes and is not counted; figures are medians of rounds. Without a GPU nothing is measured.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from statistics import median
from typing import Any, Final

from machine import describe_machine, publish

from lastcard.envs.batch import EnvConfig
from lastcard.errors import UsageError

GAMES: Final = ("all-wild", "classic", "wild-jackpot")
DTYPE: Final = "uint8"
WARM_UP_STEPS: Final = 200
"""Number of steps before the measurement, after which tables are at all stages of rounds."""


def measure(rules: str, players: int, count: int, rounds: int, seconds: float) -> dict[str, Any]:
    """Measure one game at a number of tables."""
    from lastcard.envs.gpu import GpuBatch

    start = time.perf_counter()
    batch = GpuBatch(EnvConfig(rules, players), count, dtype=DTYPE, seed=1)
    ready = time.perf_counter()
    batch.reset()
    batch.step(batch.sample())  # waits for the GPU, like every step
    first = time.perf_counter()
    for _ in range(WARM_UP_STEPS):
        batch.step(batch.sample())
    speeds = []
    for _ in range(rounds):
        steps, began = 0, time.perf_counter()
        while (passed := time.perf_counter() - began) < seconds:
            batch.step(batch.sample())
            steps += count
        speeds.append(steps / passed)
    return {
        "rules": rules, "players": players, "tables": count, "steps_per_second": median(speeds),
        "slowest": min(speeds), "fastest": max(speeds), "set_up_s": ready - start, "first_step_s": first - ready,
    }  # fmt: skip


def make_page(machine: dict[str, Any], device: str, players: int, results: list[dict[str, Any]]) -> str:
    """Returns the results as a page."""
    lines = [
        "# Tables on a GPU",
        "",
        f"`python benchmarks/gpu.py --players {players} --save`, commit {machine['commit']}, {device}; Python "
        f"{machine['versions']['python']}, Numba {machine['versions']['numba']}, numba-cuda {machine['numba-cuda']}; "
        f"rows {DTYPE}.",
        "",
        "| game | players | tables | M steps/s | slowest – fastest | set up, s | first step, s |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for r in results:
        lines.append(
            f"| {r['rules']} | {r['players']} | {r['tables']:,} | {r['steps_per_second'] / 1e6:.1f}"
            f" | {r['slowest'] / 1e6:.1f} – {r['fastest'] / 1e6:.1f} | {r['set_up_s']:.1f} | {r['first_step_s']:.1f} |"
        )
    return "\n".join(lines) + "\n"


def find_gpu() -> tuple[str, str]:
    """Returns the name of the GPU and the version of numba-cuda; a UsageError for none, or the slow simulator."""
    from lastcard.envs.gpu import GpuBatch, config, cuda, numba_cuda

    if config.ENABLE_CUDASIM:
        raise UsageError("the simulator says nothing of the speed of a GPU")
    GpuBatch(EnvConfig("classic", 2), 1)
    return str(cuda.get_current_device().name), numba_cuda.__version__


def main() -> int:
    """Measure, print the page, and save it if requested."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", default="1024,8192,65536,262144", help="how many, with commas")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=2, help="of each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--save", action="store_true", help="keep the page and the numbers in results/")
    args = parser.parse_args()
    try:
        device, version = find_gpu()
    except UsageError as error:
        print(f"nothing was measured: {error}", file=sys.stderr)
        return 1
    machine = describe_machine() | {"device": device, "numba-cuda": version}
    results = []
    for count in map(int, args.tables.split(",")):
        for rules in GAMES:
            results.append(measure(rules, args.players, count, args.rounds, args.seconds))
            print(json.dumps(results[-1]), flush=True)
    text = make_page(machine, device, args.players, results)
    publish("gpu", text, {"machine": machine, "results": results}, save=args.save)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Measures what a certain answer of the arena costs: variance of a deal's share times its CPU time, beside a checkout.

    python benchmarks/arena_cost.py --before DIR [--deals 400] [--save]

Both play the same deals with ``--reduce-variance``, in turns. Starting and compiling do not count. Then ``--until 95%``
of *sharp* against *casual* is run ten times, beside the number of deals that has a power of 90 %.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import median, variance
from typing import Any, Final

from comparison import commit_of
from machine import HERE, describe_machine, publish

from lastcard.analysis.luck import measure_luck
from lastcard.arena.deals import Plan
from lastcard.bots.statistics import NORMAL_95
from lastcard.kernel.jit import enable_native

CASES: Final = (
    ("classic", 2, "master,expert"),
    ("wild-jackpot", 2, "master,expert"),
    ("all-wild", 4, "expert,sharp,sharp,sharp"),
    ("classic", 4, "sharp,casual,casual,casual"),
)
CHUNK_DEALS: Final = 20
STOPS: Final = 10
POWER_90: Final = 1.2816
"""Quantile of the normal distribution at 90 %."""


def measure(case: int, first: int) -> dict[str, Any]:
    """Returns for each deal of a chunk the first bot's share and luck, and the CPU time in seconds of all."""
    rules, players, names = CASES[case]
    bots = names.split(",")
    plan = Plan.make(rules, players, bots, "cost", luck=measure_luck)
    if Plan.make(rules, players, bots, "cost").compiled_kinds():
        plan = Plan.make(rules, players, bots, "cost")  # as the command does
    plan.warm_up()
    enable_native()
    plan.play(first)
    start = time.process_time()
    deals = [plan.play(number) for number in range(first, first + CHUNK_DEALS)]
    cpu_s = time.process_time() - start
    share, luck = [], []
    for deal in deals:
        seats = [(played, seat) for seating, played in deal.rounds for seat, n in enumerate(seating) if n == bots[0]]
        share.append(sum(played.winner == seat for played, seat in seats) / len(deal.rounds))
        luck.append(sum(played.luck[seat] for played, seat in seats if played.luck) / len(deal.rounds))
    return {"share": share, "luck": luck, "cpu_s": cpu_s}


def run(checkout: Path, *arguments: str) -> Any:
    """Returns what this script prints with these arguments, importing the library of a checkout."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src"), "LASTCARD_KERNEL": "native"}
    command = [sys.executable, sys.argv[0], *arguments]
    return json.loads(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)


def compare(case: int, before: Path, deals: int) -> str:
    """Returns a row of the table: variance, CPU time and their product in both checkouts."""
    from lastcard.bots.statistics import adjust  # not in the other checkout

    totals: list[dict[str, Any]] = [defaultdict(list), defaultdict(list)]
    for first in range(0, deals, CHUNK_DEALS):
        for total, checkout in zip(totals, (before, HERE.parent), strict=True):
            chunk = run(checkout, "--measure", f"{case},{first}")
            total["share"] += chunk["share"]
            total["luck"] += chunk["luck"]
            total["cpu_s"].append(chunk["cpu_s"])
    cells, products = [], []
    for total in totals:
        scatter, cpu_s = variance(adjust(total["share"], total["luck"])), sum(total["cpu_s"]) / len(total["share"])
        cells += [f"{scatter:.4f}", f"{cpu_s:.4f}"]
        products.append(scatter * cpu_s)
    rules, players, names = CASES[case]
    return f"| {rules}, {players} | {names} | {deals} | {' | '.join(cells)} | {products[1] / products[0]:.4f} |"


def measure_stops() -> dict[str, Any]:
    """Returns the deals and CPU seconds of arenas that stop by themselves, and of one with enough deals for all."""
    from lastcard.arena.arena import run_arena
    from lastcard.arena.comparison import StoppingRule

    enable_native()
    stops, answers, bots = [], [], CASES[-1][2].split(",")
    for seed in range(STOPS):
        start = time.process_time()
        result = run_arena("classic", 4, bots, seed=seed, until=StoppingRule(), workers=1)
        stops.append((len(result.deals), time.process_time() - start))
        answers.append(result.verdict and result.verdict.text())
    start = time.process_time()
    known = run_arena("classic", 4, bots, 4000, seed="power", workers=1)
    cpu_s = (time.process_time() - start) / 4000
    wins = known.entries["sharp"].wins
    scatter = (wins.margin / NORMAL_95) ** 2 * 4000
    fixed = math.ceil((NORMAL_95 + POWER_90) ** 2 * scatter / (wins.value - 0.25) ** 2)
    return {"deals": [n for n, _ in stops], "cpu_s": [s for _, s in stops], "answers": answers, "share": wins.value,
            "fixed": fixed, "fixed_cpu_s": fixed * cpu_s}  # fmt: skip


def main() -> None:
    """Measure and print; with --save, write a page into results/."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="another checkout")
    parser.add_argument("--measure", metavar="CASE,FIRST", help="print the figures of one chunk as JSON")
    parser.add_argument("--deals", type=int, default=400, help="for each case (default 400)")
    parser.add_argument("--save", action="store_true", help="write a page into results/")
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measure(*map(int, asked.measure.split(",")))))
        return
    about = describe_machine()
    before = commit_of(asked.before)
    rows = []
    for case in range(len(CASES)):
        rows.append(compare(case, asked.before.resolve(), asked.deals))
        print(rows[-1], file=sys.stderr, flush=True)
    stops = measure_stops()
    sure = sum(answer == "sharp is stronger" for answer in stops["answers"])
    text = f"""# What a certain answer costs, {about["date"]}

`python benchmarks/arena_cost.py --before DIR --deals {asked.deals}`, with {before} in DIR. Commit {about["commit"]},
{about["processor"]}, {about["cores"]} cores beside other work, native code, one process. Variance of the first
bot's share in a duplicate deal with `--reduce-variance`, and CPU seconds of a deal. Both checkouts play the same deals
in turns; bots that decide at once play in compiled code now, with other random moves. The product is what a narrow
interval costs.

| game, seats | bots | deals | variance before | s before | variance now | s now | product, now : before |
|---|---|--:|--:|--:|--:|--:|--:|
{chr(10).join(rows)}

`--until 95%` of *sharp* against three *casual* (classic), {STOPS} times: {sure} said "sharp is stronger". They stopped
after {min(stops["deals"])} to {max(stops["deals"])} deals, in the median {median(stops["deals"]):.0f} deals and
{median(stops["cpu_s"]):.2f} CPU seconds. *sharp* wins {stops["share"]:.1%} where 25 % is even; a number of deals fixed
in advance that shows this with 90 % power is {stops["fixed"]}, which take {stops["fixed_cpu_s"]:.2f} CPU seconds.
"""
    publish("arena-cost", text, save=asked.save)


if __name__ == "__main__":
    main()

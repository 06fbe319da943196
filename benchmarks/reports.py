"""Benchmarks reports against another checkout: CPU time, and half the widths of intervals.

python benchmarks/reports.py --before DIR [--backend module,native] [--pairs N] [--save]

Each report is made by a new process with compiled code in its cache; the checkouts take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

from luck import play_round
from machine import HERE, describe_machine, publish

from lastcard.analysis.report import make_report
from lastcard.bots.registry import make_bots
from lastcard.formats.record_files import read_record
from lastcard.match.match import Match

BOTS: Final = ("expert", "sharp", "learner", "casual")
MATCHES: Final = {"classic": 9, "all-wild": 1, "wild-jackpot": 2}
"""Number of rounds of a match, by game."""
SEED: Final = "report 1"


def write_match(game: str, file: Path) -> None:
    """Write the record of a match of bots."""
    match = Match(game, list(BOTS), seed=SEED)
    bots = make_bots(BOTS, match.seed)
    play_round(match, bots)
    while match.number + 1 < MATCHES[game] and not match.over:
        match.next_round()
        play_round(match, bots)
    file.write_text(match.record().text())


def measure(file: str) -> dict[str, float]:
    """Returns the CPU seconds of a report by one thread, and the mean margins of its estimates."""
    record = read_record(file)
    make_report(record, rollouts=2, threads=1)  # compiles and loads
    start = time.thread_time()
    report = make_report(record, threads=1)
    seconds = time.thread_time() - start
    steps = [step for played in report.rounds for step in played.steps]
    accounts = [account for played in report.rounds for account in played.accounts]
    decisions = [decision for played in report.rounds for decision in played.decisions]
    return {
        "CPU seconds": seconds,
        "margin of a chance": fmean(chance.margin for step in steps for chance in step.chances),
        "of a loss": fmean(decision.loss.margin for decision in decisions),
        "of a result without luck": fmean(account.adjusted.margin for account in accounts),
    }


def run(checkout: Path, backend: str, file: Path) -> dict[str, float]:
    """Run ``measure`` in a process that imports the library of a checkout."""
    environment: dict[str, Any] = {**os.environ, "PYTHONPATH": str(checkout / "src"), "LASTCARD_KERNEL": backend}
    command = [sys.executable, __file__, "--measure", str(file)]
    found: dict[str, float] = json.loads(
        subprocess.run(command, env=environment, capture_output=True, check=True).stdout
    )
    return found


def main() -> None:
    """Measure and print; with --save, write a page into results/."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--before", type=Path, help="another checkout")
    what.add_argument("--measure", metavar="RECORD", help="print the figures of the library that is imported, as JSON")
    parser.add_argument("--backend", default="module,native", help="module, native or both (default %(default)s)")
    parser.add_argument("--pairs", type=int, default=3, help="reports of each checkout (default %(default)s)")
    parser.add_argument("--save", action="store_true", help="write a page into results/")
    asked = parser.parse_args()
    if asked.measure:
        print(json.dumps(measure(asked.measure)))
        return
    about = describe_machine()
    command = ["git", "rev-parse", "--short", "HEAD"]
    before = subprocess.run(command, cwd=asked.before, capture_output=True, text=True, check=True).stdout.strip()
    text = f"""# Reports beside {before}, {about["date"]}

`python benchmarks/reports.py --before DIR --pairs {asked.pairs}`, with {before} in DIR. Commit {about["commit"]},
{about["processor"]}. One thread; {", ".join(f"{game}: {rounds} rounds" for game, rounds in MATCHES.items())}, of
{", ".join(BOTS)}. Medians, and the median ratio of the pairs. The module is what the default install runs.

| backend | game | | before | now | ratio |
|---|---|---|--:|--:|--:|
"""
    with tempfile.TemporaryDirectory() as folder:
        for game in MATCHES:
            write_match(game, Path(folder, game))
        for backend in asked.backend.split(","):
            for game in MATCHES:
                file = Path(folder, game)
                pairs = [
                    (run(asked.before.resolve(), backend, file), run(HERE.parent, backend, file))
                    for _ in range(asked.pairs)
                ]
                for name in pairs[0][0]:
                    old, new = ([one[name] for one in side] for side in zip(*pairs, strict=True))
                    ratio = median(b / a for a, b in zip(old, new, strict=True))
                    text += f"| {backend} | {game} | {name} | {median(old):.4g} | {median(new):.4g} | {ratio:.2f} |\n"
    publish("reports", text, save=asked.save)


if __name__ == "__main__":
    main()

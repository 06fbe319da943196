"""Benchmarks reports against another checkout: CPU time, and half the widths of intervals.

python benchmarks/reports.py --before DIR [--backend module,native] [--pairs N] [--save]

Each report is made by a new process with compiled code in its cache; the checkouts take turns. The page of this
checkout makes its reports, which lack results without luck, in Node, with Chromium's engine.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from statistics import fmean, median
from typing import Final

from comparison import Figures, commit_of, read_options, run_pairs
from machine import describe_machine, publish

from lastcard.analysis.report import make_report
from lastcard.formats.record_files import read_record
from lastcard.match.match import Match

BOTS: Final = ("expert", "sharp", "learner", "casual")
MATCHES: Final = {"classic": 9, "all-wild": 1, "wild-jackpot": 2}
"""Number of rounds of a match, by game."""
SEED: Final = "report 1"


def write_match(game: str, file: Path) -> None:
    """Write the record of a match of bots."""
    from lastcard.arena.bot_play import play  # not above: with --measure, another checkout may lack it

    match = Match(game, list(BOTS), seed=SEED)
    play(match, BOTS, rounds=MATCHES[game], seed=match.seed)
    file.write_text(match.record().text())


def measure(file: str) -> Figures:
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


def measure_page(folder: Path) -> dict[str, float]:
    """Returns the CPU seconds of the page's report of each match."""
    from page_bots import Page  # not above: see ``write_match``

    page = Page()
    records = {game: Path(folder, game).read_text(encoding="utf-8") for game in MATCHES}
    seconds = {game: page.ask("report", record=record)["seconds"] for game, record in records.items()}
    page.close()
    return seconds


def main() -> None:
    """Measure and print; with --save, write a page into results/."""
    asked = read_options(__doc__, "RECORD", pairs=3)
    if asked.measure:
        print(json.dumps(measure(asked.measure)))
        return
    about = describe_machine()
    before = commit_of(asked.before)
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
                pairs = run_pairs(asked, str(Path(folder, game)), backend)
                for name in pairs[0][0]:
                    old, new = ([one[name] for one in side] for side in zip(*pairs, strict=True))
                    ratio = median(b / a for a, b in zip(old, new, strict=True))
                    text += f"| {backend} | {game} | {name} | {median(old):.4g} | {median(new):.4g} | {ratio:.2f} |\n"
        for game, seconds in measure_page(Path(folder)).items():
            text += f"| page | {game} | CPU seconds | | {seconds:.4g} | |\n"
    publish("reports", text, save=asked.save)


if __name__ == "__main__":
    main()

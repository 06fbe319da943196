"""Benchmarks bots in a page: decisions in V8 against the same module in Python, and memory over 50 rounds.

``python benchmarks/page_bots.py [--runs 3] [--rounds 50] [--save]``: Node, with Chromium's engine, replaces the page.
The measure is CPU time of all threads, which other load affects little; the best run is shown.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from machine import describe_machine, output_of, publish

from lastcard.bots.registry import make_bots
from lastcard.kernel.jit import backend
from lastcard.match.match import Match
from support.node import MODULE, WEB, find_node

GAMES: Final = ("all-wild", "classic", "wild-jackpot")
PLAYERS: Final = 4
LEVELS: Final = ("expert", "master")


class Page:
    """V8 with the module in it."""

    def __init__(self) -> None:
        script = Path(__file__).with_suffix(".js")
        command = [find_node(), "--expose-gc", str(script), f"{WEB}/", str(MODULE)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def ask(self, task: str, **what: Any) -> Any:
        """Returns the result of a task of page_bots.js."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps({"task": task, **what}) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()


def decide(rules: str, seed: str, level: str) -> dict[str, Any]:
    """Returns the moves of a match of bots, their number and CPU time, as ``decide`` of page_bots.js does in a page."""
    match = Match(rules, PLAYERS, seed=seed)
    bots = make_bots([level] * PLAYERS, match.seed)
    began, decisions = time.process_time(), 0
    moves = []
    while not match.round.over:
        turn = match.round.turn
        move = bots[turn].choose(match.round.view(turn))
        match.do(turn, move)
        moves.append(f"{turn}:{move}")
        decisions += 1
    return {"moves": moves, "decisions": decisions, "seconds": time.process_time() - began}


def compare(page: Page, runs: int) -> list[str]:
    """Returns rows of a table: the cost of a decision on both sides."""
    rows = []
    for level in LEVELS:
        for rules in GAMES:
            here, there, decisions = [], [], 0
            for run in range(-1, runs):  # the first run warms up both
                ours = decide(rules, "page bots", level)
                theirs = page.ask("decide", rules=rules, players=PLAYERS, seed="page bots", level=level)
                assert ours["moves"] == theirs["moves"], "they decide otherwise"
                decisions = ours["decisions"]
                if run >= 0:
                    here.append(1000 * ours["seconds"] / decisions)
                    there.append(1000 * theirs["seconds"] / decisions)
            ratio = min(there) / min(here)
            rows.append(f"| {level} | {rules} | {decisions} | {min(here):.1f} | {min(there):.1f} | {ratio:.2f} |")
    return rows


def main() -> None:
    """Measure, and print a page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--save", action="store_true", help="keep the page in results/")
    options = parser.parse_args()
    page = Page()
    about = describe_machine()
    about["versions"] |= {"node": output_of(find_node(), "--version")}
    rows = compare(page, options.runs)
    bots = ["expert", "master", "casual"]
    used = page.ask("remember", rules="classic", rounds=options.rounds, bots=bots)
    page.close()
    lines = [
        f"# Bots in the page, {about['date']}",
        "",
        "`python benchmarks/page_bots.py`: the same decisions in Python's runtime and in V8 by turns,",
        "the best of each.",
        f"{about['processor']}, commit {about['commit']}, form {backend().name}, Python {about['versions']['python']},",
        f"Node {about['versions']['node']}; {PLAYERS} players, CPU time of all threads.",
        "",
        "| level | game | decisions | Python's runtime, ms of CPU each | V8 | ratio |",
        "|---|---|--:|--:|--:|--:|",
        *rows,
        "",
        f"A table of the page over {options.rounds} rounds of classic UNO, one person and {', '.join(bots)}:",
        "",
        "| rounds | memory of the module, MB | heap after collection, MB |",
        "|--:|--:|--:|",
        *(f"| {row['rounds']} | {row['module'] / 1e6:.1f} | {row['heap'] / 1e6:.2f} |" for row in used),
    ]
    publish("page-bots", "\n".join(lines) + "\n", save=options.save)


if __name__ == "__main__":
    main()

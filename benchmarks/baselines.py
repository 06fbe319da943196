"""Trains PPO (examples/envs/ppo.py) for classic and compares it with our levels: ``make baselines``.

    python benchmarks/baselines.py [--minutes 20] [--seeds 1,2,3] [--players 2,4] [--deals 1000] [--jobs 2] [--save]

Training begins anew for each seed, against *sharp* at the other seats, on one core. Every policy then plays alone among
bots of one level: the deals of ``SEED`` in all seatings, with and without the luck of draws. The folder has the policy
and the results of each run, as they come. After an interruption the same command goes on with those that are missing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any, Final

from machine import command_line, describe_machine, publish

from lastcard.analysis.luck import measure_luck
from lastcard.arena.arena import run_arena
from lastcard.bots.statistics import Estimate

ROOT: Final = Path(__file__).parents[1]
PPO: Final = ROOT / "examples" / "envs" / "ppo.py"
FOLDER: Final = ROOT / "build" / "baselines"
RULES: Final = "classic"
LEVELS: Final = ("random", "casual", "sharp", "trained")
SEED: Final = "baselines 1"
"""Seed of the deals of every comparison."""


@dataclass(frozen=True, slots=True)
class Run:
    """The settings of one training and its comparisons.

    Args:
        seed: seed of the training.
        minutes: processor time of the training.
        deals: number of deals of each comparison.
        program: digest of the training program: results of another version are not mixed with these.
    """

    players: int
    seed: int
    minutes: float
    deals: int
    program: str

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"ppo-{self.players}-{self.seed}"

    def read(self, folder: Path) -> dict[str, Any]:
        """Returns what the folder has of this run: settings, and ``training`` and ``shares`` as far as they are done.

        Raises:
            SystemExit: if the folder has a run of other settings under this name.
        """
        file, settings = folder / f"{self.name}.json", asdict(self)
        if not file.exists():
            return {"settings": settings, "shares": {}}
        done: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if different := [name for name, value in settings.items() if done["settings"].get(name) != value]:
            raise SystemExit(
                f"{file} is a run with another {' and another '.join(different)}: choose another --folder, or remove it"
            )
        return done

    def write(self, folder: Path, done: dict[str, Any]) -> None:
        """Replace what the folder has of this run, all at once."""
        part = folder / f"{self.name}.part"
        part.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
        part.replace(folder / f"{self.name}.json")


def train(run: Run, folder: Path) -> dict[str, Any]:
    """Train the policy of a run, unless the folder has it, and write it there; returns what is done of the run."""
    done, file = run.read(folder), folder / f"{run.name}.npz"
    if "training" not in done:
        settings = {"players": run.players, "seed": run.seed, "minutes": run.minutes, "save": file, "rules": RULES}
        words = [f"--{name}={value}" for name, value in (settings | {"levels": "", "threads": 1}).items()]
        output = subprocess.run([sys.executable, str(PPO), *words], check=True, stdout=subprocess.PIPE, text=True)
        done["training"] = json.loads(output.stdout.splitlines()[-1])
        run.write(folder, done)
    return done


def compare(file: Path, run: Run, level: str, jobs: int) -> dict[str, Estimate | None]:
    """Returns the share of rounds that a policy wins alone among bots of a level, as played and adjusted for luck."""
    bots = (f"policy:{file}", *(level,) * (run.players - 1))
    entry = run_arena(RULES, run.players, bots, run.deals, SEED, luck=measure_luck, workers=jobs).entries[bots[0]]
    return {"played": entry.wins, "adjusted": entry.adjusted}


def finish(run: Run, folder: Path, done: dict[str, Any], jobs: int) -> dict[str, Any]:
    """Make the comparisons that are missing in ``done``, and write each to the folder; returns the complete run."""
    for level in LEVELS:
        if level not in done["shares"]:
            shares = compare(folder / f"{run.name}.npz", run, level, jobs)
            done["shares"][level] = {name: share and share.as_dict() for name, share in shares.items()}
            run.write(folder, done)
    return done


def finish_all(runs: Sequence[Run], folder: Path, jobs: int) -> list[dict[str, Any]]:
    """Train ``jobs`` policies at once and compare each when it is trained; returns the complete runs, in order."""
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        run.read(folder)  # refuses a folder of other runs before the first minute
    complete = {}
    with ThreadPoolExecutor(jobs) as pool:
        trained = {pool.submit(train, run, folder): run for run in runs}
        try:
            for future in as_completed(trained):
                run = trained[future]
                complete[run] = finish(run, folder, future.result(), jobs)
                print(f"{run.players} seats, seed {run.seed}: done", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
    return [complete[run] for run in runs]


def write_share(share: dict[str, float | None] | None) -> str:
    """Returns a share with its 95 % interval, if it has one, as text."""
    if share is None or share["value"] is None:
        return ""
    interval = "" if share["low"] is None else f" ({share['low']:.1%} to {share['high']:.1%})"
    return f"{share['value']:.1%}{interval}"


def make_page(machine: dict[str, Any], results: list[dict[str, Any]], args: argparse.Namespace) -> str:
    """Returns the results as a page."""
    lines = [
        "# Baselines: PPO for classic",
        "",
        f"`{command_line()}`, commit {machine['commit']}, {machine['processor']},",
        f"Python {machine['versions']['python']}.",
        f"{args.minutes:g} processor minutes of training for each policy. Each comparison has {args.deals:,} deals of",
        f"the seed `{SEED}` in all seatings. The policy plays alone among bots of the level. Intervals are of 95 %.",
        "",
        "| seats | seed | steps | level | won | without the luck of draws |",
        "|--:|--:|--:|---|--:|--:|",
    ]
    for one in results:
        head = f"| {one['settings']['players']} | {one['settings']['seed']} | {one['training']['steps']:,}"
        for level, share in one["shares"].items():
            lines.append(f"{head} | *{level}* | {write_share(share['played'])} | {write_share(share['adjusted'])} |")
    lines += ["", "Means of the seeds, without the luck of draws:", "", *list_means(results)]
    return "\n".join(lines) + "\n"


def list_means(results: list[dict[str, Any]]) -> list[str]:
    """Returns the means of the seeds without the luck of draws, as lines of a table."""
    seats = sorted({one["settings"]["players"] for one in results})
    lines = [f"| against | {' | '.join(f'{players} seats' for players in seats)} |", "|---" + "|--:" * len(seats) + "|"]
    for level in LEVELS:
        cells = []
        for players in seats:
            found = [one["shares"][level]["adjusted"] for one in results if one["settings"]["players"] == players]
            cells.append(f"{mean(share['value'] for share in found):.1%}" if all(found) else "")
        lines.append(f"| *{level}* | {' | '.join(cells)} |")
    return lines


def parse_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Returns the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--minutes", type=float, default=20, help="processor time of a training (default %(default)s)")
    add("--seeds", default="1,2,3", help="seeds of the trainings (default %(default)s)")
    add("--players", default="2,4", help="numbers of seats (default %(default)s)")
    add("--deals", type=int, default=1000, help="deals of a comparison (default %(default)s)")
    add("--jobs", type=int, default=os.cpu_count(), help="policies to train at once (default: one on every core)")
    add("--folder", type=Path, default=FOLDER, help="folder of the runs (default build/baselines)")
    add("--save", action="store_true", help="save the page and the numbers in results/")
    args = parser.parse_args(words)
    if args.jobs < 1:
        parser.error(f"--jobs is 1 or more, not {args.jobs}")
    return args


def list_runs(args: argparse.Namespace) -> list[Run]:
    """Returns the runs that the arguments ask for."""
    program = hashlib.sha256(PPO.read_bytes()).hexdigest()[:12]
    return [
        Run(int(players), int(seed), args.minutes, args.deals, program)
        for players in args.players.split(",")
        for seed in args.seeds.split(",")
    ]


def main() -> None:
    """Train, compare, print the page, and save it if requested."""
    args = parse_arguments()
    results = finish_all(list_runs(args), args.folder, args.jobs)
    machine = describe_machine()
    publish("baselines", make_page(machine, results, args), {"machine": machine, "results": results}, save=args.save)


if __name__ == "__main__":
    main()

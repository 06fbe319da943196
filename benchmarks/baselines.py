"""Trains PPO (examples/envs/ppo.py) for classic and compares it with our levels: ``make baselines``.

    python benchmarks/baselines.py [--minutes 20] [--seeds 1,2,3] [--players 2,4] [--deals 1000] [--save]

Training begins anew for each seed, against *sharp* at the other seats. Every policy then plays alone among bots of one
level: the deals of ``SEED`` in all seatings, with and without the luck of draws.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from machine import command_line, describe_machine, publish

from lastcard.analysis.luck import measure_luck
from lastcard.arena.arena import run_arena
from lastcard.bots.statistics import Estimate

PPO: Final = Path(__file__).parents[1] / "examples" / "envs" / "ppo.py"
RULES: Final = "classic"
LEVELS: Final = ("random", "casual", "sharp", "trained")
SEED: Final = "baselines 1"
"""Seed of the deals of every comparison."""


def train(players: int, seed: int, minutes: float, file: Path) -> dict[str, Any]:
    """Train a policy into a file; returns the figures of the training."""
    settings = {"players": players, "seed": seed, "minutes": minutes, "levels": "", "save": file, "rules": RULES}
    words = [f"--{name}={value}" for name, value in settings.items()]
    done = subprocess.run([sys.executable, str(PPO), *words], check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def compare(file: Path, players: int, level: str, deals: int) -> dict[str, Estimate | None]:
    """Returns the share of rounds that a policy wins alone among bots of a level, as played and adjusted for luck."""
    name = f"policy:{file}"
    result = run_arena(RULES, players, (name, *(level,) * (players - 1)), deals, SEED, luck=measure_luck)
    entry = result.entries[name]
    return {"played": entry.wins, "adjusted": entry.adjusted}


def write_share(estimate: Estimate | None) -> str:
    """Returns a share with its 95 % interval, as text."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return ""
    return f"{estimate.value:.1%} ({estimate.low:.1%} to {estimate.high:.1%})"


def make_page(machine: dict[str, Any], results: list[dict[str, Any]], args: argparse.Namespace) -> str:
    """Returns the results as a page."""
    lines = [
        "# Baselines: PPO for classic",
        "",
        f"`{command_line()}`, commit {machine['commit']}, {machine['processor']},",
        f"Python {machine['versions']['python']}.",
        f"{args.minutes:g} minutes of training for each policy. Each comparison has {args.deals:,} deals of the seed",
        f"`{SEED}` in all seatings. The policy plays alone among bots of the level. Intervals are of 95 %.",
        "",
        "| seats | seed | steps | level | won | without the luck of draws |",
        "|--:|--:|--:|---|--:|--:|",
    ]
    for one in results:
        head = f"| {one['players']} | {one['seed']} | {one['training']['steps']:,}"
        for level, share in one["shares"].items():
            lines.append(f"{head} | *{level}* | {write_share(share['played'])} | {write_share(share['adjusted'])} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Train, compare, print the page, and save it if requested."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--players", default="2,4")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--save", action="store_true", help="save the page and the numbers in results/")
    args = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for players in map(int, args.players.split(",")):
            for seed in map(int, args.seeds.split(",")):
                file = Path(folder, f"ppo-{players}-{seed}.npz")
                training = train(players, seed, args.minutes, file)
                shares = {level: compare(file, players, level, args.deals) for level in LEVELS}
                results.append({"players": players, "seed": seed, "training": training, "shares": shares})
                print(f"{players} seats, seed {seed}: done", file=sys.stderr, flush=True)
    machine = describe_machine()
    page = make_page(machine, results, args)
    publish("baselines", page, {"machine": machine, "results": to_numbers(results)}, save=args.save)


def to_numbers(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the results with estimates as numbers."""
    return [
        one
        | {
            "shares": {
                level: {name: share and share.as_dict() for name, share in shares.items()}
                for level, shares in one["shares"].items()
            }
        }
        for one in results
    ]


if __name__ == "__main__":
    main()

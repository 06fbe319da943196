"""``lastcard train`` and ``lastcard tune``: what the bots learn, made again by anybody.

Imports wait until they are needed, as in ``cli.py``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress


def train(args: argparse.Namespace) -> int:
    """Train the networks of a game."""
    from rich.console import Console

    from lastcard.lab.report import new_bar
    from lastcard.learning.train import train as train_network

    with new_bar() as bar:
        result = train_network(args.game, args.out, args.positions, args.epochs, args.seed, _teller(bar), args.workers)
    console = Console(soft_wrap=True)
    console.print(
        f"{args.out / f'network-{args.game}.npy'}: cross entropy {result['loss']:.4f}, error {result['error']:.4f}"
    )
    for name, gain in (("policy", result["gain"]), ("adviser", result["advice"])):
        said = f"its choice wins {100 * gain:.2f} % more often than the mean of all"
        console.print(f"{args.out / f'{name}-{args.game}.npy'}: {said}")
    return 0


def tune(args: argparse.Namespace) -> int:
    """Tune the rules of thumb for a game."""
    from rich.console import Console

    from lastcard.lab.report import new_bar
    from lastcard.learning.tune import grouped
    from lastcard.learning.tune import tune as tune_weights

    with new_bar() as bar:
        task = bar.add_task("generations", total=args.generations)
        weights = tune_weights(
            args.game, args.players, args.generations, args.deals, args.seed, lambda: bar.advance(task)
        )
    Console(soft_wrap=True).print_json(json.dumps(grouped(weights)))
    return 0


def _teller(bar: Progress) -> Callable[[str, int, int], None]:
    """One line of the bar for everything that is told about."""
    tasks: dict[str, Any] = {}

    def tell(what: str, done: int, of: int) -> None:
        if what not in tasks:
            tasks[what] = bar.add_task(what, total=of)
        bar.update(tasks[what], completed=done)

    return tell


def add_parsers(add: Callable[..., argparse.ArgumentParser], commands: object) -> None:
    """Add both commands to the command line."""
    parser = add(
        commands,
        "train",
        train,
        "train the networks of a game by self-play (needs the extra learn)",
        "lastcard train classic --out training",
    )
    parser.add_argument("game", metavar="GAME", help="all-wild, classic or wild-jackpot")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where all is kept")
    parser.add_argument(
        "--positions",
        type=int,
        default=1_000_000,
        metavar="N",
        help="and half as many decisions (default 1,000,000)",
    )
    parser.add_argument("--epochs", type=int, default=10, metavar="N", help="how often each is seen (default 10)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of all chance (default 1)")
    parser.add_argument("--workers", type=int, metavar="N", help="how many processes (default: one on every core)")
    parser = add(
        commands,
        "tune",
        tune,
        "tune the rules of thumb for a game by play against themselves",
        "lastcard tune classic --players 2 > weights.json",
    )
    parser.add_argument("game", metavar="GAME", help="all-wild, classic or wild-jackpot")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="how many seats (default 2)")
    parser.add_argument("--generations", type=int, default=160, metavar="N", help="how many (default 160)")
    parser.add_argument("--deals", type=int, default=1200, metavar="N", help="for every candidate (default 1200)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of all chance (default 1)")

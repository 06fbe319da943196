"""Train the networks of a game by self-play (needs the extra learn)."""

from __future__ import annotations

import argparse

from lastcard.cli.arguments import add_shared, join_cluster

EXAMPLES = ("lastcard train classic --out training",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add = parser.add_argument
    add_shared(parser, "game")
    add_shared(parser, "--out", required=True, metavar="DIR", help="folder for everything that is written")
    add(
        "--positions",
        type=int,
        default=1_000_000,
        metavar="N",
        help="positions to learn from, and half as many decisions (default 1,000,000)",
    )
    add("--epochs", type=int, default=10, metavar="N", help="times each position is seen (default 10)")
    add(
        "--steps",
        type=int,
        metavar="N",
        help="steps of practice for the network that chooses, each with some 65,000 decisions "
        "(default 800, and 300 more for All Wild)",
    )
    add_shared(
        parser, "--seed", type=int, default=1, metavar="N", help="seed of all random numbers (default %(default)s)"
    )
    add_shared(parser, "--kernel")
    add_shared(parser, "--workers")
    add_shared(parser, "--cluster")


def run(args: argparse.Namespace) -> int:
    """Train, and print how well the networks do on unseen data."""
    from lastcard.cli.progress_bar import open_progress
    from lastcard.training.train import Training

    with open_progress() as update, join_cluster(args) as (workers, executor):
        training = Training(
            args.game, args.out, args.positions, args.epochs, args.seed, workers, update, executor, args.steps
        )
        result = training.run()
    print(f"{training.file('value')}: cross entropy {result['loss']:.4f}, error {result['error']:.4f}")
    for name, gain in (("reference", result["gain"]), ("prior", result["prior_gain"])):
        print(f"{training.file(name)}: its choice wins {100 * gain:.2f} % more often than the mean of all")
    if "won" in result:
        won = f"{100 * result['won']:.1f} % of rounds against rules of thumb"
        print(f"{training.file('policy')}: wins {won}")
    return 0

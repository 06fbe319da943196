"""Tune the rules of thumb for a game by play against themselves."""

from __future__ import annotations

import argparse
import json

from lastcard.cli.arguments import add_shared

EXAMPLES = ("lastcard tune classic --players 2 > weights.json",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add = parser.add_argument
    add_shared(parser, "game")
    add_shared(parser, "--players", default=2, help="how many seats (default %(default)s)")
    add("--generations", type=int, default=160, metavar="N", help="generations of weights (default 160)")
    add("--deals", type=int, default=1200, metavar="N", help="deals that every candidate plays (default 1200)")
    add_shared(parser, "--kernel")
    add_shared(
        parser, "--seed", type=int, default=1, metavar="N", help="seed of all random numbers (default %(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Tune, and print the weights."""
    from rich.console import Console

    from lastcard.cli.progress_bar import open_counter
    from lastcard.training.tune import group_weights, tune

    with open_counter("generations", args.generations) as count:
        weights = tune(args.game, args.players, args.generations, args.deals, args.seed, count)
    Console(soft_wrap=True).print_json(json.dumps(group_weights(weights)))
    return 0

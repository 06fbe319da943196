"""Let bots play against each other and count."""

from __future__ import annotations

import argparse
import sys

from lastcard.cli.arguments import OWN_BOTS, RULES, add_shared

EXAMPLES = (
    "lastcard simulate --rules all-wild --rounds 5000",
    "lastcard simulate --bots heuristic,random --players 4 --seed 1 --json",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_shared(parser, "--rules", help=RULES)
    add_shared(parser, "--players", default=4)
    add_shared(
        parser,
        "--bots",
        default="heuristic",
        help=f"{OWN_BOTS}; repeated until every seat has one (default %(default)s)",
    )
    add_shared(parser, "--rounds", default=1000)
    add_shared(parser, "--seed", help="the same seed gives the same result")
    add_shared(parser, "--kernel")
    add_shared(parser, "--json")


def run(args: argparse.Namespace) -> int:
    """Play rounds and print the results."""
    from lastcard.arena.deals import Plan
    from lastcard.arena.results import print_simulation, to_json
    from lastcard.arena.tally import tally_rounds
    from lastcard.cli.progress_bar import open_counter

    plan = Plan.make(args.rules, args.players, args.bots, args.seed)
    with open_counter("Rounds", args.rounds) as count:
        result = tally_rounds(plan, args.rounds, count)
    if args.json:
        sys.stdout.write(to_json(result))
    else:
        print_simulation(result)
    return 0

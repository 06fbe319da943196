"""Let bots play against each other and count; show what the rules do to a round."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from lastcard.cli.arguments import OWN_BOTS, RULES, add_shared

if TYPE_CHECKING:
    from lastcard.game.rulesets import Ruleset

EXAMPLES = (
    "lastcard simulate --rules all-wild --rounds 5000",
    "lastcard simulate --rules classic+stacking=same+jump_in",
    "lastcard simulate --bots heuristic,random --players 4 --seed 1 --json",
)

_MOVE_S: Final = 6
"""Assumed time of a move of people, as on the page."""
_BUDGET_MS: Final = 10_000
"""Time for the figures of rules, enough for all their rounds: the same seed prints the same text."""


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
        _print_figures(plan.rules, plan.players)
    return 0


def _print_figures(rules: Ruleset, players: int) -> None:
    """Print what a round between bots by rules of thumb is like, beside a round by the official rules of the game."""
    from rich.console import Console
    from rich.table import Table

    from lastcard.analysis.rule_figures import measure_rules
    from lastcard.arena.results import print_grid
    from lastcard.game.rulesets import ruleset

    compared = list(dict.fromkeys([rules, ruleset(rules.game)]))
    measured = [measure_rules(each, players, _BUDGET_MS) for each in compared]
    grid = Table("What a round is like")
    for title in ("These rules", "Official rules")[-len(compared) :]:
        grid.add_column(title, justify="right")
    for label, cells in (
        ("Moves", [f"{found.moves:.1f}" for found in measured]),
        ("Turns", [f"{found.turns:.1f}" for found in measured]),
        (f"Minutes, at {_MOVE_S} s a move", [f"{found.moves * _MOVE_S / 60:.1f}" for found in measured]),
        ("Waits of more than once round the table", [f"{found.waits:.1%} of turns" for found in measured]),
        ("Changes of the lead", [f"{found.overtakings:.1f}" for found in measured]),
        ("Wins of a good player against a weak one", [f"{found.skill:.1%}" for found in measured]),
    ):
        grid.add_row(label, *cells)
    print_grid(Console(highlight=False, markup=False, soft_wrap=True), grid)

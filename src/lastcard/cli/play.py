"""Play a match in the terminal against bots or with friends at one keyboard."""

from __future__ import annotations

import argparse
from pathlib import Path

from lastcard.cli.arguments import BOTS, RULES, add_shared, from_arguments, read_names
from lastcard.cli.command import interrupt_on_signals

EXAMPLES = (
    "lastcard play",
    "lastcard play --rules all-wild --players 3 --language es",
    "lastcard play --rules classic+stacking=cross+jump_in --bots casual,expert",
    "lastcard play --rules wild-jackpot+wj_rules=written --hot-seat --names Ann,Bo --players 4",
    "lastcard play --resume match.toml",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_shared(parser, "--rules", default=None, help=RULES)
    add_shared(parser, "--players", help="how many players, bots included: 2 to 10 (default 4)")
    add_shared(parser, "--bots", type=read_names, help=f"{BOTS} (default heuristic)")
    add_shared(parser, "--language")
    add_shared(parser, "--seed", help="seed of all chance: any text; the same seed deals the same cards")
    parser.add_argument("--hot-seat", action="store_true", help="several people share the keyboard; hands are hidden")
    parser.add_argument(
        "--names", type=read_names, default=(), metavar="A,B", help="names of the people at the keyboard, in seat order"
    )
    parser.add_argument("--clauses", action="store_true", help="cite the clause with rules and refusals: [CL-15]")
    add_shared(parser, "--kernel")
    add_shared(parser, "--resume", help="continue a saved match")
    parser.add_argument("--save", type=Path, metavar="FILE", help="where to save the match (default: the data folder)")
    add_shared(parser, "--overwrite")


def run(args: argparse.Namespace) -> int:
    """Play, and save the match."""
    from lastcard.terminal.line_io import open_terminal
    from lastcard.terminal.match_setup import MatchSetup, play_match

    interrupt_on_signals()
    play_match(from_arguments(MatchSetup, args), open_terminal())
    return 0

"""Explain a ruleset and its options in words."""

from __future__ import annotations

import argparse
import shutil
import sys

from lastcard.cli.arguments import add_shared
from lastcard.errors import UsageError

EXAMPLES = (
    "lastcard rules",
    "lastcard rules all-wild",
    "lastcard rules classic+stacking=same+jump_in --language fr",
    "lastcard rules classic --clauses",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="a ruleset; without one the games and presets are listed"
    )
    add_shared(parser, "--language")
    parser.add_argument("--clauses", action="store_true", help="cite the clauses with every line: [CL-15]")


def run(args: argparse.Namespace) -> int:
    """Print the page of a ruleset, or the list of them, as wide as the terminal."""
    from lastcard.game.rulesets import ruleset
    from lastcard.text.explanation import explain_index, explain_ruleset

    if args.name is None and args.clauses:
        raise UsageError("--clauses needs the name of a ruleset: the list of games and presets cites no clauses")
    width = min(shutil.get_terminal_size().columns, 120) if sys.stdout.isatty() else None
    if args.name is None:
        text = explain_index(args.language, width)
    else:
        text = explain_ruleset(ruleset(args.name), args.language, width, clauses=args.clauses)
    sys.stdout.write(text)
    return 0

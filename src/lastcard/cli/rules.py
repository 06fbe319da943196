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
    "lastcard rules classic+living-room --changes",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="a ruleset; without one the games and presets are listed"
    )
    add_shared(parser, "--language")
    parser.add_argument("--clauses", action="store_true", help="cite the clauses with every line: [CL-15]")
    parser.add_argument("--changes", action="store_true", help="show only what differs from the official game")


def run(args: argparse.Namespace) -> int:
    """Print the page of a ruleset, or the list of them, as wide as the terminal."""
    from lastcard.game.rulesets import ruleset
    from lastcard.text.explanation import explain_changes, explain_index, explain_ruleset

    if args.name is None and (args.clauses or args.changes):
        option = "--clauses" if args.clauses else "--changes"
        raise UsageError(f"{option} needs the name of a ruleset, such as classic+living-room")
    width = min(shutil.get_terminal_size().columns, 120) if sys.stdout.isatty() else None
    if args.name is None:
        text = explain_index(args.language, width)
    else:
        explain = explain_changes if args.changes else explain_ruleset
        text = explain(ruleset(args.name), args.language, width, clauses=args.clauses)
    sys.stdout.write(text)
    return 0

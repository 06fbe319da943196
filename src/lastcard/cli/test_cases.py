"""Run files of conformance cases."""

from __future__ import annotations

import argparse

from lastcard.cli.command import FAILED

EXAMPLES = ("lastcard test-cases tests/conformance/*.toml",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="TOML files with cases")


def run(args: argparse.Namespace) -> int:
    """Print the differences, then ``N passed, N failed``."""
    from lastcard.formats.cases import run_cases

    outcome = run_cases(args.files)
    print(outcome)
    return FAILED if outcome.failures else 0

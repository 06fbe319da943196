"""Prove a match record, shuffle and all, or the archive of a duplicate match; say in words what was proved."""

from __future__ import annotations

import argparse

from lastcard.cli.arguments import add_shared
from lastcard.cli.command import FAILED, print_error
from lastcard.errors import RecordError, RecordFormatError

EXAMPLES = ("lastcard verify match.toml", "lastcard verify match.toml --language pt")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_shared(parser, "file")
    add_shared(parser, "--language")


def run(args: argparse.Namespace) -> int:
    """Verify a record; a false one is a failed check."""
    from lastcard.terminal.line_io import open_terminal
    from lastcard.terminal.record_viewer import explain_proof

    try:
        explain_proof(args.file, args.language, open_terminal())
    except RecordFormatError:
        raise
    except RecordError as error:
        return print_error(error, FAILED)
    return 0

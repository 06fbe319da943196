"""Show a recorded match step by step in words, or check that it is true."""

from __future__ import annotations

import argparse

from lastcard.cli.arguments import add_shared
from lastcard.cli.command import FAILED, print_error
from lastcard.errors import RecordError, RecordFormatError, UsageError

EXAMPLES = (
    "lastcard replay match.toml",
    "lastcard replay match.toml --seat 0 --language pl",
    "lastcard replay match.toml --check",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_shared(parser, "file")
    parser.add_argument("--check", action="store_true", help="verify every move and number; print ok or what is wrong")
    parser.add_argument("--seat", type=int, metavar="N", help="show it as this seat saw it; seats count from 0")
    add_shared(parser, "--language")


def run(args: argparse.Namespace) -> int:
    """Show or check a record; a false record is a failed check."""
    from lastcard.terminal.line_io import open_terminal
    from lastcard.terminal.record_viewer import check_record, show_record

    if args.check and args.seat is not None:
        raise UsageError("--check shows nothing, so --seat has no meaning with it: leave one of them out")
    if not args.check:
        show_record(args.file, args.language, args.seat, open_terminal())
        return 0
    try:
        print(check_record(args.file))
    except RecordFormatError:
        raise
    except RecordError as error:
        return print_error(error, FAILED)
    return 0

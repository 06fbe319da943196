"""Tell luck from skill in a recorded match: chances after every move, best and worst decisions."""

from __future__ import annotations

import argparse
import sys

from lastcard.cli.arguments import add_shared
from lastcard.errors import RecordError, UsageError, check_different_files, prefix_errors, wrap_os_errors
from lastcard.game.text_files import atomic_write, check_writable

EXAMPLES = ("lastcard report match.toml", "lastcard report match.toml --out match.html --language pt")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_shared(parser, "file", help="a match record with its seed")
    add_shared(
        parser,
        "--out",
        metavar="FILE.html",
        help="write the whole report there, as one page that needs nothing else",
    )
    add_shared(parser, "--overwrite")
    add_shared(parser, "--json", help="print the report as JSON")
    add_shared(
        parser,
        "--seed",
        default="0",
        help="seed of the random numbers: the same seed, the same report (default %(default)s)",
    )
    add_shared(parser, "--kernel")
    add_shared(parser, "--language")


def run(args: argparse.Namespace) -> int:
    """Make a report, print it and write it.

    Raises a RecordError for a false record or one without its seed, a UsageError without a round or a writable page.
    """
    from lastcard.analysis.html_report import report_page
    from lastcard.analysis.report import make_report
    from lastcard.analysis.summary import as_json, print_report
    from lastcard.arena.results import print_grid
    from lastcard.cli.progress_bar import open_progress
    from lastcard.formats.record_files import read_record
    from lastcard.text.locale import catalog

    if args.out is not None:
        check_different_files(args.out, args.file, "the report needs another file than the record")
        check_writable(args.out, overwrite=args.overwrite)
    record = read_record(args.file)
    title = catalog(args.language).text("report.title")
    with open_progress(counted=False) as update, prefix_errors(args.file, RecordError, UsageError):
        found = make_report(record, seed=args.seed, progress=lambda done, of: update(title, done, of))
    try:
        if args.json:
            sys.stdout.write(as_json(found))
        else:
            print_report(found, args.language, print_grid)
    finally:  # even if printing failed, because the report took a while
        if args.out is not None:
            with wrap_os_errors(args.out, "cannot be written"), atomic_write(args.out) as draft:
                draft.write_text(report_page(found, args.language), encoding="utf-8")
    return 0

"""Tell luck from skill in a recorded match: chances after every move, best and worst decisions."""

from __future__ import annotations

import argparse
import sys

from lastcard.cli.arguments import add_shared
from lastcard.errors import RecordError, UsageError, check_apart, named, naming
from lastcard.game.files import check_new, whole_file

EXAMPLES = ("lastcard report match.toml", "lastcard report match.toml --out match.html --language pt")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_shared(parser, "file", help="a match record with its seed")
    add_shared(
        parser,
        "--out",
        metavar="FILE.html",
        help="write the whole report there, as one page that needs nothing else",
    )
    add_shared(parser, "--overwrite")
    add_shared(parser, "--json", help="print the report as JSON (docs/insight.md)")
    add_shared(
        parser,
        "--seed",
        default="0",
        help="seed of the random numbers: the same seed, the same report (default %(default)s)",
    )
    add_shared(parser, "--kernel")
    add_shared(parser, "--language")


def run(args: argparse.Namespace) -> int:
    """Make a report, show and write it.

    Raises:
        RecordError: where the file is no record, is not true, or leaves its seed out.
        UsageError: where no round is over, or the page cannot be written.
    """
    from lastcard.analysis.page import report_page
    from lastcard.analysis.report import report
    from lastcard.analysis.summary import as_json, print_report
    from lastcard.arena.board import show_table
    from lastcard.cli.bar import open_bar
    from lastcard.formats.record import read_record
    from lastcard.text.locale import catalog

    if args.out is not None:
        check_apart(args.out, args.file, "the report needs another file than the record")
        check_new(args.out, overwrite=args.overwrite)
    record = read_record(args.file)
    title = catalog(args.language).text("report.title")
    with open_bar(counted=False) as tell, naming(args.file, RecordError, UsageError):
        found = report(record, seed=args.seed, progress=lambda done, of: tell(title, done, of))
    try:
        if args.json:
            sys.stdout.write(as_json(found))
        else:
            print_report(found, args.language, show_table)
    finally:  # after it was shown, and even if it could not be: it took a while, and neither costs the other
        if args.out is not None:
            with named(args.out, "cannot be written"), whole_file(args.out) as draft:
                draft.write_text(report_page(found, args.language), encoding="utf-8")
    return 0

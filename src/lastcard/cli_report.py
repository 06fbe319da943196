"""``lastcard report``: its arguments, and what becomes of them; imports wait as in ``cli.py``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lastcard.analysis.findings import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command, but for the language."""
    add = parser.add_argument
    add("file", type=Path, metavar="FILE", help="a match record with its seed")
    add(
        "--out",
        type=Path,
        metavar="FILE.html",
        help="write the whole report there, as one page that needs nothing else",
    )
    add("--json", action="store_true", help="print the report as JSON (docs/insight.md)")
    add(
        "--seed",
        default="0",
        metavar="S",
        help="of the chance in the report: the same seed, the same report (default 0)",
    )


def run_report(args: argparse.Namespace, language: str) -> int:
    """Make a report, show and write it.

    Returns:
        The exit status: 0.

    Raises:
        RecordError: where the file is no record, is not true, or leaves its seed out.
        UsageError: where no round is over, or the page cannot be written.
    """
    from lastcard.analysis.report import report
    from lastcard.analysis.summary import as_json, print_report, with_bar
    from lastcard.notation.record import read_record

    record = read_record(args.file)
    found = with_bar(lambda progress: report(record, seed=args.seed, progress=progress), language)
    if args.out is not None:
        _write_page(args.out, found, language)
    if args.json:
        sys.stdout.write(as_json(found))
    else:
        print_report(found, language)
    return 0


def _write_page(path: Path, found: Report, language: str) -> None:
    from lastcard.analysis.page import report_page
    from lastcard.errors import UsageError

    try:
        path.write_text(report_page(found, language), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from None

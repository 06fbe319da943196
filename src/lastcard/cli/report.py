"""``lastcard report``: its arguments, and what becomes of them; imports wait as in ``cli.py``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lastcard.analysis.findings import Report


def add_parsers(
    add_command: Callable[..., argparse.ArgumentParser],
    commands: object,
    add_language: Callable[[argparse.ArgumentParser], None],
    language: Callable[[argparse.Namespace], str],
) -> None:
    """Add the command to the command line; the last two are how every command is told the language."""
    parser = add_command(
        commands,
        "report",
        lambda args: run_report(args, language(args)),
        "tell luck from skill in a recorded match: chances after every move, best and worst decisions",
        "lastcard report match.toml",
        "lastcard report match.toml --out match.html --language pt",
    )
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
    add_language(parser)


def add_keep(add_command: Callable[..., argparse.ArgumentParser], commands: object) -> None:
    """Add ``lastcard keep`` to the command line."""
    parser = add_command(
        commands,
        "keep",
        run_keep,
        "put a match record among the matches of the server here, to see it in the browser",
        "lastcard keep episode.toml",
    )
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a match record of a table, or of lastcard.envs.pettingzoo"
    )
    parser.add_argument("--database-url", metavar="URL", help="as for serve (default: a file in the data folder)")


def run_keep(args: argparse.Namespace) -> int:
    """Keep a record and say where it is.

    Returns:
        The exit status: 0.
    """
    from lastcard.notation.record import read_record
    from lastcard.server.game.record_import import keep_record

    page = keep_record(read_record(args.file), args.database_url)
    sys.stdout.write(f"{page}: open it at your server, as in http://localhost:8020{page} while `lastcard serve` runs\n")
    return 0


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

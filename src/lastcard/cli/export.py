"""Write the records of all matches that are over into one archive, or all data of one person, while the server runs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lastcard.cli.arguments import add_shared
from lastcard.cli.command import FAILED
from lastcard.cli.server_settings import add_database, database_url_of

EXAMPLES = ("lastcard export matches.zip", "lastcard export ann.json --player Ann")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the ZIP archive, or with --player the JSON file")
    parser.add_argument("--player", metavar="ID", help="the id or name of the person whose data are wanted")
    add_shared(parser, "--overwrite")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Export and print the number of records; name matches that have no record."""
    from lastcard.server.export import export_matches, export_player

    if args.player is not None:
        export_player(database_url_of(args), args.player, args.file, overwrite=args.overwrite)
        print(f"{args.file}: all data of {args.player}")
        return 0
    count, broken = export_matches(database_url_of(args), args.file, overwrite=args.overwrite)
    print(f"{args.file}: {count:,} {'record' if count == 1 else 'records'}")
    for match in broken:
        print(f"lastcard: match {match} cannot be played again, so it has no record", file=sys.stderr)
    return FAILED if broken else 0

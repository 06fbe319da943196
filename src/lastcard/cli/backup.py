"""Write all that a server keeps into one file, while it runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from lastcard.cli.arguments import add_shared

EXAMPLES = (
    "lastcard backup cards.backup",
    "lastcard backup --overwrite /backups/cards.backup --database-url postgresql://cards@db/cards",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup; keep it as safe as the database")
    parser.add_argument("--overwrite", action="store_true", help="replace a file that is there")
    add_shared(parser, "--database-url", help="as for serve (default: a file in the data folder)")


def run(args: argparse.Namespace) -> int:
    """Make a backup and say so."""
    from lastcard.server.store.care import back_up
    from lastcard.server.store.place import own_database

    schema = back_up(args.database_url or own_database(), args.file, overwrite=args.overwrite)
    print(f"{args.file}: {args.file.stat().st_size:,} bytes, checked, schema {schema}")
    return 0

"""Write all that a server keeps into one file, while it runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from lastcard.cli.arguments import add_shared
from lastcard.cli.server_settings import add_database, database_url_of

EXAMPLES = (
    "lastcard backup cards.backup",
    "lastcard backup --overwrite /backups/cards.backup --database-url postgresql://cards@db/cards",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup; keep it as safe as the database")
    add_shared(parser, "--overwrite")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Make a backup and report it."""
    from lastcard.server.store.maintenance import back_up

    schema = back_up(database_url_of(args), args.file, overwrite=args.overwrite)
    print(f"{args.file}: {args.file.stat().st_size:,} bytes, checked, schema {schema}")
    return 0

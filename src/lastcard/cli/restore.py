"""Put a backup in the place of the database of a server that is not running."""

from __future__ import annotations

import argparse
from pathlib import Path

from lastcard.cli.server_settings import add_database, database_url_of

EXAMPLES = (
    "lastcard restore cards.backup",
    "lastcard restore cards.backup --database-url postgresql://cards@db/cards",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a backup of lastcard, of either kind of database")
    parser.add_argument("--overwrite", action="store_true", help="overwrite the existing database")
    parser.add_argument(
        "--no-migrate", action="store_true", help="leave the schema as it is in the backup, for an older lastcard"
    )
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Restore a backup and report it."""
    from lastcard.server.store.maintenance import restore

    address = database_url_of(args)
    schema = restore(args.file, address, overwrite=args.overwrite, no_migrate=args.no_migrate)
    print(f"{args.file}: restored and checked, schema {schema}")
    return 0

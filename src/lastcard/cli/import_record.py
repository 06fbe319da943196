"""Put a match record among the matches of the server here, to see it in the browser."""

from __future__ import annotations

import argparse

from lastcard.cli.arguments import add_shared
from lastcard.cli.server_settings import add_database, database_url_of
from lastcard.errors import RecordError, prefix_errors

EXAMPLES = ("lastcard import episode.toml",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_shared(parser, "file", help="a match record of a table, or of lastcard.envs.pettingzoo")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Import a record and print its URL."""
    from lastcard.formats.record_files import read_record
    from lastcard.server.game.record_import import import_record

    record = read_record(args.file)
    with prefix_errors(args.file, RecordError):
        page = import_record(record, database_url_of(args))
    print(f"{page}: open it at your server, as in http://localhost:8020{page} while `lastcard serve` runs")
    return 0

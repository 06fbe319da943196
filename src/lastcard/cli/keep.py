"""Put a match record among the matches of the server here, to see it in the browser."""

from __future__ import annotations

import argparse

from lastcard.cli.arguments import add_shared
from lastcard.cli.settings import add_database, database_of
from lastcard.errors import RecordError, naming

EXAMPLES = ("lastcard keep episode.toml",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_shared(parser, "file", help="a match record of a table, or of lastcard.envs.pettingzoo")
    add_database(parser)


def run(args: argparse.Namespace) -> int:
    """Keep a record and say where it is."""
    from lastcard.formats.record import read_record
    from lastcard.server.game.record_import import keep_record

    record = read_record(args.file)
    with naming(args.file, RecordError):
        page = keep_record(record, database_of(args))
    print(f"{page}: open it at your server, as in http://localhost:8020{page} while `lastcard serve` runs")
    return 0

"""Prove a match record, shuffle and all, and say in words what was proved."""

from __future__ import annotations

import argparse

from lastcard.cli.arguments import add_shared
from lastcard.cli.command import FAILED, fail
from lastcard.errors import NoRecord, RecordError

EXAMPLES = ("lastcard verify match.toml", "lastcard verify match.toml --language pt")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_shared(parser, "file")
    add_shared(parser, "--language")


def run(args: argparse.Namespace) -> int:
    """Prove a record; one that is not true is a check that failed."""
    from lastcard.terminal.replay import explain_proof
    from lastcard.terminal.talk import open_terminal

    try:
        explain_proof(args.file, args.language, open_terminal())
    except NoRecord:
        raise
    except RecordError as error:
        return fail(error, FAILED)
    return 0

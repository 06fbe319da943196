"""Run a server with tables that everybody on the network can play at in a browser."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lastcard.cli.arguments import read_language
from lastcard.cli.command import FAILED, interrupt_on_signals
from lastcard.cli.server_settings import (
    OTHER_VARIABLES,
    add_settings,
    find_exposed_passwords,
    find_misspelled_variables,
    resolve_settings,
)
from lastcard.text.escaping import escape_control_characters

if TYPE_CHECKING:
    from lastcard.server.setup.server_options import ServerOptions

EXAMPLES = (
    "lastcard serve",
    "lastcard serve --port 8080 --no-open",
    "lastcard serve --share",
    "lastcard serve --check --config cards.toml",
    "lastcard serve --host 127.0.0.1 --public-url https://cards.example --database-url postgresql://cards@db/cards",
)
END_S: Final = 1.0
"""Maximum seconds for the process to end after everything is closed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_settings(parser)
    parser.add_argument(
        "--check", action="store_true", help="say what is wrong with these options, or would be, and serve nothing"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until a stop signal, or only check the options."""
    interrupt_on_signals()
    settings = resolve_settings(args)
    kernel = settings.pop("kernel", None)
    if kernel is not None and args.kernel is None and not any(os.environ.get(name) for name in OTHER_VARIABLES[1:]):
        from lastcard.kernel.jit import select_backend

        select_backend(kernel)
    settings.setdefault("language", read_language(""))

    from lastcard.server.setup.server_options import ServerOptions

    options = ServerOptions(**settings)
    warnings = find_misspelled_variables()
    if args.check:
        return _check(options, [*warnings, *find_exposed_passwords(args)])
    for warning in warnings:
        print(f"lastcard: {warning}", file=sys.stderr)

    from lastcard.server.launcher import serve

    status = serve(options)
    _end_soon(status)
    return status


def _end_soon(status: int) -> None:
    """Make the process end within ``END_S``, even if threads still work.

    Python waits up to a minute for threads with reports and hints: compiled code cannot be stopped. Daemon threads
    would go on while Python frees their data. All results have been saved by now.
    """
    timer = threading.Timer(END_S, os._exit, (status,))
    timer.daemon = True  # nobody waits for the timer itself
    timer.start()


def _check(options: ServerOptions, warnings: Sequence[str]) -> int:
    """Print the results of the preflight check; the exit status says whether a server would start."""
    from lastcard.server.setup.preflight import ERROR, WARNING, CheckResult, check_options

    bad = 0
    for found in (*(CheckResult(WARNING, warning) for warning in warnings), *check_options(options)):
        bad += found.kind == ERROR
        print(f"{found.kind:5}  {escape_control_characters(found.text)}")
    print("it would not start, or not as it is meant to" if bad else "it would start")
    return FAILED if bad else 0

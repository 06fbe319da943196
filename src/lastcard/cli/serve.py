"""Open tables to play at in the browser, for everybody in the house."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lastcard.cli.arguments import read_language
from lastcard.cli.command import FAILED, end_well
from lastcard.cli.settings import ELSEWHERE, add_settings, exposed, misspelled, settle
from lastcard.text.visible import visible

if TYPE_CHECKING:
    from lastcard.server.setup.options import ServerOptions

EXAMPLES = (
    "lastcard serve",
    "lastcard serve --port 8080 --no-open",
    "lastcard serve --share",
    "lastcard serve --check --config cards.toml",
    "lastcard serve --host 127.0.0.1 --public-url https://cards.example --database-url postgresql://cards@db/cards",
)
END_SECONDS: Final = 1.0
"""How long the process may take to end once all is closed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_settings(parser)
    parser.add_argument(
        "--check", action="store_true", help="say what is wrong with these options, or would be, and serve nothing"
    )


def run(args: argparse.Namespace) -> int:
    """Serve until a signal says stop; or only see whether one could."""
    end_well()
    said = settle(args)
    kernel = said.pop("kernel", None)
    if kernel is not None and args.kernel is None and not any(os.environ.get(name) for name in ELSEWHERE[1:]):
        from lastcard.kernel.jit import choose

        choose(kernel)
    said.setdefault("language", read_language(""))

    from lastcard.server.setup.options import ServerOptions

    options = ServerOptions(**said)
    warnings = misspelled()
    if args.check:
        return _check(options, [*warnings, *exposed(args)])
    for warning in warnings:
        print(f"lastcard: {warning}", file=sys.stderr)

    from lastcard.server.start import serve

    status = serve(options)
    _end_soon(status)
    return status


def _end_soon(status: int) -> None:
    """Have the process end within ``END_SECONDS``, whatever threads still do.

    Python waits for those that make reports and hints, up to a minute, and nobody can stop what compiled code does. As
    daemons they would go on while Python takes down what they work on. All that is to stay has been written by now.
    """
    timer = threading.Timer(END_SECONDS, os._exit, (status,))
    timer.daemon = True  # nobody waits for the timer itself
    timer.start()


def _check(options: ServerOptions, warnings: Sequence[str]) -> int:
    """Say how it would go; the exit status tells whether it would."""
    from lastcard.server.setup.check import NOTE, WRONG, Finding, check

    bad = 0
    for found in (*(Finding(NOTE, warning) for warning in warnings), *check(options)):
        bad += found.kind == WRONG
        print(f"{found.kind:5}  {visible(found.text)}")
    print("it would not start, or not as it is meant to" if bad else "it would start")
    return FAILED if bad else 0

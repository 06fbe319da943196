"""The command line: one door to everything. Imports wait until they are needed, so that ``--help`` is instant."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Final

from lastcard.cli import (
    arena,
    backup,
    bot,
    cases,
    export,
    keep,
    play,
    replay,
    report,
    restore,
    rules,
    serve,
    simulate,
    train,
    tune,
    verify,
    version,
)
from lastcard.cli.command import BAD_INPUT, FAILED, INTERRUPTED, Command, fail
from lastcard.errors import LastcardError, PlayerError

COMMANDS: Final[tuple[Command, ...]] = (
    play, serve, rules, simulate, arena, bot, replay, verify, report, keep, backup, restore, export, train, tune, cases,
    version,
)  # fmt: skip
_BROKEN_PIPE: Final = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments; those of the process by default.

    Returns:
        The exit status: 0 all well, 1 a check failed, 2 bad input, 130 interrupted.
    """
    try:
        args = make_parser().parse_args(argv)
    except SystemExit as done:  # argparse has printed its help or what is wrong
        return done.code if isinstance(done.code, int) else BAD_INPUT
    try:
        if getattr(args, "kernel", None):
            _choose_kernel(args.kernel)
        status: int = args.run(args)
        sys.stdout.flush()
        return status
    except PlayerError as error:
        return fail(error, FAILED)
    except LastcardError as error:
        return fail(error, BAD_INPUT)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone, as with `| head`; Python would complain once more at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE


def _choose_kernel(name: str) -> None:
    """Run the kernel in this form, whatever the environment says."""
    from lastcard.engine.jit import choose

    choose(name)


def make_parser() -> argparse.ArgumentParser:
    """What understands a command line."""
    parser = argparse.ArgumentParser(
        prog="lastcard",
        description="UNO All Wild, classic UNO and UNO Wild Jackpot by exact rules.",
        epilog="`lastcard COMMAND --help` says more. To begin: lastcard play",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        about = command.__doc__ or ""
        own = commands.add_parser(
            command.__name__.rpartition(".")[2],
            help=about[:1].lower() + about[1:-1],
            description=about,
            epilog="examples:\n" + "\n".join(f"  {example}" for example in command.EXAMPLES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        own.set_defaults(run=command.run)
        command.add_arguments(own)
    return parser


if __name__ == "__main__":
    sys.exit(main())

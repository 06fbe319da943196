"""The command line: one door to everything. Imports wait until they are needed, so that ``--help`` is instant."""

from __future__ import annotations

import argparse
import codecs
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

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
    site,
    train,
    tune,
    verify,
    version,
    warm,
)
from lastcard.cli.command import BAD_INPUT, FAILED, INTERRUPTED, Command, fail
from lastcard.errors import LastcardError, PlayerError, suggest

COMMANDS: Final[tuple[Command, ...]] = (
    play, serve, site, rules, simulate, arena, bot, replay, verify, report, keep, backup, restore, export, train, tune,
    cases, warm, version,
)  # fmt: skip
_BROKEN_PIPE: Final = 141
_PLAIN: Final = {
    "\N{MINUS SIGN}": "-",
    "±": "~",
    "×": "x",
    "→": ">",
    "–": "-",
    "—": "-",
    "’": "'",
    "“": '"',
    "”": '"',
    "…": ".",
}
"""Characters of our own texts that any terminal can show in some way, one for one, so that tables stay in line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments; those of the process by default.

    Returns:
        The exit status: 0 all well, 1 a check failed, 2 bad input, or a disk that takes no more, 130 interrupted, 141
        where the reader has gone.
    """
    _mend_streams()
    try:
        status = _run(argv)
        sys.stdout.flush()
        return status
    except PlayerError as error:
        return fail(error, FAILED)
    except LastcardError as error:
        return fail(error, BAD_INPUT)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader has gone, as with `| head`
        _drop_output()
        return _BROKEN_PIPE
    except SystemExit as done:
        if isinstance(done.__context__, BrokenPipeError):  # which Rich makes this of
            return _BROKEN_PIPE
        raise
    except OSError as error:
        _drop_output()
        what = "reading or writing failed" if error.filename is None else error.filename
        return fail(f"{what}: {error.strerror or error}", BAD_INPUT)


def _run(argv: Sequence[str] | None) -> int:
    """Run the command that is asked for; returns its exit status."""
    try:
        args = make_parser().parse_args(argv)
    except SystemExit as done:  # argparse has printed its help or what is wrong
        return done.code if isinstance(done.code, int) else BAD_INPUT
    if getattr(args, "kernel", None):
        _choose_kernel(args.kernel)
    status: int = args.run(args)
    return status


def _mend_streams() -> None:
    """See that streams can be used: nothing comes from one that is closed, and what one lacks is a plain character."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open to the end
    codecs.register_error("plain", _write_plain)
    for stream, way in ((sys.stdin, "replace"), (sys.stdout, "plain")):  # Python spells out what standard error lacks
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors=way)


def _write_plain(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that a stream lacks: of figures the sign must not be lost."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_PLAIN.get(char, "?") for char in lost), error.end


def _drop_output() -> None:
    """Forget what could not be printed, or Python would try and complain once more at its exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _choose_kernel(name: str) -> None:
    """Run the kernel in this form, whatever the environment says."""
    from lastcard.kernel.jit import choose

    choose(name)


class _Parser(argparse.ArgumentParser):
    """One that asks whether another word was meant, and does not hide that help could not be written."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            file.write(message)
        else:  # of what is wrong the status tells
            super()._print_message(message, file)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += suggest(str(value), map(str, action.choices or ()))
            raise


class _ShowVersion(argparse.Action):
    """``--version``: what ``lastcard version`` begins with."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> NoReturn:
        print(f"lastcard {version.installed() or '0'}")
        parser.exit()


def make_parser() -> argparse.ArgumentParser:
    """What understands a command line."""
    parser = _Parser(
        prog="lastcard",
        description="UNO All Wild, classic UNO and UNO Wild Jackpot by exact rules.",
        epilog="`lastcard COMMAND --help` says more. To begin: lastcard play",
    )
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="show the version and exit")
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

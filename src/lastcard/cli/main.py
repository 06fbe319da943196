"""The command line: the entry point of all commands. Lazy imports make ``--help`` fast."""

from __future__ import annotations

import argparse
import codecs
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from lastcard import __version__
from lastcard.cli import (
    arena,
    backup,
    bot,
    build_site,
    daily,
    dataset,
    doctor,
    eval,
    export,
    import_record,
    mcp,
    play,
    precompile,
    puzzles,
    replay,
    report,
    restore,
    rules,
    serve,
    simulate,
    study,
    test_cases,
    train,
    tune,
    verify,
    version,
)
from lastcard.cli.command import BAD_INPUT, FAILED, INTERRUPTED, Command, print_error
from lastcard.errors import LastcardError, PlayerError, suggest

COMMANDS: Final[tuple[Command, ...]] = (
    play, daily, puzzles, serve, build_site, rules, simulate, study, arena, eval, dataset, bot, mcp, replay, verify,
    report, import_record, backup, restore, export, train, tune, test_cases, precompile, doctor, version,
)  # fmt: skip
_BROKEN_PIPE: Final = 141
_PLAIN_CHARACTERS: Final = {
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
"""ASCII replacements for characters of our texts, one for one, so that columns stay aligned."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line, by default that of the process, and return its exit status; without a command it serves.

    0 success, 1 a check failed, 2 bad input or a full disk, 130 interrupted, 141 closed pipe.
    """
    _prepare_streams()
    try:
        status = _run(argv)
        sys.stdout.flush()
        return status
    except PlayerError as error:
        return print_error(error, FAILED)
    except LastcardError as error:
        return print_error(error, BAD_INPUT)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of the pipe has gone, as with `
        _discard_output()
        return _BROKEN_PIPE
    except SystemExit as done:
        if isinstance(done.__context__, BrokenPipeError):  # Rich turns it into SystemExit
            return _BROKEN_PIPE
        raise
    except OSError as error:
        _discard_output()
        what = "reading or writing failed" if error.filename is None else error.filename
        return print_error(f"{what}: {error.strerror or error}", BAD_INPUT)


def _run(argv: Sequence[str] | None) -> int:
    given = sys.argv[1:] if argv is None else argv
    try:
        args = make_parser().parse_args(given or [command_name(serve)])
    except SystemExit as done:  # argparse has printed help or an error
        return done.code if isinstance(done.code, int) else BAD_INPUT
    if getattr(args, "kernel", None):
        _choose_backend(args.kernel)
    status: int = args.run(args)
    return status


def _prepare_streams() -> None:
    """Make the standard streams usable: replace closed ones, and characters that an encoding lacks."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open to the end
    codecs.register_error("plain", _write_plain)
    for stream, way in ((sys.stdin, "replace"), (sys.stdout, "plain")):  # Python escapes what standard error lacks
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors=way)


def _write_plain(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement for characters that a stream lacks; a minus sign must survive."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(_PLAIN_CHARACTERS.get(char, "?") for char in lost), error.end


def _discard_output() -> None:
    """Discard unprintable output, because Python would fail on it again at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _choose_backend(name: str) -> None:
    """Select the backend of the kernel, regardless of the environment."""
    from lastcard.kernel.jit import select_backend

    select_backend(name)


class _Parser(argparse.ArgumentParser):
    """An argument parser that suggests similar words and reports when help cannot be written."""

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            file.write(message)
        else:  # errors are visible in the status
            super()._print_message(message, file)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments; each command reports its own unknown ones, with its own usage."""
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            options = [option for action in self._actions for option in action.option_strings]
            near = suggest(unknown[0].partition("=")[0], options)
            self.error(f"unrecognized arguments: {' '.join(unknown)}{near}")
        return known, unknown

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += suggest(str(value), map(str, action.choices or ()))
            raise


def command_name(command: Command) -> str:
    """Return the name of a command: that of its module, except for ``import``, a keyword of Python."""
    if command is import_record:
        return "import"
    return command.__name__.rpartition(".")[2].replace("_", "-")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = _Parser(
        prog="lastcard",
        description="UNO All Wild, classic UNO and UNO Wild Jackpot by exact rules.",
        epilog="Without a command, a table opens in the browser: lastcard serve. `lastcard COMMAND --help` says more.",
    )
    version_line = f"lastcard {__version__}"
    parser.add_argument("--version", action="version", version=version_line, help="show the version and exit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        about = command.__doc__ or ""
        own = commands.add_parser(
            command_name(command),
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

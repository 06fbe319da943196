"""The interface of a command, and what all commands share: interruption and error messages."""

from __future__ import annotations

import argparse
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Final, NoReturn, Protocol

from lastcard.text.escaping import escape_control_characters

FAILED: Final = 1
"""The exit status of a check that failed."""
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


class Command(Protocol):
    """A module of this folder; its docstring is the text of ``--help``, and its name is that of the command."""

    @property
    def __name__(self) -> str:
        """The full name of the module."""

    @property
    def EXAMPLES(self) -> tuple[str, ...]:  # noqa: N802
        """Example command lines."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Run the command; return its exit status."""


def print_error(error: Exception | str, status: int) -> int:
    """Print an error message; return the exit status."""
    with suppress(OSError):  # the status remains if nothing can be printed
        print(f"lastcard: {escape_control_characters(str(error))}", file=sys.stderr)
    return status


def interrupt_on_signals() -> None:
    """Treat a closed window or a shutdown like Ctrl-C, to save matches and end child programs. Ignored signals
    stay ignored, as under ``nohup``.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt

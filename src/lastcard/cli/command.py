"""What a command is, and what all of them have in common: how they are stopped, and how they say what is wrong."""

from __future__ import annotations

import argparse
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Final, NoReturn, Protocol

from lastcard.text.visible import visible

FAILED: Final = 1
"""The exit status of a check that failed."""
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


class Command(Protocol):
    """A module of this folder; its docstring is what ``--help`` says, and its name that of the command."""

    @property
    def __name__(self) -> str:
        """Its full name."""
        ...

    @property
    def EXAMPLES(self) -> tuple[str, ...]:  # noqa: N802
        """Command lines to learn from."""
        ...

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Say what the command takes."""
        ...

    def run(self, args: argparse.Namespace) -> int:
        """Do it; the exit status."""
        ...


def fail(error: Exception | str, status: int) -> int:
    """Say what is wrong; returns the exit status."""
    with suppress(OSError):  # what cannot be said either is told by the status
        print(f"lastcard: {visible(str(error))}", file=sys.stderr)
    return status


def end_well() -> None:
    """Let a closed window or a shutdown do what Ctrl-C does: save a match, keep deals, end a program that runs for us.
    What is ignored stays ignored, as a closed window is under ``nohup``.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt

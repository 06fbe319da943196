"""Line input and output: plain text without cursor control, for screen readers and pipes too."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, TextIO

from lastcard.game.text_files import normalize_text
from lastcard.text.escaping import escape_control_characters

PROMPT: Final = "> "
_SCREEN_LINES: Final = 60


class InputEnded(Exception):
    """The input has ended."""


class LineTerminal:
    """A terminal with line input and output.

    Args:
        read: function such as ``input`` that shows a prompt and reads a line from a keyboard; None
            without a keyboard: lines are then read from ``source`` and echoed, so that the output of
            a script reads like a session.
    """

    def __init__(self, source: TextIO, out: TextIO, read: Callable[[str], str] | None = None) -> None:
        self._source = source
        self._out = out
        self._read = read

    @property
    def is_interactive(self) -> bool:
        """Whether there is a keyboard."""
        return self._read is not None

    def write(self, *lines: str) -> None:
        """Print lines."""
        for line in lines:
            self._out.write(escape_control_characters(line) + "\n")
        self._out.flush()

    def write_numbered(self, lines: Iterable[str]) -> None:
        """Print numbered lines, from 1."""
        self.write(*(f"{number:>3}. {line}" for number, line in enumerate(lines, start=1)))

    def ask(self, question: str = "") -> str:
        """Returns the next line of input, stripped, after a question on a line of its own, or raises ``InputEnded``."""
        if question:
            self.write(question)
        if self._read is not None:
            try:
                return self._read(PROMPT).strip()
            except EOFError:
                raise InputEnded from None
        self._out.write(PROMPT)
        line = normalize_text(self._source.readline())  # some shells put a byte order mark before their output
        if not line:
            self._out.write("\n")
            self._out.flush()
            raise InputEnded
        self.write(line.strip())
        return line.strip()

    def clear(self) -> None:
        """Scroll the screen away before another person looks at it."""
        if self.is_interactive:
            self.write("\n" * _SCREEN_LINES)


def open_terminal() -> LineTerminal:
    """Returns the terminal of this process, with a keyboard if input and output are a terminal."""
    keyboard = sys.stdin.isatty() and sys.stdout.isatty()
    if keyboard:
        with suppress(ImportError):
            import readline  # noqa: F401 - adds line editing to input() if the system has it
    return LineTerminal(sys.stdin, sys.stdout, input if keyboard else None)

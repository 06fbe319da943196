"""Lines in and lines out: plain text, no cursor tricks, so that screen readers and pipes are served alike."""

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
    """A conversation with the people at a terminal.

    Args:
        source: where their lines come from.
        out: where ours go.
        read: reads one line of a keyboard and shows a prompt, such as ``input``; None where there is
            no keyboard: lines are then read from ``source`` and shown again, so that the output of a
            script reads like the session it was.
    """

    def __init__(self, source: TextIO, out: TextIO, read: Callable[[str], str] | None = None) -> None:
        self._source = source
        self._out = out
        self._read = read

    @property
    def is_interactive(self) -> bool:
        """Whether somebody sits at a keyboard."""
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
        """The next line somebody types, without blanks around it.

        Args:
            question: printed on a line of its own first.

        Raises:
            Gone: where there is no next line.
        """
        if question:
            self.write(question)
        if self._read is not None:
            try:
                return self._read(PROMPT).strip()
            except EOFError:
                raise InputEnded from None
        self._out.write(PROMPT)
        line = normalize_text(self._source.readline())  # shells of other systems put a mark before what they hand on
        if not line:
            self._out.write("\n")
            self._out.flush()
            raise InputEnded
        self.write(line.strip())
        return line.strip()

    def clear(self) -> None:
        """Push what is on the screen out of sight, before somebody else looks at it."""
        if self.is_interactive:
            self.write("\n" * _SCREEN_LINES)


def open_terminal() -> LineTerminal:
    """The terminal of this process; a keyboard where both ends are one."""
    keyboard = sys.stdin.isatty() and sys.stdout.isatty()
    if keyboard:
        with suppress(ImportError):
            import readline  # noqa: F401 - gives input() line editing where the system has it
    return LineTerminal(sys.stdin, sys.stdout, input if keyboard else None)

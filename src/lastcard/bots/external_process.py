"""A program as a child process: lines over its pipes, with a limit to everything it may do to us."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, TextIO

from lastcard.errors import PlayerError, UsageError, named
from lastcard.interrupts import delay_interrupts

LONGEST_LINE: Final = 4096
"""Bytes a program may say in a line."""
SAY_SECONDS: Final = 5.0
"""A program that does not read what it is told for so long is given up."""
LOG_FAILED: Final = "the log cannot be written"
LEAVE_SECONDS: Final = 1.0
"""How long a program may take to end by itself."""


class TooLong(Exception):
    """A line of more than ``LONGEST_LINE`` bytes; all of it is thrown away."""


class Child:
    """A running program, with everything it starts. Nothing of it outlives ``stop``, or the end of this process.

    What it says is read only when it is asked, so its pipe bounds the memory it can fill.

    Args:
        process: its process.
        log: where every line is written, those to it with ``>`` and those from it with ``<``.
    """

    def __init__(self, process: Process, log: TextIO | None) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self._to, self._from = process.stdin, process.stdout
        self._log = log
        self._skipping = False

    @classmethod
    async def start(cls, command: Sequence[str], log: TextIO | None = None) -> Child:
        """Start a program; what it writes to its standard error goes to ours.

        Raises:
            UsageError: where it cannot be started.
        """
        try:
            with delay_interrupts():  # between the start of the program and the place where it is known
                child = cls(
                    await asyncio.create_subprocess_exec(
                        *command, stdin=PIPE, stdout=PIPE, limit=LONGEST_LINE, start_new_session=True
                    ),
                    log,
                )
                atexit.register(child._kill)
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            raise UsageError(f"{command[0]}: the program cannot be started: {reason}") from None
        return child

    async def say(self, line: bytes) -> None:
        """Tell it a line.

        Raises:
            PlayerError: where it has ended, or does not read.
        """
        self._note(">", line)
        self._to.write(line + b"\n")
        try:
            async with asyncio.timeout(SAY_SECONDS):
                await self._to.drain()
        except TimeoutError:
            raise PlayerError("the program does not read its standard input; it must read every line") from None
        except ConnectionError:
            raise PlayerError(await self._last_words()) from None

    async def hear(self) -> bytes:
        """The next line it says, however long that takes.

        Raises:
            TooLong: for a line that does not end.
            PlayerError: where it has ended.
        """
        while True:
            try:
                line = await self._from.readuntil(b"\n")
            except asyncio.LimitOverrunError as error:
                await self._from.readexactly(error.consumed)
                if not self._skipping:
                    self._skipping = True
                    raise TooLong from None
                continue
            except (asyncio.IncompleteReadError, ConnectionError):
                raise PlayerError(await self._last_words()) from None
            if not self._skipping:
                self._note("<", line.rstrip(b"\n"))
                return line
            self._skipping = False

    async def stop(self) -> None:
        """End it: by closing its standard input, and a moment later by force."""
        try:
            await self._end()
        finally:
            self._kill()
        await self._end()

    async def _end(self) -> None:
        """Wait a moment until it has ended, throwing away what it still says."""
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(LEAVE_SECONDS):
                self._to.close()
                while await self._from.read(LONGEST_LINE):
                    pass
                await self._process.wait()

    def _kill(self) -> None:
        """Kill it and whatever it has started."""
        atexit.unregister(self._kill)
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    async def _last_words(self) -> str:
        """How it came to its end."""
        await self._end()
        status = self._process.returncode
        if status is None:
            return "the program has closed its standard output; it must keep it open until it is told bye"
        how = f"with exit status {status}" if status >= 0 else f"killed by signal {-status}"
        return f"the program has ended by itself, {how}; it must go on until it is told bye"

    def _note(self, mark: str, line: bytes) -> None:
        """Write a line into the log.

        Raises:
            UsageError: where the log takes no more.
        """
        if self._log is not None:
            with named(getattr(self._log, "name", "lines"), LOG_FAILED):
                self._log.write(f"{mark} {line.decode('utf-8', 'backslashreplace')}\n")

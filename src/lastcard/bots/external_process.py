"""A program as a child process: lines over its pipes, with limits on time and memory."""

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

from lastcard.errors import PlayerError, UsageError, wrap_os_errors
from lastcard.interrupts import delay_interrupts

LINE_LIMIT_BYTES: Final = 4096
"""Size limit of a line from a program, in bytes."""
WRITE_LIMIT_S: Final = 5.0
"""Time limit for a program to read a line, in seconds."""
LOG_FAILED: Final = "the log cannot be written"
EXIT_LIMIT_S: Final = 1.0
"""Time in which a program may end by itself, in seconds."""


class LineTooLong(Exception):
    """A line of more than ``LINE_LIMIT_BYTES`` bytes; all of it is discarded."""


class ChildProcess:
    """A running program and its child processes. None of them outlives ``stop``, or the end of this process.

    Its output is read only on request, so its pipe bounds the memory it can fill.

    Args:
        log: stream for every line, those to it with ``>`` and those from it with ``<``.
    """

    def __init__(self, process: Process, log: TextIO | None) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self._stdin, self._stdout = process.stdin, process.stdout
        self._log = log
        self._skipping = False

    @classmethod
    async def start(cls, command: Sequence[str], log: TextIO | None = None) -> ChildProcess:
        """Start a program; its standard error goes to ours. Raises a UsageError if it cannot be started."""
        try:
            with delay_interrupts():  # until the program is assigned, so that ``stop`` can end it
                child = cls(
                    await asyncio.create_subprocess_exec(
                        *command, stdin=PIPE, stdout=PIPE, limit=LINE_LIMIT_BYTES, start_new_session=True
                    ),
                    log,
                )
                atexit.register(child._kill)
        except (OSError, ValueError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            raise UsageError(f"{command[0]}: the program cannot be started: {reason}") from None
        return child

    async def write_line(self, line: bytes) -> None:
        """Send a line to the program; raises a PlayerError if it has ended or does not read."""
        self._log_line(">", line)
        self._stdin.write(line + b"\n")
        try:
            async with asyncio.timeout(WRITE_LIMIT_S):
                await self._stdin.drain()
        except TimeoutError:
            raise PlayerError("the program does not read its standard input; it must read every line") from None
        except ConnectionError:
            raise PlayerError(await self._describe_exit()) from None

    async def read_line(self) -> bytes:
        """The next line of the program, without a time limit.

        Raises:
            LineTooLong: for a line that does not end.
            PlayerError: if it has ended.
        """
        while True:
            try:
                line = await self._stdout.readuntil(b"\n")
            except asyncio.LimitOverrunError as error:
                await self._stdout.readexactly(error.consumed)
                if not self._skipping:
                    self._skipping = True
                    raise LineTooLong from None
                continue
            except (asyncio.IncompleteReadError, ConnectionError):
                raise PlayerError(await self._describe_exit()) from None
            if not self._skipping:
                self._log_line("<", line.rstrip(b"\n"))
                return line
            self._skipping = False

    async def stop(self) -> None:
        """End the program: close its standard input, and kill it a moment later."""
        try:
            await self._end()
        finally:
            self._kill()
        await self._end()

    async def _end(self) -> None:
        """Wait a moment for its end and discard its output."""
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(EXIT_LIMIT_S):
                self._stdin.close()
                while await self._stdout.read(LINE_LIMIT_BYTES):
                    pass
                await self._process.wait()

    def _kill(self) -> None:
        """Kill the program and its child processes."""
        atexit.unregister(self._kill)
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    async def _describe_exit(self) -> str:
        """How the program ended, in words."""
        await self._end()
        status = self._process.returncode
        if status is None:
            return "the program has closed its standard output; it must keep it open until it gets bye"
        how = f"with exit status {status}" if status >= 0 else f"killed by signal {-status}"
        return f"the program has ended by itself, {how}; it must go on until it gets bye"

    def _log_line(self, direction: str, line: bytes) -> None:
        """Write a line into the log; raises a UsageError if the log cannot be written."""
        if self._log is not None:
            with wrap_os_errors(getattr(self._log, "name", "lines"), LOG_FAILED):
                self._log.write(f"{direction} {line.decode('utf-8', 'backslashreplace')}\n")

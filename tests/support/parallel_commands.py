"""Commands in parallel: ``python -m tests.support.parallel_commands COMMAND...``.

The output of the first command is shown at once, that of the others one after another when all have ended or this is
interrupted. It fails if one of them fails, and names it.
"""

from __future__ import annotations

import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from typing import IO


def run(commands: Sequence[str]) -> int:
    """Run commands at the same time, each to its end.

    Returns:
        0 if all of them return 0.
    """
    with ExitStack() as stack:
        outputs = [stack.enter_context(tempfile.TemporaryFile()) for _ in commands[1:]]
        stack.callback(_show, outputs)
        running: list[subprocess.Popen[bytes]] = []
        for command, out in zip(commands, (None, *outputs), strict=True):
            process = subprocess.Popen(shlex.split(command), stdout=out, stderr=out and subprocess.STDOUT)
            running.append(process)
            stack.callback(process.wait)
            stack.callback(process.terminate)  # for a process that still runs when this is interrupted
        stack.callback(_name_running, commands, running)
        failed = [command for command, process in zip(commands, running, strict=True) if process.wait()]
    for command in failed:
        sys.stderr.write(f"failed: {command}\n")
    return int(bool(failed))


def _show(outputs: Sequence[IO[bytes]]) -> None:
    for out in outputs:
        out.seek(0)
        shutil.copyfileobj(out, sys.stdout.buffer)
    sys.stdout.flush()


def _name_running(commands: Sequence[str], running: Sequence[subprocess.Popen[bytes]]) -> None:
    """Print the commands that still run, as when this is interrupted."""
    for command, process in zip(commands, running, strict=True):
        if process.poll() is None:
            sys.stderr.write(f"has not ended: {command}\n")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.exit(run(sys.argv[1:]))

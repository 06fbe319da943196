"""A signal at every step of starting and ending a child process: no process may be left."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

HAS_PROC: Final = Path("/proc/self/environ").exists()
"""Whether this machine lists its processes in /proc."""
_MARKER_VARIABLE: Final = "LASTCARD_TEST_CHILD"
_SCRIPT: Final = '''
import atexit, gc, os, signal, sys, time
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

MARK = f"{mark}={os.environ['{mark}']}".encode()

def children():
    """Processes that have our environment, and are not this one."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if MARK in (folder / "environ").read_bytes().split(b"\\0") and int(folder.name) != os.getpid():
                yield int(folder.name)
        except OSError:
            pass

{prepare}

def run(at):
    """The status of a run that is interrupted at a step."""
    left = at
    def count(frame, event, arg):
        nonlocal left
        if event == "line":
            left -= 1
            if left == 0:
                sys.settrace(None)
                signal.raise_signal({number})
        return count
    sys.settrace(lambda frame, event, arg: count if Path(frame.f_code.co_filename).stem in {files} else None)
    try:
        with redirect_stdout(StringIO()):
            do()
    except KeyboardInterrupt:
        return 130
    finally:
        sys.settrace(None)
    return 0

gc.freeze()
at, status = 1, 130
while status == 130:
    child = os.fork()
    if child == 0:
        status = run(at)
        atexit._run_exitfuncs()
        os._exit(status)  # to take down what has been imported takes most of the time, and ends no process
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    until = time.monotonic() + 60
    while (left := [*children()]) and time.monotonic() < until:
        time.sleep(0.005)  # one that was killed may be there for a moment
    for pid in left:
        print("interrupted at step", at, "it leaves a process behind", flush=True)
        os.kill(pid, signal.SIGKILL)
    if left:
        break
    at += {every}
print("status", status, "after steps:", at > 10 * {every})
'''


def interrupt_at_every_step(prepare: str, number: int, step: int, module_names: Sequence[str]) -> str:
    """Processes left after interrupting code at one line of Python after the other.

    Args:
        prepare: Python that defines ``do``, which starts a child process and ends it.
        number: number of the signal; its handler raises ``KeyboardInterrupt``.
        step: number of lines between two signals.
        module_names: modules whose lines count, without folders and endings.

    Returns:
        The report; ``status 0 after steps: True`` if all is well.
    """
    if not HAS_PROC:
        pytest.skip("asks Linux for the processes of this machine")
    script = _SCRIPT.replace("{mark}", _MARKER_VARIABLE).replace("{prepare}", prepare)
    script = (
        script.replace("{number}", str(int(number)))
        .replace("{every}", str(step))
        .replace("{files}", repr([*module_names]))
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, _MARKER_VARIABLE: str(os.getpid())},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stdout.strip() if not done.returncode else done.stdout + done.stderr

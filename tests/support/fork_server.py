"""Python programs forked from a process that has already imported the server, so that a start costs one fork."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Thread
from typing import IO, Final

from support.services import ending_with_parent

SERVER_MODULES: Final = ("lastcard.cli.main", "lastcard.server.setup.server_options", "lastcard.server.launcher")
"""Modules that a server imports."""
_SCRIPT: Final = """
import ctypes, gc, json, os, runpy, signal, socket, sys
from importlib import import_module

connection = socket.socket(fileno=int(sys.argv[1]))
for name in sys.argv[2:]:
    import_module(name)
gc.freeze()

def wait_for_message():
    '''Fork and wait as asked; returns what to run, in each child.'''
    while True:
        data, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
        if not data:
            os._exit(0)
        message = json.loads(data)
        if "wait" in message:
            answer = os.waitstatus_to_exitcode(os.waitpid(message["wait"], 0)[1])
        else:
            answer = os.fork()
            if not answer:
                ctypes.CDLL(None).prctl(1, signal.SIGINT)  # PR_SET_PDEATHSIG
                for number, stream in enumerate(streams):
                    os.dup2(stream, number)
                    os.close(stream)
                connection.close()
                return message
            for stream in streams:
                os.close(stream)
        connection.send(str(answer).encode())

message = wait_for_message()
os.chdir(message["folder"])
os.environ.clear()
os.environ.update(message["environment"])
sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__ = [
    open(number, mode, buffering, encoding="utf-8", errors=errors, closefd=False)
    for number, (mode, buffering, errors) in enumerate(
        (("r", -1, "strict"), ("w", -1, "strict"), ("w", 1, "backslashreplace"))
    )
]
for number in message["ignored"]:
    signal.signal(number, signal.SIG_IGN)
how, program, *rest = message["arguments"]
sys.argv = [how, *rest]
if how == "-m":
    runpy.run_module(program, run_name="__main__", alter_sys=True)
else:
    exec(program, {"__name__": "__main__"})
"""


class ForkServer:
    """A process that has imported some modules and forks; it and all its children end with this process."""

    def __init__(self, modules: Sequence[str] = SERVER_MODULES) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            subprocess.Popen(
                [sys.executable, "-c", _SCRIPT, str(theirs.fileno()), *modules],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            ).returncode = 0  # no one waits for it

    def request(self, message: Mapping[str, object], streams: Sequence[int] = ()) -> int:
        """The answer to a request: the process id of a new child, or the status of one that has ended."""
        socket.send_fds(self._socket, [json.dumps(message).encode()], streams)
        return int(self._socket.recv(100))


_default_server = cache(ForkServer)


class ForkedProcess:
    """A child of a fork server, used like ``subprocess.Popen`` with text; its output goes to pipes by default.

    Its command line is that of Python: ``-m MODULE …`` or ``-c PROGRAM …``.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        env: Mapping[str, str],
        stdout: int | IO[bytes] = subprocess.PIPE,
        stderr: int | IO[bytes] = subprocess.PIPE,
        server: ForkServer | None = None,
    ) -> None:
        self._server = server or _default_server()
        self._output = ["", ""]
        self._readers: list[Thread] = []
        nothing = os.open(os.devnull, os.O_RDONLY)
        out = self._open(0, stdout)
        err = out if stderr == subprocess.STDOUT else self._open(1, stderr)
        ignored = [number for number in signal.Signals if signal.getsignal(number) is signal.SIG_IGN]
        message = {"arguments": arguments, "environment": dict(env), "folder": str(Path.cwd()), "ignored": ignored}
        self.pid = self._server.request(message, [nothing, out, err])
        for stream in {nothing, out, err}:
            os.close(stream)
        self._pidfd = os.pidfd_open(self.pid)
        self.returncode: int | None = None

    def _open(self, number: int, stream: int | IO[bytes]) -> int:
        """A file descriptor that the child writes to; a thread reads the output of a pipe."""
        if not isinstance(stream, int):
            return os.dup(stream.fileno())
        assert stream == subprocess.PIPE
        ours, theirs = os.pipe()

        def read() -> None:
            with os.fdopen(ours, encoding="utf-8") as lines:
                for line in lines:
                    self._output[number] += line

        self._readers.append(Thread(target=read, daemon=True))
        self._readers[-1].start()
        return theirs

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, once it has ended.

        Raises:
            subprocess.TimeoutExpired: if that takes longer.
        """
        if self.returncode is None:
            if not select.select([self._pidfd], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
            os.close(self._pidfd)
            self.returncode = self._server.request({"wait": self.pid})
        return self.returncode

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """All output, once the child has ended; see ``wait``."""
        self.wait(timeout)
        for reader in self._readers:
            reader.join(timeout)
        return self._output[0], self._output[1]

    def send_signal(self, number: int) -> None:
        """Send it a signal unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """``kill -9``."""
        self.send_signal(signal.SIGKILL)


def start_python(
    arguments: Sequence[str],
    *,
    env: Mapping[str, str],
    stdout: int | IO[bytes] = subprocess.PIPE,
    stderr: int | IO[bytes] = subprocess.PIPE,
) -> ForkedProcess | subprocess.Popen[str]:
    """A Python program that ends with the tests, however they end; forked if the system allows it."""
    if hasattr(os, "pidfd_open"):
        return ForkedProcess(arguments, env=env, stdout=stdout, stderr=stderr)
    command = ending_with_parent([sys.executable, *arguments])
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, text=True, env=env)

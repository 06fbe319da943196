"""Tunnels: an installed tunnel program gives this computer a public https URL.

The program runs beside the server and ends with it. Its output is read until a URL appears. Traffic passes through
the machines of the tunnel's operator, whom the server names to people.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Thread
from typing import Final

from lastcard.errors import UsageError
from lastcard.interrupts import delay_interrupts

START_TIMEOUT_S: Final = 45.0
"""Seconds in which the URL must appear."""
END_S: Final = 3.0
ANY: Final = "any"
KINDS: Final = ("cloudflared", "tailscale", "ssh")
SSH_HOST: Final = "nokey@localhost.run"
"""Default host for ``ssh -R``: it gives everybody a URL without an account."""
INSTALL_HELP: Final = (
    "a tunnel program is needed to let friends elsewhere in; one of these:\n"
    "  cloudflared, from its own packages (no account is needed), or\n"
    "  tailscale, with an account and `tailscale funnel` allowed, or\n"
    "  ssh, which most systems have: --share ssh:USER@HOST for a host that gives https addresses"
)
_ADDRESS: Final = re.compile(r"https://([a-z0-9][a-z0-9.-]*\.[a-z0-9-]+(?::\d+)?)/?(?=[\s|,)'\"]|$)", re.IGNORECASE)
_PROVIDER_HOSTS: Final = (
    "localhost.run", "admin.localhost.run", "api.trycloudflare.com", "www.cloudflare.com", "one.dash.cloudflare.com",
    "login.tailscale.com", "tailscale.com", "serveo.net", "github.com",
)  # fmt: skip
"""Hosts that these programs print in messages about themselves."""
_MAX_LAST_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class Tunnel:
    """An installed tunnel program."""

    name: str
    operator: str
    """The operator of the machines that traffic passes through."""
    is_end_to_end: bool
    """Whether HTTPS ends on this computer, so that the operator cannot read the traffic."""
    command: Sequence[str]
    """Its command line; ``{port}`` stands for the port of the server."""

    def open(self, port: int, ended: Callable[[], object] = lambda: None) -> OpenTunnel:
        """Start the program for a local port, and wait for the URL; if it ends later, a thread calls ``ended``.

        Raises:
            UsageError: if no URL appears; the message quotes the program.
        """
        command = [part.replace("{port}", str(port)) for part in self.command]
        tunnel = None
        try:
            with delay_interrupts():  # between the start of the program and its registration
                tunnel = OpenTunnel(command, ended)
            tunnel.address = tunnel.wait()
        except OSError as error:
            raise UsageError(f"{self.name} does not start: {error.strerror or error}") from None
        except UsageError as error:
            raise UsageError(f"{self.name} {error}") from None
        finally:
            if tunnel is not None and not tunnel.address:
                tunnel.close()
        return tunnel


class OpenTunnel:
    """A running tunnel program, until ``close`` or the end of the process.

    Raises:
        OSError: if it does not start.
    """

    address = ""
    """The public URL."""

    def __init__(self, command: Sequence[str], ended: Callable[[], object]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C is for the server, which then ends the program
        )
        atexit.register(self.close)  # for interruptions before a call of it
        self._ended = ended
        self._found: Queue[str | None] = Queue()
        self._last_lines: deque[str] = deque(maxlen=_MAX_LAST_LINES)
        self._closing = False
        Thread(target=self._read, name="tunnel", daemon=True).start()

    def wait(self) -> str:
        """Return the URL.

        Raises:
            UsageError: if the program ends, or prints no URL in time.
        """
        try:
            address = self._found.get(timeout=START_TIMEOUT_S)
        except Empty:
            raise UsageError(f"has given no address within {START_TIMEOUT_S:.0f} seconds{self._output()}") from None
        if address is None:
            raise UsageError(f"has ended without giving an address{self._output()}")
        return address

    def close(self) -> None:
        """End the program and its children. A second Ctrl-C waits for that, at most ``END_S`` seconds."""
        self._closing = True
        with delay_interrupts():
            if self._process.poll() is None:
                self._send("SIGTERM")
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(END_S)
                self._send("SIGKILL")
                self._process.wait()
            atexit.unregister(self.close)

    def _send(self, name: str) -> None:
        """Send a signal to the program and its children."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.Signals[name])

    def _read(self) -> None:
        """Read all output while the program runs, because a full pipe would block it."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                if line.strip() and not self.address:
                    self._last_lines.append(line.strip())
                address = find_address(line)
                if address is not None:
                    self._found.put(address)
        self._found.put(None)
        if self.address and not self._closing:
            self._ended()

    def _output(self) -> str:
        return "\n  ".join(("; it said:", *self._last_lines)) if self._last_lines else ""


def find_address(line: str) -> str | None:
    """Return the URL in a line of a tunnel program; None if there is none."""
    for found in _ADDRESS.finditer(line):
        host = found[1].lower().rstrip(".")
        if host not in _PROVIDER_HOSTS:
            return f"https://{host}"
    return None


def find_tunnel(wanted: str = ANY) -> Tunnel:
    """Return the wanted tunnel: one of ``KINDS``, ``ssh:USER@HOST``, or ``any`` for the first installed one.

    Raises:
        UsageError: if it is not installed; the message says how to get one.
    """
    kind, _, host = wanted.partition(":")
    if kind not in (ANY, *KINDS) or (host and kind != "ssh") or host.startswith("-"):
        raise UsageError(f"--share {wanted}: cloudflared, tailscale or ssh:USER@HOST, or nothing for what is installed")
    for each in KINDS if kind == ANY else (kind,):
        program = shutil.which(each)
        if program is not None:
            return _tunnel(each, program, host or SSH_HOST)
    raise UsageError(INSTALL_HELP if kind == ANY else f"there is no program {kind} here; {INSTALL_HELP}")


def _tunnel(kind: str, program: str, host: str) -> Tunnel:
    if kind == "cloudflared":
        arguments: Sequence[str] = ("tunnel", "--no-autoupdate", "--url", "http://127.0.0.1:{port}")
        return Tunnel(kind, "Cloudflare", False, (program, *arguments))
    if kind == "tailscale":
        return Tunnel(kind, "Tailscale", True, (program, "funnel", "{port}"))
    alive = ("-o", "ServerAliveInterval=30", "-o", "ExitOnForwardFailure=yes", "-o", "StrictHostKeyChecking=accept-new")
    operator = host.rpartition("@")[2]
    return Tunnel("ssh", operator, False, (program, "-T", *alive, "-R", "80:127.0.0.1:{port}", host))

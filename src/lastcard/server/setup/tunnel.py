"""A way in from the world without a server there: a tunnel program that is installed gives an https address.

The program runs beside the server and ends with it. What it prints is read until an address comes. What people play
goes through the machines of whoever runs the other end, and people are told whose these are.
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

PATIENCE: Final = 45.0
"""Seconds in which an address must have come."""
END_SECONDS: Final = 3.0
ANY: Final = "any"
KINDS: Final = ("cloudflared", "tailscale", "ssh")
SSH_HOST: Final = "nokey@localhost.run"
"""Where ``ssh -R`` leads unless another host is named: it gives everybody an address, without an account."""
HOW: Final = (
    "a tunnel program is needed to let friends elsewhere in; one of these:\n"
    "  cloudflared, from its own packages (no account is needed), or\n"
    "  tailscale, with an account and `tailscale funnel` allowed, or\n"
    "  ssh, which most systems have: --share ssh:USER@HOST for a host that gives https addresses"
)
_ADDRESS: Final = re.compile(r"https://([a-z0-9][a-z0-9.-]*\.[a-z0-9-]+(?::\d+)?)/?(?=[\s|,)'\"]|$)", re.IGNORECASE)
_COMMON: Final = (
    "localhost.run", "admin.localhost.run", "api.trycloudflare.com", "www.cloudflare.com", "one.dash.cloudflare.com",
    "login.tailscale.com", "tailscale.com", "serveo.net", "github.com",
)  # fmt: skip
"""Hosts that these programs name when they talk about themselves."""
_LAST_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class Tunnel:
    """A program that is there."""

    name: str
    """What to call it."""
    whose: str
    """Through whose machines goes what people play."""
    sealed: bool
    """Whether HTTPS ends on this computer, so that these machines cannot read it."""
    command: Sequence[str]
    """Its command line; ``{port}`` stands for the port of the server."""

    def open(self, port: int, ended: Callable[[], object] = lambda: None) -> OpenTunnel:
        """Start it, and wait for the address.

        Args:
            port: at which the server listens on this machine.
            ended: called, in a thread, when the program ends by itself later.

        Raises:
            UsageError: where none comes; says what the program said.
        """
        command = [part.replace("{port}", str(port)) for part in self.command]
        tunnel = None
        try:
            with delay_interrupts():  # between the start of the program and the place where it is known
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
    """A program that runs, until ``close`` or the end of the process.

    Args:
        command: its command line.
        ended: as for ``Tunnel.open``.

    Raises:
        OSError: where it does not start.
    """

    address = ""
    """Where friends find the server."""

    def __init__(self, command: Sequence[str], ended: Callable[[], object]) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # Ctrl-C is for the server, which then ends it
        )
        atexit.register(self.close)  # whatever interrupts the way to a call of it
        self._ended = ended
        self._found: Queue[str | None] = Queue()
        self._last: deque[str] = deque(maxlen=_LAST_LINES)
        self._closing = False
        Thread(target=self._read, name="tunnel", daemon=True).start()

    def wait(self) -> str:
        """The address.

        Raises:
            UsageError: where the program ends, or says nothing for too long.
        """
        try:
            address = self._found.get(timeout=PATIENCE)
        except Empty:
            raise UsageError(f"has given no address within {PATIENCE:.0f} seconds{self._words()}") from None
        if address is None:
            raise UsageError(f"has ended without giving an address{self._words()}")
        return address

    def close(self) -> None:
        """End it, and what it has started. A second Ctrl-C waits meanwhile, ``END_SECONDS`` at most."""
        self._closing = True
        with delay_interrupts():
            if self._process.poll() is None:
                self._send("SIGTERM")
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(END_SECONDS)
                self._send("SIGKILL")
                self._process.wait()
            atexit.unregister(self.close)

    def _send(self, name: str) -> None:
        """Send a signal to the program and what it has started."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.Signals[name])

    def _read(self) -> None:
        """Read all that it says, for as long as it runs: a full pipe would stop it."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                if line.strip() and not self.address:
                    self._last.append(line.strip())
                address = find_address(line)
                if address is not None:
                    self._found.put(address)
        self._found.put(None)
        if self.address and not self._closing:
            self._ended()

    def _words(self) -> str:
        return "\n  ".join(("; it said:", *self._last)) if self._last else ""


def find_address(line: str) -> str | None:
    """The address of a tunnel in a line of its program; None where it names none."""
    for found in _ADDRESS.finditer(line):
        host = found[1].lower().rstrip(".")
        if host not in _COMMON:
            return f"https://{host}"
    return None


def find_tunnel(wanted: str = ANY) -> Tunnel:
    """The tunnel that is asked for.

    Args:
        wanted: ``cloudflared``, ``tailscale``, ``ssh``, ``ssh:USER@HOST``, or ``any`` for the first that is installed.

    Raises:
        UsageError: where it is not installed; says how to get one.
    """
    kind, _, host = wanted.partition(":")
    if kind not in (ANY, *KINDS) or (host and kind != "ssh") or host.startswith("-"):
        raise UsageError(f"--share {wanted}: cloudflared, tailscale or ssh:USER@HOST, or nothing for what is installed")
    for each in KINDS if kind == ANY else (kind,):
        program = shutil.which(each)
        if program is not None:
            return _tunnel(each, program, host or SSH_HOST)
    raise UsageError(HOW if kind == ANY else f"there is no program {kind} here; {HOW}")


def _tunnel(kind: str, program: str, host: str) -> Tunnel:
    """A program, and how it is called."""
    if kind == "cloudflared":
        arguments: Sequence[str] = ("tunnel", "--no-autoupdate", "--url", "http://127.0.0.1:{port}")
        return Tunnel(kind, "Cloudflare", False, (program, *arguments))
    if kind == "tailscale":
        return Tunnel(kind, "Tailscale", True, (program, "funnel", "{port}"))
    alive = ("-o", "ServerAliveInterval=30", "-o", "ExitOnForwardFailure=yes", "-o", "StrictHostKeyChecking=accept-new")
    whose = host.rpartition("@")[2]
    return Tunnel("ssh", whose, False, (program, "-T", *alive, "-R", "80:127.0.0.1:{port}", host))

"""A PostgreSQL and a Redis on loopback for tests: one named by the environment, one that runs, or one of our own.

``LASTCARD_TEST_POSTGRES`` (``postgresql://…``, of a user who may create databases) and ``LASTCARD_TEST_REDIS``
(``redis://…``) name servers to use. Otherwise a server on the usual port is used, else one is started from installed
programs, else root installs them. If all of that fails, tests are skipped; under ``CI=true`` they fail.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final, NoReturn

import psycopg
import pytest
import redis

LOOPBACK: Final = "127.0.0.1"
_START_TIMEOUT_S: Final = 60


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as listener:
        return int(listener.getsockname()[1])


class ServiceProcess:
    """A server program of our own, which ends with the tests however they end, and its folder with it.

    The command starts it in the foreground, as the user of the tests by default; ``ready`` raises an error until the
    server answers.
    """

    def __init__(self, command: list[str], folder: Path, ready: Callable[[], object], user: str | None = None) -> None:
        self._command = [*_as_user(user), *command]
        self._folder = folder
        self._ready = ready
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        with (self._folder / "output.txt").open("ab") as output:
            self._process = subprocess.Popen(self._command, cwd=self._folder, stdout=output, stderr=output)
        until = time.monotonic() + _START_TIMEOUT_S
        while True:
            try:
                self._ready()
                return
            except (psycopg.OperationalError, redis.ConnectionError) as error:
                if self._process.poll() is not None or time.monotonic() > until:
                    output_text = (self._folder / "output.txt").read_text(errors="replace")
                    raise RuntimeError(f"{self._command[-3:]} did not start: {error}\n{output_text}") from None
            time.sleep(0.05)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal: SIGQUIT stops PostgreSQL without cleanup, SIGSTOP freezes it."""
        assert self._process is not None
        self._process.send_signal(number)

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """End it and wait until it has ended."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGCONT)
                self._process.send_signal(number)
            self._process.wait(timeout=_START_TIMEOUT_S)
            self._process = None

    def remove(self) -> None:
        """End it and remove its folder."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)


def ending_with_parent(command: Sequence[str]) -> list[str]:
    """A command that gets SIGINT when the tests end, however they do, if there is ``setpriv``."""
    return [*_as_user(None), *command]


def _as_user(user: str | None) -> list[str]:
    """The prefix of a command that runs it as another user and ends it with this process."""
    if shutil.which("setpriv") is None:
        return ["runuser", "-u", user, "--"] if user else []
    identity = ["--reuid", user, "--regid", str(pwd.getpwnam(user).pw_gid), "--clear-groups"] if user else []
    return ["setpriv", "--pdeathsig", "INT", *identity, "--"]


def skip_or_fail(what: str) -> NoReturn:
    """Skip the test that needs a service; under CI it fails, because the service must be there."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"no {what}, though this is CI")
    pytest.skip(f"no {what}: install it, or name one in LASTCARD_TEST_{what.upper()}")


@cache
def find_program(package: str, names: tuple[str, ...]) -> Path | None:
    """The path of a program by one of its names; root installs the Debian package if there is none."""
    if _find_installed(names) is None:
        with (Path(tempfile.gettempdir()) / "lastcard-install.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # apt-get fails if two processes of the tests fetch its lists at once
            if _find_installed(names) is None:
                _install(package)
    return _find_installed(names)


def _find_installed(names: tuple[str, ...]) -> Path | None:
    """The path of an installed program, by the first of its names."""
    newest_first = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for name in names:
        found = shutil.which(name, path=os.pathsep.join([*map(str, newest_first), os.environ.get("PATH", "")]))
        if found:
            return Path(found)
    return None


def _install(package: str) -> None:
    """Install a Debian package, if that is possible."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    quiet = ["-qq", "-y", "-o", "DPkg::Lock::Timeout=300", "--no-install-recommends"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", *quiet, package]):
        subprocess.run(command, env=environment, capture_output=True, check=False, timeout=300)


@contextmanager
def run_service(own: tuple[ServiceProcess, str] | None, kind: str) -> Iterator[tuple[ServiceProcess, str]]:
    """A server of our own, which is removed at the end, and its address; skips the test if there is no program."""
    if own is None:
        skip_or_fail(kind)
    server, address = own
    try:
        server.start()
        yield server, address
    finally:
        server.remove()


# --- PostgreSQL -----------------------------------------------------------------------------------------


def own_postgres() -> tuple[ServiceProcess, str] | None:
    """A PostgreSQL of our own, not yet started, and its address; None if there is no program."""
    program = find_program("postgresql", ("postgres",))
    if program is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="lastcard-postgres-"))
    user = None
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        user = "postgres" if any(entry.pw_name == "postgres" for entry in pwd.getpwall()) else "nobody"
        shutil.chown(folder, user)
    data, port = folder / "data", free_port()
    setup = [str(program.parent / "initdb"), "-D", str(data)]
    setup += ["--username=lastcard", "--encoding=UTF8", "--auth=trust", "--no-sync"]
    done = subprocess.run([*_as_user(user), *setup], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    settings = {"listen_addresses": LOOPBACK, "port": str(port), "unix_socket_directories": "", "fsync": "off"}
    command = [str(program), "-D", str(data), *(f"--{name}={value}" for name, value in settings.items())]
    address = f"postgresql://lastcard@{LOOPBACK}:{port}/postgres"
    return ServiceProcess(command, folder, lambda: psycopg.connect(address, connect_timeout=3).close(), user), address


@contextmanager
def running_postgres() -> Iterator[str]:
    """The address of a PostgreSQL whose user may create databases."""
    usual = f"postgresql://postgres@{LOOPBACK}:5432/postgres"
    for address in filter(None, (os.environ.get("LASTCARD_TEST_POSTGRES"), usual)):
        with suppress(psycopg.OperationalError):
            psycopg.connect(address, connect_timeout=3).close()
            yield address
            return
    with run_service(own_postgres(), "postgres") as (_, address):
        yield address


@contextmanager
def fresh_database(address: str) -> Iterator[str]:
    """The address of a new, empty database on a server; it is dropped at the end."""
    name = f"lastcard_{uuid.uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{address.rpartition('/')[0]}/{name}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


# --- Redis ----------------------------------------------------------------------------------------------


def own_redis() -> tuple[ServiceProcess, str] | None:
    """A Redis or Valkey of our own, not yet started, and its address; None if there is no program."""
    program = find_program("redis-server", ("redis-server", "valkey-server"))
    if program is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="lastcard-redis-"))
    port = free_port()
    command = [str(program), "--bind", LOOPBACK, "--port", str(port), "--save", "", "--appendonly", "no"]
    address = f"redis://{LOOPBACK}:{port}/0"
    return ServiceProcess(command, folder, lambda: _ping_redis(address)), address


def _ping_redis(address: str) -> None:
    with redis.Redis.from_url(address, socket_timeout=3) as client:
        client.ping()


@contextmanager
def running_redis() -> Iterator[str]:
    """The address of a Redis."""
    for address in filter(None, (os.environ.get("LASTCARD_TEST_REDIS"), f"redis://{LOOPBACK}:6379/0")):
        with suppress(redis.ConnectionError):
            _ping_redis(address)
            yield address
            return
    with run_service(own_redis(), "redis") as (_, address):
        yield address

"""Proxies as ``deploy/`` configures them, on loopback: only names, ports and paths in its files are replaced."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from websockets import Origin
from websockets.asyncio.client import ClientConnection, connect

from lastcard.server.wire.protocol import VERSION
from support.services import ending_with_parent, find_program, free_port

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
RUN_ALL: Final = bool(os.environ.get("LASTCARD_DEPLOY_CHECK"))
"""Whether missing programs are installed and slow tests run, too: ``make deploy-check``."""
_START_TIMEOUT_S: Final = 60.0
_UPSTREAM_ADDRESSES: Final = ("127.0.0.1:8020", "/run/lastcard/web.sock")
"""Addresses of the server in the files."""
_CADDY_OPTIONS: Final = (
    "{{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system {}\n}}\n"
)
"""Options of Caddy before those of its file; they change nothing on the machine."""


def find_or_skip(program: str, package: str | None = None) -> str:
    """The path of a program; skips the test if there is none.

    ``make deploy-check`` installs its Debian package, which has the program's name if ``package`` is None.
    """
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    found = shutil.which(program, path=path)
    if found is None and RUN_ALL:
        find_program(package or program, (program,))
        found = shutil.which(program, path=path)
    if found is None:
        pytest.skip(f"there is no {program} here; where there is apt, make deploy-check as root installs it")
    return found


@contextmanager
def run_program(command: list[str], folder: Path, ready: Callable[[str], bool], **around: str) -> Iterator[None]:
    """A program that runs and is ready, as its output shows; it is ended afterwards.

    Its output goes to a file in the folder; ``around`` are variables of its environment.
    """
    output = folder / f"{Path(command[0]).name}.output"
    with output.open("w") as out:
        process = subprocess.Popen(
            ending_with_parent(command), stdout=out, stderr=out, cwd=folder, env={**os.environ, **around}
        )
    try:
        until = time.monotonic() + _START_TIMEOUT_S
        while not ready(output.read_text(errors="replace")):
            assert process.poll() is None and time.monotonic() < until, output.read_text(errors="replace")
            time.sleep(0.02)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        finally:
            process.kill()
            process.wait()


@dataclass(frozen=True)
class Upstream:
    """A table server behind a proxy."""

    url: str
    """The public address: https, at the port of the proxy."""
    address: str
    """The address of the server: HOST:PORT, or the path of a Unix socket."""

    @property
    def port(self) -> int:
        """The port for the proxy."""
        return urlsplit(self.url).port or 443


@contextmanager
def run_upstream(folder: Path, path: str = "", *options: str) -> Iterator[Upstream]:
    """``lastcard serve`` with a database in a folder, for a proxy at a free port.

    With a path prefix of its public address it listens at a Unix socket, else at a port.
    """
    url = f"https://localhost:{free_port()}{path}"
    port, socket_path = free_port(), folder / "web.sock"
    where = ["--socket", str(socket_path)] if path else ["--host", "127.0.0.1", "--port", str(port)]
    command = [sys.executable, "-m", "lastcard", "serve", "--language", "en", "--no-open", "--public-url", url]
    with run_program(
        [*command, *where, *options], folder, lambda said: "stops the server" in said, XDG_DATA_HOME=str(folder)
    ):
        yield Upstream(url, str(socket_path) if path else f"127.0.0.1:{port}")


@dataclass(frozen=True)
class Proxy:
    """A running proxy."""

    url: str
    """The public address."""
    authority: Path
    """The certificate of the authority that signed the proxy's certificate."""
    http_port: int | None = None
    """The port that redirects HTTP to HTTPS, or None."""

    def ssl_context(self) -> ssl.SSLContext:
        """A client's TLS context that trusts its certificate."""
        return ssl.create_default_context(cafile=str(self.authority))

    def curl(self, path: str, *options: str) -> str:
        """The output of curl for a request by HTTP/2."""
        command = [find_or_skip("curl"), "--silent", "--show-error", "--http2", "--cacert", str(self.authority)]
        done = subprocess.run(
            [*command, *options, self.url + path], capture_output=True, text=True, timeout=30, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @asynccontextmanager
    async def connect_to_table(
        self, code: str, cookies: Mapping[str, str] | None = None, **hello: Any
    ) -> AsyncIterator[JsonSocket]:
        """A WebSocket that has sent hello. A threaded client may wait for data that TLS has already read."""
        parts = urlsplit(self.url)
        async with connect(
            f"wss://{parts.netloc}{parts.path}/ws/{code}",
            ssl=self.ssl_context(),
            origin=Origin(f"https://{parts.netloc}"),
            additional_headers={"Cookie": "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())},
        ) as connection:
            socket = JsonSocket(connection)
            await socket.send(type="hello", v=VERSION, **hello)
            yield socket


class JsonSocket:
    """A WebSocket that speaks JSON."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    async def send(self, **message: Any) -> None:
        await self._connection.send(json.dumps(message))

    async def receive(self, kind: str) -> dict[str, Any]:
        """The next message of a kind; skips others."""
        async with asyncio.timeout(60):
            while True:
                message: dict[str, Any] = json.loads(await self._connection.recv())
                if message["type"] == kind:
                    return message


@contextmanager
def caddy(folder: Path, file: str, server: Upstream, dns_port: int | None = None) -> Iterator[Proxy]:
    """Caddy with a file of ``deploy/caddy`` and a certificate that it makes itself.

    A name server at ``dns_port`` resolves the servers of several workers.
    """
    program, config = find_or_skip("caddy"), folder / "Caddyfile"
    name = f"localhost:{server.port}"
    changes = dict.fromkeys(_UPSTREAM_ADDRESSES, server.address) | {"cards.example": name, "club.example": name}
    if dns_port is not None:
        changes["refresh 5s"] = f"refresh 5s\nresolvers udp/127.0.0.1:{dns_port}"
    config.write_text(_CADDY_OPTIONS.format(folder / "kept") + _substituted(DEPLOY / "caddy" / file, changes))
    cards = "localhost" if dns_port is None else "cards"
    around = {"HOME": str(folder), "SITE": name, "CARDS": cards, "CARDS_PORT": server.address.rpartition(":")[2]}
    command = [program, "run", "--config", str(config), "--adapter", "caddyfile"]
    with run_program(command, folder, lambda said: "certificate obtained successfully" in said, **around):
        yield Proxy(server.url, folder / "kept" / "pki" / "authorities" / "local" / "root.crt")


@contextmanager
def nginx(folder: Path, file: str, server: Upstream) -> Iterator[Proxy]:
    """nginx with a file of ``deploy/nginx`` and a certificate for localhost."""
    program, certificate, clear = find_or_skip("nginx"), folder / "fullchain.pem", free_port()
    make = [find_or_skip("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    make += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]
    make += ["-keyout", str(folder / "privkey.pem"), "-out", str(certificate)]
    subprocess.run(make, check=True, capture_output=True)
    changes = dict.fromkeys(_UPSTREAM_ADDRESSES, server.address)
    changes |= {"listen 443": f"listen {server.port}", "[::]:443": f"[::]:{server.port}"}
    changes |= {"listen 80;": f"listen {clear};", "[::]:80;": f"[::]:{clear};"}
    for name in ("cards.example", "club.example"):
        changes |= {f"/etc/letsencrypt/live/{name}": str(folder), f"server_name {name}": "server_name localhost"}
    (folder / "site.conf").write_text(_substituted(DEPLOY / "nginx" / file, changes))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind}; " for kind in kinds)
    (folder / "nginx.conf").write_text(
        "user root;\n" * (os.geteuid() == 0)  # the owner of the folder; nginx would use a user of its own
        + f"daemon off; pid {folder}/pid; error_log stderr; events {{}}\n"
        + f"http {{ access_log off; {paths} include {folder}/site.conf; }}\n"
    )
    command = [program, "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with run_program(command, folder, lambda _: _is_listening(server.port)):
        yield Proxy(server.url, certificate, clear)


PROXIES: Final[dict[str, tuple[Callable[[Path, str, Upstream], AbstractContextManager[Proxy]], str]]] = {
    "site.Caddyfile": (caddy, ""),
    "workers.Caddyfile": (caddy, ""),
    "site.conf": (nginx, ""),
    "sub-path.Caddyfile": (caddy, "/cards"),
    "sub-path.conf": (nginx, "/cards"),
}
"""Each file, the function that runs it, and the path prefix of the server."""


def replace_words(text: str, changes: Mapping[str, str]) -> str:
    """A text with words replaced."""
    for old, new in changes.items():
        text = text.replace(old, new)
    return text


def _substituted(file: Path, changes: Mapping[str, str]) -> str:
    """The text of a file without comments, with words replaced; none of our names may be left in it."""
    text = "".join(line for line in file.read_text(encoding="utf-8").splitlines(True) if not line.startswith("#"))
    text = replace_words(text, changes)
    assert ".example" not in text and ":8020" not in text.replace("{$CARDS_PORT:8020}", ""), text
    return text


def _is_listening(port: int) -> bool:
    """Whether a process listens at a port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

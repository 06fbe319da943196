"""The listening socket of the server, and its URLs."""

from __future__ import annotations

import errno
import io
import os
import re
import socket
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import segno

from lastcard.errors import UsageError, wrap_os_errors
from lastcard.server.security.security import clean_host, origin_of

_EVERYWHERE: Final = ("0.0.0.0", "::")
_BACKLOG: Final = 2048
_MAX_TRIES: Final = 100
"""Ports to try after a taken one, to suggest a free one."""
_CANNOT: Final = "cannot listen there"
_SOCKET_MODE: Final = 0o660
"""Mode of a Unix socket: its owner and its group, which has the proxy, may connect."""
_SUB_PATH: Final = re.compile(r"(?:/[A-Za-z0-9~_-][A-Za-z0-9.~_-]*)+")
_OWN_PATHS: Final = frozenset(
    (
        *(
            "t",
            "tv",
            "me",
            "matches",
            "embed",
            "match",
            "rules",
            "about",
            "privacy",
            "program",
            "admin",
            "daily",
            "duplicate",
            "puzzles",
        ),
        *("web", "service.js", "llms.txt", "away.js", "qr", "api", "ws", "healthz", "readyz", "metrics"),
    )
)
"""Prefixes of local addresses."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The URLs of the server."""

    port: int
    local: str
    """The URL on this computer."""
    address: str
    """The URL for others; the local one if nobody else can connect."""
    is_public: bool
    """Whether that is a public URL."""
    follows_network: bool = False
    """Whether the URL for others is this computer's current address in its network."""

    def current(self) -> str:
        """Return the current URL for others, because a laptop changes networks."""
        lan = lan_address() if self.follows_network else None
        return self.address if lan is None else _url(lan, self.port)


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        UsageError: if that fails; for a taken port it names a free one.
    """
    if not 0 <= port <= 0xFFFF:
        raise UsageError(f"a port is a number from 0 to 65535, not {port}")
    try:
        return _listen(host, port)
    except (socket.gaierror, UnicodeError):  # the latter for a name such as one with two dots in a row
        raise UsageError(f"{host!r} is not an address of this computer") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UsageError(f"port {port} is taken; {_free_port(host, port)}") from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(f"{host!r} is not an address of this computer") from None
        raise UsageError(f"cannot listen on port {port}: {error.strerror or error}") from None


def bind_socket(path: Path) -> socket.socket:
    """Return a listening Unix socket, for a proxy on this computer.

    Raises:
        UsageError: if that fails.
    """
    with wrap_os_errors(path, _CANNOT):
        left_over = _is_left_over(path)
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            if left_over:
                path.unlink()
            listener.bind(str(path))
            path.chmod(_SOCKET_MODE)
            listener.listen(_BACKLOG)
        except OSError:
            listener.close()
            raise
    return listener


def check_socket(path: Path) -> None:
    """Check that a Unix socket could listen there, without a change.

    Raises:
        UsageError: if it could not.
    """
    with wrap_os_errors(path, _CANNOT):
        _is_left_over(path)
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path}: this user may not write {path.parent}")


def _is_left_over(path: Path) -> bool:
    """Return whether a Unix socket is stale.

    Raises:
        UsageError: if something else is there, or somebody listens, or the system has no such sockets.
        OSError: if no socket is possible there, as at a path that is too long.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise UsageError("this system has no Unix sockets; listen at an address, as with --host 127.0.0.1")
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise UsageError(f"{path} is there already, and is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except FileNotFoundError:
            return False
        except ConnectionRefusedError:
            return True
    raise UsageError(f"{path}: another server listens there")


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _free_port(host: str, taken: int) -> str:
    """Return the advice to use a free port."""
    for port in range(taken + 1, min(taken + _MAX_TRIES, 0xFFFF)):
        try:
            _listen(host, port).close()
        except OSError:
            continue
        return f"port {port} is free: lastcard serve --port {port}"
    return "name another one with --port"


def find_address(listener: socket.socket, public_url: str | None) -> ServerAddress:
    """Return the URLs of a listening socket."""
    if public_url is not None and listener.family not in (socket.AF_INET, socket.AF_INET6):
        return ServerAddress(0, public_url, public_url, True)
    host, port = listener.getsockname()[:2]
    everywhere = host in _EVERYWHERE
    local = _url("localhost" if everywhere else host, port)
    if public_url is not None:
        return ServerAddress(port, local + urlsplit(public_url).path, public_url, True)
    lan = lan_address() if everywhere else None
    return ServerAddress(port, local, local if lan is None else _url(lan, port), False, follows_network=everywhere)


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def lan_address() -> str | None:
    """Return the address of this computer in its network; None if it has none.

    It connects a datagram socket, which sends nothing.
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # an address for documentation (RFC 5737)
            address: str = probe.getsockname()[0]
    except OSError:
        return None
    return None if address.startswith("127.") else address


def check_public_url(text: str) -> str:
    """Return a public URL in canonical form: ``https://cards.example``, or ``https://club.example/cards``.

    Raises:
        UsageError: if it is no valid URL.
    """
    try:
        parts = urlsplit(text)
        path = parts.path.rstrip("/")
        good = parts.scheme in ("http", "https") and clean_host(parts.netloc) and parts.port != 0
        good = good and (not path or _SUB_PATH.fullmatch(path)) and not parts.query and not parts.fragment
    except ValueError:
        good = False
    if not good:
        raise UsageError(
            f"{text!r} is not a public address; examples are https://cards.example or https://club.example/cards"
        )
    first = path.split("/")[1] if path else ""
    if first in _OWN_PATHS:
        raise UsageError(f"{text!r}: /{first} is an address of a table server itself; take another path, as in /cards")
    return origin_of(text) + path


def qr_lines(address: str, encoding: str | None) -> list[str]:
    """Return a QR code of a URL in block characters; nothing if the terminal cannot show them."""
    picture = io.StringIO()
    segno.make(address, micro=False).terminal(picture, border=2, compact=True)
    try:
        picture.getvalue().encode(encoding or "ascii")
    except UnicodeEncodeError:
        return []
    return picture.getvalue().splitlines()

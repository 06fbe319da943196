"""Where the server listens, and what people call that place."""

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

from lastcard.errors import UsageError, named
from lastcard.server.guard.security import clean_host, origin_of

_EVERYWHERE: Final = ("0.0.0.0", "::")
_BACKLOG: Final = 2048
_TRIES: Final = 100
"""Ports after a taken one that are tried, to name a free one."""
_CANNOT: Final = "cannot listen there"
_SOCKET_MODE: Final = 0o660
"""Who may connect to a Unix socket: its owner and its group, in which the proxy is."""
_SUB_PATH: Final = re.compile(r"(?:/[A-Za-z0-9~_-][A-Za-z0-9.~_-]*)+")
_OWN_PATHS: Final = frozenset(
    (
        *("t", "tv", "me", "matches", "match", "rules", "about", "privacy", "program", "admin"),
        *("web", "service.js", "away.js", "qr", "api", "ws", "healthz", "readyz", "metrics"),
    )
)
"""What addresses of our own begin with."""


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where the server is found."""

    port: int
    local: str
    """Its address on this computer."""
    address: str
    """Its address for others; the local one where nobody else can come."""
    public: bool
    """Whether that is an address for the whole world."""
    roams: bool = False
    """Whether the address for others is that of this computer in its network, whichever that is."""

    def now(self) -> str:
        """Its address for others at the moment: a laptop goes from network to network, and may be up before any."""
        lan = lan_address() if self.roams else None
        return self.address if lan is None else _url(lan, self.port)

    @property
    def base(self) -> str:
        """The path below which the pages are, without a slash at its end; empty where there is none."""
        return urlsplit(self.address).path


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        UsageError: where it cannot; for a taken port it names a free one.
    """
    if not 0 <= port <= 0xFFFF:
        raise UsageError(f"a port is a number from 0 to 65535, not {port}")
    try:
        return _listen(host, port)
    except (socket.gaierror, UnicodeError):  # the latter for what cannot even be looked up, such as two dots in a row
        raise UsageError(f"{host!r} is not an address of this computer") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UsageError(f"port {port} is taken; {_free_port(host, port)}") from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(f"{host!r} is not an address of this computer") from None
        raise UsageError(f"cannot listen on port {port}: {error.strerror or error}") from None


def bind_socket(path: Path) -> socket.socket:
    """A Unix socket that listens, for a proxy on this computer.

    Raises:
        UsageError: where it cannot.
    """
    with named(path, _CANNOT):
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


def see_socket(path: Path) -> None:
    """See whether a socket could listen there, and leave everything as it is.

    Raises:
        UsageError: where it could not.
    """
    with named(path, _CANNOT):
        _is_left_over(path)
    if not path.parent.is_dir():
        raise UsageError(f"{path}: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path}: this user may not write {path.parent}")


def _is_left_over(path: Path) -> bool:
    """Whether a socket is there at which nobody listens any more.

    Raises:
        UsageError: where something else is there, or somebody listens; where the system has no such sockets.
        OSError: where none can be at all, as at a path that is too long.
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
    """What to do instead."""
    for port in range(taken + 1, min(taken + _TRIES, 0xFFFF)):
        try:
            _listen(host, port).close()
        except OSError:
            continue
        return f"port {port} is free: lastcard serve --port {port}"
    return "name another one with --port"


def find_address(listener: socket.socket, public_url: str | None) -> ServerAddress:
    """What to call the place where a socket listens.

    Args:
        listener: the socket.
        public_url: what the world calls it.
    """
    if public_url is not None and listener.family not in (socket.AF_INET, socket.AF_INET6):
        return ServerAddress(0, public_url, public_url, True)
    host, port = listener.getsockname()[:2]
    everywhere = host in _EVERYWHERE
    local = _url("localhost" if everywhere else host, port)
    if public_url is not None:
        return ServerAddress(port, local + urlsplit(public_url).path, public_url, True)
    lan = lan_address() if everywhere else None
    return ServerAddress(port, local, local if lan is None else _url(lan, port), False, roams=everywhere)


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def lan_address() -> str | None:
    """The address of this computer in its network; None where it has none.

    A datagram socket finds out which way it would send, and sends nothing.
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # an address for documentation (RFC 5737)
            address: str = probe.getsockname()[0]
    except OSError:
        return None
    return None if address.startswith("127.") else address


def check_public_url(text: str) -> str:
    """A public address in its one form: ``https://cards.example``, or ``https://club.example/cards``.

    Raises:
        UsageError: for what is none.
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
    """An address as a QR code of block characters; nothing where the terminal cannot show them."""
    picture = io.StringIO()
    segno.make(address, micro=False).terminal(picture, border=2, compact=True)
    try:
        picture.getvalue().encode(encoding or "ascii")
    except UnicodeEncodeError:
        return []
    return picture.getvalue().splitlines()

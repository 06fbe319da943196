"""Requests to addresses that people supply: HTTPS to public addresses only, without redirects, and with limits.

The server resolves a name once, checks every address of it and connects to one of those, so that a name server cannot
lead it into its own network afterwards (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from lastcard.server.security.security import Network

TIMEOUT_S: Final = 10.0
"""Seconds for a request with its answer."""
MAX_ADDRESS_CHARS: Final = 1000
MAX_REQUESTS: Final = 8
"""Maximum number of requests at a time."""
_ANSWER_LIMIT_BYTES: Final = 4096
"""Bytes of an answer that are read: its first line is enough."""
_PORTS: Final = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|[0-9a-f:.]{2,45}")
_PATH: Final = re.compile(r"[!-~]*")
_STATUS: Final = re.compile(rb"HTTP/1\.[01] ([1-5]\d\d)")
_TRANSLATED: Final = tuple(map(ipaddress.ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16")))
"""Networks of IPv6 whose addresses contain one of IPv4 (RFC 6052, RFC 8215, RFC 3056)."""


class RefusedAddressError(Exception):
    """An address to which this server sends nothing."""


class Destination(NamedTuple):
    """A URL in parts; the path contains the query."""

    is_https: bool
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The host and, unless it is that of the scheme, the port (RFC 9110, section 4.2)."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS["https" if self.is_https else "http"] else f"{host}:{self.port}"


class CheckedClient:
    """A client for addresses that people supply.

    Args:
        allowed: networks that are allowed although they are not public, also over plain HTTP.
    """

    def __init__(self, allowed: Sequence[Network] = ()) -> None:
        self._allowed = tuple(allowed)
        self._slots = asyncio.Semaphore(MAX_REQUESTS)
        self._tls: ssl.SSLContext | None = None
        """Made for the first request over HTTPS: reading the certificates takes longer than to make the application."""

    async def check(self, url: str) -> None:
        """Refuse an address to which nothing may be sent.

        Raises:
            RefusedAddressError: if so, or if its name does not resolve.
        """
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await self._resolve(read_address(url))
        except TimeoutError:
            raise RefusedAddressError("timeout") from None

    async def send(self, url: str, headers: Mapping[str, str], body: bytes, method: str = "POST") -> int | None:
        """Send a request; return the status of the answer, or None if there is none.

        Raises:
            RefusedAddressError: if nothing may be sent there.
        """
        destination = read_address(url)
        try:
            async with self._slots, asyncio.timeout(TIMEOUT_S):
                addresses = await self._resolve(destination)
                return await self._exchange(destination, addresses[0], _head(destination, headers, body, method) + body)
        except (TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return None

    async def _resolve(self, destination: Destination) -> list[str]:
        """Return the addresses of a destination, all checked."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(
                destination.host, destination.port, type=socket.SOCK_STREAM
            )
        except (OSError, UnicodeError):
            raise RefusedAddressError("name") from None
        addresses = [str(info[4][0]) for info in found]
        if not addresses or not all(self._is_allowed(address, destination.is_https) for address in addresses):
            raise RefusedAddressError("private")
        return addresses

    def _is_allowed(self, text: str, is_https: bool) -> bool:
        if "%" in text:  # of one link
            return False
        address = ipaddress.ip_address(text)
        address = getattr(address, "ipv4_mapped", None) or address
        if any(address in network for network in self._allowed):
            return True
        return is_https and is_public_address(address)

    async def _exchange(self, destination: Destination, address: str, request: bytes) -> int | None:
        """Send the request to a checked address, whose certificate must be that of the name."""
        if destination.is_https and self._tls is None:
            self._tls = await asyncio.to_thread(ssl.create_default_context)
        tls, name = (self._tls, destination.host) if destination.is_https else (None, None)
        reader, writer = await asyncio.open_connection(
            address, destination.port, limit=_ANSWER_LIMIT_BYTES, ssl=tls, server_hostname=name
        )
        try:
            writer.write(request)
            await writer.drain()
            status = _STATUS.match(await reader.readuntil(b"\n"))
            return None if status is None else int(status[1])
        finally:
            writer.transport.abort()


def is_public_address(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Return whether an address is one of the internet: not private, local, reserved, multicast or translated."""
    if any(address in network for network in _TRANSLATED):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def read_address(url: str) -> Destination:
    """Return the parts of a URL that a person has supplied.

    Raises:
        RefusedAddressError: if it is no URL of HTTP, or contains a password.
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        raise RefusedAddressError("address") from None
    if len(url) > MAX_ADDRESS_CHARS or parts.scheme not in _PORTS or not _is_plain(parts, host):
        raise RefusedAddressError("address")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Destination(parts.scheme == "https", host, port or _PORTS[parts.scheme], path)


def _is_plain(parts: SplitResult, host: str) -> bool:
    has_password = parts.username is not None or parts.password is not None
    return bool(_HOST.fullmatch(host)) and not has_password and bool(_PATH.fullmatch(parts.path + parts.query))


def _head(destination: Destination, headers: Mapping[str, str], body: bytes, method: str) -> bytes:
    """Return the head of a request."""
    lines = {
        "Host": destination.authority,
        "User-Agent": "lastcard",
        "Connection": "close",
        "Content-Length": str(len(body)),
        **headers,
    }
    return "".join(
        [f"{method} {destination.path} HTTP/1.1\r\n", *(f"{k}: {v}\r\n" for k, v in lines.items()), "\r\n"]
    ).encode("ascii")

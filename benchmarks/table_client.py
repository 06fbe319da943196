"""Clients for table_load.py: a WebSocket client with minimal CPU cost.

It supports only text frames, pings, and one HTTP call at a time. Frames are masked with the key 0, which the protocol
allows and which does not change the bytes.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import struct
from collections.abc import Callable
from typing import Any, Final

TEXT: Final = 0x1
CLOSE: Final = 0x8
PING: Final = 0x9
PONG: Final = 0xA

Address = tuple[str, int]


async def call(
    address: Address, method: str, path: str, cookie: str = "", body: Any = None, source: Address | None = None
) -> tuple[Any, str]:
    """Make one HTTP call on a connection of its own, from the optional address ``source``.

    Returns:
        The JSON of the response, and the cookie that it sets, if any.
    """
    reader, writer = await asyncio.open_connection(*address, local_addr=source)
    content = b"" if body is None else json.dumps(body).encode()
    writer.write(request(address, method, path, cookie, content, "Connection: close"))
    head, _, answer = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    status, *headers = head.decode().split("\r\n")
    if " 200 " not in status and " 201 " not in status:
        raise RuntimeError(f"{method} {path}: {status} {answer[:200]!r}")
    given = [line.partition(":")[2].strip() for line in headers if line.lower().startswith("set-cookie:")]
    return json.loads(answer), given[0].partition(";")[0] if given else ""


def request(address: Address, method: str, path: str, cookie: str = "", body: bytes = b"", *more: str) -> bytes:
    """Returns an HTTP request; ``more`` are further lines of its head."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host(address)}", f"Origin: http://{host(address)}", *more]
    lines += [f"Cookie: {cookie}"] if cookie else []
    lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"] if body else []
    return "\r\n".join([*lines, "", ""]).encode() + body


def upgrade_request(address: Address, path: str, cookie: str = "") -> bytes:
    """Returns an upgrade request for a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    more = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}")
    return request(address, "GET", path, cookie, b"", *more)


def free_port() -> int:
    """Returns a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def host(address: Address) -> str:
    """Returns an address for a header."""
    return f"{address[0]}:{address[1]}"


class Socket(asyncio.Protocol):
    """A WebSocket."""

    def __init__(self, upgrade: bytes, on_text: Callable[[bytes], None]) -> None:
        self._upgrade = upgrade
        self.on_text = on_text
        """Called with every text."""
        self._buffer = bytearray()
        self._transport: Any = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the server has accepted the upgrade."""

    @classmethod
    async def connect(
        cls, address: Address, path: str, cookie: str, on_text: Callable[[bytes], None], source: Address | None = None
    ) -> Socket:
        """Returns a socket from an address to a path of the server, which requests an upgrade: await ``opened``."""
        upgrade = upgrade_request(address, path, cookie)
        loop = asyncio.get_running_loop()
        _, opened = await loop.create_connection(lambda: cls(upgrade, on_text), *address, local_addr=source)
        return opened

    @property
    def is_closed(self) -> bool:
        """Whether the connection has ended."""
        return bool(self._transport.is_closing())

    def send(self, text: bytes) -> None:
        """Send a text."""
        self._frame(TEXT, text)

    def close(self) -> None:
        """Close the connection."""
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the upgrade."""
        self._transport = transport
        self._transport.write(self._upgrade)

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection."""
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(bytes(self._buffer[:200])))

    def data_received(self, data: bytes) -> None:
        """Read the response to the upgrade, then frames."""
        buffer = self._buffer
        buffer += data
        if not self.opened.done():
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            if not buffer.startswith(b"HTTP/1.1 101"):
                self._transport.abort()
                return
            del buffer[: end + 4]
            self.opened.set_result(None)
        at, size = 0, len(buffer)
        while size - at >= 2:
            length, start = buffer[at + 1], at + 2
            if length == 126:
                if size - at < 4:
                    break
                length, start = buffer[at + 2] << 8 | buffer[at + 3], at + 4
            elif length == 127:
                if size - at < 10:
                    break
                length, start = int.from_bytes(buffer[at + 2 : at + 10], "big"), at + 10
            if size - start < length:
                break
            self._read(buffer[at] & 0xF, bytes(buffer[start : start + length]))
            at = start + length
        if at:
            del buffer[:at]

    def _read(self, kind: int, payload: bytes) -> None:
        if kind == TEXT:
            self.on_text(payload)
        elif kind == PING:
            self._frame(PONG, payload)
        elif kind == CLOSE:
            self._transport.close()

    def _frame(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        head = (
            struct.pack("!BB", 0x80 | kind, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x80 | kind, 0xFE, size)
        )
        self._transport.write(head + b"\0\0\0\0" + payload)

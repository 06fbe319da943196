"""A TCP proxy between a client and a server, which simulates network faults."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from contextlib import suppress
from typing import Final

from support.services import LOOPBACK

_CHUNK_BYTES: Final = 1 << 16
_RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)
"""For SO_LINGER: closing resets a connection."""


class FaultProxy:
    """Proxy with a port of its own, which forwards data to a port of this machine and back."""

    def __init__(self, port: int, rng: random.Random) -> None:
        self._target = port
        self._rng = rng
        self.port = 0
        self.max_delay_s = 0.0
        """Maximum delay of a chunk in seconds; each has its own."""
        self.splits = False
        """Whether chunks are split."""
        self._up, self._down = asyncio.Event(), asyncio.Event()
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()
        self.repair()

    async def open(self) -> None:
        """Start to accept connections."""
        self._server = await asyncio.start_server(self._accept, LOOPBACK, 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Accept no more connections, and close all."""
        if self._server is not None:
            self._server.close()
        self.reset_all()
        await asyncio.gather(*self._pumps, return_exceptions=True)

    def stall(self, *, up: bool = True, down: bool = True) -> None:
        """Forward nothing any more, in one direction or both, without notice."""
        if up:
            self._up.clear()
        if down:
            self._down.clear()

    def repair(self) -> None:
        """Forward everything without delay, also the data held back."""
        self.max_delay_s, self.splits = 0.0, False
        self._up.set()
        self._down.set()

    def reset_all(self) -> None:
        """Reset all connections."""
        for end in list(self._ends):
            sock = end.get_extra_info("socket")
            if sock is not None and sock.fileno() >= 0:
                with suppress(OSError):
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
            end.transport.abort()
        for pump in self._pumps:
            pump.cancel()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pump = asyncio.current_task()
        assert pump is not None
        self._pumps.add(pump)
        self._ends.add(writer)
        far: asyncio.StreamWriter | None = None
        try:
            back, far = await asyncio.open_connection(LOOPBACK, self._target)
            self._ends.add(far)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pump(reader, far, self._up))
                both.create_task(self._pump(back, writer, self._down))
        except (OSError, ExceptionGroup, asyncio.CancelledError):
            pass  # one side has gone, so the other is closed
        finally:
            self._pumps.discard(pump)
            for end in (writer, far):
                if end is not None:
                    self._ends.discard(end)
                    end.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, opened: asyncio.Event) -> None:
        while piece := await reader.read(_CHUNK_BYTES):
            for part in self._split(piece):
                await opened.wait()
                if self.max_delay_s:
                    await asyncio.sleep(self._rng.uniform(0, self.max_delay_s))
                writer.write(part)
                await writer.drain()
        writer.write_eof()  # the other direction continues

    def _split(self, piece: bytes) -> list[bytes]:
        """Returns a chunk as it arrives."""
        if not self.splits or len(piece) < 2:
            return [piece]
        middle = self._rng.randrange(1, len(piece))
        return [piece[:1], piece[1:middle], piece[middle:]] if middle > 1 else [piece[:1], piece[1:]]

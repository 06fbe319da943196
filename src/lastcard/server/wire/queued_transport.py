"""A WebSocket of another server, which sends messages one by one and reports no buffer."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from types import TracebackType
from typing import Self

from starlette.websockets import WebSocket, WebSocketDisconnect

from lastcard.server.wire.frames import read_texts
from lastcard.server.wire.peer import NORMAL, OUTBOX_LIMIT_BYTES


class QueuedTransport:
    """The ``peer.Transport`` of a WebSocket: a bounded queue, and a task that sends it while the block lasts."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._queue: deque[bytes] = deque()
        self._queued_bytes = 0
        self._code: int | None = None
        self._changed = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._sender = asyncio.create_task(self._send_all())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._code is None:
            self._sender.cancel()
        with suppress(asyncio.CancelledError):
            await self._sender

    def write(self, frames: bytes) -> bool:
        """Append frames to the queue; return False if too many bytes wait for the other side."""
        if self._queued_bytes + len(frames) > OUTBOX_LIMIT_BYTES:
            return False
        self._queue.append(frames)
        self._queued_bytes += len(frames)
        self._changed.set()
        return True

    def finish(self, code: int) -> None:
        """Close the connection after the queue is sent."""
        self._code = code
        self._changed.set()

    def abort(self) -> None:
        """Close the connection and discard the queue."""
        self._queue.clear()
        self.finish(NORMAL)

    async def _send_all(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):  # the other side has gone
            while self._queue or self._code is None:
                if not self._queue:
                    self._changed.clear()
                    await self._changed.wait()
                    continue
                frames = self._queue.popleft()
                for text in read_texts(frames):
                    await self._websocket.send_text(text.decode())
                self._queued_bytes -= len(frames)
            await self._websocket.close(self._code)

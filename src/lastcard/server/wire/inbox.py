"""The queue of received messages for an application, with one reader.

Every move passes through it, so it leaves out the support of ``asyncio.Queue`` for several readers and loops.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """A queue with one reader, in one event loop."""

    __slots__ = ("_events", "_loop", "_reader")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._events: deque[T] = deque()
        self._reader: asyncio.Future[None] | None = None

    @property
    def is_awaited(self) -> bool:
        """Return whether the reader waits and will take the next item at once."""
        return self._reader is not None and not self._reader.done()

    def empty(self) -> bool:
        """Return whether the queue is empty."""
        return not self._events

    def put_nowait(self, event: T) -> None:
        """Add an event, and wake the reader."""
        self._events.append(event)
        reader, self._reader = self._reader, None
        if reader is not None and not reader.done():  # done if the reader was canceled
            reader.set_result(None)

    async def get(self) -> T:
        """Return the next event when there is one."""
        while not self._events:
            self._reader = self._loop.create_future()
            await self._reader
        return self._events.popleft()

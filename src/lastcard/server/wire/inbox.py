"""What has come for an application and waits to be heard by it: a queue with one reader.

Every move at every table passes through, so it does without what ``asyncio.Queue`` has for several readers and loops.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Inbox(Generic[T]):
    """The queue.

    Args:
        loop: in which the reader runs.
    """

    __slots__ = ("_events", "_loop", "_reader")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._events: deque[T] = deque()
        self._reader: asyncio.Future[None] | None = None

    @property
    def awaited(self) -> bool:
        """Whether the reader waits for what comes next, and will take it at once."""
        return self._reader is not None and not self._reader.done()

    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._events

    def put_nowait(self, event: T) -> None:
        """Add an event, and wake the reader."""
        self._events.append(event)
        reader, self._reader = self._reader, None
        if reader is not None and not reader.done():  # it is done where whoever waited was cancelled
            reader.set_result(None)

    async def get(self) -> T:
        """The next event, once there is one."""
        while not self._events:
            self._reader = self._loop.create_future()
            await self._reader
        return self._events.popleft()

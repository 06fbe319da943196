"""What a table does one after another, by itself too: alarms ring, and what goes wrong is tried again later."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from lastcard.errors import StoreError
from lastcard.server.game.clock import Alarms
from lastcard.server.game.weak import weakly
from lastcard.server.guard.logs import note_fault
from lastcard.server.seats.document import Denied

RETRY: Final = 1.0
"""Seconds until a table tries again what the store could not do, or after a fault."""
MOST_DOUBLINGS: Final = 6
"""Of these seconds, as long as faults go on."""


class Gathered:
    """Something that is done at once when it is wanted, but not more and more often: then once for all who want it.

    Args:
        do: does it, in the event loop.
        pause: seconds between two times, in the long run.
        burst: how often at once.
    """

    def __init__(self, do: Callable[[], None], pause: float, burst: int) -> None:
        self._do = do
        self._pause = pause
        self._ahead = pause * (burst - 1)
        self._even = 0.0  # when all the times so far would have been done at the long pace
        self._handle: asyncio.TimerHandle | None = None

    def want(self) -> None:
        """Have it done, now or in a moment."""
        loop = asyncio.get_running_loop()
        if self._handle is not None:
            return
        if loop.time() >= self._even - self._ahead:
            self._now()
        else:
            self._handle = loop.call_at(self._even - self._ahead, self._now)

    def stop(self) -> None:
        """It is not wanted any more."""
        if self._handle is not None:
            self._handle.cancel()

    def _now(self) -> None:
        self._handle = None
        self._even = max(self._even, asyncio.get_running_loop().time()) + self._pause
        self._do()


class Jobs:
    """The lock of a table, its alarms, and what is being done without anybody waiting for it.

    Args:
        ring: does what an alarm of a name is for; called under the lock.
        advance: does whatever follows; called after the alarms.
        gone: called when the table turns out to be in the store no more.
    """

    def __init__(
        self, ring: Callable[[str], Awaitable[None]], advance: Callable[[], Awaitable[None]], gone: Callable[[], None]
    ) -> None:
        self._do = ring
        self._advance = advance
        self._gone = gone
        self.lock = asyncio.Lock()
        """Held by whoever reads and changes the table in several steps."""
        self.alarms = Alarms(weakly(self._go_off))
        self._tasks: set[asyncio.Task[None]] = set()
        self._faults = 0

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something soon; it must not be lost."""
        task = asyncio.get_running_loop().create_task(self.trying(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def trying(self, work: Awaitable[None]) -> None:
        """Do what no person has asked for: what goes wrong is tried again, what is denied is not due."""
        try:
            await work
        except StoreError:
            self.retry_soon()
        except Denied as error:
            if error.code == "gone":
                self.alarms.close()
                self._gone()
        except Exception as error:
            note_fault(error, "table")
            self.retry_later()

    def retry_soon(self) -> None:
        """Look again in a moment."""
        self.alarms.set("retry", self.alarms.now + RETRY)

    def retry_later(self) -> None:
        """Look again after a fault, later each time until something is saved or played."""
        self.alarms.set("retry", self.alarms.now + RETRY * 2**self._faults)
        self._faults = min(self._faults + 1, MOST_DOUBLINGS)

    def went_well(self) -> None:
        """Something has been saved or played."""
        self._faults = 0

    def _go_off(self) -> None:
        self.spawn(self._ring())

    async def _ring(self) -> None:
        async with self.lock:
            if self.alarms.stopped:
                return
            for name in self.alarms.due():
                await self.trying(self._do(name))
            await self.trying(self._advance())

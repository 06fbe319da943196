"""Locked and timed work of a table: alarms, background work, retries."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from lastcard.errors import StoreError
from lastcard.server.game.timers import Timers
from lastcard.server.game.weak_callback import weak_callback
from lastcard.server.security.logs import note_fault
from lastcard.session.table_state import CommandError

RETRY_S: Final = 1.0
"""Seconds until a table retries after a fault, or after the store has failed."""
MAX_DOUBLINGS: Final = 6
"""Maximum number of doublings of this delay while faults go on."""


class Throttle:
    """Runs a function at once on request, but at a limited rate; requests that come too fast share one later run.

    Args:
        interval_s: seconds between two runs, in the long run.
        burst: number of runs allowed at once.
    """

    def __init__(self, do: Callable[[], None], interval_s: float, burst: int) -> None:
        self._do = do
        self._interval_s = interval_s
        self._burst_s = interval_s * (burst - 1)
        self._next_allowed = 0.0  # when all runs so far would have ended at the long-term rate
        self._handle: asyncio.TimerHandle | None = None

    def request(self) -> None:
        """Run the function, now or as soon as the rate allows."""
        loop = asyncio.get_running_loop()
        if self._handle is not None:
            return
        if loop.time() >= self._next_allowed - self._burst_s:
            self._now()
        else:
            self._handle = loop.call_at(self._next_allowed - self._burst_s, self._now)

    def stop(self) -> None:
        """Cancel the pending run."""
        if self._handle is not None:
            self._handle.cancel()

    def _now(self) -> None:
        self._handle = None
        self._next_allowed = max(self._next_allowed, asyncio.get_running_loop().time()) + self._interval_s
        self._do()


class Jobs:
    """The lock of a table, its alarms, and its background tasks.

    Args:
        run_timer: handles the alarm of a name; called under the lock.
        advance: advances the table; called after the alarms.
        on_gone: called when the store no longer has the table.
    """

    def __init__(
        self,
        run_timer: Callable[[str], Awaitable[None]],
        advance: Callable[[], Awaitable[None]],
        on_gone: Callable[[], None],
    ) -> None:
        self._run_timer = run_timer
        self._advance = advance
        self._on_gone = on_gone
        self.lock = asyncio.Lock()
        """Held by code that reads and changes the table in several steps."""
        self.timers = Timers(weak_callback(self._on_timers_due))
        self._tasks: set[asyncio.Task[None]] = set()
        self._faults = 0

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background, and hold a reference to its task."""
        task = asyncio.get_running_loop().create_task(self.run_guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def run_guarded(self, work: Awaitable[None]) -> None:
        """Run work that no person asked for. Retry it after faults; ignore refusals."""
        try:
            await work
        except StoreError:
            self.retry_soon()
        except CommandError as error:
            if error.code == "gone":
                self.timers.close()
                self._on_gone()
        except Exception as error:
            note_fault(error, "table")
            self.retry_later()

    def retry_soon(self) -> None:
        """Advance the table again in a moment."""
        self.timers.set("retry", self.timers.now + RETRY_S)

    def retry_later(self) -> None:
        """Advance the table again after a fault, with a delay that grows until something is saved or played."""
        self.timers.set("retry", self.timers.now + RETRY_S * 2**self._faults)
        self._faults = min(self._faults + 1, MAX_DOUBLINGS)

    def reset_faults(self) -> None:
        """Reset the retry delay, because something was saved or played."""
        self._faults = 0

    def _on_timers_due(self) -> None:
        self.spawn(self._run_due_timers())

    async def _run_due_timers(self) -> None:
        async with self.lock:
            if self.timers.is_paused:
                return
            for name in self.timers.due():
                await self.run_guarded(self._run_timer(name))
            await self.run_guarded(self._advance())

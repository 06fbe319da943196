"""Table time: named alarms that stop during a pause."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from lastcard.session.uno_race import ROUNDING_S

ACCURACY_S: Final = 1.0
"""Seconds by which table time may differ from the time of the day, at a table by the day."""


class Timers:
    """Named alarms in table time on one handle of the event loop; table time stops during a pause.

    A handle that fires too early is cheaper than a new one for every move, so a later alarm leaves the handle alone.
    ``on_due`` is called when alarms are due; ``due`` returns their names.
    """

    def __init__(self, on_due: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_due = on_due
        self._when: dict[str, float] = {}
        self._handle: asyncio.TimerHandle | None = None
        self._at = 0.0  # when the handle fires; uvloop's handle does not say so if that is now
        self._paused_at: float | None = None
        self._paused_s = 0.0  # seconds spent in pauses

    @property
    def now(self) -> float:
        """The table time in seconds."""
        return (self._loop.time() if self._paused_at is None else self._paused_at) - self._paused_s

    @property
    def is_paused(self) -> bool:
        """Whether table time is stopped."""
        return self._paused_at is not None

    def set(self, name: str, when: float | None) -> None:
        """Set or move an alarm to a table time; None clears it."""
        if when is None:
            self._when.pop(name, None)
            return
        self._when[name] = when
        if self._paused_at is None:
            self._arm(when)

    def left(self, name: str) -> float | None:
        """Return the seconds until an alarm; None if it is not set."""
        when = self._when.get(name)
        return None if when is None else max(0.0, when - self.now)

    def due(self) -> list[str]:
        """Return the names of due alarms, earliest first, and clear them."""
        now = self.now + ROUNDING_S
        names = sorted((name for name, when in self._when.items() if when <= now), key=self._when.__getitem__)
        for name in names:
            del self._when[name]
        return names

    def pause(self) -> None:
        """Stop table time."""
        if self._paused_at is None:
            self._paused_at = self._loop.time()
            self._disarm()

    def resume(self) -> None:
        """Resume table time."""
        if self._paused_at is not None:
            self._paused_s += self._loop.time() - self._paused_at
            self._paused_at = None
            if self._when:
                self._arm(min(self._when.values()))

    def run_at(self, now: float) -> None:
        """Resume table time, and set it to ``now`` unless it is about that."""
        self.resume()
        if abs(now - self.now) > ACCURACY_S:
            self._paused_s = self._loop.time() - now
            self._disarm()
            if self._when:
                self._arm(min(self._when.values()))

    def close(self) -> None:
        """Cancel all alarms."""
        self._when.clear()
        self._disarm()

    def _arm(self, when: float) -> None:
        at = when + self._paused_s
        if self._handle is None or at < self._at:
            self._disarm()
            self._at = at
            self._handle = self._loop.call_at(at, self._fire)

    def _disarm(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _fire(self) -> None:
        self._handle = None
        now = self.now + ROUNDING_S
        later = [when for when in self._when.values() if when > now]
        if len(later) < len(self._when):
            self._on_due()
        if later:
            self._arm(min(later))

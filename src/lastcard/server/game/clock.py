"""Table time: named alarms that stop during a pause, and the thinking time of each seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lastcard.server.wire.parts import Clock
from lastcard.session.table_settings import Settings

_ROUNDING_S: Final = 1e-6
"""Tolerance in seconds: rounding while pauses are added and subtracted must not delay an alarm."""


class Timers:
    """Named alarms in table time on one handle of the event loop; table time stops during a pause.

    A handle that fires too early is cheaper than a new one for every move, so a later alarm leaves
    the handle alone.

    Args:
        on_due: called when alarms are due; it gets their names from ``due``.
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

    def update(self, name: str, wanted: bool, delay: float) -> None:
        """Set an alarm in ``delay`` seconds if it is wanted and not set; clear an unwanted one."""
        if not wanted or name not in self._when:
            self.set(name, self.now + delay if wanted else None)

    def left(self, name: str) -> float | None:
        """Return the seconds until an alarm; None if it is not set."""
        when = self._when.get(name)
        return None if when is None else max(0.0, when - self.now)

    def due(self) -> list[str]:
        """Return the names of due alarms, earliest first, and clear them."""
        now = self.now + _ROUNDING_S
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
        now = self.now + _ROUNDING_S
        later = [when for when in self._when.values() if when > now]
        if len(later) < len(self._when):
            self._on_due()
        if later:
            self._arm(min(later))


@dataclass(frozen=True, slots=True)
class Pace:
    """Thinking times in seconds.

    Args:
        turn: time for each decision; None for no limit.
        bank: reserve for a round.
        absent: how long the table waits for a disconnected person.
        bots: factor on the thinking time of bots.
    """

    turn: float | None
    bank: float
    absent: float
    bots: float


PACES: Final[dict[str, Pace]] = {
    "relaxed": Pace(60, 120, 15, 1.5),
    "normal": Pace(30, 60, 15, 1.0),
    "fast": Pace(12, 30, 15, 0.6),
    "untimed": Pace(None, 0, 30, 1.0),
}
"""The paces of ``Settings``."""

SPEEDS: Final[dict[str, float]] = {"slow": 1.6, "normal": 1.0, "quick": 0.5}
"""Factors on the time of bots, by ``Settings.bots``."""


def pace_of(settings: Settings) -> Pace:
    """Return the thinking times of a table."""
    pace = PACES[settings.pace]
    return replace(pace, bots=pace.bots * SPEEDS[settings.bots])


BANK_SAVE_S: Final = 5.0
"""Seconds between two saves of the bank time that a person is using."""
IDLE_WARNING_S: Final = 10.0
"""Seconds before the end of the time at which a person is warned."""


class TurnClock:
    """The clock of the seat on turn, with a time bank for each seat.

    Args:
        pace: thinking times of the table.
        seats: number of seats.
        now: table time in seconds.
        spent: milliseconds of its bank that each seat has used before; empty for none.
    """

    def __init__(self, pace: Pace, seats: int, now: float, spent: Sequence[int] = ()) -> None:
        self.pace = pace
        self.since = now
        """The table time at which the seat on turn began to think."""
        self._banks = [pace.bank] * seats
        self.charge(spent)

    @property
    def spent(self) -> tuple[int, ...]:
        """Return the milliseconds of its bank that each seat has used; empty if none has used any."""
        used = tuple(round(1000 * (self.pace.bank - bank)) for bank in self._banks)
        return used if any(used) else ()

    def charge(self, spent: Sequence[int]) -> None:
        """Subtract known use from the banks.

        Args:
            spent: milliseconds by seat; empty for none.
        """
        for seat, used in enumerate(spent):
            self._banks[seat] = max(0.0, min(self._banks[seat], self.pace.bank - used / 1000))

    def draw(self, seat: int, now: float) -> None:
        """Subtract the use so far from the bank of the seat on turn; its deadline does not change."""
        turn = self.pace.turn
        if turn is not None and now - turn > self.since:
            self._banks[seat] = max(0.0, self._banks[seat] - (now - turn - self.since))
            self.since = now - turn

    def spend(self, seat: int, now: float) -> None:
        """Subtract the overtime of a decision from the seat's bank, and start the clock of the next decision."""
        turn = self.pace.turn
        if turn is not None:
            over = now - self.since - turn
            if over > 0:
                self._banks[seat] = max(0.0, self._banks[seat] - over)
        self.since = now

    def deadline(self, seat: int) -> float | None:
        """Return when the time of a seat ends, bank included; None without a limit."""
        turn = self.pace.turn
        return None if turn is None else self.since + turn + self._banks[seat]

    def shown(self, seat: int, now: float) -> Clock | None:
        """Return the remaining time for clients."""
        turn, deadline = self.pace.turn, self.deadline(seat)
        if turn is None or deadline is None:
            return None
        left = max(0.0, deadline - now)
        return Clock(left=round(1000 * left), bank=round(1000 * min(left, self._banks[seat])))

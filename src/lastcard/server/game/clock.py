"""Time at a table: alarms by name that stand still during a pause, and the thinking time of each seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lastcard.server.wire.parts import Clock, Settings

_ROUNDING: Final = 1e-6
"""Seconds: what stood still is added and taken away again, and an alarm may seem not to have come by a hair."""


class Alarms:
    """Moments of a table by name, on one handle of the event loop; table time stands still while stopped.

    A handle that goes off too early is cheaper than one that is set anew with every move, so a later alarm leaves
    the handle alone.

    Args:
        ring: called when alarms are due; it gets their names from ``due``.
    """

    def __init__(self, ring: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._ring = ring
        self._when: dict[str, float] = {}
        self._handle: asyncio.TimerHandle | None = None
        self._at = 0.0  # when the handle goes off; uvloop's cannot say so where that is now
        self._stopped: float | None = None
        self._lost = 0.0  # time that stood still

    @property
    def now(self) -> float:
        """Table time in seconds."""
        return (self._loop.time() if self._stopped is None else self._stopped) - self._lost

    @property
    def stopped(self) -> bool:
        """Whether the time stands still."""
        return self._stopped is not None

    def set(self, name: str, when: float | None) -> None:
        """Set an alarm to a table time, or move it; None forgets it."""
        if when is None:
            self._when.pop(name, None)
            return
        self._when[name] = when
        if self._stopped is None:
            self._arm(when)

    def keep(self, name: str, wanted: bool, delay: float) -> None:
        """Have an alarm where it is wanted: set in so many seconds unless it is set already."""
        if not wanted or name not in self._when:
            self.set(name, self.now + delay if wanted else None)

    def left(self, name: str) -> float | None:
        """Seconds until an alarm; None where it is not set."""
        when = self._when.get(name)
        return None if when is None else max(0.0, when - self.now)

    def due(self) -> list[str]:
        """The names of alarms that have come, earliest first; they are forgotten."""
        now = self.now + _ROUNDING
        names = sorted((name for name, when in self._when.items() if when <= now), key=self._when.__getitem__)
        for name in names:
            del self._when[name]
        return names

    def stop(self) -> None:
        """The time stands still."""
        if self._stopped is None:
            self._stopped = self._loop.time()
            self._disarm()

    def go(self) -> None:
        """The time goes on."""
        if self._stopped is not None:
            self._lost += self._loop.time() - self._stopped
            self._stopped = None
            if self._when:
                self._arm(min(self._when.values()))

    def close(self) -> None:
        """No alarm goes off any more."""
        self._when.clear()
        self._disarm()

    def _arm(self, when: float) -> None:
        at = when + self._lost
        if self._handle is None or at < self._at:
            self._disarm()
            self._at = at
            self._handle = self._loop.call_at(at, self._go_off)

    def _disarm(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _go_off(self) -> None:
        self._handle = None
        now = self.now + _ROUNDING
        later = [when for when in self._when.values() if when > now]
        if len(later) < len(self._when):
            self._ring()
        if later:
            self._arm(min(later))


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a person may think, in seconds.

    Args:
        turn: for each decision; None where nobody is hurried.
        bank: in reserve for a round.
        absent: how long the table waits for a person who is not connected.
        bots: how slow bots are.
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
"""How long bots take, by ``Settings.bots``."""


def pace_of(settings: Settings) -> Pace:
    """How long everybody at a table may take."""
    pace = PACES[settings.pace]
    return replace(pace, bots=pace.bots * SPEEDS[settings.bots])


NOTE_BANK: Final = 5.0
"""Seconds between two times that is saved what a person uses of the bank."""
WARNING: Final = 10.0
"""Seconds before the end of the time at which a person is warned."""


class TurnClock:
    """The time of the seat on turn, with a bank for each seat.

    Args:
        pace: of the table.
        seats: how many.
        now: table time.
        spent: milliseconds of its bank that each seat has used before; empty for none.
    """

    def __init__(self, pace: Pace, seats: int, now: float, spent: Sequence[int] = ()) -> None:
        self.pace = pace
        self.since = now
        """When the seat on turn began to think."""
        self._banks = [pace.bank] * seats
        self.charge(spent)

    @property
    def spent(self) -> tuple[int, ...]:
        """Milliseconds of its bank that each seat has used; empty where none has used any."""
        used = tuple(round(1000 * (self.pace.bank - bank)) for bank in self._banks)
        return used if any(used) else ()

    def charge(self, spent: Sequence[int]) -> None:
        """Take from the banks what is known to be used of them.

        Args:
            spent: milliseconds by seat; empty for none.
        """
        for seat, used in enumerate(spent):
            self._banks[seat] = max(0.0, min(self._banks[seat], self.pace.bank - used / 1000))

    def draw(self, seat: int, now: float) -> None:
        """Take from the bank of the seat on turn what it has used so far; its deadline stays as it is."""
        turn = self.pace.turn
        if turn is not None and now - turn > self.since:
            self._banks[seat] = max(0.0, self._banks[seat] - (now - turn - self.since))
            self.since = now - turn

    def spend(self, seat: int, now: float) -> None:
        """A seat has decided: what it thought too long is gone from its bank, and the next decision begins."""
        turn = self.pace.turn
        if turn is not None:
            over = now - self.since - turn
            if over > 0:
                self._banks[seat] = max(0.0, self._banks[seat] - over)
        self.since = now

    def deadline(self, seat: int) -> float | None:
        """When the time of a seat is up, bank included; None where nobody is hurried."""
        turn = self.pace.turn
        return None if turn is None else self.since + turn + self._banks[seat]

    def shown(self, seat: int, now: float) -> Clock | None:
        """What is left, for the screens."""
        turn, deadline = self.pace.turn, self.deadline(seat)
        if turn is None or deadline is None:
            return None
        left = max(0.0, deadline - now)
        return Clock(left=round(1000 * left), bank=round(1000 * min(left, self._banks[seat])))

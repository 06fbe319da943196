"""The thinking time of each seat: a limit for every decision, and a time bank for the round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from msgspec import Struct

from lastcard.session.day_pace import Calendar, Outages, read_day_pace
from lastcard.session.table_settings import Settings


class Clock(Struct, frozen=True):
    """The time of the seat on turn, in milliseconds from now."""

    left: int
    """Until the bank is used."""
    bank: int
    """Left in the bank of that seat."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Thinking times in seconds.

    Args:
        turn: time for each decision; None for no limit.
        bank: reserve for a round.
        absent: how long the table waits for a disconnected person.
        bots: factor on the thinking time of bots.
        calendar: the deadlines of a table by the day, which has no ``turn``; None for others.
    """

    turn: float | None
    bank: float
    absent: float
    bots: float
    calendar: Calendar | None = None


PACES: Final[dict[str, Pace]] = {
    "relaxed": Pace(60, 120, 15, 1.5),
    "normal": Pace(30, 60, 15, 1.0),
    "fast": Pace(12, 30, 15, 0.6),
    "untimed": Pace(None, 0, 30, 1.0),
}

SPEEDS: Final[dict[str, float]] = {"slow": 1.6, "normal": 1.0, "quick": 0.5}
"""Factors on the time of bots, by ``Settings.bots``."""


def pace_of(settings: Settings, outages: Outages = tuple) -> Pace:
    """Return the thinking times of a table; ``outages`` returns those of the server."""
    by_day = read_day_pace(settings.pace)
    pace = PACES[settings.pace] if by_day is None else Pace(None, 0, inf, 1.0, Calendar(by_day, outages))
    return replace(pace, bots=pace.bots * SPEEDS[settings.bots])


BANK_SAVE_S: Final = 5.0
"""Seconds between two saves of the bank time that a person is using."""
IDLE_WARNING_S: Final = 10.0
"""Seconds before the end of the time at which a person is warned."""


class TurnClock:
    """The clock of the seat on turn, with a time bank for each seat; table times are in seconds."""

    def __init__(self, pace: Pace, seats: int, now: float, spent: Sequence[int] = ()) -> None:
        self.pace = pace
        self.since = now
        """The table time at which the seat on turn began to think."""
        self._banks = [pace.bank] * seats
        self.charge(spent)

    @property
    def spent(self) -> tuple[int, ...]:
        """Return the milliseconds of its bank that each seat has used; empty if none has used any."""
        if self._banks.count(self.pace.bank) == len(self._banks):  # mostly, and every move asks
            return ()
        used = tuple(round(1000 * (self.pace.bank - bank)) for bank in self._banks)
        return used if any(used) else ()

    def charge(self, spent: Sequence[int]) -> None:
        """Subtract known use from the banks, in milliseconds by seat."""
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
        turn, calendar = self.pace.turn, self.pace.calendar
        if calendar is not None:
            return calendar.deadline(self.since)
        return None if turn is None else self.since + turn + self._banks[seat]

    def shown(self, seat: int, now: float) -> Clock | None:
        """Return the remaining time for clients."""
        deadline = self.deadline(seat)
        if deadline is None:
            return None
        left = max(0.0, deadline - now)
        return Clock(left=round(1000 * left), bank=round(1000 * min(left, self._banks[seat])))

"""Tables by the day: a turn has hours or days, without the weekends if the host wants that.

No time passes while the server is down. All times here are in seconds since 1970. A deadline follows from the log, the
settings and the outages, so nothing about it is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import lru_cache
from math import inf
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MOVE_S: Final = {"8h": 8 * 3600.0, "24h": 24 * 3600.0, "3d": 72 * 3600.0}
"""Seconds for a move, by the first part of the pace in ``Settings``."""
WEEKEND: Final = 5
"""The first day of a weekend, Saturday, as ``datetime.weekday`` counts."""

Period = tuple[float, float]
"""Begin and end of a time that does not count."""
Outages = Callable[[], Sequence[Period]]


class DayPace(NamedTuple):
    """The pace of a table by the day.

    Args:
        move_s: seconds for a move.
        zone: the time zone whose weekends do not count; empty if they do.
    """

    move_s: float
    zone: str


def is_day_pace(pace: str) -> bool:
    """Return whether a pace is by the day."""
    return pace.partition("@")[0] in MOVE_S


def read_day_pace(pace: str) -> DayPace | None:
    """Return the pace of ``24h`` or ``24h@Europe/Berlin``; None for one that is not by the day."""
    length, _, zone = pace.partition("@")
    return DayPace(MOVE_S[length], zone) if length in MOVE_S else None


def is_known_zone(zone: str) -> bool:
    """Return whether this computer knows a time zone; empty for none."""
    return not zone or _find_zone(zone) is not None


class Calendar:
    """The time for moves at a table by the day.

    Args:
        outages: returns when the server was down, in order; none overlaps another.
    """

    def __init__(self, pace: DayPace, outages: Outages = tuple) -> None:
        self._move_s = pace.move_s
        self._zone = (_find_zone(pace.zone) or UTC) if pace.zone else None
        self._outages = outages

    def deadline(self, since: float) -> float:
        """Return until when a move is due that was possible since a time."""
        now, left = since, self._move_s
        for begin, end in self._pauses(since):
            if now + left <= begin:
                break
            left -= max(0.0, begin - now)
            now = max(now, end)
        return now + left

    def _pauses(self, since: float) -> Iterator[Period]:
        """Yield the times that do not count, in order of their begins, without those before a time."""
        outages = (outage for outage in self._outages() if outage[1] > since)
        weekends = self._weekends(since)
        outage, weekend = next(outages, None), next(weekends, None)
        while outage is not None or weekend is not None:
            if weekend is None or (outage is not None and outage[0] <= weekend[0]):
                assert outage is not None
                yield outage
                outage = next(outages, None)
            else:
                yield weekend
                weekend = next(weekends, None)

    def _weekends(self, since: float) -> Iterator[Period]:
        """Yield the weekends that end after a time, without end."""
        if self._zone is None:
            return
        day = datetime.fromtimestamp(since, self._zone).date()
        saturday = day + timedelta(days=WEEKEND - day.weekday())
        while True:
            days = saturday, saturday + timedelta(days=7 - WEEKEND)
            begin, end = (datetime.combine(each, time(), self._zone).timestamp() for each in days)
            if end > since:
                yield begin, end
            saturday += timedelta(days=7)


def find_outages(service: Sequence[Period]) -> list[Period]:
    """Return the gaps between the times in which at least one server has run."""
    outages, running_until = [], inf
    for begin, end in sorted(service):
        if begin > running_until:
            outages.append((running_until, begin))
        running_until = end if running_until == inf else max(running_until, end)
    return outages


@lru_cache(256)
def _find_zone(zone: str) -> tzinfo | None:
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC if zone == "UTC" else None

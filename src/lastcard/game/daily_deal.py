"""Daily deals: their rules, days and streaks, and the secret of a deal without a server.

A day is one of UTC by the clock of the server or the device, written as in ``2026-11-30``: no time zone matters.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta
from typing import Final

DAILY_LEVEL: Final = "sharp"
"""The level of the bots. It does not search, so the same moves give the same round everywhere."""
DAILY_SEATS: Final = 4
PERSON_SEAT: Final = 0
"""The seat of the person; bots have the others."""
ONE_ROUND: Final = "+match_mode=single_round"
"""What the rules of a daily deal add to those of its game."""
SHARE_SIGNS: Final = {"play": "🟩", "draw": "🟨", "pass": "🟨", "challenge": "🟪", "accept": "🟥"}
"""How moves look in the line to share, which shows no card, by their verbs; calls and catches have no sign."""
_DAY: Final = timedelta(days=1)


def daily_secret(day: str, game: str) -> bytes:
    """Returns the secret of a day's deal on devices without a server, whose own secrets are drawn at random."""
    return hashlib.sha256(f"lastcard daily\n{day}\n{game}".encode()).digest()


def today() -> str:
    """Returns the day of the clock."""
    return datetime.now(UTC).date().isoformat()


def day_end_ms(day: str) -> int:
    """Returns when a day ends, in milliseconds since 1970; raises a ValueError for a text that is no day."""
    start = datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC)
    return round(1000 * (start.timestamp() + _DAY.total_seconds()))


def count_streak(days: Collection[str], today: str) -> int:
    """Returns on how many days in succession somebody has played, up to today or, before today's deal, yesterday.

    A wrong clock costs no streak: if it is behind the last day played, the longer of that day's streak and today's
    counts.
    """
    last = max(days, default=today)
    yesterday = (date.fromisoformat(today) - _DAY).isoformat()
    return max(_streak_until(days, day) for day in (today, yesterday, max(last, today)))


def _streak_until(days: Collection[str], day: str) -> int:
    streak = 0
    while day in days:
        streak, day = streak + 1, (date.fromisoformat(day) - _DAY).isoformat()
    return streak

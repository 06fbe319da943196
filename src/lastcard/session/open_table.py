"""Open tables, at which a server seats strangers: nobody is host, and the first match starts by itself.

Bots take the seats that are free half a minute after the first person came, and those of persons who are not there. A
person who leaves such matches often waits for the next seat.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from typing import Final

from lastcard.session.hosting import check_settings
from lastcard.session.seating import sit
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import NOBODY, CommandError, Person, TableState

SEATS: Final = 4
GATHER_S: Final = 30.0
"""Seconds until bots take the free seats."""
FULL_S: Final = 3.0
"""Seconds until a match starts once persons have all seats; their numbers for the shuffle arrive meanwhile."""
MEMORY_S: Final = 24 * 3600.0
"""Seconds until it is forgotten that a person has left a match."""
FORGIVEN: Final = 1
"""Number of matches that a person may leave in that time without consequences."""
FIRST_WAIT_S: Final = 30
LONGEST_WAIT_S: Final = 600


def new_open_table(settings: Settings, secret: str) -> TableState:
    """Return an empty open table; the secret is in hex.

    Raises:
        CommandError: if settings make no sense.
    """
    settings = check_settings(settings)
    return TableState(
        host=Person("", NOBODY), settings=settings, seats=(None,) * settings.seats, secret=secret, is_open=True
    )


def take_free_seat(table: TableState, person: Person, strangers: Collection[str]) -> TableState:
    """Return an open table with a person in a free seat, or unchanged if they have one.

    Args:
        strangers: ids of persons with whom they may not sit.

    Raises:
        CommandError: if there is no seat for them, or the match has begun.
    """
    if not table.is_gathering or not free_for(table, person.id, strangers):
        raise CommandError("no-free-seat")
    return table if table.seat_of(person.id) is not None else sit(table, person, table.seats.index(None))


def free_for(table: TableState, player: str, strangers: Collection[str]) -> bool:
    """Return whether a person has a seat or can get a free one, with nobody there with whom they may not sit."""
    has_place = table.seat_of(player) is not None or None in table.seats
    return has_place and not any(other in strangers for other in table.players)


def check_gathering(table: TableState, here: Set[str]) -> TableState:
    """Return an open table whose first match may start now.

    Raises:
        CommandError: if it has started, or nobody with a seat is there.
    """
    if not table.is_gathering or not any(player in here for player in table.players):
        raise CommandError("not-now")
    return table


def find_departures(before: TableState, after: TableState, idle: Set[str], *, ends: bool) -> tuple[set[str], set[str]]:
    """Return who left the match of an open table in a change of its state, and who came back.

    Args:
        idle: ids of persons for whom a bot plays.
        ends: whether the match ends with the change: then those have left it too.
    """
    if not (before.is_open and before.in_match):
        return set(), set()
    owners = {player for player in before.players if player is not None}
    playing = {player for player in owners if before.playing_seat(player) is not None}
    if ends:
        return playing & idle, set()
    plays_now = {player for player in owners if after.playing_seat(player) is not None}
    return playing - plays_now, plays_now - playing


def waiting_time_s(departures_ms: Sequence[int], now_ms: int) -> int:
    """Return the seconds that a person has to wait for a seat: double with each match left, from the last one on.

    Args:
        departures_ms: when they left matches, latest first, in milliseconds since 1970.
    """
    counted = [at for at in departures_ms if now_ms - at < 1000 * MEMORY_S]
    if len(counted) <= FORGIVEN:
        return 0
    wait_s = min(LONGEST_WAIT_S, FIRST_WAIT_S << (len(counted) - FORGIVEN - 1))
    return max(0, -(-(counted[0] + 1000 * wait_s - now_ms) // 1000))

"""Matchmaking: seats at open tables for persons who want to play with others.

Which open tables wait is in the store, so all workers give seats at the same ones.
"""

from __future__ import annotations

import asyncio
from typing import Final

from msgspec import Struct

from lastcard.server.store.rows import Player, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.table_registry import TableRegistry
from lastcard.session.open_table import GATHER_S, MEMORY_S, SEATS, waiting_time_s
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import Person

LISTED_MS: Final = round(2000 * GATHER_S)
"""Milliseconds after the last seat was taken from which on nobody waits at a table any more."""


class OpenTables(Struct, frozen=True):
    """The answer to a question about open tables."""

    waiting: int
    """The number of open tables where somebody waits for the first match."""
    wait_s: int
    """Seconds until the person may have a seat."""
    departures: int
    """How many matches at open tables the person has left in the last day."""
    blocked: int
    """How many persons the person has blocked."""


class OpenSeat(Struct, frozen=True):
    """The answer to a request for a seat at an open table."""

    code: str | None
    """The code of the table with the seat; None for a person who has to wait because they have left matches."""
    wait_s: int = 0
    """Seconds until that person may ask again."""
    departures: int = 0
    """How many matches that person has left in the last day."""


def _earliest_departure(now: int) -> int:
    """Return the time from which on a departure counts (ms since 1970)."""
    return round(now - 1000 * MEMORY_S)


class Matchmaker:
    """Gives seats at the open tables of all workers."""

    def __init__(self, store: Store, registry: TableRegistry) -> None:
        self._store = store
        self._registry = registry
        self._lock = asyncio.Lock()
        """Two persons who come at once sit together."""

    async def describe(self, player: str) -> OpenTables:
        """Return how many open tables wait, and what is stored about a person in this matter."""
        now = now_ms()
        counts = await self._store.read_open_counts(player, now - LISTED_MS, _earliest_departure(now))
        wait_s = waiting_time_s(counts.departures, now)
        return OpenTables(counts.waiting, wait_s, len(counts.departures), counts.blocked)

    async def find_wait(self, player: str) -> tuple[int, int]:
        """Return how many seconds a person has to wait, and how many matches they have left in the last day."""
        now = now_ms()
        departures = await self._store.list_departures(player, _earliest_departure(now))
        return waiting_time_s(departures, now), len(departures)

    async def find_seat(self, player: Player, game: str) -> OpenSeat:
        """Give a person a seat at an open table of a game, at a new one if none has a seat for them.

        Raises:
            CommandError: if no match may begin.
            StoreError: if the seat cannot be saved.
        """
        self._registry.moderation.check_open()
        wait_s, departures = await self.find_wait(player.id)
        if wait_s:
            return OpenSeat(None, wait_s, departures)
        strangers, person = await self._store.find_blocked(player.id), Person(player.id, player.name)
        async with self._lock:
            for table in await self._list_waiting(game, player.id):
                if await table.take_free_seat(person, strangers):
                    break
            else:
                table = await self._registry.create_open(Settings(rules=game, seats=SEATS, voice=False))
                await table.take_free_seat(person, strangers)
            now = now_ms()
            await self._store.save_open_table(table.code, game, now, now - LISTED_MS)
        return OpenSeat(table.code)

    async def _list_waiting(self, game: str, player: str) -> list[LiveTable]:
        """Return the waiting tables of a game: that at which a person sits already first, then by age."""
        tables = []
        for code in await self._store.list_open_tables(game, now_ms() - LISTED_MS):
            table = await self._registry.find(code)
            if table is not None and table.state.is_gathering:
                tables.append(table)
            else:
                await self._store.close_open_table(code)
        return sorted(tables, key=lambda table: table.state.seat_of(player) is None)

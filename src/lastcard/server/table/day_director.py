"""The director of tables by the day: loads those where something is due, and has people notified.

Everything is in the store, so any worker goes on with it after a restart.
"""

from __future__ import annotations

import asyncio
from typing import Final

from lastcard.server.store.rows import now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.notifier import Notice, Notifier
from lastcard.server.table.table_registry import TableRegistry, repeat
from lastcard.session.day_pace import find_outages

CHECK_S: Final = 10.0
"""Seconds between two searches for moves that are due and for people to notify."""
UNSEEN_MS: Final = 30_000
"""Milliseconds for which a person on turn is not connected until they are notified."""
DAY_MS: Final = 24 * 3_600_000
IDLE_MS: Final = 30 * DAY_MS
"""Milliseconds without a move after which a match is closed."""
NOTICE_MS: Final = 7 * DAY_MS
"""Milliseconds from the notice of that to the end."""


class DayDirector:
    """Directs the tables by the day of all workers. Call ``open`` in the event loop."""

    def __init__(self, store: Store, registry: TableRegistry, notifier: Notifier) -> None:
        self._store = store
        self._registry = registry
        self._notifier = notifier
        self._chore: asyncio.Task[None] | None = None
        self._has_loaded = False

    async def open(self) -> None:
        """Learn when servers have run, which deadlines depend on, and start the periodic task.

        Raises:
            StoreError: if the database does not answer.
        """
        await self._note_outages()
        self._chore = asyncio.create_task(repeat(self.advance, CHECK_S))

    async def close(self) -> None:
        """Stop the periodic task and the notifications under way."""
        if self._chore is not None:
            self._chore.cancel()
            await asyncio.gather(self._chore, return_exceptions=True)
        await self._notifier.close()

    async def advance(self) -> None:
        """Do everything that is due."""
        if not await self._store.has_day_tables():
            return
        await self._note_outages()
        codes = await (self._store.list_due_tables(now_ms()) if self._has_loaded else self._store.list_day_tables())
        for code in codes:
            table = await self._registry.find(code)
            if table is None:
                await self._store.save_day_turn(code, None)
            else:
                await table.check_day()
        self._has_loaded = True
        await self._notify()

    async def _note_outages(self) -> None:
        """Save that this server runs, and learn when none did."""
        periods = await self._store.note_service(now_ms())
        self._registry.outages = tuple(find_outages([(began / 1000, seen / 1000) for began, seen in periods]))

    async def _notify(self) -> None:
        """Notify people on turn who are not connected, and those whose match is closed in a week."""
        now = now_ms()
        for code, player, rules in await self._store.claim_turn_notices(now - UNSEEN_MS):
            await self._notifier.notify(player, Notice("turn", rules, self._registry.url(f"/t/{code}")))
        for code, players, rules in await self._store.claim_closing_notices(now - IDLE_MS + NOTICE_MS, now + NOTICE_MS):
            for player in players:
                await self._notifier.notify(player, Notice("closing", rules, self._registry.url(f"/t/{code}")))

"""The director of duplicate matches: opens and starts them, has bots play where nobody is, and counts results.

Everything is in the store, so any worker goes on with a duplicate match after a restart.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from msgspec import Struct

from lastcard.game.seeds import new_seed
from lastcard.server.game.duplicates import RUN_LEVEL, count_result, play_deal
from lastcard.server.security.security import new_id
from lastcard.server.store.rows import DuplicateResultRow, DuplicateRow, Player, TableRow, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.session_storage import restore_state
from lastcard.server.table.table_registry import TableRegistry, repeat
from lastcard.session.hosting import new_duplicate_table
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError, DuplicateTable, Person, TableState, write_table_state

CHECK_S: Final = 5.0
"""Seconds between two looks for tables that do not go on, and for results."""
STALLED_MS: Final = 20_000
"""Milliseconds without a move after which a worker loads a table, because perhaps no other has it."""
MAX_OPEN: Final = 200
"""Maximum number of duplicate matches whose results are counted at a time, the first started first."""
COUNT_BATCH: Final = 20

_WORKER: Final = ThreadPoolExecutor(1, "duplicates")
"""One thread, so that play is not delayed."""


class DuplicatePlan(Struct, frozen=True):
    """A duplicate match as its host wants it; a single table is compared with a run of *master* bots.

    Args:
        level: the level of the bots that take free seats.
    """

    settings: Settings
    tables: int
    deals: int
    level: str


class DuplicateDirector:
    """Directs the duplicate matches of all workers. Call ``open`` in the event loop."""

    def __init__(self, store: Store, registry: TableRegistry) -> None:
        self._store = store
        self._registry = registry
        self._lock = asyncio.Lock()
        self._chore: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start the periodic task."""
        self._chore = asyncio.create_task(repeat(self.advance, CHECK_S))

    async def close(self) -> None:
        """Stop the periodic task."""
        if self._chore is not None:
            self._chore.cancel()
            await asyncio.gather(self._chore, return_exceptions=True)

    async def create(self, host: Player, plan: DuplicatePlan) -> str:
        """Open a duplicate match with its tables, and return its code.

        Raises:
            CommandError: if settings make no sense, or no match may begin.
            StoreError: if it cannot be saved.
        """
        self._registry.moderation.check_open()
        secret = new_seed()
        code = self._registry.new_code()
        while await self._store.find_duplicate(code) is not None:
            code = self._registry.new_code()
        person, numbers = Person(host.id, host.name), range(1, max(2, plan.tables) + 1)
        drafts, settings = list[TableState](), self._registry.fit_settings(plan.settings)
        for number in numbers:
            has_run = number > plan.tables
            part = DuplicateTable(code, number, plan.deals, secret.hex(), has_run=has_run)
            drafts.append(new_duplicate_table(person, settings, RUN_LEVEL if has_run else plan.level, part))
        tables = [(await self._registry.add(draft)).code for draft in drafts]
        settings = drafts[0].settings
        row = DuplicateRow(
            code=code,
            host=host.id,
            rules=settings.rules,
            seats=settings.seats,
            deals=plan.deals,
            secret=secret,
            created=now_ms(),
            started=None,
            finished=None,
            tables=tuple(tables),
        )
        if not await self._store.create_duplicate(row):  # another worker has just taken the code
            return await self.create(host, plan)
        return code

    async def start(self, duplicate: DuplicateRow) -> None:
        """Start all tables; a second call starts those that have not begun.

        Raises:
            CommandError: if no match may begin.
            StoreError: if it cannot be saved.
        """
        self._registry.moderation.check_open()
        await self._store.start_duplicate(duplicate.code)
        for code in duplicate.tables:
            row = await self._store.load_table(code)
            if row is not None:
                await self._wake(row)

    async def advance(self) -> None:
        """Load tables that do not go on, and count results; a StoreError says why that fails."""
        for row in await self._store.stalled_tables(now_ms() - STALLED_MS):
            await self._wake(row)
        for code in await self._store.open_duplicates(MAX_OPEN):
            found = await self._store.find_duplicate(code)
            if found is not None:
                await self.count(found)

    async def count(self, duplicate: DuplicateRow) -> list[DuplicateResultRow]:
        """Save the results of deals that have ended, and the end of the match after the last; return all results."""
        loop = asyncio.get_running_loop()
        async with self._lock:
            for match in await self._store.uncounted_duplicates(duplicate.code, COUNT_BATCH):
                row = await self._store.load_match(match)
                if row is not None:
                    moves = await self._store.read_moves(match)
                    await self._store.save_duplicate_result(
                        await loop.run_in_executor(_WORKER, count_result, row, moves)
                    )
        results = await self._store.duplicate_results(duplicate.code)
        if len(results) == duplicate.deals * len(duplicate.tables):
            await self._store.finish_duplicate(duplicate.code)
        return results

    async def _wake(self, row: TableRow) -> None:
        """Start a table, or go on with it, if its duplicate match has not ended here."""
        try:
            state = restore_state(row.doc)
        except CommandError:  # another version has written it
            return
        if state.duplicate is not None and state.duplicate.has_run:
            await self._play_run(row, state)
        elif state.phase == "lobby" or state.is_awaited:
            table = await self._registry.find(row.code)
            if table is not None:
                await table.start_duplicate()

    async def _play_run(self, row: TableRow, state: TableState) -> None:
        """Let bots play all deals of a table, unless another worker does."""
        loop, revision = asyncio.get_running_loop(), row.rev
        while state.phase == "lobby" or state.has_next_deal:
            match, moves, state = await loop.run_in_executor(_WORKER, play_deal, state, row.code, new_id())
            if not await self._store.save_duplicate_run(match, moves, revision, write_table_state(state)):
                return
            revision += 1

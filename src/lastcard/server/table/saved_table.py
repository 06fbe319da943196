"""A table state and its copy in the store: every change is saved before anybody sees it.

Changes that may end with the process are not saved.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from lastcard.server.security.security import new_secret
from lastcard.server.store.rows import TableRow
from lastcard.server.store.store import Store
from lastcard.server.wire.worker_bus import TableSaved
from lastcard.session.dealing import needs_new_secret, renew_secret
from lastcard.session.match_log import MatchLog
from lastcard.session.match_rows import MatchRow
from lastcard.session.table_state import (
    CommandError,
    TableState,
    is_transient,
    read_table_state,
    write_table_state,
)

Edit = Callable[[TableState], TableState]
_LOG: Final = structlog.get_logger()


class SavedTable:
    """A table state, its revision, and the store. The caller holds the table's lock.

    Args:
        store: the store of the table.
        row: the table as loaded.
        load: returns the log of a table state's match if it is not loaded; called before the state is adopted. If it
            fails, nothing changes.
        on_adopted: called after a state is adopted, with the previous state, that log, and the id of the author.
        on_saved: announces that the store has a new revision.
    """

    def __init__(
        self,
        store: Store,
        row: TableRow,
        load: Callable[[TableState], Awaitable[MatchLog | None]],
        on_adopted: Callable[[TableState, MatchLog | None, str | None], None],
        on_saved: Callable[[TableSaved], None],
    ) -> None:
        self._store = store
        self._load = load
        self._on_adopted = on_adopted
        self._on_saved = on_saved
        self.code = row.code
        self.state = restore_state(row.doc)
        self.revision = row.rev

    async def open(self) -> None:
        """Adopt the table state as loaded."""
        await self._adopt(self.state, self.revision)

    async def change(self, edit: Edit, by: str | None = None) -> bool:
        """Change the table state; if another worker was first, repeat the change on its result.

        Args:
            edit: returns the new table state, or raises ``CommandError``.
            by: id of the person who caused it.

        Returns:
            Whether anything changed.

        Raises:
            CommandError, StoreError: if it is refused or cannot be saved; nothing has changed.
        """
        while (draft := edit(self.state)) != self.state:
            if needs_new_secret(self.state, draft):
                draft = renew_secret(draft, new_secret())
            if await self.save(draft, by):
                return True
        return False

    async def save(self, draft: TableState, by: str | None = None, match: MatchRow | None = None) -> bool:
        """Save and adopt a table state; if another worker was first, adopt that worker's state instead.

        Args:
            draft: the new table state.
            by: id of the person who caused it.
            match: the match that begins with it.

        Returns:
            Whether the draft is now the table state.
        """
        if match is None and not self._store.shared and is_transient(self.state, draft):
            await self._adopt(draft, self.revision, by)
            return True
        text = write_table_state(draft)
        if match is None:
            revision = await self._store.save_table(self.code, self.revision, text)
        else:
            revision = await self._store.create_match(match, self.revision, text)
        if revision is None:
            await self.reload()
            return False
        await self._adopt(draft, revision, by)
        self._on_saved(TableSaved(self.code, self.revision))
        return True

    async def reload(self) -> None:
        """Adopt the table state in the store if it is newer.

        Raises:
            CommandError: if the table was deleted.
        """
        row = await self._store.load_table(self.code)
        if row is None:
            raise CommandError("gone")
        if row.rev > self.revision:
            await self._adopt(restore_state(row.doc), row.rev)

    async def _adopt(self, state: TableState, revision: int, by: str | None = None) -> None:
        log = await self._load(state)
        before, self.state, self.revision = self.state, state, revision
        self._on_adopted(before, log, by)


def restore_state(data: bytes) -> TableState:
    """Return a table state as ``read_table_state`` does; log why it cannot be read."""
    try:
        return read_table_state(data)
    except CommandError as error:
        why = str(error.__cause__)
        _LOG.warning("a saved table cannot be read and is dropped: another version has written it", why=why)
        raise

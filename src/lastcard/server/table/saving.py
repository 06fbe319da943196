"""A table's document and the store, in step: a change is saved before anybody hears of it.

Left out is what passes with the process, where no other process needs to know.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from lastcard.server.game.match_log import MatchLog
from lastcard.server.seats.dealing import reseal
from lastcard.server.seats.document import Denied, Document, is_passing, read_document, write_document
from lastcard.server.store.rows import MatchRow, TableRow
from lastcard.server.store.store import Store
from lastcard.server.wire.workers import TableSaved

Edit = Callable[[Document], Document]


class SavedDocument:
    """A document, its revision and the way into the store. Whoever calls holds the lock of the table.

    Args:
        store: where it is saved.
        row: as it was loaded.
        load: the log of the match that a document is about, where it is not at hand yet; called before a document is
            adopted, and where it fails nothing has changed.
        adopted: called after it, with the document before, that log, and the id of the person who asked for it.
        saved: tells that the store has a new revision.
    """

    def __init__(
        self,
        store: Store,
        row: TableRow,
        load: Callable[[Document], Awaitable[MatchLog | None]],
        adopted: Callable[[Document, MatchLog | None, str | None], None],
        saved: Callable[[TableSaved], None],
    ) -> None:
        self._store = store
        self._load = load
        self._adopted = adopted
        self._saved = saved
        self.code = row.code
        self.document = read_document(row.doc)
        self.revision = row.rev

    async def open(self) -> None:
        """Adopt the document as it was loaded."""
        await self._adopt(self.document, self.revision)

    async def change(self, edit: Edit, by: str | None = None) -> bool:
        """Change the document; where another worker was first, do it again on what it has made.

        Args:
            edit: makes the new document, or raises ``Denied``.
            by: the id of the person who asked for it.

        Returns:
            Whether there was anything left to change.

        Raises:
            Denied, StoreError: nothing has changed.
        """
        while (draft := edit(self.document)) != self.document:
            if await self.save(reseal(self.document, draft), by):
                return True
        return False

    async def save(self, draft: Document, by: str | None = None, match: MatchRow | None = None) -> bool:
        """Save a document and adopt it; where another worker was first, adopt what that has made instead.

        Args:
            draft: the new document.
            by: the id of the person who asked for it.
            match: begins with it.

        Returns:
            Whether it is the table's now.
        """
        if match is None and not self._store.shared and is_passing(self.document, draft):
            await self._adopt(draft, self.revision, by)
            return True
        text = write_document(draft)
        if match is None:
            revision = await self._store.save_table(self.code, self.revision, text)
        else:
            revision = await self._store.create_match(match, self.revision, text)
        if revision is None:
            await self.reload()
            return False
        await self._adopt(draft, revision, by)
        self._saved(TableSaved(self.code, self.revision))
        return True

    async def reload(self) -> None:
        """Adopt what is in the store, if that is newer.

        Raises:
            Denied: where the table has been swept away.
        """
        row = await self._store.load_table(self.code)
        if row is None:
            raise Denied("gone")
        if row.rev > self.revision:
            await self._adopt(read_document(row.doc), row.rev)

    async def _adopt(self, document: Document, revision: int, by: str | None = None) -> None:
        log = await self._load(document)
        before, self.document, self.revision = self.document, document, revision
        self._adopted(before, log, by)

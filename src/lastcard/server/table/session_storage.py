"""The session of a table and its copy in the store: every change is saved before it counts.

Changes that may end with the process are not saved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import structlog

from lastcard.errors import LastcardError
from lastcard.server.security import metrics
from lastcard.server.store.rows import Appended, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.jobs import Jobs
from lastcard.server.wire.worker_bus import Announcement, LogGrown, TableSaved
from lastcard.session.match_log import MatchLog
from lastcard.session.match_play import MatchPlay
from lastcard.session.match_rows import MoveRow
from lastcard.session.open_table import find_departures
from lastcard.session.steps import AddTakeover, AppendRow, SaveState, Step
from lastcard.session.table_session import Session
from lastcard.session.table_state import (
    CommandError,
    TableState,
    is_transient,
    read_table_state,
    write_table_state,
)

_LOG: Final = structlog.get_logger()


class SessionStorage:
    """Saves a session's steps, gives it what the store has, and calls ``on_change``; the caller holds the lock."""

    def __init__(
        self,
        store: Store,
        session: Session,
        revision: int,
        jobs: Jobs,
        announce: Callable[[Announcement], None],
        on_change: Callable[[], None],
    ) -> None:
        self._store = store
        self._session = session
        self.revision = revision
        """The number of saves of the table state so far."""
        self._jobs = jobs
        self._announce = announce
        self._on_change = on_change

    async def open(self) -> None:
        """Give the session the log of its match."""
        await self._adopt(self._session.state, self.revision)

    async def catch_up(self, *, reload_state: bool) -> None:
        """Read what other workers added to the log, and on request the table state too.

        Raises:
            CommandError: if the table was deleted.
            StoreError: if the changes cannot be read.
        """
        if reload_state:
            await self._reload()
        if self._session.play is not None:
            await self._read_log(self._session.play)

    async def save(self, step: Step) -> bool:
        """Save a step for the session, or follow another worker that was first; return whether the step was saved.

        Raises:
            CommandError: if the table was deleted.
            StoreError: if it cannot be saved; nothing has changed.
        """
        match step:
            case SaveState():
                return await self._save_state(step)
            case AppendRow():
                return await self._append(step)
            case AddTakeover(seat, player):
                await self._store.take_seat(self._play.id, seat, player)
                self._play.log.add_takeover(seat, player)
                return True

    @property
    def _play(self) -> MatchPlay:
        assert self._session.play is not None, "the step belongs to a match"
        return self._session.play

    def _announce_change(self, change: Announcement) -> None:
        self._jobs.reset_faults()
        self._announce(change)

    # --- table state ------------------------------------------------------------------------------------

    async def _save_state(self, step: SaveState) -> bool:
        state, code = step.state, self._session.code
        if step.winners is not None:
            await self._store.finish_match(self._play.id, now_ms(), step.winners)
        if step.match is None and not self._store.shared and is_transient(self._session.state, state):
            await self._adopt(state, self.revision, step.by)
            return True
        text = write_table_state(state)
        if step.match is None:
            revision = await self._store.save_table(code, self.revision, text)
        else:
            revision = await self._store.create_match(replace(step.match, started=now_ms()), self.revision, text)
        if revision is None:
            await self._reload()
            return False
        departures = self._find_departures(step)
        await self._adopt(state, revision, step.by)
        self._announce_change(TableSaved(code, revision))
        if any(departures):
            await self._store.save_departures(self._play.id, *departures, now_ms())
        if step.match is not None:
            metrics.STARTED.inc()
            bots = sum(bot is not None for bot in step.match.bots)
            _LOG.info("match started", rules=step.match.rules, seats=len(step.match.bots), bots=bots)
        if step.winners is not None:
            metrics.FINISHED.inc()
            log = self._play.log
            _LOG.info("match finished", plies=log.ply, seconds=(now_ms() - log.row.started) // 1000)
        return True

    def _find_departures(self, step: SaveState) -> tuple[list[str], list[str]]:
        """Return who leaves the match of an open table with a step, and who comes back, by id."""
        session = self._session
        left, back = find_departures(session.state, step.state, session.people.idle, ends=step.winners is not None)
        return sorted(left), sorted(back)

    async def _reload(self) -> None:
        """Adopt the table state in the store if it is newer.

        Raises:
            CommandError: if the table was deleted.
        """
        row = await self._store.load_table(self._session.code)
        if row is None:
            raise CommandError("gone")
        if row.rev > self.revision:
            await self._adopt(restore_state(row.doc), row.rev)

    async def _adopt(self, state: TableState, revision: int, by: str | None = None) -> None:
        log = await self._load_log(state)
        self.revision = revision
        self._session.adopt(state, log, self._jobs.timers.now, by)
        self._on_change()

    async def _load_log(self, state: TableState) -> MatchLog | None:
        """Return the log of the current match if the table has another match or none.

        Raises:
            CommandError: if the match was deleted meanwhile, or cannot be replayed.
        """
        wanted = self._session.missing_match(state)
        row = None if wanted is None else await self._store.load_match(wanted)
        if row is not None:
            moves = await self._store.read_moves(row.id)
            try:
                return MatchLog(row, moves)
            except LastcardError as error:
                _LOG.warning("a saved match cannot be replayed: another version has written it", why=error.code)
        if wanted is not None and state.in_match:
            raise CommandError("gone")
        return None

    # --- the log ----------------------------------------------------------------------------------------

    async def _append(self, step: AppendRow) -> bool:
        play = self._play
        row = MoveRow(play.id, play.log.ply, step.command, step.seat, step.action, now_ms())
        appended, _ = await self._store.append(row)
        if appended is not Appended.COMMITTED:
            await self._read_log(play)
            return False
        self._follow(row)
        play.time_unsaved = play.time_unsaved or bool(play.spent)
        self._announce_change(LogGrown(self._session.code, play.id, play.log.ply))
        return True

    async def _read_log(self, play: MatchPlay) -> None:
        for row in await self._store.read_moves(play.id, play.log.ply):
            self._follow(row)

    def _follow(self, row: MoveRow) -> None:
        self._session.follow(row, self._jobs.timers.now)
        self._on_change()


def restore_state(data: bytes) -> TableState:
    """Return a table state as ``read_table_state`` does; log why it cannot be read."""
    try:
        return read_table_state(data)
    except CommandError as error:
        why = str(error.__cause__)
        _LOG.warning("a saved table cannot be read and is dropped: another version has written it", why=why)
        raise

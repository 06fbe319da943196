"""The phases of a table: lobby, writing of rule cards, rounds, end of the match, and the next match."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import structlog

from lastcard.errors import LastcardError
from lastcard.game.seeds import mix_seed
from lastcard.server.game.live_match import LiveMatch
from lastcard.server.game.presence import Presence
from lastcard.server.game.weak_callback import weak_callback
from lastcard.server.security import metrics
from lastcard.server.security.security import new_id, new_secret
from lastcard.server.store.rows import TableRow, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.jobs import Jobs
from lastcard.server.table.moderation import Moderation
from lastcard.server.table.saved_table import Edit, SavedTable
from lastcard.server.wire.worker_bus import Announcement
from lastcard.session import dealing, hosting, seating
from lastcard.session.match_log import MatchLog
from lastcard.session.match_rows import MatchRow
from lastcard.session.table_state import CommandError, TableState, replace

NEXT_ROUND_S: Final = 15.0
"""Seconds until the next round is dealt automatically."""
WRITING_S: Final = 90.0
"""Seconds until missing rule cards are filled in and the match begins."""
HOST_ABSENT_S: Final = 60.0
READING_S: Final = 60.0
"""Seconds for which a new match waits for people who disconnected after the last one. They may be reading the report
or the replay, which are other pages.
"""
VOTE_S: Final = 30.0
NUMBER_WAIT_S: Final = 1.5
"""Seconds for which a quick table waits for its host's number."""
_MATCH_PHASES: Final = ("playing", "between", "over")
_LOG: Final = structlog.get_logger()


class MatchFlow:
    """Synchronizes the state of a table with its match. The caller holds the table's lock.

    Args:
        store: the store of table state and match log.
        row: the table as loaded.
        jobs: the table's jobs.
        presence: the people at the table.
        announce: sends announcements to the other workers.
        on_adopted: called after a new table state, with the previous one and the id of the person who caused it.
        moderation: decides whether matches may begin.
    """

    def __init__(
        self,
        store: Store,
        row: TableRow,
        jobs: Jobs,
        presence: Presence,
        announce: Callable[[Announcement], None],
        on_adopted: Callable[[TableState, str | None], None],
        *,
        moderation: Moderation,
    ) -> None:
        self._store = store
        self._moderation = moderation
        self._jobs = jobs
        self._presence = presence
        self._announce = announce
        self._on_adopted = on_adopted
        self.saved = SavedTable(
            store,
            row,
            weak_callback(self._load),
            weak_callback(self._after_adopt),
            weak_callback(self._announce_change),
        )
        self.live: LiveMatch | None = None
        """The current match, or the last one if it is over."""

    # --- the match follows the document -----------------------------------------------------------------

    async def _load(self, state: TableState) -> MatchLog | None:
        """Return the log of the current match if the table has another match or none.

        Raises:
            CommandError: if the match was deleted meanwhile, or cannot be replayed.
        """
        wanted = _match_of(state)
        if wanted is None or wanted == self._match:
            return None
        row = await self._store.load_match(wanted)
        if row is not None:
            moves = await self._store.read_moves(wanted)
            try:
                return MatchLog(row, moves)
            except LastcardError as error:
                _LOG.warning("a saved match cannot be replayed: another version has written it", why=error.code)
        if state.in_match:
            raise CommandError("gone")
        return None

    def _after_adopt(self, before: TableState, log: MatchLog | None, by: str | None) -> None:
        state = self.saved.state
        if self._match != _match_of(state):
            self.drop_match()
        if log is not None:
            self.live = LiveMatch(log, self._store, state, self._jobs.timers, self._presence, self._announce_change)
        elif self.live is not None:
            spent = state.spent_in(self.live.match.number)
            self.live.play.apply_settings(state.settings, spent, self._jobs.timers.now)
        self._on_adopted(before, by)
        if log is not None and self.live is not None:
            self.live.broadcast_deal(self.live.match.round.events())

    def drop_match(self) -> None:
        """Remove the match from the table and free it at once, because the garbage collector runs rarely."""
        if self.live is not None:
            self.live.stop()
            self.live = None

    @property
    def _match(self) -> str | None:
        """Return the id of the current match."""
        return None if self.live is None else self.live.id

    def _announce_change(self, change: Announcement) -> None:
        self._jobs.reset_faults()
        self._announce(change)

    @property
    def awaited_readers(self) -> dict[str, float]:
        """Return until when to wait for disconnected persons who may be reading the report, by id."""
        table, now = self.saved.state, self._jobs.timers.now
        if table.phase != "over":
            return {}
        gone = [(player, since + READING_S) for player, since in self._presence.gone.items()]
        return {player: until for player, until in gone if until > now and table.playing_seat(player) is not None}

    # --- from phase to phase ----------------------------------------------------------------------------

    async def open(self) -> None:
        """Restore the table from the store."""
        await self.saved.open()
        await self._sync_with_log()

    async def catch_up_and_advance(self, *, reload_state: bool) -> None:
        """Catch up as ``catch_up`` does, and advance the table."""
        await self.catch_up(reload_state=reload_state)
        await self.advance()

    async def catch_up(self, *, reload_state: bool) -> None:
        """Read what other workers added to the log, and on request the table state too.

        Raises:
            CommandError: if the table was deleted.
            StoreError: if the changes cannot be read.
        """
        if reload_state:
            await self.saved.reload()
        if self.live is not None:
            await self.live.catch_up()

    async def advance(self) -> None:
        """Advance the table to the next phase if it is due."""
        await self._sync_with_log()
        await self._save_bank_use()
        table, here = self.saved.state, self._presence.here.keys()
        if table.paused or not here:
            return
        if table.phase == "writing" and dealing.all_written(table, here):
            await self._deal_written()
        elif table.phase == "between" and dealing.all_ready(table, here):
            await self._next_round()
        elif self._moderation.settings.draining:
            return
        elif table.phase == "over" and dealing.all_ready(table, here | self.awaited_readers.keys()):
            await self.start(lambda table: _require(table, table.phase == "over"), table.level)
        elif table.quick and table.host.id in table.numbers:
            await self._start_quick()

    async def start(self, check: Edit, level: str) -> None:
        """Start a match, or the writing of rule cards before it.

        Args:
            check: raises ``CommandError`` if the start is refused.
            level: level of the bots that fill free seats.

        Raises:
            CommandError: also while no match may begin.
        """
        self._moderation.check_open()
        here = self._presence.here
        if dealing.count_cards_to_write(self.saved.state):
            await self.saved.change(lambda table: dealing.begin_match(check(table), level, here))
        else:
            await self._deal(lambda table: dealing.begin_match(check(table), level, here))

    async def _start_quick(self) -> None:
        await self.start(lambda table: _require(table, table.quick), hosting.QUICK_LEVEL)

    async def _deal_written(self) -> None:
        """Deal the match after writing; seats of persons who have left go to bots."""
        here = self._presence.here
        await self._deal(lambda table: seating.fill_seats(_require(table, table.phase == "writing"), table.level, here))

    async def _deal(self, arrange: Edit) -> None:
        """Create a match in the store and at the table; reload if another worker was first."""
        while True:
            draft = arrange(self.saved.state)
            row = match_row(self.saved.code, draft)
            if await self.saved.save(dealing.mark_dealt(draft, row.id, new_secret()), match=row):
                bots = sum(bot is not None for bot in row.bots)
                metrics.STARTED.inc()
                _LOG.info("match started", rules=row.rules, seats=len(row.bots), bots=bots)
                return

    async def _next_round(self) -> None:
        if self.live is not None:
            await self.live.record_takeovers(self.saved.state.players)
            await self.live.deal_next()
            await self._sync_with_log()

    async def _sync_with_log(self) -> None:
        """Synchronize the table state with the log, which may already have the end of a round or the next deal."""
        while (live := self.live) is not None:
            table, match = self.saved.state, live.match
            if table.phase == "playing" and live.play.round_over:
                await self._end_round(live)
            elif table.in_match and match.number > table.round:
                await self.saved.change(partial(dealing.next_round, number=match.number))
            if self.saved.state is table:
                return

    async def _save_bank_use(self) -> None:
        """Save the time used from time banks."""
        live = self.live
        if live is not None and live.play.time_unsaved:
            await self.saved.change(partial(dealing.record_bank_use, number=live.match.number, spent=live.play.spent))
            live.play.time_unsaved = False

    async def _end_round(self, live: LiveMatch) -> None:
        match, here = live.match, self._presence.here
        if match.winners is None:
            await self.saved.change(partial(dealing.end_round, number=match.number, here=here))
        else:
            await self._store.finish_match(live.id, now_ms(), match.winners)
            if await self.saved.change(
                partial(
                    dealing.end_match,
                    match=live.id,
                    winners=match.winners,
                    here=here,
                    lesson=match.position is not None,
                )
            ):
                seconds = (now_ms() - live.log.row.started) // 1000
                metrics.FINISHED.inc()
                _LOG.info("match finished", plies=live.log.ply, seconds=seconds)

    # --- alarms -----------------------------------------------------------------------------------------

    def update_timers(self) -> None:
        """Set the alarms that follow from table state and presence, and clear others."""
        table, here, update = self.saved.state, self._presence.here, self._jobs.timers.update
        # A single person delays nobody. If no person plays, spectators must not wait without end.
        hurried = dealing.count_playing(table, here.keys()) != 1
        update("next", hurried and table.phase == "between", NEXT_ROUND_S)
        update("write", hurried and table.phase == "writing" and table.settings.pace != "untimed", WRITING_S)
        update("vote", table.vote is not None, VOTE_S)
        update("host", bool(here) and table.host.id not in here, HOST_ABSENT_S)
        update("number", table.quick and table.host.id in here, NUMBER_WAIT_S)
        self._jobs.timers.set("reading", min(self.awaited_readers.values(), default=None))

    async def run_timer(self, timer: str) -> None:
        """Handle one of these alarms."""
        here = self._presence.here
        match timer:
            case "next":
                await self._next_round()
            case "write":
                await self._deal_written()
            case "vote":
                await self.saved.change(lambda table: replace(table, vote=None))
            case "host":
                await self.saved.change(
                    lambda table: table if table.host.id in here else hosting.pass_host(table, here)
                )
            case "number":
                await self._start_quick()
            case "reading":
                self._on_adopted(self.saved.state, None)  # nothing is saved, but the table waits for fewer people


def match_row(code: str, table: TableState) -> MatchRow:
    """Return a match with the persons, settings and secret of a table.

    Args:
        code: the table's code.
        table: the table state, with every seat taken.
    """
    occupants = [occupant for occupant in table.seats if occupant is not None]
    secret = bytes.fromhex(table.secret)
    numbers = tuple(table.numbers.get(player or "", "") for player in table.players)
    return MatchRow(
        id=new_id(),
        table=code,
        rules=table.settings.rules,
        names=tuple(place.name for place in occupants),
        players=table.players,
        bots=tuple(place.bot for place in occupants),
        host=table.seat_of(table.host.id) or 0,
        secret=secret,
        numbers=numbers,
        seed=mix_seed(secret, numbers),
        position=dealing.lesson_position(table),
        rule_cards=dealing.written_cards(table),
        started=now_ms(),
        finished=None,
        winners=None,
    )


def _match_of(state: TableState) -> str | None:
    """Return the id of the match that belongs on the table."""
    return state.match if state.phase in _MATCH_PHASES else None


def _require(table: TableState, wanted: bool) -> TableState:
    """Return the table if it still meets a condition.

    Raises:
        CommandError: if another worker has already changed it.
    """
    if not wanted:
        raise CommandError("not-now")
    return table

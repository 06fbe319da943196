"""The flow of matches at a table: from the lobby through writing and rounds to the end of a match, and on again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import structlog

from lastcard.errors import LastcardError
from lastcard.server.game.live_match import LiveMatch
from lastcard.server.game.match_log import MatchLog
from lastcard.server.game.presence import Presence
from lastcard.server.game.weak import weakly
from lastcard.server.guard import metrics
from lastcard.server.seats import dealing, hosting, seating
from lastcard.server.seats.document import Denied, Document, replace
from lastcard.server.store.rows import TableRow, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.jobs import Jobs
from lastcard.server.table.saving import Edit, SavedDocument
from lastcard.server.table.warden import Warden
from lastcard.server.wire.workers import Announcement

NEXT_ROUND: Final = 15.0
"""Seconds until the next round is dealt by itself."""
WRITING: Final = 90.0
"""Seconds until missing rule cards are filled up and the match begins."""
HOST_GONE: Final = 60.0
READING: Final = 60.0
"""Seconds that a match is not begun without somebody who has left the line since the last one: whoever looks at the
report or the replay is on another page, and comes back."""
VOTE_OPEN: Final = 30.0
NUMBER_WAIT: Final = 1.5
"""Seconds a quick table waits for its host's number."""
_ON_THE_TABLE: Final = ("playing", "between", "over")
_LOG: Final = structlog.get_logger()


class MatchFlow:
    """A table's document and the match that it is about, in step. Whoever calls holds the lock of the table.

    Args:
        store: where document and log are.
        row: the table as it was loaded.
        jobs: of the table.
        presence: who is at the table.
        announce: tells the other workers.
        adopted: called when there is a new document, with the one before and the id of the person who asked for it.
        warden: says whether matches begin.
    """

    def __init__(
        self,
        store: Store,
        row: TableRow,
        jobs: Jobs,
        presence: Presence,
        announce: Callable[[Announcement], None],
        adopted: Callable[[Document, str | None], None],
        *,
        warden: Warden,
    ) -> None:
        self._store = store
        self._warden = warden
        self._jobs = jobs
        self._presence = presence
        self._announce = announce
        self._adopted = adopted
        self.saved = SavedDocument(store, row, weakly(self._load), weakly(self._follow), weakly(self._tell))
        self.live: LiveMatch | None = None
        """The match on the table; the last one, where that is over."""

    # --- the match follows the document -----------------------------------------------------------------

    async def _load(self, document: Document) -> MatchLog | None:
        """The log of the match that belongs on the table now, where another one or none is there.

        Raises:
            Denied: where it has been deleted in the middle, or cannot be replayed.
        """
        wanted = _match_of(document)
        if wanted is None or wanted == self._match:
            return None
        row = await self._store.load_match(wanted)
        if row is not None:
            moves = await self._store.moves(wanted)
            try:
                return MatchLog(self._store, row, moves)
            except LastcardError as error:
                _LOG.warning("a saved match cannot be replayed: another version has written it", why=error.code)
        if document.in_match:
            raise Denied("gone")
        return None

    def _follow(self, before: Document, log: MatchLog | None, by: str | None) -> None:
        document = self.saved.document
        if self._match != _match_of(document):
            self.let_go()
        if log is not None:
            spent = document.spent if document.round == log.match.number else ()
            self.live = LiveMatch(log, document.settings, self._jobs.alarms, self._presence, self._tell, spent)
        elif self.live is not None:
            self.live.adapt(document.settings, document.spent if document.round == self.live.match.number else ())
        self._adopted(before, by)
        if log is not None and self.live is not None:
            self.live.tell_dealt(self.live.match.round.events())

    def let_go(self) -> None:
        """No match is on the table any more. It goes at once, for the garbage collector comes seldom."""
        if self.live is not None:
            self.live.stop()
            self.live = None

    @property
    def _match(self) -> str | None:
        """The id of the match on the table."""
        return None if self.live is None else self.live.id

    def _tell(self, change: Announcement) -> None:
        self._jobs.went_well()
        self._announce(change)

    @property
    def reading(self) -> dict[str, float]:
        """Who may be reading how the match went, and is waited for though not connected: until when, by id."""
        table, now = self.saved.document, self._jobs.alarms.now
        if table.phase != "over":
            return {}
        gone = [(player, since + READING) for player, since in self._presence.gone.items()]
        return {player: until for player, until in gone if until > now and table.playing_seat(player) is not None}

    # --- from phase to phase ----------------------------------------------------------------------------

    async def open(self) -> None:
        """Take up where the store says the table is."""
        await self.saved.open()
        await self._settle()

    async def read_on(self, *, document: bool) -> None:
        """Read as ``catch_up`` does, and do whatever follows."""
        await self.catch_up(document=document)
        await self.advance()

    async def catch_up(self, *, document: bool) -> None:
        """Other workers may have been at it: read the log on, and the document too where that is wanted.

        Raises:
            Denied: where the table has been swept away.
            StoreError: what the others did stays unknown.
        """
        if document:
            await self.saved.reload()
        if self.live is not None:
            await self.live.catch_up()

    async def advance(self) -> None:
        """Do whatever the table is ripe for."""
        await self._settle()
        await self._note_time()
        table, here = self.saved.document, self._presence.here.keys()
        if table.paused or not here:
            return
        if table.phase == "writing" and dealing.all_written(table, here):
            await self._deal_written()
        elif table.phase == "between" and dealing.all_ready(table, here):
            await self._next_round()
        elif self._warden.orders.draining:
            return
        elif table.phase == "over" and dealing.all_ready(table, here | self.reading.keys()):
            await self.start(lambda table: _only(table, table.phase == "over"), table.level)
        elif table.quick and table.host.id in table.numbers:
            await self._start_quick()

    async def start(self, check: Edit, level: str) -> None:
        """Start a match, or the writing of rule cards before it.

        Args:
            check: raises ``Denied`` where that is out of place.
            level: of the bots that fill free seats.

        Raises:
            Denied: also while no match is to begin.
        """
        self._warden.check_open()
        here = self._presence.here
        if dealing.writes(self.saved.document):
            await self.saved.change(lambda table: dealing.begin(check(table), level, here))
        else:
            await self._deal(lambda table: dealing.begin(check(table), level, here))

    async def _start_quick(self) -> None:
        await self.start(lambda table: _only(table, table.quick), hosting.QUICK_LEVEL)

    async def _deal_written(self) -> None:
        """Whoever has left meanwhile is a bot now."""
        here = self._presence.here
        await self._deal(lambda table: seating.fill(_only(table, table.phase == "writing"), table.level, here))

    async def _deal(self, arrange: Edit) -> None:
        """Put a match into the store and on the table; where another worker was first, look again."""
        while True:
            draft = arrange(self.saved.document)
            row = dealing.match_row(self.saved.code, draft)
            if await self.saved.save(dealing.dealt(draft, row.id), match=row):
                bots = sum(bot is not None for bot in row.bots)
                metrics.STARTED.inc()
                _LOG.info("match started", rules=row.rules, seats=len(row.bots), bots=bots)
                return

    async def _next_round(self) -> None:
        if self.live is not None:
            await self.live.log.seat_heirs(self.saved.document.players)
            await self.live.deal_next()
            await self._settle()

    async def _settle(self) -> None:
        """Bring the document in step with the log, which may be ahead by the end of a round or the deal of the next."""
        while (live := self.live) is not None:
            table, match = self.saved.document, live.match
            if table.phase == "playing" and live.round_over:
                await self._end_round(live)
            elif table.in_match and match.number > table.round:
                await self.saved.change(partial(dealing.next_round, number=match.number))
            if self.saved.document is table:
                return

    async def _note_time(self) -> None:
        """Save what was used of time banks."""
        live = self.live
        if live is not None and live.time_unsaved:
            await self.saved.change(partial(dealing.note_time, number=live.match.number, spent=live.spent))
            live.time_unsaved = False

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

    def keep_alarms(self) -> None:
        """Set the alarms that follow from document and presence, and forget others."""
        table, here, keep = self.saved.document, self._presence.here, self._jobs.alarms.keep
        # One person alone keeps nobody waiting; where none plays, those who look on would wait without end.
        hurried = dealing.count_playing(table, here.keys()) != 1
        keep("next", hurried and table.phase == "between", NEXT_ROUND)
        keep("write", hurried and table.phase == "writing" and table.settings.pace != "untimed", WRITING)
        keep("vote", table.vote is not None, VOTE_OPEN)
        keep("host", bool(here) and table.host.id not in here, HOST_GONE)
        keep("number", table.quick and table.host.id in here, NUMBER_WAIT)
        self._jobs.alarms.set("reading", min(self.reading.values(), default=None))

    async def ring(self, alarm: str) -> None:
        """Do what one of these alarms is for."""
        here = self._presence.here
        match alarm:
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
                self._adopted(self.saved.document, None)  # nothing is saved, but fewer are waited for


def _match_of(document: Document) -> str | None:
    """The match that belongs on the table."""
    return document.match if document.phase in _ON_THE_TABLE else None


def _only(table: Document, wanted: bool) -> Document:
    """The table, where it is still as it should be.

    Raises:
        Denied: where another worker has seen to it already.
    """
    if not wanted:
        raise Denied("not-now")
    return table

"""All tables of this worker: making, finding, keeping in step with other workers, and letting go of empty ones."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

import msgspec
import structlog

from lastcard.errors import StoreError
from lastcard.server.game.presence import SPECTATORS
from lastcard.server.guard import metrics
from lastcard.server.guard.logs import note_fault
from lastcard.server.guard.security import clean_code, is_near, new_code
from lastcard.server.seats.document import Denied, Person, replace, write_document
from lastcard.server.seats.hosting import change_bot, new_table
from lastcard.server.store.rows import Player, TableRow, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.figures import Figures, figures_of
from lastcard.server.table.table import LiveTable
from lastcard.server.table.warden import Warden
from lastcard.server.wire import workers
from lastcard.server.wire.parts import Settings

POLL: Final = 2.0
"""Seconds between two looks at the log for what other workers have added."""
RELOAD: Final = 10.0
"""Seconds between two looks at the tables themselves."""
LAPSE: Final = 25.0
"""Seconds after which another worker's persons count as gone unless it says again that they are here."""
COUNT: Final = 5.0
"""Seconds between two counts of matches, for the figures."""
EMPTY: Final = 60.0
"""Seconds an empty table is kept in memory."""
SWEEP: Final = 3600.0
ABANDONED: Final = 30 * 24 * 3600.0
"""Seconds after which a table nobody has touched is deleted."""
SWEPT_AT_ONCE: Final = 20
"""Tables that are deleted in one go; others are written in between."""
SWEPT_SHARE: Final = 50
"""One of so many tables is deleted in an hour; a wrong clock is found out before much is lost."""
LAST_SIGN: Final = 24 * 3600.0
"""Nothing is deleted where nobody has touched any table for so long: then it is the clock that has gone on."""
CLOCK_JUMP: Final = 3600.0
"""Seconds by which the clock may have been set while this process lives."""
WARY: Final = 24
"""Sweeps that are left out after that: by then a wrong clock has been noticed, and a right one is believed."""
_LOG: Final = structlog.get_logger()


class TableRegistry:
    """The tables of one worker. ``open`` it in the event loop.

    Args:
        store: where everything is kept.
        bus: to the other workers.
        public_url: the address of the server, for links, or what tells it where it may change.
        spectators: how many persons without a seat a table has room for.
        warden: keeps order; one that lets everybody in, where none is given.
        keep_matches: seconds after which matches that are over are deleted; None for never.
    """

    def __init__(
        self,
        store: Store,
        bus: workers.Bus,
        *,
        public_url: str | Callable[[], str],
        spectators: int = SPECTATORS,
        warden: Warden | None = None,
        keep_matches: float | None = None,
    ) -> None:
        self._spectators = spectators
        self._store = store
        self._bus = bus
        self._public_url = public_url
        self._worker = secrets.token_hex(4)
        self._tables: dict[str, LiveTable] = {}
        self._finding: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._empty_since: dict[str, float] = {}
        self._chores: list[asyncio.Task[None]] = []
        self._clock = time.time() - _steady()
        self._wary = 0
        self.keep_matches = keep_matches
        self.warden = warden or Warden(store, bus)
        self.warden.ordered = self._retell
        self.warden.banned = self._expel
        self._errands: set[asyncio.Task[None]] = set()

    @property
    def tables(self) -> tuple[LiveTable, ...]:
        """Those in memory."""
        return tuple(self._tables.values())

    async def open(self) -> None:
        """Begin to listen and to tidy up."""
        self._bus.subscribe(self._hear)
        await self._open_again()
        chores = [_again(self._tidy, EMPTY / 2), _again(self._sweep, SWEEP, SWEEP), _again(self.warden.refresh, RELOAD)]
        chores.append(_again(self._count, COUNT))
        if self._store.shared:
            chores += [_again(self._read_on, POLL), _again(self._reload, RELOAD)]
            chores.append(_again(self._note_figures, RELOAD))
        self._chores = [asyncio.create_task(chore) for chore in chores]

    async def close(self) -> None:
        """Send everybody away; browsers come back by themselves when there is a server again."""
        for chore in self._chores:
            chore.cancel()
        await asyncio.gather(*self._chores, return_exceptions=True)
        await asyncio.gather(*(table.close("restart") for table in self.tables))
        self._tables.clear()

    async def create(
        self,
        host: Player,
        settings: Settings,
        *,
        quick: bool = False,
        lesson: bool = False,
        bots: Sequence[tuple[str | None, str]] = (),
    ) -> LiveTable:
        """A new table.

        Args:
            host: who makes it, and gets the first seat.
            settings: how it plays.
            quick: whether three casual bots play along and the match starts as soon as the host is there.
            lesson: whether that match is the lesson of its game, with the bots it needs.
            bots: levels and styles of bots that sit beside the host; None for a free seat.

        Raises:
            Denied: for settings that make no sense, and while no match is to begin.
            StoreError: where it cannot be saved.
        """
        self.warden.check_open()
        if self.warden.chat != "on":
            settings = replace(settings, chat=False)
        table = new_table(Person(host.id, host.name), settings, quick=quick, lesson=lesson)
        for seat, (level, style) in enumerate(bots, 1):
            table = change_bot(table, host.id, seat, level, style)
        document = write_document(table)
        while True:
            code = new_code(public=self._is_public())
            if await self._store.create_table(code, document):
                return await self._set_up(TableRow(code, 1, document, 0))

    async def find(self, code: str) -> LiveTable | None:
        """The table of a code; it is loaded where it is not in memory."""
        clean = clean_code(code)
        if clean is None:
            return None
        self._empty_since.pop(clean, None)
        async with self._finding.setdefault(clean, asyncio.Lock()):
            return await self._find(clean)

    async def rename(self, person: Person) -> None:
        """Somebody has another name: it is shown at once where that person is connected, elsewhere on coming back."""
        workers.announce(self._bus, workers.PersonChanged(person.id, person.name))
        await asyncio.gather(*(table.rename(person) for table in self._with(person.id)))

    async def forget(self, player: str) -> None:
        """Somebody deletes all data of theirs: no table knows of that person any more.

        Raises:
            StoreError: some tables still do; it can be tried again.
        """
        workers.announce(self._bus, workers.PersonChanged(player, None))
        self._disown(player)
        for code in await self._store.tables_of(player):
            found = await self.find(code)
            if found is not None:
                await found.forget(player)
        for table in self._with(player):
            await table.forget(player)

    def hang_up(self, player: str) -> None:
        """Somebody's tokens are good no more: whoever has the new one comes back by itself, here and elsewhere."""
        workers.announce(self._bus, workers.SessionsEnded(player))
        self._hang_up(player)

    def _hang_up(self, player: str) -> None:
        for table in self._with(player):
            table.presence.hang_up(player)

    # --- order ------------------------------------------------------------------------------------------

    async def _open_again(self) -> None:
        """Know the orders; a server that was closed for an update and is alone is open once it is up again, unless its
        disk is full: then it stays closed until whoever runs it says so.
        """
        await self.warden.refresh()
        if self.warden.orders.draining and not self._store.shared:
            await _trying(self.warden.order(draining=False))

    def _retell(self) -> None:
        """There are other orders: every table says so."""
        for table in self.tables:
            table.retell()

    def _expel(self, players: Sequence[str]) -> None:
        for player in players:
            self._soon(self.expel(player))

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that nobody waits for; it must not be lost."""
        task = asyncio.create_task(_trying(work))
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def expel(self, player: str) -> None:
        """Send somebody away from all tables for good: a bot plays the hand, and nothing stays of what was said."""
        for table in self.tables:  # also those where that person only watched
            table.hush(player)
        try:
            for code in await self._store.tables_of(player):
                found = await self.find(code)
                if found is not None:
                    await found.expel(player)
        except (StoreError, Denied) as error:
            _LOG.warning("a seat stays", why=str(error))
        for table in self._with(player):
            await table.expel(player)

    def _disown(self, player: str) -> None:
        """No table in memory knows any more what a person has said, or who has played in a match that is over."""
        for table in self.tables:
            table.disown(player)

    async def figures(self) -> dict[str, Figures]:
        """How all workers are, by their names."""
        others = await self._store.workers(now_ms() - round(1000 * LAPSE)) if self._store.shared else {}
        return {**msgspec.convert(others, dict[str, Figures]), self._worker: figures_of(self.tables)}

    async def _note_figures(self) -> None:
        now = now_ms()
        await self._store.note_worker(
            self._worker, now, msgspec.to_builtins(figures_of(self.tables)), now - round(1000 * LAPSE)
        )

    def _with(self, player: str) -> list[LiveTable]:
        """The tables a person is connected to."""
        return [table for table in self.tables if player in table.presence.local]

    async def _find(self, code: str) -> LiveTable | None:
        table = self._tables.get(code)
        if table is None:
            row = await self._store.load_table(code)
            try:
                return None if row is None else await self._set_up(row)
            except Denied:  # it is swept away this very moment: its match is gone already
                return None
        if self._store.shared and not table.presence.peers:
            await table.look(document=True)
        return table

    async def _set_up(self, row: TableRow) -> LiveTable:
        url = partial(self._url, f"/t/{row.code}")
        table = LiveTable(
            self._store, row, self._bus, self._worker, url, warden=self.warden, spectators=self._spectators
        )
        await table.open()
        self._tables[row.code] = table
        metrics.TABLES.set(len(self._tables))
        _LOG.info("table opened", tables=len(self._tables))
        return table

    def _url(self, path: str = "") -> str:
        """Where people find something."""
        url = self._public_url if isinstance(self._public_url, str) else self._public_url()
        return url.rstrip("/") + path

    def _is_public(self) -> bool:
        """Whether the whole world may guess at table codes."""
        host = urlsplit(self._url()).hostname or "localhost"
        return not (host == "localhost" or host.endswith(".local") or is_near(host))

    # --- other workers ----------------------------------------------------------------------------------

    def _hear(self, topic: str, data: bytes) -> None:
        """Another worker has announced something; what is about no table with people here is dropped."""
        said = workers.read_announcement(topic, data)
        if isinstance(said, workers.OrdersGiven):
            self._soon(self.warden.refresh())
            return
        if isinstance(said, workers.SessionsEnded):
            self._hang_up(said.player)
            return
        if isinstance(said, workers.PersonChanged):
            self._hear_of(said.player, said.name)
            return
        table = None if said is None else self._tables.get(said.code)
        if table is None or not table.presence.peers:
            return
        if isinstance(said, workers.LogGrown):
            if table.is_behind(said.match, said.ply):
                table.jobs.spawn(table.look(document=False))
        elif isinstance(said, workers.TableSaved):
            if said.revision > table.revision:
                table.jobs.spawn(table.look(document=True))
        elif isinstance(said, workers.NoteSaid):
            table.hear(said.note)
        elif isinstance(said, workers.PeopleHere):
            table.meet(said, self._now() + LAPSE)

    def _hear_of(self, player: str, name: str | None) -> None:
        """A person has another name, or none any more."""
        if name is None:
            self._disown(player)
        for table in self._with(player):
            table.jobs.spawn(table.forget(player) if name is None else table.rename(Person(player, name)))

    async def _reload(self) -> None:
        """Look at the tables, of which announcements may have been lost, and say who is here."""
        for table in self.tables:
            if table.presence.peers:
                table.refresh_presence(self._now())
                await table.look(document=True)

    async def _read_on(self) -> None:
        """Look at the log for moves whose announcements were lost."""
        matches = {table.live.id: table for table in self.tables if table.presence.peers and table.live is not None}
        for match, ply in (await self._store.heads(list(matches))).items():
            if matches[match].is_behind(match, ply):
                await matches[match].look(document=False)

    # --- chores -----------------------------------------------------------------------------------------

    async def _count(self) -> None:
        """Tell the figures how many matches are being played."""
        metrics.PLAYING.set(sum(table.document.in_match for table in self.tables))

    async def _tidy(self) -> None:
        """Let go of tables nobody is at; the store has them."""
        for code, table in list(self._tables.items()):
            if table.presence.peers:
                self._empty_since.pop(code, None)
                continue
            empty_for = self._now() - self._empty_since.setdefault(code, self._now())
            if empty_for >= EMPTY and not table.jobs.lock.locked():
                del self._tables[code], self._empty_since[code]
                metrics.TABLES.set(len(self._tables))
                await table.close("restart")

    async def _sweep(self) -> None:
        """Delete tables that were abandoned long ago: a few at a time, and none where the clock may be wrong."""
        now = time.time()
        if abs(now - _steady() - self._clock) > CLOCK_JUMP:
            self._clock, self._wary = now - _steady(), WARY
        if self._wary:
            self._wary -= 1
            _LOG.warning("nothing swept", why="the clock was set")
            return
        tables, touched = await self._store.count_tables()
        if not now - LAST_SIGN <= touched / 1000 <= now + LAST_SIGN:
            return
        in_use = [table.code for table in self._tables.values() if table.presence.peers]
        if in_use:  # be it a big screen that has stood there for a month
            await self._store.touch_tables(in_use)
        swept, most = 0, max(SWEPT_AT_ONCE, tables // SWEPT_SHARE)
        while swept < most:
            piece = await self._store.sweep(round(1000 * (now - ABANDONED)), SWEPT_AT_ONCE)
            swept += piece
            if piece < SWEPT_AT_ONCE:
                break
            await asyncio.sleep(1.0)
        if swept:
            _LOG.info("tables swept", tables=swept)
        await self.warden.sweep()
        if self.keep_matches is not None:
            await self._sweep_matches(now - self.keep_matches)

    async def _sweep_matches(self, before: float) -> None:
        """Delete matches that were over before a time, as carefully as tables."""
        swept, most = 0, max(SWEPT_AT_ONCE, await self._store.count_finished() // SWEPT_SHARE)
        while swept < most:
            piece = await self._store.sweep_matches(round(1000 * before), SWEPT_AT_ONCE)
            swept += piece
            if piece < SWEPT_AT_ONCE:
                break
            await asyncio.sleep(1.0)
        if swept:
            _LOG.info("matches swept", matches=swept)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def _steady() -> float:
    """Seconds since some moment, whoever sets the clock; those in which the computer sleeps count too."""
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):  # of Linux; of macOS, whose time.monotonic stops then
        clock: int | None = getattr(time, name, None)
        if clock is not None:
            return time.clock_gettime(clock)
    return time.monotonic()


async def _again(chore: Callable[[], Awaitable[None]], pause: float, first: float = 0.0) -> None:
    """Do a chore every so many seconds, after some first; that it fails once is no reason to stop."""
    await asyncio.sleep(first)
    while True:
        await _trying(chore())
        await asyncio.sleep(pause)


async def _trying(work: Awaitable[None]) -> None:
    """Do something that nobody has asked for."""
    try:
        await work
    except StoreError:
        pass  # the store has said so in the log
    except Exception as error:
        note_fault(error, "chore")

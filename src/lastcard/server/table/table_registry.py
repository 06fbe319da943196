"""The registry of a worker's tables: creates, finds, synchronizes and unloads them."""

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
from lastcard.server.security import metrics
from lastcard.server.security.logs import note_fault
from lastcard.server.security.security import clean_code, is_local_network, new_code, new_secret
from lastcard.server.store.rows import Player, TableRow, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.moderation import Moderation
from lastcard.server.table.worker_stats import WorkerStats, worker_stats
from lastcard.server.wire import worker_bus
from lastcard.server.wire.voice_servers import NO_VOICE_SERVERS, VoiceServers
from lastcard.session.day_pace import Period
from lastcard.session.hosting import change_bot, new_daily_table, new_table
from lastcard.session.open_table import MEMORY_S, new_open_table
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError, Person, TableState, replace, write_table_state

POLL_S: Final = 2.0
"""Seconds between two reads of the log for changes by other workers."""
RELOAD_S: Final = 10.0
"""Seconds between two reloads of the table states."""
PRESENCE_TIMEOUT_S: Final = 25.0
"""Seconds after which another worker's persons count as gone unless it announces them again."""
COUNT_S: Final = 5.0
"""Seconds between two updates of the metric of running matches."""
EMPTY_S: Final = 60.0
"""Seconds for which an empty table stays in memory."""
SWEEP_S: Final = 3600.0
ABANDONED_S: Final = 30 * 24 * 3600.0
"""Seconds after which an untouched table is deleted."""
SWEEP_BATCH: Final = 20
"""Tables deleted in one transaction; other writes get in between."""
SWEEP_FRACTION: Final = 50
"""The share of tables that may be deleted in an hour, as 1/N: a wrong clock is noticed before much is lost."""
ACTIVITY_LIMIT_S: Final = 24 * 3600.0
"""Seconds without activity at any table after which nothing is deleted, because the clock is probably wrong."""
CLOCK_JUMP_S: Final = 3600.0
"""Seconds by which the clock may have been changed while this process runs."""
SKIPPED_SWEEPS: Final = 24
"""Sweeps to skip after a clock change; by then a wrong clock has been noticed."""
_LOG: Final = structlog.get_logger()


class TableRegistry:
    """The tables of one worker. Call ``open`` in the event loop.

    Args:
        public_url: the URL of the server for links, or a function that returns it if it may change.
        moderation: the moderation of the server; by default one that admits everybody.
        match_retention_s: seconds after which finished matches are deleted; None for never.
        voice_servers: the STUN and TURN servers for voice.
    """

    def __init__(
        self,
        store: Store,
        bus: worker_bus.Bus,
        *,
        public_url: str | Callable[[], str],
        spectators: int = SPECTATORS,
        moderation: Moderation | None = None,
        match_retention_s: float | None = None,
        voice_servers: VoiceServers = NO_VOICE_SERVERS,
    ) -> None:
        self._spectators = spectators
        self._voice_servers = voice_servers
        self._store = store
        self._bus = bus
        self._public_url = public_url
        self._worker = secrets.token_hex(4)
        self._tables: dict[str, LiveTable] = {}
        self._load_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._empty_since: dict[str, float] = {}
        self._periodic_tasks: list[asyncio.Task[None]] = []
        self._clock_offset_s = time.time() - _monotonic_s()
        self._sweeps_to_skip = 0
        self.match_retention_s = match_retention_s
        self.outages: tuple[Period, ...] = ()
        """When no server has run, in seconds since 1970, as far as matches by the day need it."""
        self.moderation = moderation or Moderation(store, bus)
        self.moderation.on_settings = self._broadcast_settings
        self.moderation.on_ban = self._expel
        self._background_tasks: set[asyncio.Task[None]] = set()

    @property
    def tables(self) -> tuple[LiveTable, ...]:
        """The tables in memory."""
        return tuple(self._tables.values())

    async def open(self) -> None:
        """Subscribe to the bus and start the periodic tasks."""
        self._bus.subscribe(self._receive)
        await self._end_maintenance()
        periodic = [
            repeat(self._unload_empty, EMPTY_S / 2),
            repeat(self._sweep, SWEEP_S, SWEEP_S),
            repeat(self.moderation.refresh, RELOAD_S),
            repeat(self._count, COUNT_S),
        ]
        if self._store.shared:
            periodic += [repeat(self._poll_logs, POLL_S), repeat(self._reload, RELOAD_S)]
            periodic.append(repeat(self._save_stats, RELOAD_S))
        self._periodic_tasks = [asyncio.create_task(chore) for chore in periodic]

    async def close(self) -> None:
        """Disconnect everybody; browsers reconnect by themselves."""
        for chore in self._periodic_tasks:
            chore.cancel()
        await asyncio.gather(*self._periodic_tasks, return_exceptions=True)
        await asyncio.gather(*(table.close("restart") for table in self.tables))
        self._tables.clear()

    async def create(
        self,
        host: Player,
        settings: Settings,
        *,
        quick: bool = False,
        lesson: int = 0,
        bots: Sequence[tuple[str | None, str]] = (),
    ) -> LiveTable:
        """Create a table with its host in the first seat.

        Args:
            quick: whether three casual bots take seats and the match starts as soon as the host connects.
            lesson: the number of the lesson of its game that this match is, with the bots it needs; 0 for none.
            bots: levels and styles of bots beside the host; None for a free seat.

        Raises:
            CommandError: if settings make no sense, or no match may begin.
            StoreError: if the table cannot be saved.
        """
        self.moderation.check_open()
        table = new_table(
            Person(host.id, host.name), self.fit_settings(settings), new_secret(), quick=quick, lesson=lesson
        )
        for seat, (level, style) in enumerate(bots, 1):
            table = change_bot(table, host.id, seat, level, style)
        return await self.add(table)

    async def create_daily(self, host: Player, day: str, game: str, secret: bytes) -> LiveTable:
        """Create the table of a person's try at a day's deal, with its secret.

        Raises:
            CommandError: if no match may begin.
            StoreError: if the table cannot be saved.
        """
        self.moderation.check_open()
        return await self.add(new_daily_table(Person(host.id, host.name), day, game, secret.hex()))

    async def create_open(self, settings: Settings) -> LiveTable:
        """Create an empty open table.

        Raises:
            CommandError: if settings make no sense, or no match may begin.
            StoreError: if the table cannot be saved.
        """
        self.moderation.check_open()
        return await self.add(new_open_table(self.fit_settings(settings), new_secret()))

    def fit_settings(self, settings: Settings) -> Settings:
        """Return settings of a new table, without chat and voice unless the administrator wants them everywhere."""
        return settings if self.moderation.chat == "on" else replace(settings, chat=False, voice=False)

    async def add(self, table: TableState) -> LiveTable:
        """Save a new table under a free code, and load it; a StoreError says why it cannot be saved."""
        state_json = write_table_state(table)
        while True:
            code = self.new_code()
            if await self._store.create_table(code, state_json):
                return await self._set_up(TableRow(code, 1, state_json, 0))

    def new_code(self) -> str:
        """Return a random code, longer if anybody on the internet can guess it."""
        return new_code(public=self._is_public())

    async def find(self, code: str) -> LiveTable | None:
        """Return the table of a code; load it if it is not in memory."""
        clean = clean_code(code)
        if clean is None:
            return None
        self._empty_since.pop(clean, None)
        async with self._load_locks.setdefault(clean, asyncio.Lock()):
            return await self._find(clean)

    async def rename(self, person: Person) -> None:
        """Change a person's name at the tables they are connected to; elsewhere it changes when they reconnect."""
        worker_bus.announce(self._bus, worker_bus.PersonChanged(person.id, person.name))
        await asyncio.gather(*(table.rename(person) for table in self._tables_with(person.id)))

    async def forget(self, player: str) -> None:
        """Remove a person who deletes their data from all tables.

        Raises:
            StoreError: if some tables still have data of theirs; the call can be repeated.
        """
        worker_bus.announce(self._bus, worker_bus.PersonChanged(player, None))
        self._anonymize(player)
        for code in await self._store.tables_of(player):
            found = await self.find(code)
            if found is not None:
                await found.forget(player)
        for table in self._tables_with(player):
            await table.forget(player)

    async def merge(self, player: str, into: Person) -> None:
        """Give all that a person has at tables to another profile of theirs.

        Raises:
            StoreError: if some tables still have data of the first one; the call can be repeated.
        """
        worker_bus.announce(self._bus, worker_bus.PersonMerged(player, into.id))
        self._merge_names(player, into.id)
        for code in await self._store.tables_of(player):
            found = await self.find(code)
            if found is not None:
                await found.merge(player, into)

    def _merge_names(self, player: str, into: str) -> None:
        for table in self.tables:
            table.merge_names(player, into)

    def hang_up(self, player: str) -> None:
        """Close a person's connections on every worker; browsers with their new token reconnect."""
        worker_bus.announce(self._bus, worker_bus.SessionsEnded(player))
        self._hang_up(player)

    def _hang_up(self, player: str) -> None:
        for table in self._tables_with(player):
            table.presence.disconnect(player)

    # --- order ------------------------------------------------------------------------------------------

    async def _end_maintenance(self) -> None:
        """Read the settings, and end the maintenance mode of an update if this server is alone. With a full disk the
        server stays closed until the administrator opens it.
        """
        await self.moderation.refresh()
        if self.moderation.settings.draining and not self._store.shared:
            await _run_logged(self.moderation.change_settings(draining=False))

    def _broadcast_settings(self) -> None:
        for table in self.tables:
            table.broadcast_info()

    def _expel(self, players: Sequence[str]) -> None:
        for player in players:
            self._spawn(self.expel(player))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background, and hold a reference to its task."""
        task = asyncio.create_task(_run_logged(work))
        self._background_tasks.add(task)
        task.add_done_callback(self._background_tasks.discard)

    async def expel(self, player: str) -> None:
        """Remove a banned person and their chat notes from all tables; a bot plays their hand."""
        for table in self.tables:  # also those where the person only watched
            table.forget_chat(player)
        try:
            for code in await self._store.tables_of(player):
                found = await self.find(code)
                if found is not None:
                    await found.expel(player)
        except (StoreError, CommandError) as error:
            _LOG.warning("a seat stays", why=str(error))
        for table in self._tables_with(player):
            await table.expel(player)

    def _anonymize(self, player: str) -> None:
        """Remove a person's chat notes and their name in finished matches from the tables in memory."""
        for table in self.tables:
            table.anonymize(player)

    async def worker_stats(self) -> dict[str, WorkerStats]:
        """Return the statistics of all workers, by worker name."""
        others = (
            await self._store.list_workers(now_ms() - round(1000 * PRESENCE_TIMEOUT_S)) if self._store.shared else {}
        )
        return {**msgspec.convert(others, dict[str, WorkerStats]), self._worker: worker_stats(self.tables)}

    async def _save_stats(self) -> None:
        now = now_ms()
        await self._store.save_worker(
            self._worker, now, msgspec.to_builtins(worker_stats(self.tables)), now - round(1000 * PRESENCE_TIMEOUT_S)
        )

    def _tables_with(self, player: str) -> list[LiveTable]:
        """Return the tables that a person is connected to."""
        return [table for table in self.tables if player in table.presence.local]

    async def _find(self, code: str) -> LiveTable | None:
        table = self._tables.get(code)
        if table is None:
            row = await self._store.load_table(code)
            try:
                return None if row is None else await self._set_up(row)
            except CommandError:  # another worker is deleting it; its match is gone already
                return None
        if self._store.shared and not table.is_followed:
            await table.catch_up(reload_state=True)
        return table

    async def _set_up(self, row: TableRow) -> LiveTable:
        url = partial(self.url, f"/t/{row.code}")
        table = LiveTable(
            self._store,
            row,
            self._bus,
            self._worker,
            url,
            moderation=self.moderation,
            spectators=self._spectators,
            voice_servers=self._voice_servers,
            outages=lambda: self.outages,
        )
        await table.open()
        self._tables[row.code] = table
        metrics.TABLES.set(len(self._tables))
        _LOG.info("table opened", tables=len(self._tables))
        return table

    def url(self, path: str = "") -> str:
        """Return the address of a page for people."""
        url = self._public_url if isinstance(self._public_url, str) else self._public_url()
        return url.rstrip("/") + path

    def _is_public(self) -> bool:
        """Return whether anybody on the internet can guess table codes."""
        host = urlsplit(self.url()).hostname or "localhost"
        return not (host == "localhost" or host.endswith(".local") or is_local_network(host))

    # --- other workers ----------------------------------------------------------------------------------

    def _receive(self, topic: str, data: bytes) -> None:
        """Handle an announcement from another worker; ignore those about tables that are not followed here."""
        announcement = worker_bus.read_announcement(topic, data)
        if isinstance(announcement, worker_bus.AdminSettingsChanged):
            self._spawn(self.moderation.refresh())
            return
        if isinstance(announcement, worker_bus.SessionsEnded):
            self._hang_up(announcement.player)
            return
        if isinstance(announcement, worker_bus.PersonMerged):
            self._merge_names(announcement.player, announcement.into)
            return
        if isinstance(announcement, worker_bus.PersonChanged):
            self._update_person(announcement.player, announcement.name)
            return
        table = None if announcement is None else self._tables.get(announcement.code)
        if table is None or not table.is_followed:
            return
        if isinstance(announcement, worker_bus.LogGrown):
            if table.is_behind(announcement.match, announcement.ply):
                table.jobs.spawn(table.catch_up(reload_state=False))
        elif isinstance(announcement, worker_bus.TableSaved):
            if announcement.revision > table.revision:
                table.jobs.spawn(table.catch_up(reload_state=True))
        elif isinstance(announcement, worker_bus.NoteSaid):
            table.receive_note(announcement.note)
        elif isinstance(announcement, worker_bus.VoiceSignaled):
            table.receive_signal(announcement)
        elif isinstance(announcement, worker_bus.VoicesSilenced):
            table.silence()
        elif isinstance(announcement, worker_bus.PeopleHere):
            table.merge_worker(announcement, self._now() + PRESENCE_TIMEOUT_S)

    def _update_person(self, player: str, name: str | None) -> None:
        """Change a person's name at all tables, or remove it."""
        if name is None:
            self._anonymize(player)
        for table in self._tables_with(player):
            table.jobs.spawn(table.forget(player) if name is None else table.rename(Person(player, name)))

    async def _reload(self) -> None:
        """Reload the tables, whose announcements may be lost, and announce who is here."""
        for table in self.tables:
            if table.is_followed:
                table.refresh_presence(self._now())
                await table.catch_up(reload_state=True)

    async def _poll_logs(self) -> None:
        """Read moves whose announcements were lost from the log."""
        matches = {table.play.id: table for table in self.tables if table.is_followed and table.play is not None}
        for match, ply in (await self._store.read_heads(list(matches))).items():
            if matches[match].is_behind(match, ply):
                await matches[match].catch_up(reload_state=False)

    # --- chores -----------------------------------------------------------------------------------------

    async def _count(self) -> None:
        """Update the metric of running matches."""
        metrics.PLAYING.set(sum(table.state.in_match for table in self.tables))

    async def _unload_empty(self) -> None:
        """Unload tables without people that nobody waits for; the store has them."""
        for code, table in list(self._tables.items()):
            if table.is_followed:
                self._empty_since.pop(code, None)
                continue
            empty_for = self._now() - self._empty_since.setdefault(code, self._now())
            if empty_for >= EMPTY_S and not table.jobs.lock.locked():
                del self._tables[code], self._empty_since[code]
                metrics.TABLES.set(len(self._tables))
                await table.close("restart")

    async def _sweep(self) -> None:
        """Delete abandoned tables, a few at a time, and none if the clock may be wrong."""
        now = time.time()
        if abs(now - _monotonic_s() - self._clock_offset_s) > CLOCK_JUMP_S:
            self._clock_offset_s, self._sweeps_to_skip = now - _monotonic_s(), SKIPPED_SWEEPS
        if self._sweeps_to_skip:
            self._sweeps_to_skip -= 1
            _LOG.warning("nothing swept", why="the clock was set")
            return
        tables, touched = await self._store.count_tables()
        if not now - ACTIVITY_LIMIT_S <= touched / 1000 <= now + ACTIVITY_LIMIT_S:
            return
        in_use = [table.code for table in self._tables.values() if table.presence.peers]
        if in_use:  # a big screen may be connected for a month
            await self._store.touch_tables(in_use)
        if swept := await _sweep_before(now - ABANDONED_S, self._store.sweep, tables):
            _LOG.info("tables swept", tables=swept)
        await self.moderation.sweep()
        await self._store.sweep_departures(round(1000 * (now - MEMORY_S)))
        if self.match_retention_s is not None:
            finished = await self._store.count_finished()
            if swept := await _sweep_before(now - self.match_retention_s, self._store.sweep_matches, finished):
                _LOG.info("matches swept", matches=swept)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


async def _sweep_before(time_s: float, sweep: Callable[[int, int], Awaitable[int]], total: int) -> int:
    """Delete what is older than a time, a few at a time and at most a fraction of all; return the number."""
    swept, most = 0, max(SWEEP_BATCH, total // SWEEP_FRACTION)
    while swept < most:
        piece = await sweep(round(1000 * time_s), SWEEP_BATCH)
        swept += piece
        if piece < SWEEP_BATCH:
            break
        await asyncio.sleep(1.0)
    return swept


def _monotonic_s() -> float:
    """Return seconds of a clock that nobody sets and that counts sleep."""
    for name in ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"):  # Linux; macOS, where time.monotonic stops during sleep
        clock: int | None = getattr(time, name, None)
        if clock is not None:
            return time.clock_gettime(clock)
    return time.monotonic()


async def repeat(chore: Callable[[], Awaitable[None]], pause: float, first: float = 0.0) -> None:
    """Run a function every ``pause`` seconds, after ``first`` seconds; ignore single failures."""
    await asyncio.sleep(first)
    while True:
        await _run_logged(chore())
        await asyncio.sleep(pause)


async def _run_logged(work: Awaitable[None]) -> None:
    """Run work that no person asked for, and log its errors."""
    try:
        await work
    except StoreError:
        pass  # the store has logged it
    except Exception as error:
        note_fault(error, "chore")

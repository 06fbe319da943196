"""Weeks of tables by the day in virtual time: people in two time zones, outages, restarts and people who never come
back, from a seed.

Registry, director, tables and store are the server's. Every row of a log is compared with a separate model of who may
move when, and every notification with whose turn it is.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any, Final
from unittest.mock import patch
from zoneinfo import ZoneInfo

from lastcard.match.match import Match
from lastcard.server.security.security import hash_token
from lastcard.server.store import day_queries
from lastcard.server.store.rows import Player
from lastcard.server.table import day_director, table_registry
from lastcard.server.table.day_director import DayDirector
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.notifier import Notice
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.worker_bus import open_bus
from lastcard.session.commands import Sit, Start
from lastcard.session.day_pace import MOVE_S
from lastcard.session.match_log import apply_row, new_match
from lastcard.session.match_rows import NEXT_ROUND, MatchRow, MoveRow
from lastcard.session.table_settings import Settings
from support.fakes import Person
from tools.simulate.clock import EPOCH_S, OUTSIDE, Loop, Process, replaced_sources
from tools.simulate.storage import Disk, QueryDatabase, WorkerStore

_HOUR_S: Final = 3600.0
_DAY_S: Final = 24 * _HOUR_S
_CHECK_S: Final = 600.0
"""Seconds between two checks of the director, which are rarer than on a real server."""
_GAP_S: Final = 3 * _CHECK_S
_ZONES: Final = ("Pacific/Auckland", "America/New_York")
_AWAKE: Final = range(8, 23)
_PACES: Final = ("8h", "24h@Pacific/Auckland", "3d@America/New_York", "24h", "8h@America/New_York")
_PEOPLE: Final = 7
_LOST: Final = (5, 6)
"""People who never come back after some days; they have a table of their own."""
_LOST_S: Final = 2 * _DAY_S
_VISIT_S: Final = 2 * _HOUR_S
"""Mean seconds between two visits of a person who is awake."""


class DayMonthError(AssertionError):
    """Raised for what differs from the model."""


@dataclass
class DayCounts:
    """What has happened."""

    moves: int = 0
    replaced: int = 0
    notices: int = 0
    closing_notices: int = 0
    closed: int = 0
    outages: int = 0
    restarts: int = 0
    matches: int = 0


@dataclass
class _MatchModel:
    """A match as the model has it."""

    row: MatchRow
    match: Match
    pace: str
    moved: float
    began: float
    """When the turn of the seat on turn began."""
    turn: int = 0
    """The number of that turn."""
    notified: set[int] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)
    """Turns in which the person on turn was there."""
    idle: set[str] = field(default_factory=set)
    resumed: dict[str, float] = field(default_factory=dict)

    @property
    def player(self) -> str | None:
        """The person on turn."""
        return None if self.match.round.over else self.row.players[self.match.round.turn]


class DayMonth:
    """Days of tables by the day that can be run once."""

    def __init__(self, seed: int, days: int) -> None:
        self.counts = DayCounts()
        self._rng = random.Random(f"{seed}/by day")
        self._end_s = days * _DAY_S
        self._people = [Player(f"p-{n}", f"Player {n}", "en") for n in range(_PEOPLE)]
        self._paces: dict[str, str] = {}
        self._matches: dict[str, _MatchModel] = {}
        self._current: dict[str, _MatchModel] = {}
        """The last match of each table."""
        self._here: set[tuple[str, str]] = set()
        """Table and person of every connection."""
        self._outages: list[tuple[float, float]] = []
        self._closing: dict[str, float] = {}
        self._faults: list[str] = []
        self._process: Process | None = None
        self._numbers = count()
        self._tasks: list[asyncio.Task[Any]] = []
        self._registry: TableRegistry
        self._store: WorkerStore

    def run(self) -> DayCounts:
        """Run all days; raise a DayMonthError at the first difference."""
        self._loop = Loop()  # type: ignore[abstract]
        self._start_s = self._loop.time()
        with ExitStack() as stack:
            database = stack.enter_context(closing(QueryDatabase()))
            stack.enter_context(replaced_sources(self._loop, self._rng, self._faults.append))
            stack.enter_context(_rare_checks())
            self._database = database
            self._disk = Disk(self._loop, database, self._rng, self._note_commit)
            for player in self._people:
                database.execute("create_player", player, hash_token(player.id))
            self._spawn_outside(self._run())
            try:
                self._loop.run(self._start_s + self._end_s)
            finally:
                self._stop()
            self._check_end()
        return self.counts

    @property
    def _now(self) -> float:
        """The seconds since 1970."""
        return EPOCH_S + self._loop.time()

    # --- the server ---------------------------------------------------------------------------------------

    def _start(self) -> None:
        self._process = Process("worker")
        self._store = WorkerStore(self._disk)
        self._registry = TableRegistry(self._store, open_bus(None), public_url="http://localhost")  # type: ignore[arg-type]
        director = DayDirector(self._store, self._registry, self)  # type: ignore[arg-type]
        self._spawn(self._open(director))

    async def _open(self, director: DayDirector) -> None:
        await director.open()
        await self._registry.open()

    def _spawn(self, work: Any) -> asyncio.Task[Any]:
        assert self._process is not None
        return self._loop.create_task(work, context=self._process.context.copy())

    def _spawn_outside(self, work: Any) -> None:
        self._tasks.append(self._loop.create_task(work, context=OUTSIDE))

    def _stop(self) -> None:
        """End everything."""
        for task in self._tasks:
            self._loop.call_soon(task.cancel, context=OUTSIDE)
        if self._process is not None:
            self._kill()
        self._loop.run(self._loop.time() + 60)
        for task in self._tasks:
            if not task.cancelled():
                task.result()

    def _kill(self) -> None:
        assert self._process is not None
        self._store.is_cut = True
        self._loop.end(self._process)
        self._process = None
        self._here.clear()

    async def _run(self) -> None:
        self._start()
        await asyncio.sleep(1)
        for number, pace in enumerate((*_PACES, "24h")):
            seats = _LOST if number == len(_PACES) else self._rng.sample(range(_PEOPLE - len(_LOST)), 2 + number % 2)
            await self._spawn(self._set_up(pace, [self._people[n] for n in seats]))
        for number, player in enumerate(self._people):
            self._spawn_outside(self._live(number, player))
        while True:
            await asyncio.sleep(self._rng.expovariate(1 / (1.2 * _DAY_S)))
            begin, is_short = self._now, self._rng.random() < 0.4
            self._kill()
            await asyncio.sleep(self._rng.uniform(5, 50) if is_short else self._rng.uniform(1, 20) * _HOUR_S)
            if is_short:
                self.counts.restarts += 1
            else:
                self._outages.append((begin, self._now))
                self.counts.outages += 1
            self._start()

    # --- people -------------------------------------------------------------------------------------------

    async def _set_up(self, pace: str, players: list[Player]) -> None:
        settings = Settings(rules="all-wild", seats=len(players) + 1, pace=pace)
        table = await self._registry.create(players[0], settings)
        self._paces[table.code] = pace
        for player in players:
            await self._enter(table, player, Sit(None))
        host = await self._enter(table, players[0], Start())
        for _ in players:
            host.disconnect()
        self._here.clear()

    async def _enter(self, table: LiveTable, player: Player, command: Any) -> Person:
        person = Person(player.name)
        person.player = player
        await person.join(table)
        await person.send_command(command)
        return person

    async def _live(self, number: int, player: Player) -> None:
        """Visit the tables at which it is the person's turn, when they are awake."""
        zone = ZoneInfo(_ZONES[number % len(_ZONES)])
        while number not in _LOST or self._loop.time() < self._start_s + _LOST_S:
            await asyncio.sleep(self._rng.expovariate(1 / _VISIT_S))
            is_awake = datetime.fromtimestamp(self._now, zone).hour in _AWAKE
            if is_awake and self._process is not None and self._rng.random() < 0.9:
                await asyncio.wait([self._spawn(self._visit_all(player))])

    async def _visit_all(self, player: Player) -> None:
        codes = [turn.code for turn in await self._store.list_day_turns(player.id)]
        over = [code for code, model in self._current.items() if model.match.over and player.id in model.row.players]
        for code in [*codes, *over]:
            table = await self._registry.find(code)
            if table is not None:
                await self._visit(table, player)

    async def _visit(self, table: LiveTable, player: Player) -> None:
        """Make some moves at a table, or begin another match."""
        person = Person(player.name)
        person.player = player
        self._note_visit(table.code, player.id)
        try:
            await person.join(table)
            if table.state.phase == "over" and table.state.host.id == player.id:
                await person.send_command(Start())
            for _ in range(self._rng.randrange(1, 6)):
                await asyncio.sleep(self._rng.uniform(1, 40))
                play = table.play
                if play is not None and table.state.phase == "playing" and self._is_on_turn(table, player):
                    move = self._rng.choice(play.match.round.legal(play.match.round.turn))
                    await person.make_move(str(move), f"{player.id}-{next(self._numbers)}")
        finally:
            self._here.discard((table.code, player.id))
            table.leave(person)

    def _is_on_turn(self, table: LiveTable, player: Player) -> bool:
        seat = None if table.play is None else table.play.awaited_seat
        return seat is not None and table.state.seat_of(player.id) == seat

    def _note_visit(self, code: str, player: str) -> None:
        self._here.add((code, player))
        model = self._current.get(code)
        if model is not None:
            if player in model.idle:
                model.idle.discard(player)
                model.resumed[player] = self._now
            if model.player == player:
                model.seen.add(model.turn)

    # --- the model ----------------------------------------------------------------------------------------

    def _note_commit(self, method: str, args: tuple[Any, ...]) -> None:
        if method == "create_match":
            row: MatchRow = args[0]
            self.counts.matches += 1
            model = _MatchModel(row, new_match(row), self._paces[row.table], self._now, self._now)
            if row.table in self._current:
                model.idle = self._current[row.table].idle
            self._matches[row.id] = self._current[row.table] = model
        elif method == "append":
            self._note_row(args[0])

    def _note_row(self, row: MoveRow) -> None:
        model = self._matches[row.match]
        is_call = row.command.startswith("auto:")
        if not is_call and row.action != NEXT_ROUND:
            if model.match.round.exposed:
                raise DayMonthError(f"nobody has called for {model.match.round.exposed} in {row.match}")
            self._check_actor(model, row)
        seat, now = model.match.round.turn, self._now
        apply_row(model.match, row)
        if is_call:
            return
        self.counts.moves += 1
        model.moved = now
        if row.action == NEXT_ROUND or model.match.round.turn != seat:
            self._check_notice(model, seat, now)
            model.turn, model.began = model.turn + 1, now
            if (model.row.table, model.player) in self._here:
                model.seen.add(model.turn)

    def _check_actor(self, model: _MatchModel, row: MoveRow) -> None:
        """Check that a bot moves for a person only if they are late, or were before and have not come back."""
        player = model.row.players[row.seat]
        if player is None or not row.command.startswith("bot:") or player in model.idle:
            return
        since = max(model.moved, model.resumed.get(player, 0.0))
        counted, allowed = self._count_time(since, self._now, model.pace), MOVE_S[model.pace.partition("@")[0]]
        outages = sum(since < end for _, end in self._outages)
        if not allowed - 90 <= counted <= allowed + (1 + 2 * outages) * _GAP_S:
            raise DayMonthError(f"a bot moves for {player} at {model.pace} after {counted / _HOUR_S:.2f} hours")
        model.idle.add(player)
        self.counts.replaced += 1

    def _count_time(self, since: float, until: float, pace: str) -> float:
        """Return the seconds that count, minute by minute."""
        zone = pace.partition("@")[2]
        counted, now = 0.0, since
        while now < until:
            step = min(60.0, until - now)
            is_weekend = bool(zone) and datetime.fromtimestamp(now, ZoneInfo(zone)).weekday() >= 5
            is_down = any(begin <= now < end for begin, end in self._outages)
            counted += 0 if is_weekend or is_down else step
            now += step
        return counted

    def _check_notice(self, model: _MatchModel, seat: int, now: float) -> None:
        """Check that a person was notified of a turn that they did not see for long."""
        player = model.row.players[seat]
        was_seen = model.turn in model.seen or player in model.idle
        was_down = any(begin < now and model.began < end for begin, end in self._outages)
        if player is None or was_seen or was_down or now - model.began < 3 * _CHECK_S:
            return
        if model.turn not in model.notified:
            raise DayMonthError(f"{player} was not notified of a turn of {(now - model.began) / _HOUR_S:.2f} hours")

    async def notify(self, player: str, notice: Notice) -> None:
        """Record a notification, in place of the notifier."""
        code = notice.url.rpartition("/")[2]
        model = self._current[code]
        if notice.what == "closing":
            self.counts.closing_notices += 1
            self._closing[code] = self._now
            return
        self.counts.notices += 1
        if model.player != player or (code, player) in self._here or model.turn in model.notified:
            raise DayMonthError(f"{player} is notified of turn {model.turn} of {model.player} again or in vain")
        model.notified.add(model.turn)

    async def close(self) -> None:
        """Nothing is under way."""

    # --- the end ------------------------------------------------------------------------------------------

    def _check_end(self) -> None:
        """Check what is left: logs, faults, and that only the match of people who are lost was closed."""
        if self._faults:
            raise DayMonthError(self._faults[0])
        for id_, model in self._matches.items():
            if self._database.execute("load_match", id_) is None:
                raise DayMonthError(f"{id_} is lost")
            if len(self._database.execute("read_moves", id_)) != len(model.match.moves):
                raise DayMonthError(f"the log of {id_} is another one")
        for code, model in self._current.items():
            is_closed = self._database.execute("load_table", code) is None
            is_lost = all(player in (None, *(self._people[n].id for n in _LOST)) for player in model.row.players)
            idle_s = self._now - model.moved
            if is_closed and (not is_lost or idle_s < 30 * _DAY_S or self._now - self._closing[code] < 7 * _DAY_S):
                raise DayMonthError(f"{code} was closed after {idle_s / _DAY_S:.1f} days")
            if is_lost and not is_closed and idle_s > 40 * _DAY_S:
                raise DayMonthError(f"{code} was not closed after {idle_s / _DAY_S:.1f} days")
            self.counts.closed += is_closed


@contextmanager
def _rare_checks() -> Iterator[None]:
    """Let periodic work wait longer, which only repeats what is tested."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(day_director, "CHECK_S", _CHECK_S))
        stack.enter_context(patch.object(day_queries, "SERVICE_GAP_MS", round(1000 * _GAP_S)))
        for name in ("RELOAD_S", "COUNT_S", "EMPTY_S"):
            stack.enter_context(patch.object(table_registry, name, _CHECK_S))
        yield

"""A world: workers, a database, a bus, and people at tables, who carry out the steps of a scenario."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Final, NamedTuple

from lastcard.server.security.security import hash_token
from lastcard.server.store.rows import Player
from lastcard.server.wire.parts import TableInfo
from tools.simulate.checks import Checks
from tools.simulate.clock import OUTSIDE, Loop, replaced_sources
from tools.simulate.faults import FAULTS, Faults
from tools.simulate.network import BusNetwork, Link
from tools.simulate.page import Page
from tools.simulate.people import Person
from tools.simulate.scenario import CALM_S, DURATION_S, Scenario, Step
from tools.simulate.storage import Disk, MemoryDatabase, SqliteDatabase
from tools.simulate.workers import Worker

_SETUP_S: Final = 5.0
_WATCH_S: Final = 5.0
"""Seconds between two checks of what nobody has asked for."""
_ANSWER_S: Final = 30.0
"""Seconds without faults after which every command is answered, and every page is up to date."""
_FORGOTTEN_S: Final = 140.0
"""Seconds after which the server has closed the connection of a page that was closed without its notice: its limit of
silence, and that of the announcements of a dead worker.
"""
_MAX_MESSAGES: Final = 300
"""Messages to one page between two such checks, beyond which workers answer each other without end."""
COUNTED_MOVES: Final = 300
"""Moves in an hour of a table from which the hour counts."""


class Failure(NamedTuple):
    """Something that must not happen."""

    kind: str
    what: str
    at: float

    def __str__(self) -> str:
        return f"{self.at:.2f} s: {self.kind}: {self.what}"


@dataclass
class Outcome:
    """What has happened in worlds."""

    failure: Failure | None = None
    """The first failure; the world ends with it."""
    checksum: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    table_hours: float = 0.0
    """Hours of tables with enough moves."""

    def add(self, other: Outcome) -> None:
        """Add the counts of another world."""
        self.counts += other.counts
        self.faults += other.faults
        self.table_hours += other.table_hours


class World:
    """A world that can be run once."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._loop = Loop()  # type: ignore[abstract]  # the server uses no other method
        self._failure: Failure | None = None
        self._checks = Checks(self._loop.time, self._fail)
        self._pages: dict[Page, str] = {}
        self._people: list[Person] = []
        self._steps = iter(scenario.steps)
        self._start = 0.0
        self._heads: dict[str, tuple[int, int]] = {}
        self._heads_in_calm: dict[str, tuple[int, int]] = {}
        self._active: list[Person] = []
        """The people who go on in the calm at the end."""
        self._present: set[str | None] = set()
        self._absent: set[str] = set()
        self._talking: set[str | None] = set()
        """The people who have a page on which voice is on."""
        self._quiet_since: dict[Page, dict[str, float]] = {}
        """Since when a page is shown some of them without voice."""
        self._last_open: dict[str, float] = {}
        """When a person last had a page that wanted to be connected."""
        self._tokens: dict[str | None, str] = {}
        self._codes: dict[int, str] = {}
        """The code of each table of the scenario."""
        self._calm_dice = self._rng("calm")

    def run(self) -> Outcome:
        """Run the world until its end or the first failure."""
        with ExitStack() as stack:
            stack.enter_context(replaced_sources(self._loop, self._rng("secrets"), partial(self._fail, "fault")))
            if self._scenario.uses_sqlite:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="lastcard-simulate-"))
                database: SqliteDatabase | MemoryDatabase = SqliteDatabase(Path(folder))
                stack.callback(database.close)  # type: ignore[union-attr]
            else:
                database = MemoryDatabase()
            self._set_up(database)
            self._loop.call_later(0.0, self._take_step, next(self._steps, None), context=OUTSIDE)
            self._loop.call_later(_WATCH_S, self._watch, context=OUTSIDE)
            self._loop.run(self._start + DURATION_S)
            if self._loop.is_livelocked:
                self._fail("livelock", "callbacks cause each other without end")
            if self._failure is None:
                self._checks.check_replay(database.execute)
            for worker in self._workers:
                if worker.is_up:
                    worker.crash()
            self._loop.is_stopped = False
            self._loop.run(self._loop.time())
        return self._outcome()

    def _rng(self, name: str) -> random.Random:
        return random.Random(f"{self._scenario.seed}/{name}")

    def _fail(self, kind: str, what: str) -> None:
        if self._failure is None:
            self._failure = Failure(kind, what, self._loop.time() - self._start)
            self._loop.is_stopped = True

    def _outcome(self) -> Outcome:
        hours = (self._loop.time() - self._start) / 3600
        moves = [table.count_moves() for table in self._checks.tables.values()]
        counted = sum(hours for count in moves if count >= COUNTED_MOVES * hours)
        counts = self._checks.counts + self._disk.counts + self._bus.counts
        counts["worlds"], counts["virtual seconds"] = 1, round(3600 * hours * len(moves))
        return Outcome(self._failure, self._checks.checksum, counts, self._faults.counts, counted)

    # --- the beginning ----------------------------------------------------------------------------------

    def _set_up(self, database: MemoryDatabase | SqliteDatabase) -> None:
        """Start the workers, and let people make their tables."""
        self._disk = Disk(self._loop, database, self._rng("disk"), self._checks.committed)
        self._bus = BusNetwork(self._loop, self._rng("bus"))
        self._workers = [
            Worker(f"worker {n}", self._loop, self._disk, self._bus, self._checks)
            for n in range(self._scenario.workers)
        ]
        self._faults = Faults(self._loop, self._workers, self._disk, self._bus, self._find_link)
        self._start = self._loop.time() + _SETUP_S
        for worker in self._workers:
            self._loop.call_soon(worker.start)
        for number, plan in enumerate(self._scenario.tables):
            players = [Player(f"p{number}{n}", "ABCDEFGH"[n], "en") for n in range(plan.people + plan.watchers)]
            for player in players:
                self._tokens[player.id] = f"token-of-{player.id}"
                database.execute("create_player", player, hash_token(self._tokens[player.id]))
            self._loop.call_later(1.0, self._create_table, number, players, context=OUTSIDE)
            for n, player in enumerate(players):
                make = partial(self._new_page, number, player.id)
                self._people.append(Person(player.id, make, plan.people, n))
        self._loop.run(self._start)

    def _create_table(self, number: int, players: list[Player]) -> None:
        """Make a table; its people open their pages later."""
        plan = self._scenario.tables[number]

        async def create() -> None:
            if plan.is_open:
                self._codes[number] = await self._gather(plan.settings.rules, players[: plan.people])
            else:
                self._codes[number] = (await self._workers[0].registry.create(players[0], plan.settings)).code
            for _ in range(plan.screens):
                self._new_page(number, None).open()

        self._workers[0].run(create())

    async def _gather(self, game: str, players: list[Player]) -> str:
        """Give strangers seats at an open table, each by another worker; all must get the same one."""
        codes = set()
        for player, worker in zip(players, cycle(self._workers), strict=False):
            codes.add((await worker.new_matchmaker().find_seat(player, game)).code)
        if len(codes) > 1:
            self._fail("open", f"strangers sit at {len(codes)} tables")
        return str(min(map(str, codes)))

    def _new_page(self, table: int, player: str | None) -> Page:
        rng = self._rng(f"page {len(self._pages)}")
        page = Page(player, self._loop, rng, partial(self._connect, rng), self._checks)
        self._pages[page] = self._codes[table]
        self._checks.add_page(page, self._codes[table])
        return page

    def _find_link(self, who: int) -> Link | None:
        """Return the connection of a person by number."""
        return self._people[who % len(self._people)].page.link

    def _connect(self, rng: random.Random, page: Page) -> Link | None:
        worker = rng.choice(self._workers)
        if not worker.is_up:
            return None
        link = Link(self._loop, rng, page)
        self._checks.counts["connections"] += 1
        worker.accept(link, self._pages[page], self._tokens.get(page.player), f"10.0.0.{len(self._pages) % 250}")
        return link

    # --- the steps --------------------------------------------------------------------------------------

    def _take_step(self, step: Step | None) -> None:
        """Take the next step when its time has come."""
        while step is not None and self._start + step.at <= self._loop.time():
            if step.what in FAULTS:
                self._faults.inject(step)
            elif step.who < len(self._people):
                self._people[step.who].do(step.what, step.dice, self._loop.time())
            step = next(self._steps, None)
        if step is not None:
            self._loop.call_at(self._start + step.at, self._take_step, step, context=OUTSIDE)

    # --- what nobody has asked for ----------------------------------------------------------------------

    def _watch(self) -> None:
        """Check that answers come, that pages are up to date, and at the end that every table goes on."""
        now = self._loop.time()
        self._update_presence(now)
        if now - self._faults.over_since > _ANSWER_S:
            for page, code in self._pages.items():
                if page.is_online and not page.is_asleep and now - page.online_since > _ANSWER_S:
                    self._check_page(page, code, now)
        else:
            self._quiet_since.clear()
        for code, table in self._checks.tables.items():
            self._heads[code] = table.head()
        for page, messages in self._checks.messages.items():
            if messages > _MAX_MESSAGES:
                self._fail("storm", f"{page.player} was sent {messages} messages in {_WATCH_S:.0f} s")
        self._checks.messages.clear()
        left_s = self._start + DURATION_S - now
        if left_s <= CALM_S:
            self._go_on_in_calm(now, is_last=left_s <= _WATCH_S)
        self._loop.call_later(_WATCH_S, self._watch, context=OUTSIDE)

    def _go_on_in_calm(self, now: float, *, is_last: bool) -> None:
        """Let some people go on and others leave for good; check at the end that every table has got on."""
        if not self._heads_in_calm:
            self._heads_in_calm = dict(self._heads)
            self._active = [person for person in self._people if person.is_first or self._calm_dice.random() < 0.7]
            for person in self._people:
                person.return_now()
            leaving = {person.player for person in self._people if person not in self._active}
            for page in self._pages:  # another tab may be open
                if page.player in leaving:
                    page.close()
        for person in self._active:
            person.do("act", self._calm_dice.random(), now)
        for code, head in self._heads_in_calm.items() if is_last else ():
            if self._heads[code] == head:
                self._fail("stuck", f"nobody has moved at {code} for {CALM_S:.0f} s without faults")

    def _update_presence(self, now: float) -> None:
        """Find who must be shown as connected, and who as disconnected."""
        for page in self._pages:
            if page.ended is None and page.player is not None:
                self._last_open[page.player] = now
        open_pages = [page for page in self._pages if page.is_online and not page.is_asleep]
        self._present = {page.player for page in open_pages if now - page.online_since > _ANSWER_S}
        self._talking = {page.player for page in open_pages if page.talks and page.player in self._present}
        self._absent = {player for player, at in self._last_open.items() if now - at > _FORGOTTEN_S}

    def _check_voices(self, page: Page, table: TableInfo, now: float) -> None:
        """Check that a page is shown everybody who talks, at the latest when their pages have asked again."""
        quiet = {info.player for info in table.seats if info is not None and info.player in self._talking}
        before = self._quiet_since.get(page, {})
        self._quiet_since[page] = {player: before.get(player, now) for player in quiet - {*table.voices} if player}
        for player, since in self._quiet_since[page].items():
            if now - since > _ANSWER_S:
                self._fail("voice", f"{page.player} is shown {player} without voice")

    def _check_page(self, page: Page, code: str, now: float) -> None:
        assert page.table is not None
        late = [command for command, (_, at) in page.pending.items() if now - at > _ANSWER_S]
        if late and not page.table.paused:
            self._fail("unanswered", f"{late[0]} of {page.player} was sent {_ANSWER_S:.0f} s ago")
        for info in page.table.seats:
            if info is not None and info.player is not None and not info.here and info.player in self._present:
                self._fail("stale", f"{page.player} is shown {info.player} as disconnected")
            if info is not None and info.here and info.player in self._absent:
                self._fail("stale", f"{page.player} is shown {info.player} as connected")
        self._check_voices(page, page.table, now)
        if page.game is not None:
            truth = self._checks.matches[page.game.match]
            if (truth.number, page.game.ply) < self._heads[code]:
                self._fail("stale", f"{page.player} has seen {page.game.ply} of {self._heads[code]}")

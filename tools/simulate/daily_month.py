"""A month of daily deals in virtual time: people in two time zones, several workers and outages, from a seed.

The HTTP application and its database are the server's. Bots play the tries, and no *master* runs. After every day the
answers are compared with a separate model, and the results with a replay of their matches.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import httpx
import structlog

from lastcard.analysis.master_run import MasterRun
from lastcard.arena.bot_play import play
from lastcard.game import daily_deal
from lastcard.game.moves import move_to_action
from lastcard.game.rulesets import GAMES
from lastcard.game.seeds import commitment
from lastcard.server.http import daily_deals
from lastcard.server.security.security import COOKIE, hash_token
from lastcard.server.store.rows import Player
from lastcard.server.store.store import Store
from lastcard.server.table.session_storage import restore_state
from lastcard.session import dealing
from lastcard.session.match_log import new_match, replay_match
from lastcard.session.match_rows import MatchRow, MoveRow
from support.store_samples import put_log
from support.threaded_server import app_client

_FIRST_DAY: Final = datetime(2026, 11, 1, tzinfo=UTC)
_TIME_ZONES: Final = (timedelta(hours=13), timedelta(hours=-5))
"""Auckland, and New York, where an evening is at midnight in UTC."""
_PEOPLE: Final = 6
_WORKERS: Final = 3
_DILIGENCE: Final = (0.5, 0.99)
"""Bounds of the share of days on which a person plays."""
_EVENING: Final = timedelta(hours=17), timedelta(hours=24)
"""When people begin, since midnight of their time zone."""
_LEVELS: Final = ("random", "casual", "sharp")
_NO_RUN: Final = MasterRun(False, 0, 0, 0, 0.0)


class MonthError(AssertionError):
    """Raised for an answer that differs from the model."""


@dataclass
class Try:
    """A try as the model has it."""

    player: Player
    code: str
    finished: datetime | None = None
    row: MatchRow | None = None


@dataclass
class Counts:
    """What has happened."""

    tries: int = 0
    results: int = 0
    late: int = 0
    postponed: int = 0
    outages_over_midnight: int = 0
    longest_streak: int = 0
    checks: int = 0


@dataclass
class Month:
    """Days of daily deals that can be run once."""

    seed: int
    days: int
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        self._rng = random.Random(f"{self.seed}/daily")
        self._now = _FIRST_DAY
        self._events: list[tuple[datetime, int, Callable[[], Awaitable[None]]]] = []
        self._numbers = count()
        self._people = [Player(f"p-{n}", f"Player {n}", "en") for n in range(_PEOPLE)]
        self._tries: dict[tuple[str, str], dict[str, Try]] = {}
        self._outages = [*self._draw_outages()]
        self._workers: list[httpx.AsyncClient] = []

    def run(self) -> Counts:
        """Run all days; raise a MonthError at the first wrong answer."""
        with tempfile.TemporaryDirectory(prefix="lastcard-daily-") as folder, ExitStack() as stack:
            self._store = stack.enter_context(closing(Store.open(f"sqlite:///{Path(folder)}/tables.db")))
            stack.enter_context(self._replaced_sources())
            asyncio.run(self._run())
        return self.counts

    @contextmanager
    def _replaced_sources(self) -> Iterator[None]:
        """Give the server virtual days and seeded secrets, and log nothing."""
        before = structlog.get_config()
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
        with (
            patch.object(daily_deal, "today", self._today),
            patch.object(daily_deals, "new_seed", lambda: self._rng.randbytes(32)),
            patch.object(daily_deals, "run_master", lambda match: _NO_RUN),
        ):
            try:
                yield
            finally:
                structlog.configure(**before)

    def _today(self) -> str:
        return self._now.date().isoformat()

    # --- plans --------------------------------------------------------------------------------------------

    def _draw_outages(self) -> Iterator[tuple[datetime, datetime]]:
        """Yield some hours in which no worker answers, every third time over midnight."""
        for day in range(self.days):
            kind = self._rng.random()
            if kind < 0.3:
                hours = self._rng.uniform(23, 24) if kind < 0.15 else self._rng.uniform(0, 21)
                start = _FIRST_DAY + timedelta(days=day, hours=hours)
                yield start, start + timedelta(hours=self._rng.uniform(1.1, 2))

    def _at(self, when: datetime, event: Callable[[], Awaitable[None]]) -> None:
        heappush(self._events, (when, next(self._numbers), event))

    async def _run(self) -> None:
        for player in self._people:
            await self._store.create_player(player, hash_token(player.id))
        self._restart()
        for start, end in self._outages:
            self.counts.outages_over_midnight += start.date() != end.date()
            self._at(end, self._answer_again)
        for n, player in enumerate(self._people):
            diligence = self._rng.uniform(*_DILIGENCE)
            for day in range(self.days):
                if self._rng.random() < diligence:
                    evening = _EVENING[0] + self._rng.random() * (_EVENING[1] - _EVENING[0])
                    start = _FIRST_DAY + timedelta(days=day) + evening - _TIME_ZONES[n % len(_TIME_ZONES)]
                    self._plan_try(start, player, self._rng.choice(GAMES))
        for day in range(1, self.days + 1):
            self._at(_FIRST_DAY + timedelta(days=day, seconds=1), self._check_day)
        while self._events:
            self._now, _, event = heappop(self._events)
            away_until = next((end for start, end in self._outages if start <= self._now < end), None)
            if away_until is None:
                await event()
            else:
                self.counts.postponed += 1
                self._at(away_until + timedelta(minutes=self._rng.uniform(0.1, 20)), event)

    def _plan_try(self, start: datetime, player: Player, game: str) -> None:
        self._at(max(start, _FIRST_DAY), lambda: self._begin(player, game))

    def _restart(self) -> None:
        """Start all workers anew: they know nothing but what the store has."""
        daily_deals._RUNS.clear()
        self._workers = [app_client(self._store) for _ in range(_WORKERS)]

    async def _answer_again(self) -> None:
        self._restart()

    # --- people -------------------------------------------------------------------------------------------

    async def _begin(self, player: Player, game: str) -> None:
        """Begin today's try, often in two tabs at once, at any workers."""
        asked = [self._ask(player, "POST", "/api/daily", {"game": game}) for _ in range(self._rng.choice((1, 2)))]
        codes = {answer["code"] for answer in await asyncio.gather(*asked)}
        tries = self._tries.setdefault((self._today(), game), {})
        known = tries.get(player.id)
        if len(codes) > 1 or (known is not None and codes != {known.code}):
            raise MonthError(f"{player.id} has several tries at {game} of {self._today()}: {codes}")
        if known is None:
            self.counts.tries += 1
            begun = tries[player.id] = Try(player, codes.pop())
            if self._rng.random() < 0.95:
                hours = self._rng.expovariate(5) + (self._rng.uniform(2, 12) if self._rng.random() < 0.3 else 0)
                self._at(self._now + timedelta(hours=hours), lambda: self._finish(begun))

    async def _finish(self, begun: Try) -> None:
        """Play a try to its end; then somebody else asks for its secrets."""
        table = await self._store.load_table(begun.code)
        if table is None:
            raise MonthError(f"the table of {begun.player.id} is lost")
        row = dealing.new_match_row(begun.code, restore_state(table.doc), f"match-{begun.code}")
        moves: list[MoveRow] = []
        finished = round(1000 * self._now.timestamp())

        def note(seat: int, move: Any, _: object) -> None:
            moves.append(MoveRow(row.id, len(moves), f"c{len(moves)}", seat, move_to_action(move), finished))

        levels = [self._rng.choice(_LEVELS), *(bot or "" for bot in row.bots[1:])]
        match = play(new_match(row), levels, seed=row.seed, on_move=note)
        begun.row = replace(row, finished=finished, winners=match.winners)
        begun.finished = self._now
        await put_log(self._store, begun.row, moves)
        self.counts.results += 1
        self.counts.late += row.daily is not None and row.daily < self._today()
        await self._check_secret(begun)

    async def _ask(self, player: Player | None, method: str, path: str, body: Any = None) -> Any:
        headers = {} if player is None else {"cookie": f"{COOKIE}={player.id}"}
        answer = await self._rng.choice(self._workers).request(method, path, json=body, headers=headers)
        if answer.status_code >= 400:
            raise MonthError(f"{path}: {answer.status_code} {answer.text}")
        return answer.json()

    # --- checks -------------------------------------------------------------------------------------------

    async def _check_secret(self, done: Try) -> None:
        """Check that nobody else finds the seed of a deal before its day is over."""
        assert done.row is not None and done.row.daily is not None
        other = self._rng.choice([None, *(each for each in self._people if each != done.player)])
        game = new_match(done.row).rules.game
        for path in (f"/api/daily/{done.row.daily}/{game}", f"/api/matches/{done.row.id}/replay"):
            found = await self._ask(other, "GET", path)
            is_shown = found["secret"] is not None
            if is_shown != (done.row.daily < self._today()):
                raise MonthError(f"{path} of {done.row.daily} {'shows' if is_shown else 'hides'} the secret")
            self.counts.checks += 1

    async def _check_day(self) -> None:
        """Check the results of the last two days, and the tries and the streak of everybody."""
        for (day, game), tries in self._tries.items():
            if day < self._today() and day >= (self._now - timedelta(days=2)).date().isoformat():
                await self._check_standings(day, game, [each for each in tries.values() if each.finished])
        for player in self._people:
            found = await self._ask(player, "GET", "/api/daily")
            own = {deal: tries[player.id] for deal, tries in self._tries.items() if player.id in tries}
            listed = {(each["day"], each["game"]): each["finished"] for each in found["tries"]}
            if listed != {deal: each.finished is not None for deal, each in own.items()}:
                raise MonthError(f"{player.id} has other tries on {self._today()}: {listed}")
            streak = model_streak({day for (day, _), each in own.items() if each.finished}, self._now)
            if found["streak"] != streak:
                raise MonthError(f"{player.id} has a streak of {found['streak']} on {self._today()}, not {streak}")
            self.counts.longest_streak = max(self.counts.longest_streak, streak)
            self.counts.checks += 1

    async def _check_standings(self, day: str, game: str, done: list[Try]) -> None:
        """Compare the results of a day with a replay of each match."""
        found = await self._ask(None, "GET", f"/api/daily/{day}/{game}")
        secret = bytes.fromhex(found["secret"])
        if commitment(secret) != found["promise"] or found["players"] != len(done):
            raise MonthError(f"{game} of {day}: {found}")
        rows = {each.row.id: each for each in done if each.row is not None}
        keys = []
        for line in found["lines"]:
            each = rows[line["match"]]
            assert each.row is not None and each.finished is not None
            moves = await self._store.read_moves(each.row.id)
            match = replay_match(each.row, moves)
            points, won = match.round.held[0], 0 in (match.winners or ())
            own, is_late = sum(move.seat == 0 for move in moves), each.finished.date().isoformat() > day
            expected = (won, points, own, is_late, secret)
            if (line["won"], line["points"], line["moves"], line["late"], each.row.secret) != expected:
                raise MonthError(f"{line} is another result: {expected}")
            keys.append((not won, points, own))
        if keys != sorted(keys) or [line["place"] for line in found["lines"]] != [1 + keys.index(key) for key in keys]:
            raise MonthError(f"{game} of {day} is in another order: {keys}")
        self.counts.checks += 1


def model_streak(days: set[str], now: datetime) -> int:
    """Return the streak of somebody who has played on some days, counted forward from the first day."""
    streak, day = 0, _FIRST_DAY.date()
    while day <= now.date():
        if day.isoformat() in days:
            streak += 1
        elif day < now.date():
            streak = 0
        day += timedelta(days=1)
    return streak

"""A store in memory, clients that record messages, and an event loop whose time passes at once."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from itertools import count
from typing import Any, TypeVar
from unittest.mock import patch

import msgspec
from websockets.frames import Frame
from websockets.protocol import CLIENT, Protocol

from lastcard.errors import StoreError
from lastcard.game.position import parse_position
from lastcard.match.round import Round
from lastcard.server.store.rows import Appended, BanRow, Complaint, Player, TableRow, now_ms
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.protocol import Hello, Refused, ServerMessage, ServerUnion
from lastcard.server.wire.worker_bus import Bus
from lastcard.session.commands import MakeMove, Number, Sit, Start
from lastcard.session.match_play import Attempt
from lastcard.session.match_rows import MatchRow, MoveRow
from lastcard.session.table_settings import Settings
from lastcard.session.turn_clock import Clock

T = TypeVar("T")


# --- time -----------------------------------------------------------------------------------------------


class _Selector(selectors.SelectSelector):
    """A selector that advances the clock of its loop instead of waiting."""

    loop: InstantLoop

    def select(self, timeout: float | None = None) -> list[Any]:
        assert timeout is not None, "everybody waits for nothing"
        self.loop.clock += timeout
        return super().select(0)


class UsualLoop(asyncio.SelectorEventLoop):
    """An event loop that leaves no coroutine behind of timers that were due while it shut down."""

    def close(self) -> None:
        while tasks := asyncio.all_tasks(self):
            for task in tasks:
                task.cancel()
            self.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        super().close()


class InstantLoop(UsualLoop):
    """An event loop in which sleeping takes no time."""

    def __init__(self) -> None:
        self.clock = 1000.0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        return self.clock


def run_usually(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in real time."""
    with asyncio.Runner(loop_factory=UsualLoop) as runner:
        return runner.run(work)


def run_instantly(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine whose sleeps take no time, with the same cards and the same speed of bots every time."""
    secrets = count(1)
    with ExitStack() as stack:
        for module in ("live_table", "table_registry"):
            stack.enter_context(patch(f"lastcard.server.table.{module}.new_secret", lambda: f"{next(secrets):064x}"))
        return stack.enter_context(asyncio.Runner(loop_factory=InstantLoop)).run(work)


class InlineExecutor(Executor):
    """An executor that runs a task while everybody waits."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(work(*args, **kwargs))
        return future


class ManualExecutor(Executor):
    """An executor that runs a task when the test calls ``run_pending``."""

    def __init__(self) -> None:
        self.pending: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.pending.append((Future(), work, args))
        return self.pending[-1][0]

    def run_pending(self) -> None:
        """Run the next task and everything that it causes."""
        while self.pending:
            done, work, args = self.pending.pop(0)
            if done.set_running_or_notify_cancel():
                done.set_result(work(*args))


# --- a store in memory ------------------------------------------------------------------------------------


class MemoryStore:
    """``Store`` in dictionaries. With ``broken`` nothing can be written."""

    def __init__(self, *, shared: bool = False) -> None:
        self.shared = shared
        self.broken = False
        self.sweep_result = 0
        self.touched_codes: list[str] = []
        """The codes of tables with people, at the time when other tables were removed."""
        self.last_saved_ms = 0
        """The time of the last save of a table; 0 for now."""
        self.tables: dict[str, TableRow] = {}
        self.matches: dict[str, MatchRow] = {}
        self.log: dict[str, list[MoveRow]] = {}
        self.admin_settings: dict[str, Any] = {}
        self.bans: list[BanRow] = []
        self.complaints: list[Complaint] = []
        self.worker_figures: dict[str, dict[str, Any]] = {}
        self.open_tables: dict[str, tuple[str, int]] = {}
        """Rules and the time of the last seat taken, by code of the table."""
        self.departures: dict[tuple[str, str], int] = {}
        """When persons have left matches, by match and person."""
        self.blocks: set[tuple[str, str]] = set()

    async def _write(self) -> None:
        await asyncio.sleep(0)
        if self.broken:
            raise StoreError("disk full")

    async def append(self, row: MoveRow) -> tuple[Appended, int]:
        await self._write()
        log = self.log.setdefault(row.match, [])
        for other in log:
            if other.command == row.command:
                return Appended.DUPLICATE, other.ply
        if row.ply != len(log):
            return Appended.TAKEN, row.ply
        log.append(row)
        return Appended.COMMITTED, row.ply

    async def read_moves(self, match: str, after: int = 0) -> list[MoveRow]:
        await asyncio.sleep(0)
        return self.log.get(match, [])[after:]

    async def read_heads(self, matches: list[str]) -> dict[str, int]:
        return {match: len(self.log.get(match, [])) for match in matches if match in self.matches}

    async def create_table(self, code: str, doc: bytes) -> bool:
        await self._write()
        self.tables.setdefault(code, TableRow(code, 1, doc, 0))
        return self.tables[code].doc is doc

    async def load_table(self, code: str) -> TableRow | None:
        await asyncio.sleep(0)
        return self.tables.get(code)

    async def save_table(self, code: str, rev: int, doc: bytes) -> int | None:
        await self._write()
        if self.tables[code].rev != rev:
            return None
        self.tables[code] = TableRow(code, rev + 1, doc, 0)
        return rev + 1

    async def create_match(self, row: MatchRow, rev: int, doc: bytes) -> int | None:
        revision = await self.save_table(row.table, rev, doc)
        if revision is not None:
            self.matches[row.id] = row
            self.open_tables.pop(row.table, None)
        return revision

    async def take_seat(self, match: str, seat: int, player: str) -> None:
        await self._write()
        self.matches[match] = self.matches[match].with_takeover(seat, player)

    async def tables_of(self, player: str) -> list[str]:
        return [code for code, row in self.tables.items() if player.encode() in row.doc]

    async def join_duplicate(self, duplicate: str, player: str, table: str) -> str:
        return table

    async def load_match(self, match: str) -> MatchRow | None:
        await asyncio.sleep(0)
        return self.matches.get(match)

    async def finish_match(self, match: str, finished: int, winners: tuple[int, ...]) -> None:
        await self._write()
        self.matches[match] = replace(self.matches[match], finished=finished, winners=winners)

    async def count_tables(self) -> tuple[int, int]:
        return len(self.tables), self.last_saved_ms or now_ms()

    async def touch_tables(self, codes: Sequence[str]) -> None:
        self.touched_codes += codes

    async def sweep(self, tables_before: int, most: int) -> int:
        return self.sweep_result

    async def count_finished(self) -> int:
        return sum(row.finished is not None for row in self.matches.values())

    async def sweep_matches(self, before: int, most: int) -> int:
        old = [row.id for row in self.matches.values() if row.finished is not None and row.finished < before][:most]
        for match in old:
            del self.matches[match]
        return len(old)

    async def list_open_tables(self, rules: str, since: int) -> list[str]:
        await asyncio.sleep(0)
        return [code for code, (name, at) in self.open_tables.items() if name == rules and at >= since]

    async def save_open_table(self, code: str, rules: str, at: int, since: int) -> None:
        await self._write()
        self.open_tables[code] = rules, at

    async def close_open_table(self, code: str) -> None:
        await self._write()
        self.open_tables.pop(code, None)

    async def save_departures(self, match: str, left: Sequence[str], back: Sequence[str], at: int) -> None:
        await self._write()
        for player in back:
            self.departures.pop((match, player), None)
        for player in left:
            self.departures.setdefault((match, player), at)

    async def list_departures(self, player: str, since: int) -> list[int]:
        return sorted((at for (_, one), at in self.departures.items() if one == player and at >= since), reverse=True)

    async def sweep_departures(self, before: int) -> None:
        self.departures = {key: at for key, at in self.departures.items() if at >= before}

    async def find_blocked(self, player: str) -> set[str]:
        await asyncio.sleep(0)
        return {other for pair in self.blocks if player in pair for other in pair} - {player}

    async def read_admin_settings(self) -> tuple[dict[str, Any], list[BanRow]]:
        return dict(self.admin_settings), list(self.bans)

    async def save_admin_settings(self, settings: dict[str, Any]) -> None:
        await self._write()
        self.admin_settings.update(settings)

    async def ban(self, row: BanRow) -> None:
        await self._write()
        self.bans.append(row)

    async def lift_ban(self, ban: str) -> bool:
        before = len(self.bans)
        self.bans = [row for row in self.bans if row.id != ban]
        return len(self.bans) < before

    async def add_complaint(self, row: Complaint) -> None:
        await self._write()
        self.complaints.append(row)

    async def sweep_moderation(self, now: int, before: int) -> None:
        self.complaints = [row for row in self.complaints if row.at >= before]

    async def list_workers(self, since: int) -> dict[str, dict[str, Any]]:
        return dict(self.worker_figures)

    async def save_worker(self, worker: str, at: int, figures: dict[str, Any], silent: int) -> None:
        self.worker_figures[worker] = figures


# --- workers ------------------------------------------------------------------------------------------


MAX_ANNOUNCEMENTS = 1000
"""Announcements of a test, beyond which workers answer each other without end."""


class LoopbackBus:
    """A bus between workers of one loop; announcements may be dropped or doubled. It ends a storm of announcements."""

    def __init__(self) -> None:
        self.members: list[tuple[object, Callable[[str, bytes], None]]] = []
        self.is_deaf = False
        self.published = 0

    def member(self) -> Any:
        """A worker's end."""
        bus = self

        class End(Bus):
            def publish(self, topic: str, data: bytes) -> None:
                bus.published += 1
                bus.is_deaf = bus.is_deaf or bus.published > MAX_ANNOUNCEMENTS
                for member, callback in bus.members:
                    if member is not self and not bus.is_deaf:
                        for _ in range(2):
                            asyncio.get_running_loop().call_soon(callback, topic, data)

            def subscribe(self, callback: Callable[[str, bytes], None]) -> None:
                bus.members.append((self, callback))

        return End()


# --- people -----------------------------------------------------------------------------------------------


_DECODER = msgspec.json.Decoder(ServerUnion)


def read_frames(frames: bytes) -> list[bytes]:
    """The texts in a server's WebSocket frames."""
    reader = Protocol(CLIENT)
    reader.receive_data(frames)
    return [bytes(event.data) for event in reader.events_received() if isinstance(event, Frame)]


class Person:
    """A browser with a person in front of it."""

    def __init__(self, name: str, language: str = "en") -> None:
        self.player = Player(f"id-{name}", name, language)
        self.language = language
        self.texts: list[bytes] = []
        self.closed: str | None = None
        self.table: LiveTable | None = None
        self._commands = 0

    @property
    def id(self) -> str:
        return self.player.id

    def send(self, text: bytes) -> None:
        self.texts.append(text)

    def write(self, frames: bytes) -> None:
        for text in read_frames(frames):
            self.send(text)

    def close(self, why: str) -> None:
        self.closed = why

    @property
    def received(self) -> list[ServerMessage]:
        """All messages of the server."""
        return [_DECODER.decode(text) for text in self.texts]

    def last(self, kind: type[T]) -> T:
        """The last message of a kind."""
        return next(message for message in reversed(self.received) if isinstance(message, kind))

    def count(self, kind: type) -> int:
        """The number of messages of a kind."""
        return sum(isinstance(message, kind) for message in self.received)

    async def join(self, table: LiveTable | None, *, tv: bool = False) -> None:
        """Join a table that a registry has found."""
        assert table is not None
        self.table = table
        await table.join(self, self.player, Hello(1, tv=tv))

    async def join_and_sit(self, table: LiveTable | None, seat: int | None = None) -> None:
        """Join a table, and ask for a seat."""
        await self.join(table)
        await self.send_command(Sit(seat))

    def disconnect(self) -> None:
        assert self.table is not None
        self.table.leave(self)

    async def send_command(self, message: Any) -> None:
        assert self.table is not None
        await self.table.handle(self, message)

    async def refusal(self, message: Any) -> str:
        """Send a command that is refused; returns the code."""
        before = self.count(Refused)
        await self.send_command(message)
        assert self.count(Refused) == before + 1
        return refusal_code(self)

    async def make_move(self, move: str, command: str | None = None) -> str:
        """Make a move; returns the id of the command."""
        assert self.table is not None and self.table.play is not None
        self._commands += 1
        command = command or f"{self.id}-{self._commands}"
        await self.send_command(MakeMove(command, self.table.play.id, move))
        return command

    async def give_number(self) -> None:
        assert self.table is not None
        await self.send_command(Number(self.table.state.promise, "ab" * 16))


class ProgramClient(Person):
    """A program that is connected to a table."""

    def __init__(self, token: str, name: str = "greedy") -> None:
        super().__init__(name)
        self.token = token

    async def enter(self, table: LiveTable) -> None:
        self.table = table
        program = table.find_program(self.token, self.player.name)
        assert program is not None
        await table.join(self, program, Hello(1, name=self.player.name))


async def make_first_move(table: LiveTable, *people: Person) -> None:
    """The person on turn, of people by seat, makes the first move, which is neither a call nor a catch."""
    assert table.play is not None
    moves = [move for move in table.play.match.round.legal() if move.verb not in ("uno", "catch")]
    await people[table.play.match.round.turn].make_move(str(moves[0]))


def refusal_code(person: Person) -> str:
    """The code of the last refusal; every language has words for it."""
    refused = person.last(Refused)
    assert refused.text and "{" not in refused.text
    return refused.code


# --- a registry -------------------------------------------------------------------------------------------


def new_registry(store: MemoryStore | None = None, bus: Any = None, **options: Any) -> TableRegistry:
    """A table registry over a store in memory."""
    url = "http://192.168.1.5:8000"
    return TableRegistry(store or MemoryStore(), bus or Bus(), public_url=url, **options)  # type: ignore[arg-type]


@asynccontextmanager
async def open_registry(store: MemoryStore | None = None, bus: Any = None) -> AsyncIterator[TableRegistry]:
    """An open table registry over a store in memory, closed at the end."""
    registry = new_registry(store, bus)
    await registry.open()
    yield registry
    await registry.close()


async def new_table(
    *people: Person, store: MemoryStore | None = None, registry: TableRegistry | None = None, **settings: Any
) -> LiveTable:
    """A table at which these people sit, the first of them its host."""
    chosen = Settings(**{"seats": max(2, len(people)), **settings})
    table = await (registry or new_registry(store)).create(people[0].player, chosen)
    for person in people:
        await person.join(table)
    for seat, person in enumerate(people):
        await person.send_command(Sit(seat))
    return table


async def playing_table(*people: Person, store: MemoryStore | None = None, **settings: Any) -> LiveTable:
    """A table at which a match has just begun."""
    table = await new_table(*people, store=store, **settings)
    await people[0].send_command(Start())
    assert table.state.phase == "playing"
    return table


async def quick_table(person: Person, store: MemoryStore | None = None, **settings: Any) -> LiveTable:
    """A table at which a person plays alone with bots, and has the turn."""
    table = await new_registry(store).create(person.player, Settings(**settings), quick=True)
    await person.join(table)
    await person.give_number()
    await wait_for_first_seat(table)
    return table


async def wait_for_first_seat(table: LiveTable) -> None:
    """Wait until seat 0 has the turn."""
    assert table.play is not None
    while table.play.match.round.turn != 0:
        await asyncio.sleep(0.1)


def set_position(table: LiveTable, *hands: str, **position: Any) -> None:
    """Replace the cards that were dealt by a position; the log does not contain it."""
    play = table.play
    assert play is not None
    fields = {"rules": str(play.match.rules), "hands": list(hands), "discard": "R7", "draw": DRAW_PILE, **position}
    play.stop()
    play.log.match.round = Round.from_position(parse_position(fields))
    play._begin_round(table.jobs.timers.now)
    set_alarms(table)


async def win_round(table: LiveTable, person: Person, *hands: str) -> None:
    """The person in seat 0 lays the last card while the others hold these hands."""
    set_position(table, "R1", *hands)
    await person.make_move("R1")


def set_alarms(table: LiveTable) -> None:
    """Set the alarms anew after a test has changed the match."""
    table.session.changed_alarms.add("match")
    table._set_alarms()


def clock_of(table: LiveTable | None) -> Clock | None:
    """The clock of the person on turn."""
    assert table is not None and table.play is not None
    return table.play.clock(table.jobs.timers.now)


async def carry_out(table: LiveTable, attempt: Attempt) -> None:
    """Make a move as the table does, also for a person."""
    assert table.play is not None
    await table._run(table.session.carry_out(table.play, attempt))


DRAW_PILE = "B1 B2 B3 B4 B5 B6 B7 B8 B9 Y1 Y2 Y3"

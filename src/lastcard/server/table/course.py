"""The course of a table: from the lobby through writing, rounds and pauses to the end of a match, and its alarms."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any, Final

import structlog

from lastcard.bots.levels import DEFAULT_LEVEL
from lastcard.errors import StoreError
from lastcard.server.game.audience import Audience
from lastcard.server.game.clock import Alarms
from lastcard.server.game.ledger import Ledger
from lastcard.server.game.play import Play
from lastcard.server.guard.logs import note_fault
from lastcard.server.seats import dealing, hosting, seating
from lastcard.server.seats.document import Denied, Document, replace
from lastcard.server.store.store import Store, TableRow
from lastcard.server.table.keeper import Edit, Keeper
from lastcard.server.table.state import table_state
from lastcard.server.wire.hints import Hints
from lastcard.server.wire.picture import TableState
from lastcard.server.wire.protocol import Dealt, Notice, Table, encode

NEXT_ROUND: Final = 15.0
"""Seconds until the next round is dealt by itself."""
WRITING: Final = 90.0
HOST_GONE: Final = 60.0
VOTE_OPEN: Final = 30.0
NUMBER_WAIT: Final = 1.5
"""Seconds a quick table waits for its host's number."""
RETRY: Final = 1.0
"""Seconds until a table tries again what the store could not do, or after a fault."""
MOST_DOUBLINGS: Final = 6
"""Of these seconds, as long as faults go on."""
_ON_THE_TABLE: Final = ("playing", "between", "over")
_LOG: Final = structlog.get_logger()


class Course(Keeper):
    """A table without its commands: what becomes of it by itself. One thing at a time, under ``lock``.

    Args:
        store: where document and log are.
        row: the table as it was loaded.
        hints: to the other workers.
        join_url: the address to join at.
    """

    def __init__(self, store: Store, row: TableRow, hints: Hints, join_url: str) -> None:
        super().__init__(store, row)
        self.join_url = join_url
        self.play: Play | None = None
        self.audience = Audience()
        self.hints = hints
        self.lock = asyncio.Lock()
        self.standins: set[str] = set()
        """Ids of persons for whom a bot plays because they do not."""
        self.alarms = Alarms(lambda: self.spawn(self._ring()))
        self._tasks: set[asyncio.Task[None]] = set()
        self._faults = 0

    async def open(self) -> None:
        """Take up where the store says the table is."""
        async with self.lock:
            self.alarms.stop()
            await self.adopt(self.document, self.revision, None)
            await self._settle()

    async def close(self, why: str) -> None:
        """Send everybody away, once what is being done is done."""
        async with self.lock:
            self.alarms.close()
            if self.play is not None:
                self.play.stop()
            self.audience.send_away(why)

    def state(self) -> TableState:
        """What everybody may know about the table."""
        left = None if self.alarms.stopped else self.alarms.left("next")
        return table_state(
            self.code,
            self.document,
            here=self.audience.here,
            standins=self.standins | self.audience.idle_elsewhere,
            programs=self.audience.programs,
            next_in=None if left is None else round(1000 * left),
            join_url=self.join_url,
        )

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something soon; it must not be lost."""
        task = asyncio.get_running_loop().create_task(self.trying(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def look(self, *, document: bool) -> None:
        """Other workers may have been at it: read the log on, and the document too where that is wanted."""
        async with self.lock:
            await self.trying(self._look(document))

    async def trying(self, work: Awaitable[None]) -> None:
        """Do what no person has asked for: what goes wrong is tried again, what is denied is not due."""
        try:
            await work
        except StoreError:
            self.retry_soon()
        except Denied as error:
            if error.code == "gone":
                self.alarms.close()
                self.audience.send_away("gone")
        except Exception as error:
            note_fault(error, "table")
            self.retry_later()

    def retry_soon(self) -> None:
        """Look again in a moment."""
        self.alarms.set("retry", self.alarms.now + RETRY)

    def retry_later(self) -> None:
        """Look again after a fault, later each time until something is saved or played."""
        self.alarms.set("retry", self.alarms.now + RETRY * 2**self._faults)
        self._faults = min(self._faults + 1, MOST_DOUBLINGS)

    async def _look(self, document: bool) -> None:
        if document:
            await self.reload()
        if self.play is not None:
            await self.play.catch_up()
        await self.advance()

    # --- the document ---------------------------------------------------------------------------------

    async def adopt(self, document: Document, revision: int, by: str | None) -> None:
        """See ``Keeper``: the match on the table follows the document."""
        wanted = document.match if document.phase in _ON_THE_TABLE else None
        now_on = None if self.play is None else self.play.id
        ledger = await self._ledger(wanted) if wanted is not None and wanted != now_on else None
        if document.in_match and wanted != now_on and ledger is None:
            raise Denied("gone")
        before, self.document, self.revision = self.document, document, revision
        if self.play is not None and wanted != now_on:
            self.play.stop()
            self.play = None
        if ledger is not None:
            self.play = Play(ledger, document.settings, self.alarms, self.audience, self._moved)
        self._tell_unseated(before, by)
        self.audience.dismiss_programs(document)
        self.arrange()
        self.tell()
        if ledger is not None and self.play is not None:
            self.play.tell_dealt(self.play.match.round.events())

    def saved(self) -> None:
        """See ``Keeper``."""
        self._faults = 0
        self.hints.saved(self.code, self.revision)

    def _moved(self, match: str, ply: int) -> None:
        self._faults = 0
        self.hints.moved(self.code, match, ply)

    async def _ledger(self, match: str) -> Ledger | None:
        """A match with its moves; None where its players have deleted it."""
        row = await self.store.load_match(match)
        return None if row is None else Ledger(self.store, row, await self.store.moves(match))

    def tell(self) -> None:
        """Tell everybody how the table stands."""
        self.audience.tell(Table(self.state()))

    def _tell_unseated(self, before: Document, by: str | None) -> None:
        """Whoever has lost the seat without leaving it is told so."""
        for place in before.seats:
            player = None if place is None else place.player
            if player is None or player == by:
                continue
            if before.playing_seat(player) is not None and self.document.playing_seat(player) is None:
                self.audience.tell_player(player, Notice("kicked"))

    def arrange(self) -> None:
        """Document or presence have changed: who looks from where, who plays, what is due when."""
        moved = self.audience.arrange(self.document)
        if self.audience.here and not self.document.paused:
            self.alarms.go()
        else:
            self.alarms.stop()
        self._keep_alarms()
        if self.play is None:
            return
        self.play.arrange(*self._staff())
        for peer, seat in moved:
            peer.send(encode(Dealt(self.play.game(seat), ())))

    def _staff(self) -> tuple[dict[int, str], dict[int, float]]:
        """The levels of seats that bots play, and since when persons in other seats are not connected."""
        levels: dict[int, str] = {}
        standins = self.standins | self.audience.idle_elsewhere
        programs = self.audience.programs - standins
        persons: dict[str, int] = {}
        for seat, place in enumerate(self.document.seats):
            if place is not None and place.bot is not None:
                if place.program not in programs:
                    levels[seat] = place.bot
            elif place is not None and (place.away is not None or place.player in standins):
                levels[seat] = DEFAULT_LEVEL
            elif place is not None and place.player is not None:
                persons[place.player] = seat
        missing = self.audience.missing(persons, self.alarms.now)
        return levels, {persons[player]: since for player, since in missing.items()}

    # --- from phase to phase --------------------------------------------------------------------------

    async def advance(self) -> None:
        """Do whatever the table is ripe for."""
        await self._settle()
        table, here = self.document, self.audience.here.keys()
        if table.paused or not here:
            return
        if table.phase == "writing" and dealing.all_written(table, here):
            await self._deal_written()
        elif table.phase == "between" and dealing.all_ready(table, here):
            await self._next_round()
        elif table.quick and table.host.id in table.numbers:
            await self._start_quick()

    async def start(self, check: Edit, level: str) -> None:
        """Start a match, or the writing of rule cards before it.

        Args:
            check: raises ``Denied`` where that is out of place.
            level: of the bots that fill free seats.
        """
        here = self.audience.here
        if dealing.writes(self.document):
            await self.change(lambda table: dealing.begin(check(table), level, here))
        else:
            await self._deal(lambda table: dealing.begin(check(table), level, here))

    async def _start_quick(self) -> None:
        await self.start(lambda table: _only(table, table.quick), hosting.QUICK_LEVEL)

    async def _deal_written(self) -> None:
        """Whoever has left meanwhile is a bot now."""
        here = self.audience.here
        await self._deal(lambda table: seating.fill(_only(table, table.phase == "writing"), table.level, here))

    async def _deal(self, arrange: Edit) -> None:
        """Put a match into the store and on the table; where another worker was first, look again."""
        while True:
            draft = arrange(self.document)
            row = dealing.match_row(self.code, draft)
            if await self.save(dealing.dealt(draft, row.id), match=row):
                bots = sum(bot is not None for bot in row.bots)
                _LOG.info("match started", rules=row.rules, seats=len(row.bots), bots=bots)
                return

    async def _next_round(self) -> None:
        if self.play is not None:
            await self.play.ledger.seat_heirs(self.document.players)
            await self.play.deal_next()
            await self._settle()

    async def _settle(self) -> None:
        """Bring the document in step with the log, which may be ahead by the end of a round or the deal of the next."""
        while (play := self.play) is not None:
            table, match = self.document, play.match
            if table.phase == "playing" and play.round_over:
                await self._end_round(play)
            elif table.in_match and match.number > table.round:
                await self.change(partial(dealing.next_round, number=match.number))
            if self.document is table:
                return

    async def _end_round(self, play: Play) -> None:
        match, here = play.match, self.audience.here
        if match.winners is None:
            await self.change(partial(dealing.end_round, number=match.number, here=here))
        else:
            await self.store.finish_match(play.id, dealing.now_ms(), match.winners)
            if await self.change(partial(dealing.end_match, match=play.id, winners=match.winners, here=here)):
                seconds = (dealing.now_ms() - play.ledger.row.started) // 1000
                _LOG.info("match finished", plies=play.ledger.ply, seconds=seconds)

    # --- alarms ---------------------------------------------------------------------------------------

    def _keep_alarms(self) -> None:
        """Set the alarms that follow from document and presence, and forget others."""
        table, here, keep = self.document, self.audience.here, self.alarms.keep
        keep("next", table.phase == "between", NEXT_ROUND)
        keep("write", table.phase == "writing" and table.settings.pace != "untimed", WRITING)
        keep("vote", table.vote is not None, VOTE_OPEN)
        keep("host", bool(here) and table.host.id not in here, HOST_GONE)
        keep("number", table.quick and table.host.id in here, NUMBER_WAIT)

    async def _ring(self) -> None:
        async with self.lock:
            if self.alarms.stopped:
                return
            for name in self.alarms.due():
                await self.trying(self._ON_ALARM[name](self))
            await self.trying(self.advance())

    async def _stand_in(self) -> None:
        """The time of a person is up: a bot plays for him until he does something.

        Each worker watches over its own persons, and over those who are connected to none.
        """
        player = self._waits_for()
        if player is None or (player in self.audience.here and player not in self.audience.local):
            return
        self.standins.add(player)
        self.audience.tell_player(player, Notice("standin"))
        self.say_who_is_here()
        self.arrange()
        self.tell()

    async def _warn(self) -> None:
        player, left = self._waits_for(), self.alarms.left("turn")
        if player is not None and left is not None:
            self.audience.tell_player(player, Notice("idle", round(1000 * left)))

    def _waits_for(self) -> str | None:
        """The id of the person, or the program, on turn."""
        seat = None if self.play is None else self.play.waits_for
        place = None if seat is None else self.document.seats[seat]
        return None if place is None else place.player or place.program

    def take_back(self, player: str) -> bool:
        """A person plays for himself again.

        Returns:
            Whether a bot did before.
        """
        if player not in self.standins:
            return False
        self.standins.discard(player)
        seat = self.document.playing_seat(player)
        if self.play is not None and seat is not None:
            self.play.welcome_back(seat)
        return True

    def say_who_is_here(self) -> None:
        """Tell other workers who is connected to this one, and for whom of them a bot plays."""
        local, programs = self.audience.local, self.audience.own_programs
        idle = [player for player in (*local, *programs) if player in self.standins]
        self.hints.here(self.code, local, idle, programs)

    async def _fly(self) -> None:
        if self.play is not None:
            await self.play.fly()

    async def _catch(self) -> None:
        if self.play is not None:
            await self.play.settle_catches()

    async def _pass_host(self) -> None:
        here = self.audience.here
        await self.change(lambda table: hosting.pass_host(table, here) if table.host.id not in here else table)

    async def _end_vote(self) -> None:
        await self.change(lambda table: replace(table, vote=None))

    async def _retry(self) -> None:
        await self._look(document=True)
        self.arrange()

    _ON_ALARM: Final[dict[str, Callable[[Course], Awaitable[None]]]] = {
        "turn": _stand_in,
        "idle": _warn,
        "bot": _fly,
        "catch": _catch,
        "next": _next_round,
        "write": _deal_written,
        "host": _pass_host,
        "vote": _end_vote,
        "number": _start_quick,
        "retry": _retry,
    }


def _only(table: Document, wanted: bool) -> Document:
    """The table, where it is still as it should be.

    Raises:
        Denied: where another worker has seen to it already.
    """
    if not wanted:
        raise Denied("not-now")
    return table

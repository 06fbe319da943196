"""A table and its match as one state machine without I/O.

Inputs are commands of people (``apply``), alarms (``ring``), who is connected (``update_people``), and what the store
has saved (``adopt``, ``follow``). Each input comes with the table time in seconds, which stops during a pause. A change
returns the steps that must be saved before it counts (``lastcard.session.steps``). After each input the caller informs
people (``take_effects``) and sets alarms (``take_alarms``).

A table is stored as its ``TableState`` and the log of its match, and restored from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from lastcard.errors import IllegalMove
from lastcard.game.moves import Move, move_to_action
from lastcard.session import commands, dealing, hosting, open_table, seating, voting
from lastcard.session.day_pace import Outages
from lastcard.session.match_log import MatchLog
from lastcard.session.match_play import ALARMS, Attempt, MatchPlay, read_move
from lastcard.session.match_rows import NEXT_ROUND, MoveRow
from lastcard.session.steps import AddTakeover, AppendRow, SaveState, Steps
from lastcard.session.table_bots import Thinker
from lastcard.session.table_effects import BotSubstituted, Effect, StateAdopted, TimeRunningOut
from lastcard.session.table_people import People
from lastcard.session.table_state import CommandError, Person, SeatedProgram, TableState, replace
from lastcard.session.turn_clock import TurnClock, pace_of

NEXT_ROUND_S: Final = 15.0
"""Seconds until the next round is dealt automatically."""
WRITING_S: Final = 90.0
"""Seconds until missing rule cards are filled in and the match begins."""
HOST_ABSENT_S: Final = 60.0
VOTE_S: Final = 30.0
NUMBER_WAIT_S: Final = 1.5
"""Seconds for which a quick table waits for its host's number."""
_MATCH_PHASES: Final = ("playing", "between", "over")

_CALL: Final = Move("uno")
_CALL_COMMAND_PREFIX: Final = "auto:"
"""Prefix of command ids of the calls that a table by the day makes."""

Edit = Callable[[TableState], TableState]
"""Returns the new table state, or raises ``CommandError``."""


class Sources(NamedTuple):
    """What a session cannot make itself: match ids, secrets in hex, and what thinks for bots, by a match's seed.

    ``outages`` returns when the server was down, for tables by the day.
    """

    new_id: Callable[[], str]
    new_secret: Callable[[], str]
    make_thinker: Callable[[bytes], Thinker]
    outages: Outages = tuple


class Session:
    """A table with its people and its match. The caller runs each change to its end before the next begins.

    Args:
        state: the table state as stored; ``adopt`` it with the log of its match.
        people: the people at the table; the caller updates them.
    """

    def __init__(self, code: str, state: TableState, people: People, sources: Sources) -> None:
        self.code = code
        self.state = state
        self.people = people
        self.play: MatchPlay | None = None
        """The current match, or the last one if it is over."""
        self.draining = False
        """Whether no match may begin, because the server is about to stop."""
        self._sources = sources
        self._now = 0.0
        """The table time of the last input."""
        self.effects: list[Effect] = []
        """What has happened since ``take_effects``."""
        self._table_alarms: dict[str, float | None] = {}
        self.changed_alarms: set[str] = set()
        """Which alarms may have changed since ``take_alarms``: ``table``, ``match`` or ``catch``, held moves alone. One
        that rings in vain is not set again until then.
        """

    # --- what the store has saved -----------------------------------------------------------------------

    def missing_match(self, state: TableState) -> str | None:
        """Return the id of the match whose log ``adopt`` needs with a state; None if it needs none."""
        match = _match_of(state)
        return None if self.play is not None and match == self.play.id else match

    def adopt(self, state: TableState, log: MatchLog | None, now: float, by: str | None = None) -> None:
        """Take over a saved table state, with the log of ``missing_match`` and the person who caused the change."""
        before, self.state = self.state, state
        if state.is_by_day:
            self.people.standins.difference_update(state.playing_persons)
            self.people.standins.update(state.idle)
        if self.play is not None and self.play.id != _match_of(state):
            self.drop_match()
        if log is not None:
            thinker = self._sources.make_thinker(log.row.seed)
            clock = self._make_clock(state, log, now)
            self.play = MatchPlay(log, state.settings, thinker, clock, self.effects)
        elif self.play is not None:
            self.play.apply_settings(state.settings, state.spent_in(self.play.match.number), now)
        self.effects.append(StateAdopted(() if before.seats == state.seats else _unseated(before, state, by)))
        self.update_people(now)
        if log is not None and self.play is not None:
            self.play.announce_deal()

    def _make_clock(self, state: TableState, log: MatchLog, now: float) -> TurnClock:
        """Return the clock of a match that is restored or begins; by the day it has run since the last move."""
        pace = pace_of(state.settings, self._sources.outages)
        since = now if pace.calendar is None else max(log.moved / 1000, state.resumed)
        return TurnClock(pace, len(state.seats), since, state.spent_in(log.match.number))

    def follow(self, row: MoveRow, now: float) -> None:
        """Apply a saved row to the match."""
        assert self.play is not None
        self._now = now
        self.changed_alarms.add("match")
        self.play.follow(row, now)

    def drop_match(self) -> None:
        """Remove the match from the table and free it at once, because the garbage collector runs rarely."""
        if self.play is not None:
            self.play.stop()
            self.play = None
            self.changed_alarms.add("match")

    # --- commands ---------------------------------------------------------------------------------------

    def apply(self, person: Person, command: commands.Command, now: float) -> Steps[int | None]:
        """Carry out a command of a person or program.

        Returns:
            For a take-back, or a move that was made before, the number of rows of the log after it. None if a move
            itself is the answer, now or later (CO-15), and for all other commands.

        Raises:
            CommandError: if it is refused; nothing has changed.
        """
        self._now = now
        match command:
            case commands.MakeMove(id, match, move):
                return (yield from self._attempt(person, id, match, move))
            case commands.TakeBack(id, match):
                return (yield from self._attempt(person, id, match, None))
            case commands.Start(level):
                yield from self._start(lambda table: hosting.check_start(table, person.id, level), level)
            case _:
                here = self.people.here
                yield from self.change(
                    lambda table: voting.recount(commands.apply_command(table, person, command, here), here.keys()),
                    by=person.id,
                )
        return None

    def change(self, edit: Edit, *, by: str | None = None, winners: Sequence[int] | None = None) -> Steps[bool]:
        """Change the table state, anew if another worker was first; return whether anything changed."""
        while (draft := self._note_idle(edit(self.state))) != self.state:
            if dealing.needs_new_secret(self.state, draft):
                draft = dealing.renew_secret(draft, self._sources.new_secret())
            if (yield SaveState(draft, by, winners=winners)):
                return True
        return False

    def _note_idle(self, table: TableState) -> TableState:
        """Return a table by the day with the persons for whom a bot plays, and the time if one of them is back."""
        if not table.is_by_day:
            return table
        idle = tuple(sorted(self.people.standins.intersection(table.playing_persons)))
        is_back = any(player not in idle for player in table.idle)
        return replace(table, idle=idle, resumed=self._now) if is_back else replace(table, idle=idle)

    def recount(self, person: Person | None, now: float) -> Steps[None]:
        """Follow who came or was renamed, or (None) left: names, votes, and whether the table can go on."""
        here = self.people.here.keys()
        yield from self.change(
            lambda table: voting.recount(table if person is None else seating.rename(table, person), here)
        )
        yield from self.advance(now)

    def own_match(self, person: Person) -> tuple[MatchPlay, int]:
        """Return the match that a person plays, and their seat.

        Raises:
            CommandError: if they play none.
        """
        seat = self.state.require_seat(person.id)
        if self.play is None:
            raise CommandError("stale")
        return self.play, seat

    def check_hint(self, person: Person) -> tuple[MatchPlay, int]:
        """Return what ``own_match`` does, but refuse a hint that would be unfair or useless.

        A program gets no hint, but always what its seat knows, to decide by.

        Raises:
            CommandError: if the hint is refused.
        """
        play, seat = self.own_match(person)
        if not self.state.allows_hints and not isinstance(person, SeatedProgram):
            raise CommandError("no-hints")
        if self.state.paused:
            raise CommandError("paused")
        if play.round_over or play.match.round.turn != seat:
            raise CommandError("not-your-turn")
        return play, seat

    def _attempt(self, person: Person, command: str, match: str, move: str | None) -> Steps[int | None]:
        """Make a move of the person's own seat, or (None) take their last one back."""
        play, seat = self.own_match(person)
        parsed = None if move is None else read_move(move)
        if move is None and not self.state.allows_take_backs:
            raise CommandError("no-take-backs")
        if match != play.id:
            raise CommandError("stale")
        if self.state.paused:
            raise CommandError("paused")
        return (yield from self.carry_out(play, Attempt(command, seat, parsed)))

    def carry_out(self, play: MatchPlay, attempt: Attempt) -> Steps[int | None]:
        """Get a row into the log once, however often its command is sent; returns what ``apply`` does."""
        is_answered = False
        while (step := play.propose(attempt, self._now)) is not None:
            if isinstance(step, int):
                return None if is_answered else step
            yield AppendRow(step.command, step.seat, step.action)
            is_answered = is_answered or (step.command == attempt.command and attempt.move is not None)
        self.changed_alarms.add("catch")
        return None

    def welcome_back(self, player: str, now: float) -> bool:
        """End a bot's play for a person who acts again; return whether a bot was playing."""
        self._now = now
        if player not in self.people.standins:
            return False
        self.people.standins.discard(player)
        seat = self.state.playing_seat(player)
        if self.play is not None and seat is not None:
            self.play.welcome_back(seat, now)
        return True

    # --- from phase to phase ----------------------------------------------------------------------------

    def advance(self, now: float) -> Steps[None]:
        """Advance the table as far as it can go by itself."""
        self._now = now
        yield from self._follow_log()
        if self.play is not None and self.play.time_unsaved:
            play = self.play
            yield from self.change(partial(dealing.record_bank_use, number=play.match.number, spent=play.spent))
            play.time_unsaved = False
        if self.state.is_by_day:
            yield from self._call_for_all()
            yield from self.change(lambda table: table)  # saves who is idle
        table, here = self.state, self.people.here.keys()
        if table.paused or not (here or table.goes_on_alone):
            return
        if table.phase == "writing" and dealing.all_written(table, here):
            yield from self._deal_written()
        elif table.phase == "between" and dealing.all_ready(table, here):
            yield from self._next_round()
        elif self.draining:
            return
        elif table.phase == "over" and dealing.all_ready(table, here | self.readers.keys()):
            yield from self._next_deal()
        elif table.quick and (table.daily or table.host.id in table.numbers):
            yield from self._start_quick()

    def _call_for_all(self) -> Steps[None]:
        """Call UNO for everybody who owes it: by the day, nobody waits beside the table to call or to catch."""
        while self.play is not None and self.play.public_state.exposed:
            play, seat = self.play, min(self.play.public_state.exposed)
            yield AppendRow(f"{_CALL_COMMAND_PREFIX}{play.log.ply}", seat, move_to_action(_CALL))

    def _start(self, check: Edit, level: str) -> Steps[None]:
        """Start a match with bots of a level, or the writing of rule cards before it, unless ``check`` refuses it."""
        if self.draining:
            raise CommandError("draining")
        here = self.people.here
        if dealing.count_cards_to_write(self.state):
            yield from self.change(lambda table: dealing.begin_match(check(table), level, here))
        else:
            yield from self._deal(lambda table: dealing.begin_match(check(table), level, here))

    def _start_quick(self) -> Steps[None]:
        yield from self._start(lambda table: _require(table, table.quick), hosting.QUICK_LEVEL)

    def start_duplicate(self, now: float) -> Steps[None]:
        """Start the first deal of a duplicate match, unless the table has begun."""
        self._now = now
        if self.state.phase == "lobby":
            yield from self._start(lambda table: _require(table, table.phase == "lobby"), self.state.level)

    def _next_deal(self) -> Steps[None]:
        yield from self._start(lambda table: _require(table, table.phase == "over"), self.state.level)

    def _deal_written(self) -> Steps[None]:
        """Deal the match after writing; seats of persons who have left go to bots."""
        here = self.people.here
        yield from self._deal(
            lambda table: seating.fill_seats(_require(table, table.phase == "writing"), table.level, here)
        )

    def _deal(self, arrange: Edit) -> Steps[None]:
        """Create a match in the store and at the table; if another worker was first, repeat it on its result."""
        while True:
            draft = self._note_idle(arrange(self.state))
            row = dealing.new_match_row(self.code, draft, self._sources.new_id())
            dealt = dealing.mark_dealt(draft, row.id, self._sources.new_secret())
            if (yield SaveState(dealt, match=row)):
                return

    def _next_round(self) -> Steps[None]:
        play = self.play
        if play is None:
            return
        for seat, player in play.log.new_takeovers(self.state.players):
            yield AddTakeover(seat, player)
        number = play.match.number
        while play.match.number == number and play.match.round.over and not play.match.over:
            yield AppendRow(f"deal:{play.log.ply}", NEXT_ROUND, NEXT_ROUND)
        yield from self._follow_log()

    def _follow_log(self) -> Steps[None]:
        """Follow the log with the table state; it may already have the end of a round or the next deal."""
        while (play := self.play) is not None:
            table, number = self.state, play.match.number
            if table.phase == "playing" and play.round_over:
                yield from self._end_round(play)
            elif table.in_match and number > table.round:
                yield from self.change(partial(dealing.next_round, number=number))
            if self.state is table:
                return

    def _end_round(self, play: MatchPlay) -> Steps[None]:
        match, here = play.match, self.people.here
        if match.winners is None:
            yield from self.change(partial(dealing.end_round, number=match.number, here=here))
            return
        is_lesson = match.position is not None
        end = partial(dealing.end_match, match=play.id, winners=match.winners, here=here, lesson=is_lesson)
        yield from self.change(end, winners=match.winners)

    # --- people and time --------------------------------------------------------------------------------

    @property
    def is_time_running(self) -> bool:
        """Whether table time runs: somebody is connected or the table goes on alone, and it is not paused."""
        return (bool(self.people.here) or self.state.goes_on_alone) and not self.state.paused

    @property
    def _is_host_lost(self) -> bool:
        """Whether somebody else should be host soon: the host is disconnected, and by the day also late with a move."""
        table = self.state
        if table.is_open or table.host.id in self.people.here:
            return False
        return not table.is_by_day or table.host.id in table.idle

    @property
    def readers(self) -> dict[str, float]:
        """Until when the table waits for disconnected persons who may be reading the report, by id."""
        return self.people.find_readers(self.state, self._now)

    def update_people(self, now: float) -> None:
        """Follow a change of ``people``."""
        self._now = now
        self.changed_alarms |= {"table", "match"}
        table, here = self.state, self.people.here
        awaits_people = table.phase == "between" or (table.phase == "writing" and table.settings.pace != "untimed")
        # A single person delays nobody. If no person plays, spectators must not wait without end.
        hurried = awaits_people and dealing.count_playing(table, here.keys()) != 1
        between = table.phase == "between"
        gathered = dealing.count_playing(table, here.keys()) if table.is_gathering else 0
        delays = {
            "next": NEXT_ROUND_S if table.has_next_deal or (between and (hurried or table.goes_on_alone)) else None,
            "write": WRITING_S if hurried and table.phase == "writing" else None,
            "vote": VOTE_S if table.vote is not None else None,
            "host": HOST_ABSENT_S if here and self._is_host_lost else None,
            "number": NUMBER_WAIT_S if table.quick and table.host.id in here else None,
            "gather": open_table.GATHER_S if gathered else None,
            "full": open_table.FULL_S if gathered == len(table.seats) else None,
        }
        for name, delay in delays.items():
            if delay is None:
                self._table_alarms[name] = None
            elif self._table_alarms.get(name) is None:
                self._table_alarms[name] = now + delay
        self._table_alarms["reading"] = min(self.readers.values(), default=None)
        if self.play is not None:
            self.play.levels, self.play.absent_since = self.people.find_players(table, now)

    def ring(self, alarm: str, now: float) -> Steps[None]:
        """Carry out what an alarm is for."""
        self._now = now
        if alarm in self._table_alarms:
            self._table_alarms[alarm] = None
            yield from self._ring_table_alarm(alarm)
            self.update_people(self._now)
        elif self.play is not None:
            yield from self._ring_match_alarm(self.play, alarm)

    def _ring_table_alarm(self, alarm: str) -> Steps[None]:
        here = self.people.here
        match alarm:
            case "next":
                yield from self._next_deal() if self.state.has_next_deal else self._next_round()
            case "write":
                yield from self._deal_written()
            case "vote":
                yield from self.change(lambda table: replace(table, vote=None))
            case "host":
                yield from self.change(lambda table: table if table.host.id in here else hosting.pass_host(table, here))
            case "number":
                yield from self._start_quick()
            case "gather" | "full" if not self.draining:
                check = partial(open_table.check_gathering, here=here.keys())
                yield from self._start(check, hosting.QUICK_LEVEL)
            case "reading":  # nothing is saved, but the table waits for fewer people
                self.effects.append(StateAdopted())

    def _ring_match_alarm(self, play: MatchPlay, alarm: str) -> Steps[None]:
        player = self._awaited_player()
        match alarm:
            case "bot":
                yield from self._move_bot(play)
            case "catch":
                while (attempt := play.propose_held(self._now)) is not None:
                    yield AppendRow(attempt.command, attempt.seat, attempt.action)
                self.changed_alarms.add("catch")
            case "turn" if player is not None and player not in self.people.elsewhere | self.people.standins:
                self.people.standins.add(player)
                self.effects.append(BotSubstituted(player))
                self.update_people(self._now)
            case "bank" if player is not None and player not in self.people.elsewhere:
                play.draw_bank(self._now)  # at intervals, because a server may be killed
                self.changed_alarms.add("match")
            case "idle" if player is not None and play.turn_end is not None:
                left_ms = round(1000 * max(0.0, play.turn_end - self._now))
                self.effects.append(TimeRunningOut(player, left_ms))

    def _awaited_player(self) -> str | None:
        """Return the id of the person or program on turn."""
        seat = None if self.play is None else self.play.awaited_seat
        occupant = None if seat is None else self.state.seats[seat]
        return None if occupant is None else occupant.player or occupant.program

    def _move_bot(self, play: MatchPlay) -> Steps[None]:
        attempt, ply = play.bot_attempt(), play.log.ply
        if attempt is None:
            self.changed_alarms.add("match")
            return
        try:
            yield from self.carry_out(play, attempt)
        except CommandError as error:
            if isinstance(error.__cause__, IllegalMove) and ply == play.log.ply:
                raise error.__cause__ from None  # only a bot that breaks the rules is broken; held moves may come first

    def take_effects(self) -> list[Effect]:
        """Remove and return what has happened since the last call."""
        effects = self.effects.copy()
        self.effects.clear()
        return effects

    def take_alarms(self) -> dict[str, float | None]:
        """Return the table times of alarms that may have changed since the last call; None for those not needed."""
        alarms = dict(self._table_alarms) if "table" in self.changed_alarms else {}
        if "match" in self.changed_alarms:
            alarms |= dict.fromkeys(ALARMS) if self.play is None else self.play.alarms(self._now)
        elif "catch" in self.changed_alarms and self.play is not None:  # the plan of the bots stays
            alarms["catch"] = self.play.race.first()
        self.changed_alarms.clear()
        return alarms


def _match_of(state: TableState) -> str | None:
    """Return the id of the match that belongs on the table."""
    return state.match if state.phase in _MATCH_PHASES else None


def _unseated(before: TableState, after: TableState, by: str | None) -> tuple[str, ...]:
    """Return the ids of persons whom somebody else has sent from the seat they play."""
    seated = [player for player in before.players if player is not None and before.playing_seat(player) is not None]
    return tuple(player for player in seated if player != by and after.playing_seat(player) is None)


def _require(table: TableState, wanted: bool) -> TableState:
    """Return the table if it still meets a condition.

    Raises:
        CommandError: if another worker has already changed it.
    """
    if not wanted:
        raise CommandError("not-now")
    return table

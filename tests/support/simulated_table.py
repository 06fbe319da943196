"""Tables without I/O: sessions of one table over a store in memory, in virtual time."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random
from typing import Any, Final, NoReturn, TypeVar

from lastcard.session.commands import Command, MakeMove
from lastcard.session.hosting import new_table
from lastcard.session.match_log import MatchLog
from lastcard.session.match_rows import MatchRow, MoveRow
from lastcard.session.steps import AddTakeover, AppendRow, SaveState, Step, Steps
from lastcard.session.table_people import People
from lastcard.session.table_session import Session, Sources
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import Person, TableState, read_table_state, write_table_state

T = TypeVar("T")
ADA, BOB, CLEO = (Person(name.lower(), name) for name in ("Ada", "Bob", "Cleo"))
STEP_S: Final = 0.2
"""Virtual seconds between two looks at a table."""


class NoThinker:
    """A thinker at tables whose bots do not search."""

    def choice(self, *args: Any) -> NoReturn:
        raise AssertionError("no bot searches")

    reaction = choice

    def forget(self) -> None:
        """Drop nothing."""


class SimulatedStore:
    """What is saved of one table: its state with a revision, and the logs of its matches."""

    def __init__(self, settings: Settings) -> None:
        self._ids = count(1)
        self.sources = Sources(
            lambda: f"match-{next(self._ids)}", lambda: f"{next(self._ids):064x}", lambda seed: NoThinker()
        )
        self.document = write_table_state(new_table(ADA, settings, self.sources.new_secret()))
        self.revision = 0
        self.matches: dict[str, MatchRow] = {}
        self.logs: dict[str, list[MoveRow]] = {}

    def state(self) -> TableState:
        return read_table_state(self.document)


class SimulatedTable:
    """One worker's session of the table, with its alarms and the connected persons; workers may share the store."""

    def __init__(self, store: SimulatedStore, *people: Person) -> None:
        self.store = store
        self.now = 100.0
        self.alarms: dict[str, float] = {}
        self.effects: list[Any] = []
        self.revision = -1
        self._commands = count(1)
        everybody = People()
        everybody.here = {person.id: person.name for person in people}
        self.session = Session("TABLE", store.state(), everybody, store.sources)
        self.catch_up()

    # --- the caller of a session ------------------------------------------------------------------------

    def run(self, steps: Steps[T]) -> T:
        """Save the steps of a change, and return its result."""
        saved: Any = None
        try:
            while True:
                saved = self._save(steps.send(saved))
        except StopIteration as end:
            self._set_alarms()
            return end.value  # type: ignore[no-any-return]

    def catch_up(self) -> None:
        """Read what other workers have saved, and advance."""
        if self.store.revision > self.revision:
            self._adopt(self.store.state(), self.store.revision, None)
        self._read_log()
        self.run(self.session.advance(self.now))

    def send(self, person: Person, command: Command) -> int | None:
        """Carry out a command, and advance."""
        answer = self.run(self.session.apply(person, command, self.now))
        self.run(self.session.advance(self.now))
        return answer

    def wait(self, seconds: float) -> None:
        """Let time pass and ring the alarms that are due."""
        end = self.now + seconds
        while (due := min(self.alarms.items(), key=lambda alarm: alarm[1], default=None)) and due[1] <= end:
            self.now = max(self.now, due[1])
            del self.alarms[due[0]]
            self.run(self.session.ring(due[0], self.now))
            self.run(self.session.advance(self.now))
        self.now = end

    def _set_alarms(self) -> None:
        for name, when in self.session.take_alarms().items():
            self.alarms.pop(name, None)
            if when is not None:
                self.alarms[name] = when
        self.effects += self.session.take_effects()

    def _save(self, step: Step) -> bool:
        store, play = self.store, self.session.play
        match step:
            case SaveState(state, by, match, _):
                if store.revision > self.revision:
                    self._adopt(store.state(), store.revision, None)
                    return False
                store.document, store.revision = write_table_state(state), store.revision + 1
                if match is not None:
                    store.matches[match.id], store.logs[match.id] = replace(match, started=round(1000 * self.now)), []
                self._adopt(store.state(), store.revision, by)
                return True
            case AppendRow(command, seat, action):
                assert play is not None
                if len(store.logs[play.id]) > play.log.ply:
                    self._read_log()
                    return False
                row = MoveRow(play.id, play.log.ply, command, seat, action, round(1000 * self.now))
                store.logs[play.id].append(row)
                self.session.follow(row, self.now)
                return True
            case AddTakeover(seat, player):
                assert play is not None
                play.log.add_takeover(seat, player)
                return True

    def _adopt(self, state: TableState, revision: int, by: str | None) -> None:
        wanted = self.session.missing_match(state)
        log = None if wanted is None else MatchLog(self.store.matches[wanted], self.store.logs[wanted])
        self.revision = revision
        self.session.adopt(state, log, self.now, by)
        self._set_alarms()

    def _read_log(self) -> None:
        play = self.session.play
        for row in [] if play is None else self.store.logs[play.id][play.log.ply :]:
            self.session.follow(row, self.now)

    # --- its people -------------------------------------------------------------------------------------

    def make_move(self, person: Person, move: str, command: str = "") -> int | None:
        play = self.session.play
        assert play is not None
        command = command or f"{person.id}-{play.log.ply}-{next(self._commands)}"
        return self.send(person, MakeMove(command, play.id, move))

    def play(self, rng: Random) -> None:
        """Play random moves of the persons until the match is over."""
        while self.session.state.phase != "over":
            self.move_randomly(rng)
            self.wait(STEP_S)

    def move_randomly(self, rng: Random) -> None:
        """Make a random legal move of the person on turn; nothing on a bot's turn, or while time does not run."""
        play, state = self.session.play, self.session.state
        seat = play.awaited_seat if play is not None and self.session.is_time_running else None
        occupant = None if seat is None else state.seats[seat]
        if play is not None and occupant is not None and occupant.player is not None:
            legal = play.match.round.legal(play.match.round.turn)
            self.make_move(Person(occupant.player, occupant.name), str(rng.choice(legal)))

"""Random commands, moves, absences and waits at two sessions of one table, as Hypothesis chooses and shrinks them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from lastcard.game.moves import action_to_move
from lastcard.match.match import Match
from lastcard.session import commands
from lastcard.session.match_log import replay_match
from lastcard.session.match_rows import NEXT_ROUND, TAKE_BACK, MoveRow
from lastcard.session.table_settings import Settings, WantedSettings
from lastcard.session.table_state import CommandError, Person
from support.random_play import all_cards
from support.simulated_table import ADA, BOB, CLEO, SimulatedStore, SimulatedTable

EVERYBODY = (ADA, BOB, CLEO)
MOVES = 12
PEOPLE = st.sampled_from(EVERYBODY)
PLAYERS = st.sampled_from([person.id for person in EVERYBODY])
SEATS = st.integers(0, 3)
SENT = st.one_of(
    st.builds(commands.Sit, st.none() | SEATS),
    st.builds(commands.SetBot, SEATS, st.sampled_from(("casual", "sharp", None))),
    st.builds(commands.Pause, st.booleans()),
    st.builds(commands.Kick, PLAYERS),
    st.builds(commands.Appoint, PLAYERS),
    st.builds(
        commands.Configure,
        st.builds(WantedSettings, st.sampled_from(("classic", "classic+winning_score=100")), st.integers(2, 4)),
    ),
    st.sampled_from((commands.LeaveSeat(), commands.Back(), commands.Ready(), commands.Start())),
)


class TableMachine(RuleBasedStateMachine):
    """Two workers' sessions of one table, at which the persons of ``EVERYBODY`` come and go."""

    def __init__(self) -> None:
        super().__init__()
        store = SimulatedStore(Settings(rules="classic", seats=3, take_backs=True))
        self.tables = [SimulatedTable(store, *EVERYBODY) for _ in range(2)]
        self.store = store
        self.replayed: dict[tuple[object, ...], Match] = {}
        """Replayed matches, by their numbers and rows: most steps of a table change no log."""

    @initialize(is_alone=st.booleans())
    def start(self, is_alone: bool) -> None:
        """Ada plays with bots, with or without Bob; alone she may take moves back."""
        if not is_alone:
            self.tables[0].send(BOB, commands.Sit(1))
        self.tables[0].send(ADA, commands.Start())

    @rule(worker=st.integers(0, 1), person=PEOPLE, command=SENT)
    def send(self, worker: int, person: Person, command: commands.Command) -> None:
        """Whatever people send is carried out, or refused and changes nothing."""
        table = self.tables[worker]
        table.catch_up()
        before = table.session.state
        try:
            table.send(person, command)
        except CommandError:
            assert table.session.state == before

    @rule(worker=st.integers(0, 1), seed=st.integers(0, 1000), is_behind=st.booleans())
    def play(self, worker: int, seed: int, is_behind: bool) -> None:
        """The persons on turn make moves, and go on after a round; the session may be behind."""
        table, rng = self.tables[worker], Random(seed)
        if not is_behind:
            table.catch_up()
        for _ in range(MOVES):
            with suppress(CommandError):
                table.move_randomly(rng)
            for person in EVERYBODY if table.session.state.phase in ("between", "over") else ():
                with suppress(CommandError):
                    table.send(person, commands.Ready())
            table.wait(3.0 if table.session.is_time_running else 0.0)

    @rule(worker=st.integers(0, 1), person=PEOPLE)
    def undo(self, worker: int, person: Person) -> None:
        """A take-back is in the log once, or refused."""
        play = self.tables[worker].session.play
        if play is not None:
            with suppress(CommandError):
                self.tables[worker].send(person, commands.TakeBack(f"undo-{play.log.ply:04}", play.id))

    @precondition(lambda self: self.store.matches)
    @rule(worker=st.integers(0, 1), data=st.data())
    def send_again(self, worker: int, data: st.DataObject) -> None:
        """A move that is sent again, to any worker, is answered with its place in the log."""
        table = self.tables[worker]
        table.catch_up()
        state, play = table.session.state, table.session.play
        rows = [] if play is None or state.paused else self.store.logs[play.id]
        owners = {seat: player for seat, player in enumerate(state.players) if state.playing_seat(player) == seat}
        own = [row for row in rows if row.command.startswith(f"{owners.get(row.seat)}-")]
        if own:
            row = data.draw(st.sampled_from(own))
            owner = Person(owners[row.seat] or "", "")
            assert table.make_move(owner, str(action_to_move(row.action)), row.command) == row.ply + 1

    @rule(here=st.sets(PEOPLE), worker=st.integers(0, 1))
    def come_and_go(self, here: set[Person], worker: int) -> None:
        """People come and go at a worker."""
        table = self.tables[worker]
        table.session.people.here = {person.id: person.name for person in EVERYBODY if person in here}
        table.session.people.gone = {person.id: table.now for person in EVERYBODY if person not in here}
        table.session.update_people(table.now)
        table.run(table.session.recount(None, table.now))

    @rule(seconds=st.sampled_from((0.5, 5.0, 40.0, 120.0)))
    def wait(self, seconds: float) -> None:
        """Table time passes where it runs."""
        for table in self.tables:
            table.catch_up()
            table.wait(seconds if table.session.is_time_running else 0.0)

    def replay(self, match: str, rows: list[MoveRow]) -> Match:
        """A match after all rows of its log."""
        key = (match, *rows)
        if key not in self.replayed:
            self.replayed[key] = replay_match(self.store.matches[match], rows)
        return self.replayed[key]

    @invariant()
    def log_is_sound(self) -> None:
        """Plies are contiguous, no command is doubled, and no card is lost."""
        for rows in self.store.logs.values():
            assert [row.ply for row in rows] == [*range(len(rows))]
            assert not rows or max(Counter(row.command for row in rows).values()) == 1
        state = self.store.state()
        if state.match is not None and self.store.logs[state.match]:
            rows = self.store.logs[state.match]
            before, after = (self.replay(state.match, each) for each in (rows[:-1], rows))
            if rows[-1].action not in (NEXT_ROUND, TAKE_BACK):
                assert all_cards(before.round) == all_cards(after.round)

    @invariant()
    def sessions_agree(self) -> None:
        """A session has what the store has up to its ply, and a restored one is the same."""
        for table in self.tables:
            play = table.session.play
            if play is not None:
                rows = self.store.logs[play.id][: play.log.ply]
                again = self.replay(play.id, rows)
                assert again.round.state_bytes() == play.match.round.state_bytes() and again.scores == play.match.scores


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(max_examples=25, stateful_step_count=30)

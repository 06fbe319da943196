"""Open tables without I/O: when the match starts, who gets a seat, and who is counted as having left."""

from __future__ import annotations

import pytest

from lastcard.session import open_table
from lastcard.session.commands import Appoint, Back, Configure, Kick, LeaveSeat, Mute, SetBot, Start
from lastcard.session.open_table import FULL_S, GATHER_S, find_departures, new_open_table, waiting_time_s
from lastcard.session.table_settings import Settings, WantedSettings
from lastcard.session.table_state import CommandError, TableState, write_table_state
from support.simulated_table import ADA, BOB, CLEO, SimulatedStore, SimulatedTable

DAY_MS = 24 * 3_600_000


def gather(*seated: int, seats: int = 4) -> SimulatedTable:
    """An open table at which three persons are connected; those of these numbers have seats."""
    store = SimulatedStore(Settings())
    state = new_open_table(Settings(rules="classic+winning_score=100", seats=seats), store.sources.new_secret())
    for number in seated:
        state = open_table.take_free_seat(state, (ADA, BOB, CLEO)[number], ())
    store.document = write_table_state(state)
    return SimulatedTable(store, ADA, BOB, CLEO)


def test_bots_take_the_free_seats_after_half_a_minute() -> None:
    table = gather(0, 1)
    table.wait(GATHER_S - 1)
    assert table.session.state.phase == "lobby"
    table.wait(2)
    state = table.session.state
    assert state.phase == "playing" and state.players == ("ada", "bob", None, None)
    assert [seat is not None and seat.bot for seat in state.seats[2:]] == ["casual", "casual"]


def test_a_full_table_starts_at_once() -> None:
    table = gather(0, 1, 2, seats=3)
    table.wait(FULL_S + 0.5)
    assert table.session.state.phase == "playing"


def test_absent_persons_do_not_take_part() -> None:
    """A seat was given to somebody who never came: a bot has it, and nobody waits for the person."""
    table = gather(0, 1, 2, seats=3)
    del table.session.people.here["bob"]
    table.session.update_people(table.now)
    table.catch_up()
    table.wait(FULL_S + 1)
    assert table.session.state.phase == "lobby"
    table.wait(GATHER_S)
    assert table.session.state.players == ("ada", None, "cleo")


def test_nobody_with_a_seat_is_there() -> None:
    """Spectators alone do not start a match."""
    table = gather()
    table.wait(5 * GATHER_S)
    assert table.session.state.phase == "lobby" and table.session.state.host.id == ""


def test_a_server_that_stops_begins_no_match() -> None:
    """It begins when the server goes on after all."""
    table = gather(0)
    table.session.draining = True
    table.wait(GATHER_S + 1)
    assert table.session.state.phase == "lobby"
    table.session.draining = False
    table.wait(GATHER_S + 1)
    assert table.session.state.phase == "playing"


@pytest.mark.parametrize(
    "command",
    [Configure(WantedSettings()), SetBot(2, "sharp"), Start(), Mute("bob", on=True), Appoint("bob")],
    ids=lambda command: type(command).__name__,
)
def test_nobody_is_host(command: Configure | SetBot | Start | Mute | Appoint) -> None:
    with pytest.raises(CommandError, match="open-table"):
        gather(0, 1).send(ADA, command)


def test_one_person_cannot_remove_another() -> None:
    table = gather(0, 1)
    table.send(ADA, Kick("bob"))
    assert table.session.state.vote is not None and table.session.state.players[1] == "bob"


def test_seats_are_given_while_people_wait() -> None:
    """A second request changes nothing; blocked persons are not seated together; nobody joins a match that way."""
    state = gather(0, 1).session.state
    assert open_table.take_free_seat(state, ADA, ()) == state
    with pytest.raises(CommandError, match="no-free-seat"):
        open_table.take_free_seat(state, CLEO, {"bob"})
    full = gather(0, 1, seats=2)
    with pytest.raises(CommandError, match="no-free-seat"):
        open_table.take_free_seat(full.session.state, CLEO, ())
    full.wait(GATHER_S)
    with pytest.raises(CommandError, match="no-free-seat"):
        open_table.take_free_seat(full.session.state, CLEO, ())


def departures(before: TableState, after: TableState, *idle: str, ends: bool = False) -> tuple[set[str], set[str]]:
    return find_departures(before, after, set(idle), ends=ends)


def test_who_leaves_a_match_is_counted_until_they_are_back() -> None:
    table = gather(0, 1)
    waiting = table.session.state
    table.send(BOB, LeaveSeat())
    assert departures(waiting, table.session.state) == (set(), set())
    table = gather(0, 1)
    table.wait(GATHER_S)
    playing = table.session.state
    table.send(BOB, LeaveSeat())
    away = table.session.state
    assert departures(playing, away) == ({"bob"}, set())
    table.send(BOB, Back())
    assert departures(away, table.session.state) == (set(), {"bob"})
    assert departures(playing, playing, "ada", ends=True) == ({"ada"}, set())
    assert departures(away, away, "bob", ends=True) == (set(), set())
    friends = SimulatedTable(SimulatedStore(Settings(seats=2)), ADA, BOB)
    friends.send(ADA, Start())
    before = friends.session.state
    friends.send(ADA, LeaveSeat())
    assert departures(before, friends.session.state) == (set(), set())


@pytest.mark.parametrize(
    ("ages_s", "wait_s"),
    [
        ((), 0),
        ((5,), 0),
        ((0, 100), 30),
        ((10, 100), 20),
        ((30, 100), 0),
        ((0, 1, 2), 60),
        ((0, 1, 2, 3), 120),
        ((0,) * 20, 600),
        ((0, 25 * 3600), 0),
    ],
)
def test_the_wait_doubles_and_is_forgotten(ages_s: tuple[int, ...], wait_s: int) -> None:
    """One match left in a day has no consequences; the wait begins with the last one."""
    now = 10 * DAY_MS
    assert waiting_time_s([now - 1000 * age for age in ages_s], now) == wait_s

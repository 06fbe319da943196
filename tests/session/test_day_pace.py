"""Tables by the day: deadlines, weekends, outages, calls, people who are away."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest

from lastcard.session import commands
from lastcard.session.day_pace import Calendar, DayPace, find_outages, read_day_pace
from lastcard.session.hosting import check_settings
from lastcard.session.table_effects import BotSubstituted
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError
from support.simulated_table import ADA, BOB, SimulatedStore, SimulatedTable

HOUR_S = 3600.0
DAY_S = 24 * HOUR_S
SETTINGS = Settings(rules="classic", seats=3, pace="24h")


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


MONDAY = at("2026-11-30T12:00")


def make_table(settings: Settings = SETTINGS, store: SimulatedStore | None = None) -> SimulatedTable:
    """A table with Ada and Bob and a bot on a Monday, on Ada's or Bob's turn; afterwards nobody is connected."""
    table = SimulatedTable(store or SimulatedStore(settings), ADA, BOB)
    table.now = MONDAY
    table.send(BOB, commands.Sit(1))
    table.send(ADA, commands.Start())
    table.session.people.here.clear()
    reach_person(table)
    return table


def reach_person(table: SimulatedTable) -> None:
    """Let bots move until a person is on turn."""
    while (play := table.session.play) is None or play.awaited_seat is None:
        table.wait(1.0)


def awaited(table: SimulatedTable) -> int:
    play = table.session.play
    assert play is not None and play.awaited_seat is not None
    return play.awaited_seat


@pytest.mark.parametrize(
    ("pace", "since", "until"),
    [
        ("8h", "2026-11-27T20:00", "2026-11-28T04:00"),
        ("24h", "2026-11-27T20:00", "2026-11-28T20:00"),
        ("24h@UTC", "2026-11-27T20:00", "2026-11-30T20:00"),  # four hours of Friday count
        ("24h@UTC", "2026-11-28T20:00", "2026-12-01T00:00"),  # nothing of a weekend counts
        ("3d@UTC", "2026-11-25T00:00", "2026-11-28T00:00"),  # to the end of Friday
        ("3d@UTC", "2026-11-25T01:00", "2026-11-30T01:00"),
        ("8h@Pacific/Auckland", "2026-11-27T10:00", "2026-11-29T18:00"),  # 23:00 on Friday there
        ("24h@America/New_York", "2026-10-30T16:00", "2026-11-02T17:00"),  # clocks change on that weekend
    ],
)
def test_deadline(pace: str, since: str, until: str) -> None:
    by_day = read_day_pace(pace)
    assert by_day is not None
    assert Calendar(by_day).deadline(at(since)) == at(until)


def test_outages_do_not_count() -> None:
    """Neither do they count twice on a weekend, and those before the move do not matter."""
    outages = [
        (at("2026-11-26T00:00"), at("2026-11-27T18:00")),
        (at("2026-11-27T22:00"), at("2026-11-28T12:00")),
        (at("2026-11-30T01:00"), at("2026-11-30T03:00")),
    ]
    since = at("2026-11-27T20:00")
    assert Calendar(DayPace(8 * HOUR_S, ""), lambda: outages).deadline(since) == at("2026-11-28T18:00")
    assert Calendar(DayPace(8 * HOUR_S, "UTC"), lambda: outages).deadline(since) == at("2026-11-30T08:00")
    assert Calendar(DayPace(8 * HOUR_S, ""), lambda: outages).deadline(at("2026-11-27T10:00")) == at("2026-11-28T16:00")


def test_outages_are_gaps_in_the_service() -> None:
    assert find_outages([(5.0, 9.0), (0.0, 3.0), (1.0, 2.0), (8.0, 12.0)]) == [(3.0, 5.0)]
    assert find_outages([]) == []


def test_a_bot_plays_when_the_deadline_has_passed() -> None:
    """Not before, although nobody is connected; and for the others' turns the next person has a whole day again."""
    table = make_table()
    play, seat = table.session.play, awaited(table)
    assert play is not None
    ply = play.log.ply
    table.wait(DAY_S - 60)
    assert play.log.ply == ply and not table.session.state.idle
    table.wait(120)
    assert play.log.ply > ply and BotSubstituted(("ada", "bob")[seat]) in table.effects
    assert table.session.state.idle == (("ada", "bob")[seat],)
    reach_person(table)
    assert awaited(table) == 1 - seat
    assert play.turn_end is not None and play.turn_end > table.now + DAY_S - 60


def test_the_game_rests_while_everybody_is_late() -> None:
    """A person who is back has a whole day, also if the server has restarted meanwhile."""
    table = make_table()
    play, first = table.session.play, awaited(table)
    assert play is not None
    table.wait(3 * DAY_S)
    ply, last = play.log.ply, awaited(table)
    assert last == 1 - first and len(table.session.state.idle) == 2
    table.wait(10 * DAY_S)
    assert play.log.ply == ply

    person = (ADA, BOB)[last]
    table.session.people.here[person.id] = person.name
    assert table.session.welcome_back(person.id, table.now)
    table.run(table.session.advance(table.now))
    restored = SimulatedTable(table.store)
    restored.now = table.now
    for each in (table, restored):
        assert each.session.state.idle == ((ADA, BOB)[first].id,)
        assert each.session.play is not None and each.session.play.turn_end == table.now + DAY_S
    table.session.people.here.clear()
    table.wait(DAY_S - 1)
    assert play.log.ply == ply


def test_a_restart_restores_the_deadline() -> None:
    """It follows from the log, and is later by the time of an outage."""
    table = make_table()
    play = table.session.play
    assert play is not None and play.turn_end is not None
    table.wait(HOUR_S)
    restored = SimulatedTable(table.store)
    assert restored.session.play is not None
    assert restored.session.play.turn_end == pytest.approx(play.turn_end, abs=0.01)
    outage = (table.now, table.now + 5 * HOUR_S)
    table.store.sources = table.store.sources._replace(outages=lambda: [outage])
    restored = SimulatedTable(table.store)
    assert restored.session.play is not None
    assert restored.session.play.turn_end == pytest.approx(play.turn_end + 5 * HOUR_S, abs=0.01)


@pytest.mark.parametrize("seed", range(3))
def test_uno_is_called_for_everybody(seed: int) -> None:
    """Nobody can be caught, and the log has the calls."""
    table, rng = make_table(), Random(seed)
    table.session.people.here.update({ADA.id: ADA.name, BOB.id: BOB.name})
    while table.session.state.phase != "over":
        table.move_randomly(rng)
        assert table.session.play is None or not table.session.play.public_state.exposed
        table.wait(20)
    calls = [row for log in table.store.logs.values() for row in log if row.command.startswith("auto:")]
    assert calls


def test_the_host_remains_the_host() -> None:
    """Until they are late with a move. There is no pause."""
    table = make_table()
    table.session.people.here[BOB.id] = BOB.name
    table.session.update_people(table.now)
    table.run(table.session.advance(table.now))
    table.wait(HOUR_S)
    assert table.session.state.host == ADA
    with pytest.raises(CommandError, match="by-day"):
        table.send(BOB, commands.Pause(True))
    table.wait(3 * DAY_S)
    assert table.session.state.host == (BOB if ADA.id in table.session.state.idle else ADA)


def test_settings() -> None:
    """Rule cards of players are refused; a zone that is not known here is UTC."""
    with pytest.raises(CommandError, match="by-day-written"):
        check_settings(Settings(rules="wild-jackpot+wj_rules=written", pace="24h"))
    assert check_settings(Settings(pace="8h@Nowhere/Town")).pace == "8h@UTC"
    assert check_settings(Settings(pace="3d@Europe/Berlin")).pace == "3d@Europe/Berlin"

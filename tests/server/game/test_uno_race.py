"""The UNO race at the table: grace period, held catches, late presses (CO-15; decision 15: the server decides)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from lastcard.game.moves import move_to_action, parse_move
from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire.protocol import Done, Moved, Refused
from lastcard.session.commands import Pause
from lastcard.session.match_play import BOT_COMMAND_PREFIX, MAX_CALLS, Attempt
from lastcard.session.steps import AppendRow
from lastcard.session.uno_race import ROUNDING_S, ClosedWindow, UnoRace
from support.fakes import MemoryStore, Person, carry_out, playing_table, set_alarms, set_position


@pytest.fixture
def cleo() -> Person:
    """A person who reads Polish."""
    return Person("Cleo", "pl")


async def race_table(*people: Person, **settings: Any) -> LiveTable:
    """A table of three: Ada is to lay her last but one card, R3."""
    table = await playing_table(*people, **({"rules": "classic", "pace": "untimed"} | settings))
    set_position(table, "R3 Y5", "R1 G2 B5", "Y1 Y2 Y3")
    return table


async def start_race(*people: Person, **settings: Any) -> LiveTable:
    """A table of three: Ada has laid R3 without a call."""
    table = await race_table(*people, **settings)
    await people[0].make_move("R3")
    return table


def counts(table: LiveTable) -> tuple[int, ...]:
    """The number of cards in each hand."""
    return table.play.match.round.counts


async def test_a_late_call_within_the_grace_wins(ada: Person, bob: Person, cleo: Person) -> None:
    """The catch came first, but within the grace period: the call counts, and the catcher is informed."""
    table = await start_race(ada, bob, cleo)
    await asyncio.sleep(0.2)
    catch = await cleo.make_move("catch>0")
    assert (cleo.count(Refused), cleo.count(Done)) == (0, 0)
    await asyncio.sleep(0.5)
    await ada.make_move("uno")
    refused = cleo.last(Refused)
    assert (refused.id, refused.code, refused.clause, refused.late) == (catch, "called-first", "CO-15", None)
    assert refused.text == "Ada w porę woła UNO."
    await asyncio.sleep(5)
    assert counts(table) == (1, 3, 3) and cleo.count(Done) == 0


async def test_a_held_catch_is_made_when_the_grace_is_over(ada: Person, bob: Person, cleo: Person) -> None:
    """Nobody called: the catch is made after the grace period, and not before (CO-17)."""
    table = await start_race(ada, bob, cleo)
    catch = await cleo.make_move("catch>0")
    await asyncio.sleep(0.9)
    assert counts(table) == (1, 3, 3)
    await asyncio.sleep(0.2)
    assert counts(table) == (3, 3, 3)
    assert cleo.last(Done).id == catch and bob.last(Moved).move == "catch>0"


async def test_a_held_catch_is_answered_though_a_bot_plays_for_the_catcher(
    ada: Person, bob: Person, cleo: Person
) -> None:
    """The catcher's time was up meanwhile; the press was the person's own all the same."""
    table = await start_race(ada, bob, cleo)
    catch = await cleo.make_move("catch>0")
    table.presence.people.standins.add(cleo.id)
    set_alarms(table)
    await asyncio.sleep(1.1)
    assert counts(table)[0] > 1
    assert cleo.last(Done).id == catch and cleo.count(Done) == 1


@pytest.mark.parametrize(("grace", "wait"), [(1000, 1.1), (0, 0)], ids=["after the grace", "without grace"])
async def test_a_catch_after_the_grace_is_made_at_once(
    ada: Person, bob: Person, cleo: Person, grace: int, wait: float
) -> None:
    """The window of CO-15 is longer than the grace, and a table may want the race exactly as there."""
    table = await start_race(ada, bob, cleo, grace=grace)
    await asyncio.sleep(wait)
    await cleo.make_move("catch>0")
    assert counts(table) == (3, 3, 3)


async def test_a_held_catch_comes_before_the_next_play(ada: Person, bob: Person, cleo: Person) -> None:
    """The next player's play closes the window (CO-16), but the catch was there before it."""
    table = await start_race(ada, bob, cleo)
    await cleo.make_move("catch>0")
    await asyncio.sleep(0.3)
    await bob.make_move("R1")
    moves = [message.move for message in cleo.received if isinstance(message, Moved)]
    assert moves == ["R3", "catch>0", "R1"] and counts(table) == (3, 2, 3)


async def test_a_catcher_cannot_hurry_the_own_catch(ada: Person, bob: Person, cleo: Person) -> None:
    """Catch and play are sent together: the play waits behind the catch, and the call still has its grace period."""
    table = await start_race(ada, bob, cleo, grace=3000)
    catch, play = await bob.make_move("catch>0"), await bob.make_move("R1")
    await bob.make_move("R1", play)
    await asyncio.sleep(2)
    assert counts(table) == (1, 3, 3)
    await ada.make_move("uno")
    await asyncio.sleep(0.1)
    assert bob.last(Refused).id == catch and bob.last(Done).id == play
    assert counts(table) == (1, 2, 3) and bob.count(Done) == 1


async def test_a_play_waits_for_a_held_catch(ada: Person, bob: Person, cleo: Person) -> None:
    """Nobody called: catch and play are made one after the other when the grace period is over."""
    table = await start_race(ada, bob, cleo, grace=3000)
    catch, play = await bob.make_move("catch>0"), await bob.make_move("R1")
    await asyncio.sleep(2.9)
    assert counts(table) == (1, 3, 3)
    await asyncio.sleep(0.2)
    assert counts(table) == (3, 2, 3)
    assert [message.id for message in bob.received if isinstance(message, Done)] == [catch, play]


async def test_behind_a_catch_only_one_play_is_made(ada: Person, bob: Person, cleo: Person) -> None:
    """Two plays are sent while the catch waits: the second one is refused, because the turn has gone on."""
    table = await start_race(ada, bob, cleo, grace=3000)
    await bob.make_move("catch>0")
    first, second = await bob.make_move("R1"), await bob.make_move("draw")
    await asyncio.sleep(3.1)
    assert [message.id for message in bob.received if isinstance(message, Done)][1:] == [first]
    assert bob.last(Refused).id == second and counts(table) == (3, 2, 3)


async def test_a_refused_play_does_not_hurry_a_held_catch(ada: Person, bob: Person, cleo: Person) -> None:
    """Refused moves change nothing (CO-5), also not the grace period of others."""
    table = await start_race(ada, bob, cleo)
    await cleo.make_move("catch>0")
    await bob.make_move("G2")
    assert bob.last(Refused).code == "no-match"
    await ada.make_move("uno")
    assert cleo.last(Refused).code == "called-first" and counts(table) == (1, 3, 3)


async def test_a_catch_after_the_call_learns_by_how_much(ada: Person, bob: Person, cleo: Person) -> None:
    """The refusal of a late press says what happened, with figures in the format of the language."""
    await start_race(ada, bob, cleo)
    await ada.make_move("uno")
    await asyncio.sleep(0.3)
    await cleo.make_move("catch>0")
    refused = cleo.last(Refused)
    assert (refused.code, refused.late) == ("called-first", 300)
    assert refused.text == "Ada woła UNO wcześniej. Spóźnienie: 0,3\u00a0s."


async def test_a_catch_after_the_next_play_learns_by_how_much(ada: Person, bob: Person, cleo: Person) -> None:
    """The window was closed by the next player (CO-16)."""
    await start_race(ada, bob, cleo)
    await bob.make_move("R1")
    await asyncio.sleep(0.25)
    await cleo.make_move("catch>0")
    refused = cleo.last(Refused)
    assert (refused.code, refused.clause, refused.late) == ("late", "CO-15", 250)


async def test_a_call_after_the_catch_learns_by_how_much(ada: Person, bob: Person, cleo: Person) -> None:
    """Ada was caught and holds three cards (CO-13)."""
    await start_race(ada, bob, cleo)
    await bob.make_move("catch>0")
    await asyncio.sleep(1.5)
    await ada.make_move("uno")
    refused = ada.last(Refused)
    assert (refused.code, refused.late, refused.text) == ("late", 500, "0.5\u00a0s too late.")


async def test_long_after_the_window_a_press_is_simply_wrong(ada: Person, bob: Person, cleo: Person) -> None:
    """After ten seconds there is no race any more."""
    await race_table(ada, bob, cleo)
    await ada.make_move("R3!")
    await asyncio.sleep(10)
    await cleo.make_move("catch>0")
    assert (cleo.last(Refused).code, cleo.last(Refused).late) == ("catch-closed", None)


async def test_the_first_of_two_catchers_makes_the_catch(ada: Person, bob: Person, cleo: Person) -> None:
    """One penalty per lapse (CO-20); the second catcher is informed that it came too late."""
    table = await start_race(ada, bob, cleo)
    await bob.make_move("catch>0")
    await cleo.make_move("catch>0")
    await asyncio.sleep(1.1)
    assert counts(table) == (3, 3, 3)
    assert bob.count(Done) == 1 and cleo.last(Refused).code == "late"


async def test_a_catch_sent_again_is_held_once(ada: Person, bob: Person, cleo: Person) -> None:
    """A client that got no answer sends the same command again."""
    table = await start_race(ada, bob, cleo)
    catch = await cleo.make_move("catch>0")
    await cleo.make_move("catch>0", catch)
    await asyncio.sleep(1.1)
    assert cleo.count(Done) == 1
    await cleo.make_move("catch>0", catch)
    assert cleo.count(Done) == 2 and cleo.count(Refused) == 0 and counts(table) == (3, 3, 3)


async def test_the_id_of_a_held_catch_cannot_be_reused(ada: Person, bob: Person, cleo: Person) -> None:
    """Else the catch could not be made any more, and the next player's play, which it precedes, would fail."""
    table = await race_table(ada, bob, cleo, grace=3000)
    set_position(table, "R3 Y5", "R1 G2 B5", "Y1", called=[2])
    await ada.make_move("R3")
    catch = await cleo.make_move("catch>0")
    await cleo.make_move("uno", catch)
    assert (cleo.last(Refused).id, cleo.last(Refused).code) == (catch, "replayed")
    play = await bob.make_move("R1")
    assert bob.last(Done).id == play and bob.count(Refused) == 0
    assert counts(table) == (3, 2, 1) and cleo.last(Done).id == catch


@pytest.mark.parametrize("played", [False, True])
async def test_a_held_catch_whose_id_was_used_elsewhere_is_refused_to_its_sender(
    ada: Person, bob: Person, cleo: Person, played: bool
) -> None:
    """Another worker, which does not know the held catch, used the id; catches of others are still made."""
    table = await race_table(ada, bob, cleo)
    set_position(table, "R3 Y5", "R1 G2 B5", "Y1", called=[2])
    play = table.play
    await ada.make_move("R3")
    catch = await cleo.make_move("catch>0")
    await table._storage.save(AppendRow(catch, 2, move_to_action(parse_move("uno"))))
    other = await bob.make_move("catch>0")
    if played:
        while (held := play.propose_held(table.jobs.timers.now, all_of_them=True)) is not None:
            await table._storage.save(AppendRow(held.command, held.seat, held.action))
    else:
        await asyncio.sleep(1.1)
    assert (cleo.last(Refused).id, cleo.last(Refused).code) == (catch, "replayed")
    assert bob.last(Done).id == other and counts(table) == (3, 3, 1)


async def test_the_catcher_may_be_gone_when_the_grace_ends(ada: Person, bob: Person, cleo: Person) -> None:
    """A catch that has arrived counts, even if the connection breaks."""
    table = await start_race(ada, bob, cleo)
    await cleo.make_move("catch>0")
    cleo.disconnect()
    await asyncio.sleep(1.1)
    assert counts(table) == (3, 3, 3)


async def test_the_grace_period_stops_in_a_pause(ada: Person, bob: Person, cleo: Person) -> None:
    """In a pause no clock of the table runs."""
    table = await start_race(ada, bob, cleo)
    await cleo.make_move("catch>0")
    for person in (ada, bob, cleo):
        await person.send_command(Pause(True))
    await asyncio.sleep(60)
    assert counts(table) == (1, 3, 3)
    await bob.send_command(Pause(False))
    await ada.make_move("uno")
    assert counts(table) == (1, 3, 3) and cleo.last(Refused).code == "called-first"


async def test_a_held_catch_outlives_a_broken_store(ada: Person, bob: Person, cleo: Person, store: MemoryStore) -> None:
    """A catch that cannot be stored is not lost: it is tried again after an error such as a full disk."""
    table = await start_race(ada, bob, cleo, store=store)
    await cleo.make_move("catch>0")
    store.broken = True
    await asyncio.sleep(3)
    assert counts(table) == (1, 3, 3)
    store.broken = False
    await asyncio.sleep(1.1)
    assert counts(table) == (3, 3, 3) and cleo.count(Done) == 1


# --- where false calls and catches cost cards ------------------------------------------------------------------

PUNISHED = "classic+jump_in+false_uno_penalty=2+false_catch_penalty=2"


async def test_a_catch_or_call_that_lost_the_race_is_late_and_not_false(ada: Person, bob: Person, cleo: Person) -> None:
    """The command was possible when it was sent, so it costs nothing (LC-18); later, beyond lateness, it is false."""
    table = await start_race(ada, bob, cleo, rules=PUNISHED)
    await bob.make_move("catch>0")
    await asyncio.sleep(1.1)
    assert counts(table) == (3, 3, 3)
    await cleo.make_move("catch>0")
    await ada.make_move("uno")
    assert [person.last(Refused).code for person in (cleo, ada)] == ["late", "late"]
    assert counts(table) == (3, 3, 3)
    await asyncio.sleep(10)
    await cleo.make_move("catch>0")
    assert (cleo.last(Refused).code, counts(table)) == ("catch-closed", (3, 3, 3))  # somebody else caught her (LC-18)
    await cleo.make_move("catch>1")
    await ada.make_move("uno")
    assert counts(table) == (5, 3, 5)


async def test_a_catch_that_the_call_beat_is_late_and_not_false(ada: Person, bob: Person, cleo: Person) -> None:
    table = await race_table(ada, bob, cleo, rules=PUNISHED)
    await ada.make_move("R3!")
    await asyncio.sleep(0.2)
    await ada.make_move("uno")
    assert ada.count(Refused) == 0  # a player who holds one card may call again (CO-11 c)
    set_position(table, "R3 Y5", "R1 G2 B5", "Y1 Y2 Y3")
    await ada.make_move("R3")
    await ada.make_move("uno")
    await cleo.make_move("catch>0")
    assert cleo.last(Refused).code == "called-first" and counts(table) == (1, 3, 3)


async def test_a_call_that_a_jump_in_beat_is_late_and_not_false(ada: Person, bob: Person, cleo: Person) -> None:
    """Bob pressed on his own turn with two cards; Cleo's card was on the table before."""
    table = await race_table(ada, bob, cleo, rules=PUNISHED)
    set_position(table, "Y5 Y6 Y8", "R1 G2", "R7 Y2 Y3 Y4", turn=1)
    await cleo.make_move("R7")
    await asyncio.sleep(0.3)
    await bob.make_move("uno")
    assert (bob.last(Refused).code, bob.last(Refused).late) == ("late", 300)
    await cleo.make_move("catch>1")
    assert counts(table) == (3, 2, 5)  # Bob could not be caught, which was never in doubt
    await asyncio.sleep(10)
    await bob.make_move("uno")
    assert counts(table) == (3, 4, 5)


@pytest.mark.parametrize(
    ("options", "ada", "bob", "move"),
    [
        ("", "R+2 Y6 Y8", "G2", "R+2"),
        ("+seven_zero", "B7 Y2 Y3 Y4", "G2", "B7>1"),
        ("+uno_early_call=any_time", "R+2 Y6 Y8", "R1 G2", "R+2"),
        ("+uno_early_call=any_time+seven_zero", "B7 Y2 Y3 Y4", "R1 G2", "B7>1"),
    ],
)
async def test_a_call_that_a_move_of_another_seat_beat_is_late_and_not_false(
    options: str, ada: str, bob: str, move: str
) -> None:
    """Bob pressed while his call counted; before it came, Ada's move had given him more cards."""
    people = Person("Ada"), Person("Bob"), Person("Cleo")
    table = await playing_table(*people, rules=f"classic+false_uno_penalty=2{options}", pace="untimed")
    set_position(table, ada, bob, "Y1 Y2 Y3")
    await people[0].make_move(move)
    held = counts(table)[1]
    assert held > 2
    await asyncio.sleep(0.3)
    await people[1].make_move("uno")
    assert (people[1].last(Refused).code, people[1].last(Refused).late) == ("late", 300)
    assert counts(table)[1] == held
    await asyncio.sleep(10)
    await people[1].make_move("uno")
    assert counts(table)[1] == held + 2


async def test_a_call_that_a_substitute_bot_beat_is_late_and_not_false(ada: Person, bob: Person, cleo: Person) -> None:
    """Bob pressed on his own turn with two cards; the table had just drawn for him."""
    table = await race_table(ada, bob, cleo, rules=PUNISHED)
    set_position(table, "Y5 Y6 Y8", "Y1 G2", "G7 Y2 Y3 Y4", turn=1)
    await carry_out(table, Attempt(f"{BOT_COMMAND_PREFIX}0", 1, parse_move("draw"), asked=False))
    await bob.make_move("uno")
    assert bob.last(Refused).code == "late" and counts(table) == (3, 3, 4)


def test_a_call_is_late_by_the_latest_event() -> None:
    """A window that closed long ago does not hide the move that just removed the chance to call, nor vice versa."""
    race, call = UnoRace(1.0), parse_move("uno")
    race.follow({1}, set(), 0.0)
    race.follow(set(), set(), 1.0)
    race.interrupt(1, 20.0)
    assert race.lateness(1, call, 20.5) == ClosedWindow(20.0, False)
    race.follow({1}, set(), 30.0)
    race.follow(set(), {1}, 31.0)
    assert race.lateness(1, call, 31.5) == ClosedWindow(31.0, True)


async def test_a_call_after_an_own_move_is_false(ada: Person, bob: Person, cleo: Person) -> None:
    table = await race_table(ada, bob, cleo, rules=PUNISHED)
    set_position(table, "Y5 Y6 Y8", "Y1 G2", "G7 Y2 Y3 Y4", turn=1)
    await bob.make_move("draw")
    await bob.make_move("uno")
    assert counts(table) == (3, 5, 4)


# --- bots -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("attempt", range(10))
async def test_bots_do_not_catch_within_the_grace(ada: Person, attempt: int) -> None:
    """No bot catches before the grace period is over and 0.6 s more have passed (docs/table.md, "UNO")."""
    table = await playing_table(ada, seats=4, rules="classic", pace="untimed")
    for place in (1, 2, 3):
        table.play.levels = {**table.play.levels, place: "sharp"}
    set_position(table, "R3 Y5", "R1 G2 B5 B6", "Y1 Y2 Y3 Y4", "G3 G4 G5 G6")
    began = asyncio.get_running_loop().time()
    await ada.make_move("R3")
    while table.play.log.ply < 2:
        await asyncio.sleep(0.05)
    assert asyncio.get_running_loop().time() - began >= 1.6
    assert ada.last(Moved).move == "catch>0"


async def test_bots_leave_time_to_catch_one_of_them(ada: Person) -> None:
    """The next bot's play would close the window (CO-16): it waits until the grace period is over."""
    table = await playing_table(ada, seats=3, rules="classic", pace="fast")
    set_position(table, "Y1 Y2 Y3", "R3 Y5", "R1 G2 B5", turn=1)
    play = table.play
    await carry_out(table, Attempt("bot-forgot", 1, parse_move("R3")))
    play.levels = {2: "sharp"}
    play.race.grace = 1.0
    set_alarms(table)
    await asyncio.sleep(1.2)
    assert play.log.ply == 1
    await ada.make_move("catch>1")
    assert counts(table) == (3, 3, 3)


async def test_calls_without_end_do_not_fill_the_log(ada: Person, bob: Person, cleo: Person) -> None:
    """A player who has called may call again (CO-11 c), but not forever: each call is a move of the log."""
    table = await race_table(ada, bob, cleo)
    await ada.make_move("R3!")
    first = table.play.log.ply
    for _ in range(MAX_CALLS):
        await ada.make_move("uno")
    assert (ada.count(Refused), table.play.log.ply) == (0, first + MAX_CALLS)
    again = await ada.make_move("uno")
    refused = ada.last(Refused)
    assert (refused.id, refused.code, table.play.log.ply) == (again, "too-fast", first + MAX_CALLS)
    await bob.make_move("R1")
    await ada.make_move("uno")
    assert (ada.count(Refused), table.play.log.ply) == (1, first + MAX_CALLS + 2)


def test_a_held_catch_is_made_by_an_alarm_that_rings_early() -> None:
    """By rounding, an alarm may ring a moment before its time; it must not ring in vain and be set again."""
    race = UnoRace(1.0)
    race.follow((1,), (), 10.0)
    assert race.hold("command-1", 0, parse_move("catch>1"), 10.2) and race.first() == 11.0
    assert race.due(11.0 - ROUNDING_S / 2) == race.held[0] and race.due(10.9) is None

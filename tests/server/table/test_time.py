"""Automatic events at a table: thinking time, substitute bots, bots, pauses (docs/table.md)."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import asdict

from lastcard.server.table.live_table import LiveTable
from lastcard.server.wire.protocol import Dealt, Moved, Notice, Refused, Say, TableChanged, Welcome
from lastcard.session.commands import Back, Configure, LeaveSeat, Pause
from lastcard.session.table_settings import WantedSettings
from lastcard.session.table_state import replace
from lastcard.session.turn_clock import Clock
from lastcard.session.uno_race import UnoRace
from support.fakes import Person, clock_of, playing_table, set_position

HANDS = ("R1 R2 R3 R4", "R5 R6 R8 R9")


async def two(pace: str = "normal") -> tuple[LiveTable, Person, Person]:
    """Ada and Bob, Ada on turn."""
    ada, bob = Person("Ada"), Person("Bob")
    table = await playing_table(ada, bob, rules="classic", pace=pace)
    set_position(table, *HANDS)
    return table, ada, bob


def notices(person: Person) -> list[tuple[str, int | None]]:
    """The notices that a person alone received."""
    return [(message.what, message.left) for message in person.received if isinstance(message, Notice)]


@pytest.mark.parametrize(("pace", "seconds"), [("relaxed", 180), ("normal", 90), ("fast", 42)])
async def test_a_slow_player_is_warned_and_replaced(pace: str, seconds: int) -> None:
    """Turn and time bank of each pace; ten seconds before the end a warning, then a bot."""
    table, ada, bob = await two(pace)
    await asyncio.sleep(seconds - 10.1)
    assert notices(ada) == []
    await asyncio.sleep(0.2)
    assert notices(ada) == [("idle", 10000)]
    await asyncio.sleep(10)
    assert notices(ada) == [("idle", 10000), ("standin", None)] and table.play.log.ply == 0
    assert bob.last(TableChanged).table.seats[0].standin
    await asyncio.sleep(5)
    assert table.play.log.ply == 1 and notices(bob) == []


async def test_an_untimed_table_waits_for_ever() -> None:
    table, ada, _ = await two("untimed")
    await asyncio.sleep(3600)
    assert table.play.log.ply == 0 and notices(ada) == []


async def test_the_bank_is_used_once() -> None:
    """Time beyond the turn is taken from the round's bank; the screens show the rest."""
    table, ada, bob = await two()
    assert clock_of(table) == Clock(left=90_000, bank=60_000)
    await asyncio.sleep(50)
    assert clock_of(table) == Clock(left=40_000, bank=40_000)
    await ada.make_move("R1")
    assert bob.last(Moved).clock == Clock(left=90_000, bank=60_000)
    await bob.make_move("R5")
    assert ada.last(Moved).clock == Clock(left=70_000, bank=40_000)


async def test_calls_and_catches_do_not_give_time() -> None:
    """Only a decision restarts the clock."""
    table, ada, bob = await two()
    set_position(table, "R1 R2", "R5 R6 R8 R9")
    await ada.make_move("R1")
    await asyncio.sleep(20)
    await ada.make_move("uno")
    assert bob.last(Moved).clock == Clock(left=70_000, bank=60_000)


@pytest.mark.parametrize("message", [Back(), Say("I am here")])
async def test_a_returning_player_gets_the_hand_back(message: object) -> None:
    """Idle, replaced, welcomed back (docs/table.md, "A turn"): any command counts."""
    table, ada, bob = await two()
    await asyncio.sleep(90.3)
    await ada.send_command(message)
    assert notices(ada)[-1] == ("back", None) and not bob.last(TableChanged).table.seats[0].standin
    assert clock_of(table) == Clock(left=30_000, bank=0)
    await asyncio.sleep(29)
    assert table.play.log.ply == 0


async def test_a_move_of_an_idle_player_counts() -> None:
    """The first sign of life may be the move itself."""
    table, ada, _ = await two()
    await asyncio.sleep(90.1)
    await ada.make_move("R2")
    assert table.play.log.ply == 1 and notices(ada)[-1] == ("back", None) and ada.count(Refused) == 0


@pytest.mark.parametrize(("pace", "seconds"), [("normal", 15), ("untimed", 30)])
async def test_a_disconnected_player_is_replaced_sooner(pace: str, seconds: int) -> None:
    """The others need not wait for a lost connection; a person who returns has the hand back at once."""
    table, ada, bob = await two(pace)
    await asyncio.sleep(5)
    ada.disconnect()
    await asyncio.sleep(seconds - 0.5)
    seen = bob.last(TableChanged).table
    assert table.play.log.ply == 0 and not seen.seats[0].here
    assert seen.clock is not None and seen.clock.left == 1000 * seconds, "until a bot plays, as all can see"
    await asyncio.sleep(4)
    assert table.play.log.ply == 1
    await bob.make_move("draw")
    await ada.join(table)
    assert ada.last(Welcome).game is not None and ada.last(Welcome).game.mine is not None
    assert notices(ada) == [("back", None)]
    assert not bob.last(TableChanged).table.seats[0].standin


async def test_a_reload_costs_no_turn() -> None:
    """A page is reloaded in the middle of a decision."""
    table, ada, _ = await two()
    ada.disconnect()
    await asyncio.sleep(5)
    await ada.join(table)
    await asyncio.sleep(30)
    assert table.play.log.ply == 0 and notices(ada) == []


async def test_a_table_without_people_is_suspended() -> None:
    """Nobody loses a hand while all are away; with the first person back it goes on."""
    ada, screen = Person("Ada"), Person("TV")
    table = await playing_table(ada, seats=4, rules="classic")
    set_position(table, "R1 R2", "Y1 Y2", "Y3 Y4", "Y5 Y6", turn=1)
    await screen.join(table, tv=True)
    ada.disconnect()
    await asyncio.sleep(600)
    assert table.play.log.ply == 0
    await ada.join(table)
    await asyncio.sleep(4)
    assert table.play.log.ply >= 1


async def test_a_pause_stops_every_clock() -> None:
    """All agree, nothing moves, and anyone in a seat can resume (docs/table.md, "Leaving, pausing")."""
    table, ada, bob = await two()
    await asyncio.sleep(10)
    await ada.send_command(Pause(True))
    assert not table.state.paused
    await bob.send_command(Pause(True))
    assert ada.last(TableChanged).table.paused
    await asyncio.sleep(1000)
    await ada.make_move("R1")
    assert ada.last(Refused).code == "paused" and table.play.log.ply == 0
    assert clock_of(table) == Clock(left=80_000, bank=60_000)
    await bob.send_command(Pause(False))
    await asyncio.sleep(79)
    assert table.play.log.ply == 0
    await ada.make_move("R1")
    assert table.play.log.ply == 1


@pytest.mark.parametrize(("pace", "least", "most"), [("relaxed", 1.05, 3.8), ("normal", 0.7, 2.6), ("fast", 0.42, 1.6)])
async def test_bots_take_human_time(ada: Person, pace: str, least: float, most: float) -> None:
    """Bots take longer at a relaxed table, and never move at once."""
    table = await playing_table(ada, seats=3, rules="classic", pace=pace)
    set_position(table, "R1 R2 R3", "Y1 Y2 Y3 Y4", "Y5 Y6 Y7 Y8", turn=1, draw="G1 G2 G3 G4 G5 G6 G8 G9")
    loop, times = asyncio.get_running_loop(), []
    while table.play.match.round.turn != 0:
        began, ply = loop.time(), table.play.log.ply
        while table.play.log.ply == ply:
            await asyncio.sleep(0.01)
        times.append(loop.time() - began)
    assert len(times) >= 2 and least <= min(times) and max(times) <= most


async def test_the_host_changes_the_speed_of_bots_in_a_match(ada: Person) -> None:
    """Only that setting can be changed, and it applies at once."""
    table = await playing_table(ada, seats=3, rules="classic")
    settings = WantedSettings(**asdict(table.state.settings))
    assert await ada.refusal(Configure(replace(settings, bots="slow", grace=0))) == "in-match"
    set_position(table, "R1 R2 R3", "Y1 Y2 Y3 Y4", "Y5 Y6 Y7 Y8", turn=1, draw="G1 G2 G3 G4 G5 G6 G8 G9")
    waits = {}
    for bots in ("slow", "quick"):
        await ada.send_command(Configure(replace(settings, bots=bots)))
        assert table.state.phase == "playing" and ada.last(TableChanged).table.settings.bots == bots
        clock = table.play._clock
        pilot = table.play.bots
        plans = [pilot.plan(table.play.match.round, 0, {1: "casual"}, UnoRace(1.0), clock, 0.0) for _ in range(100)]
        waits[bots] = sum(plan.when - clock.since for plan in plans if plan is not None)
    assert waits["slow"] > 2 * waits["quick"]


async def test_a_bot_plays_for_a_player_who_left_the_seat() -> None:
    """The bot plays as fast as bots do: nobody waits for a player who has left."""
    table, ada, bob = await two()
    await ada.send_command(LeaveSeat())
    assert bob.last(Dealt).game.mine is not None
    await asyncio.sleep(3)
    assert table.play.log.ply == 1

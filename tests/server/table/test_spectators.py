"""Many spectators at a table: their maximum number, and how often others are informed of them."""

from __future__ import annotations

import asyncio

import pytest

from lastcard.server.game import presence
from lastcard.server.wire.protocol import TableChanged, Welcome
from lastcard.session.commands import LeaveSeat
from support.fakes import MemoryStore, Person, new_registry, new_table


async def test_the_number_of_spectators_is_limited(
    ada: Person, bob: Person, cleo: Person, eve: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players and people who are there already are not limited; big screens have a limit of their own."""
    monkeypatch.setattr(presence, "SCREENS", 1)
    table = await new_table(ada, bob, registry=new_registry(spectators=2))
    dan, tab, screen, other = map(Person, ("Dan", "Bob", "Screen", "Other screen"))
    for person in (cleo, dan):
        await person.join(table)
    await eve.join(table)
    assert eve.closed == "full" and not eve.texts
    await tab.join(table)
    await screen.join(table, tv=True)
    await other.join(table, tv=True)
    assert tab.closed is None and screen.closed is None and other.closed == "full"
    eve.disconnect()
    dan.disconnect()
    again = Person("Eve")
    await again.join(table)
    assert again.last(Welcome).you == again.id


async def test_a_player_who_leaves_a_seat_stays_as_spectator(ada: Person, bob: Person, cleo: Person) -> None:
    """The limit is for newcomers."""
    table = await new_table(ada, bob, registry=new_registry(spectators=1))
    await cleo.join(table)
    await bob.send_command(LeaveSeat())
    assert bob.closed is None and len(ada.last(TableChanged).table.guests) == 2


async def test_many_arrivals_and_departures_are_announced_together(ada: Person, bob: Person) -> None:
    """120 of them once sent 95 MB in seven seconds: everybody was informed of everybody, with all names."""
    table = await new_table(ada, bob)
    before = ada.count(TableChanged)
    crowd = [Person(f"Guest {n}") for n in range(40)]
    for person in crowd:
        await person.join(table)
    await asyncio.sleep(1)
    assert len(ada.last(TableChanged).table.guests) == 40
    for person in crowd:
        person.disconnect()
    await asyncio.sleep(2)
    assert not ada.last(TableChanged).table.guests
    assert ada.count(TableChanged) - before < 14


async def test_few_arrivals_are_announced_at_once(ada: Person, bob: Person, cleo: Person) -> None:
    table = await new_table(ada, bob, store=MemoryStore())
    await cleo.join(table)
    assert len(ada.last(TableChanged).table.guests) == 1

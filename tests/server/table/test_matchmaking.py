"""Seats at open tables: who sits with whom, on one worker or several, and how long people wait who left matches."""

from __future__ import annotations

import asyncio

import pytest

from lastcard.server.store.rows import now_ms
from lastcard.server.table.matchmaking import LISTED_MS, Matchmaker
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.protocol import TableChanged, Welcome
from lastcard.session.commands import Back, LeaveSeat, Sit
from lastcard.session.open_table import FULL_S, GATHER_S
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError
from support.fakes import LoopbackBus, MemoryStore, Person, new_registry, open_registry


def matchmaker_of(registry: TableRegistry) -> Matchmaker:
    return Matchmaker(registry._store, registry)


async def seat(matchmaker: Matchmaker, person: Person, game: str = "classic") -> str:
    """Get a seat for a person; returns the code of the table."""
    found = await matchmaker.find_seat(person.player, game)
    assert found.code is not None and not found.wait_s
    return found.code


async def play_open_match(store: MemoryStore, *people: Person) -> None:
    """Begin a match at an open table with these persons only."""
    registry = new_registry(store)
    matchmaker = matchmaker_of(registry)
    codes = {await seat(matchmaker, person) for person in people}
    for person in people:
        await person.join(await registry.find(*codes))
    await asyncio.sleep(GATHER_S + 1)


async def test_strangers_sit_together(store: MemoryStore, ada: Person, bob: Person, cleo: Person) -> None:
    """They come at once; another game has another table, and tables of friends are never found."""
    registry = new_registry(store)
    matchmaker = matchmaker_of(registry)
    await registry.create(Person("Friend").player, Settings(rules="classic"))
    codes = await asyncio.gather(*(seat(matchmaker, person) for person in (ada, bob, ada)))
    assert len(set(codes)) == 1
    assert await seat(matchmaker, cleo, "all-wild") not in codes
    table = await registry.find(codes[0])
    assert table is not None and table.state.players == (ada.id, bob.id, None, None)


async def test_the_page_shows_how_long_people_wait(store: MemoryStore, ada: Person, bob: Person) -> None:
    registry = new_registry(store)
    code = await seat(matchmaker_of(registry), ada)
    await ada.join(await registry.find(code))
    info = ada.last(Welcome).table
    assert info.open and info.host == "" and info.next_in == 1000 * GATHER_S
    await asyncio.sleep(10)
    await seat(matchmaker_of(registry), bob)
    left = ada.last(TableChanged).table.next_in
    assert left is not None and left == pytest.approx(1000 * (GATHER_S - 10), abs=100)
    await asyncio.sleep(GATHER_S - 9)
    table = await registry.find(code)
    assert table is not None and table.state.players == (ada.id, None, None, None), "Bob never came"


async def test_a_full_table_is_closed(store: MemoryStore) -> None:
    """The fifth person gets another table; nobody waits at a table that has begun."""
    registry = new_registry(store)
    matchmaker = matchmaker_of(registry)
    people = [Person(f"Person {n}") for n in range(5)]
    codes = [await seat(matchmaker, person) for person in people]
    assert len(set(codes[:4])) == 1 and codes[4] != codes[0]
    for person in people[:4]:
        await person.join(await registry.find(codes[0]))
    await asyncio.sleep(FULL_S + 1)
    table = await registry.find(codes[0])
    assert table is not None and table.state.phase == "playing" and set(store.open_tables) == {codes[4]}


async def test_an_abandoned_table_is_not_found(store: MemoryStore, ada: Person, bob: Person) -> None:
    """Somebody took a seat long ago and never came, or the table is gone."""
    matchmaker = matchmaker_of(new_registry(store))
    old = await seat(matchmaker, ada)
    store.open_tables[old] = "classic", now_ms() - LISTED_MS - 1
    store.open_tables["GONE22"] = "classic", now_ms()
    code = await seat(matchmaker, bob)
    assert code not in (old, "GONE22") and "GONE22" not in store.open_tables


async def test_all_workers_give_seats_at_the_same_tables(ada: Person, bob: Person) -> None:
    store, bus = MemoryStore(shared=True), LoopbackBus()
    async with open_registry(store, bus.member()) as one, open_registry(store, bus.member()) as other:
        code = await seat(matchmaker_of(one), ada)
        await ada.join(await one.find(code))
        assert await seat(matchmaker_of(other), bob) == code
        await bob.join(await other.find(code))
        await asyncio.sleep(GATHER_S + 1)
        for registry in (one, other):
            table = await registry.find(code)
            assert table is not None and table.state.phase == "playing"
            assert table.state.players == (ada.id, bob.id, None, None)
    assert len(store.matches) == 1


async def test_who_has_blocked_somebody_sits_elsewhere(store: MemoryStore, ada: Person, bob: Person) -> None:
    """The second of them to come, by request or with the code of the table."""
    registry = new_registry(store)
    matchmaker = matchmaker_of(registry)
    store.blocks.add((ada.id, bob.id))
    code = await seat(matchmaker, ada)
    assert await seat(matchmaker, bob) != code
    await bob.join(await registry.find(code))
    assert await bob.refusal(Sit()) == "blocked"
    store.blocks.clear()
    await bob.send_command(Sit())
    table = await registry.find(code)
    assert table is not None and table.state.seat_of(bob.id) == 1


async def test_who_often_leaves_matches_waits(store: MemoryStore, ada: Person, bob: Person) -> None:
    """The first match left in a day is forgiven, and so is one to which the person comes back."""
    for number in range(3):
        await play_open_match(store, ada, bob)
        await ada.send_command(LeaveSeat())
        assert len(store.departures) == number + 1
        if number == 0:
            await ada.send_command(Back())
            assert not store.departures
            await ada.send_command(LeaveSeat())
        if number < 2:
            store.departures = {key: now_ms() - 3_600_000 for key in store.departures}
    matchmaker = matchmaker_of(new_registry(store))
    found = await matchmaker.find_seat(ada.player, "classic")
    assert found.code is None and 50 < found.wait_s <= 60 and found.departures == 3
    assert (await matchmaker.find_wait(bob.id)) == (0, 0)


async def test_a_server_in_maintenance_gives_no_seats(store: MemoryStore, ada: Person) -> None:
    registry = new_registry(store)
    await registry.moderation.change_settings(draining=True)
    with pytest.raises(CommandError, match="draining"):
        await matchmaker_of(registry).find_seat(ada.player, "classic")
    assert not store.tables

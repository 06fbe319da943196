"""Several workers over one database: rivals, false announcements, silent workers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import patch

import pytest

from lastcard.errors import StoreError
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.parts import Note
from lastcard.server.wire.protocol import Dealt, Done, Moved, NotePosted, Refused, Say, TableChanged, Welcome
from lastcard.server.wire.worker_bus import NoteSaid, announce
from lastcard.session.commands import Sit, Start
from lastcard.session.hosting import new_duplicate_table
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import NOBODY, DuplicateTable
from lastcard.session.table_state import Person as Named
from lastcard.session.turn_clock import PACES
from support.fakes import (
    LoopbackBus,
    MemoryStore,
    Person,
    ProgramClient,
    clock_of,
    make_first_move,
    new_registry,
    new_table,
    open_registry,
    playing_table,
)


async def let_announcements_through() -> None:
    """Deliver announcements and run everything that they cause."""
    await asyncio.sleep(0.01)


@asynccontextmanager
async def two_workers() -> AsyncIterator[tuple[MemoryStore, LoopbackBus, TableRegistry, TableRegistry]]:
    """Two workers over one database, closed at the end."""
    store, bus = MemoryStore(shared=True), LoopbackBus()
    async with open_registry(store, bus.member()) as here, open_registry(store, bus.member()) as there:
        yield store, bus, here, there


async def seat_apart(here: TableRegistry, there: TableRegistry, **settings: Any) -> tuple[LiveTable, Person, Person]:
    """Two people at one table, each on a worker of their own."""
    ada, bob = Person("Ada"), Person("Bob")
    table = await new_table(ada, registry=here, rules="classic", **settings)
    await bob.join_and_sit(await there.find(table.code), 1)
    return table, ada, bob


async def play_apart(here: TableRegistry, there: TableRegistry, pace: str) -> tuple[LiveTable, Person, Person]:
    """Two people at one table, each on a worker of their own, and a match begun."""
    table, ada, bob = await seat_apart(here, there, pace=pace)
    await let_announcements_through()
    await ada.send_command(Start())
    await let_announcements_through()
    return table, ada, bob


async def let_one_idle(here: TableRegistry, there: TableRegistry) -> tuple[int, Person, Person]:
    """People on two workers; the one on turn idles until a bot plays for that seat. Returns the seat and both."""
    table, ada, bob = await play_apart(here, there, "fast")
    turn = table.play.match.round.turn
    idle, busy = (ada, bob)[turn], (bob, ada)[turn]
    await asyncio.sleep(42.2)
    assert busy.last(TableChanged).table.seats[turn].standin
    return turn, idle, busy


async def test_a_time_bank_is_one_on_all_workers() -> None:
    """All workers show the same deadline; a worker that takes the table over knows the used time."""
    async with two_workers() as (store, _, here, there):
        table, ada, bob = await play_apart(here, there, "normal")
        thinker = (ada, bob)[table.play.match.round.turn]
        await asyncio.sleep(47)
        clocks = [clock_of(person.table) for person in (ada, bob)]
        assert all(abs(clock.left - 43_000) < 100 for clock in clocks)
        revision = store.tables[table.code].rev
        await asyncio.sleep(20)
        assert store.tables[table.code].rev == revision + 4, "saved by one worker, all five seconds"
        assert all(abs(clock_of(person.table).left - 23_000) < 100 for person in (ada, bob))
    third = await new_registry(store).find(table.code)
    await thinker.join(third)
    assert clock_of(third).bank == 60_000 - 35_000


async def test_two_workers_one_ply() -> None:
    """Both workers accept the move as possible; the log decides, and the other reads on and tries again."""
    async with two_workers() as (store, bus, here, there):
        bus.is_deaf = True
        table, ada, bob = await play_apart(here, there, "untimed")
        await bob.table.catch_up(reload_state=True)
        turn = table.play.match.round.turn
        move = str(table.play.match.round.legal(turn)[0])
        person = (ada, bob)[turn]
        tab = Person(person.player.name)
        await tab.join(ada.table if person is bob else bob.table)
        await asyncio.gather(person.make_move(move, "command-one"), tab.make_move(move, "command-two"))
        assert len(store.log[table.play.id]) == 1
        assert person.count(Done) + tab.count(Done) == 1 and person.count(Refused) + tab.count(Refused) == 1


async def test_a_move_is_seen_by_the_peers_of_other_workers() -> None:
    """By an announcement, doubled here; or, when announcements are lost, at the next poll of the log."""
    async with two_workers() as (_, bus, here, there):
        table, ada, bob = await play_apart(here, there, "untimed")
        assert bob.table.play is not None and bob.table.play.id == table.play.id
        people = ada, bob
        for seen, deaf in ((1, False), (2, True)):
            bus.is_deaf = deaf
            turn = people[0].table.play.match.round.turn
            await people[turn].make_move(str(people[turn].table.play.match.round.legal(turn)[0]))
            await asyncio.sleep(2.5 if deaf else 0.01)
            assert ada.count(Moved) == bob.count(Moved) == seen
        assert ada.table.play.match.round.state_bytes() == bob.table.play.match.round.state_bytes()


async def test_a_newcomer_sees_all_that_other_workers_showed() -> None:
    """Announcements are lost, and the worker has people at the table, so it assumes that it is up to date."""
    async with two_workers() as (store, bus, here, there):
        table, ada, bob = await play_apart(here, there, "untimed")
        bus.is_deaf = True
        ply = table.play.log.ply
        turn = table.play.match.round.turn
        await (ada, bob)[turn].make_move(str(table.play.match.round.legal(turn)[0]))
        for person, other in ((ada, there), (bob, here)):
            again = Person(person.player.name)
            await again.join(await other.find(table.code))
            assert again.last(Welcome).game.ply == ply + 1
        late = Person("Ada")
        with patch.object(store, "load_table", side_effect=StoreError("gone")), pytest.raises(StoreError):
            await late.join(bob.table)
        assert late.texts == []
        del store.tables[table.code]
        await late.join(bob.table)
        assert late.closed == "gone" and late.texts == []


async def test_tables_agree_across_workers(ada: Person, bob: Person, cleo: Person) -> None:
    """Presence, chat, seats, and edits made at the same moment."""
    async with two_workers() as (_, _, here, there):
        table = await new_table(ada, registry=here, seats=3)
        other = await there.find(table.code)
        await bob.join(other)
        await cleo.join(other)
        await let_announcements_through()
        assert {guest.name for guest in ada.last(TableChanged).table.guests} == {"Bob", "Cleo"}
        assert bob.last(TableChanged).table.seats[0].here
        await asyncio.gather(ada.send_command(Sit(2)), bob.send_command(Sit(1)), cleo.send_command(Sit(0)))
        await let_announcements_through()
        assert other.state == table.state
        assert {table.state.playing_seat(person.id) for person in (ada, bob)} == {1, 2}
        await ada.send_command(Say("hello"))
        await let_announcements_through()
        assert bob.last(NotePosted).note.text == "hello"
        bob.disconnect()
        await let_announcements_through()
        assert not ada.last(TableChanged).table.seats[1].here


async def test_each_worker_times_its_own_people() -> None:
    """A person who is idle on one worker is replaced and returns by that worker's announcements alone."""
    async with two_workers() as (_, _, here, there):
        turn, idle, busy = await let_one_idle(here, there)
        assert idle.id not in busy.table.presence.people.standins
        await idle.send_command(Say("back"))
        await let_announcements_through()
        assert not busy.last(TableChanged).table.seats[turn].standin


async def test_a_player_may_return_on_another_worker() -> None:
    """The worker of an idle person dies silently; its last message does not count where the person is again."""
    async with two_workers() as (_, bus, here, there):
        turn, idle, busy = await let_one_idle(here, there)
        bus.is_deaf = True
        again = Person(idle.player.name)
        await again.join(busy.table)
        assert not again.last(TableChanged).table.seats[turn].standin
        assert turn not in busy.table.play.levels


async def test_a_player_connected_to_two_workers_is_replaced_once() -> None:
    """A person with a page on each worker lets the time pass on both: a bot plays until they act on either."""
    async with two_workers() as (_, bus, here, there):
        table, ada, bob = await seat_apart(here, there)
        await ada.send_command(Start())
        await let_announcements_through()
        people = (ada, bob)
        turn = table.play.match.round.turn
        twice, other = people[turn], people[1 - turn]
        second = Person(twice.player.name)
        await second.join(other.table)
        await let_announcements_through()
        await asyncio.sleep(95)
        assert other.last(TableChanged).table.seats[turn].standin and table.play.log.ply and not bus.is_deaf
        await second.send_command(Say("back"))
        await let_announcements_through()
        assert not other.last(TableChanged).table.seats[turn].standin
        assert turn not in table.play.levels and turn not in other.table.play.levels


async def test_people_of_a_silent_worker_count_as_gone() -> None:
    """Everybody sees it; as long as nothing changes, nobody is sent anything."""
    async with two_workers() as (_, bus, here, there):
        table, ada, bob = await seat_apart(here, there)
        await let_announcements_through()
        assert ada.last(TableChanged).table.seats[1].here
        messages = ada.count(TableChanged)
        await asyncio.sleep(60)
        assert ada.count(TableChanged) == messages, "nothing has changed"
        bus.is_deaf = True
        await asyncio.sleep(60)
        assert bob.id not in table.presence.people.here and not ada.last(TableChanged).table.seats[1].here


async def test_two_workers_start_one_match(ada: Person) -> None:
    """The workers start at once: one match is on the table, and no other is in anybody's list."""
    async with two_workers() as (store, bus, here, there):
        bus.is_deaf = True
        table = await here.create(ada.player, Settings(seats=2))
        other = await there.find(table.code)
        host = Named(ada.id, ada.player.name)
        starts = (one._run(one.session.apply(host, Start(), one.jobs.timers.now)) for one in (table, other))
        ends = await asyncio.gather(*starts, return_exceptions=True)
        assert [str(end) for end in ends if end is not None] == ["in-match"]
        assert table.play.id == other.play.id and list(store.matches) == [table.play.id]


async def test_names_change_and_go_on_every_worker() -> None:
    """A person who renames or deletes their data uses one worker, and is connected to another."""
    async with two_workers() as (store, _, here, there):
        table, ada, bob = await seat_apart(here, there)
        await here.rename(Named(bob.id, "Rob"))
        await let_announcements_through()
        assert ada.last(TableChanged).table.seats[1].name == "Rob"
        await here.forget(bob.id)
        await let_announcements_through()
        assert bob.closed == "gone" and ada.last(TableChanged).table.seats[1] is None
        assert not ada.last(TableChanged).table.guests and b"Rob" not in store.tables[table.code].doc


async def test_invalid_announcements_are_ignored(ada: Person) -> None:
    """Redis may send anything."""
    registry = new_registry(MemoryStore(shared=True))
    table = await playing_table(ada, seats=2, rules="classic")
    registry._tables[table.code] = table
    before = table.state
    code = table.code.encode()
    for topic, data in (
        ("move", b"\xff"),
        ("move", b'["%s","other",99]' % code),
        ("table", b'["%s",99]' % code),
        ("table", b"[]"),
        ("say", b'["%s",{}]' % code),
        ("nothing", b"{}"),
    ):
        registry._receive(topic, data)
        await let_announcements_through()
    assert table.state == before and ada.closed is None


async def test_people_at_a_deleted_table_are_informed(ada: Person) -> None:
    """Another worker deleted it: everybody is informed, nobody waits."""
    store = MemoryStore(shared=True)
    table = await new_table(ada, store=store)
    del store.tables[table.code]
    await table.catch_up(reload_state=True)
    assert ada.closed == "gone"


async def test_a_program_on_another_worker_is_left_to_play(ann: Person) -> None:
    """Workers announce programs as they announce people."""
    async with two_workers() as (_, _, here, there):
        table = await new_table(ann, registry=here, rules="classic", pace="untimed")
        robot = ProgramClient(await table.open_seat(ann.id, 1))
        other = await there.find(table.code)
        assert other is not None
        await robot.enter(other)
        await let_announcements_through()
        assert table.presence.people.programs == other.presence.people.programs != set()
        await ann.send_command(Start())
        await let_announcements_through()
        play, other_play = table.play, other.play
        assert play is not None and other_play is not None
        while play.match.round.turn != 1:
            await make_first_move(table, ann, robot)
            await let_announcements_through()
        ply = play.log.ply
        await asyncio.sleep(600)
        assert play.log.ply == other_play.log.ply == ply
        await make_first_move(other, ann, robot)
        await let_announcements_through()
        assert play.log.ply == ply + 1
        robot.disconnect()
        await let_announcements_through()
        assert play.levels == {1: "casual"} and table.presence.people.programs == set()


async def test_moderation_applies_on_all_workers() -> None:
    """Settings from one apply on the others, at once or, if the announcement is lost, a little later; a person who is
    banned on one is disconnected by another, with the network known only there; each reports its state.
    """
    async with two_workers() as (_, bus, here, there):
        table, ada, bob = await play_apart(here, there, "untimed")
        there.moderation.add_connection(bob.id, "203.0.113.7")
        await here.moderation.change_settings(notice="Back at eight")
        await let_announcements_through()
        assert bob.last(TableChanged).table.notice == "Back at eight"
        bus.is_deaf = True
        await here.moderation.change_settings(notice="Back at nine")
        await asyncio.sleep(11)
        assert bob.last(TableChanged).table.notice == "Back at nine"
        figures = await here.worker_stats()
        names = sorted(name for worker in figures.values() for name in worker.people[table.code].values())
        assert names == ["Ada", "Bob"]
        await here.moderation.ban(name="Bob", player=bob.id, widely=True)
        await asyncio.sleep(22)
        assert bob.closed == "banned" and ada.closed is None
        assert here.moderation.is_banned_address("203.0.113.7") and there.moderation.is_banned_address("203.0.113.7")
        place = table.state.seats[1]
        assert place is not None and place.away == "kicked"


@pytest.mark.parametrize("deleted", [False, True])
async def test_chat_of_banned_people_is_deleted_on_all_workers(deleted: bool) -> None:
    """Newcomers get the chat; their worker never had the connection of that person."""
    async with two_workers() as (_, _, here, there):
        table, ada, bob = await play_apart(here, there, "untimed")
        await ada.send_command(Say("rubbish"))
        await bob.send_command(Say("hello"))
        await let_announcements_through()
        assert {note.text for note in bob.table._chat.notes} == {"rubbish", "hello"}
        if deleted:
            await here.forget(ada.id)
        else:
            await here.moderation.ban(name="Ada", player=ada.id)
            await let_announcements_through()
            announce(here._bus, NoteSaid(table.code, Note(ada.id, "Ada", "late", None)))
        await let_announcements_through()
        late = Person("Late")
        await late.join(await there.find(table.code))
        assert {note.text for note in late.last(Welcome).notes} == {"hello"}


async def test_the_match_on_the_table_forgets_a_name_on_every_worker(cleo: Person) -> None:
    """This holds even where that person never was; viewers see it at once, and newcomers later."""
    async with two_workers() as (_, _, here, there):
        table, ada, bob = await play_apart(here, there, "untimed")
        await cleo.join(bob.table)
        await there.forget(bob.id)
        await let_announcements_through()
        for one in (table, bob.table):
            assert one.play is not None and one.play.log.row.persons == {ada.id}
        assert ada.last(Dealt).game.players == cleo.last(Dealt).game.players == ("Ada", NOBODY)


# --- tables that go on without people -----------------------------------------------------------------------


async def begin_elsewhere(here: TableRegistry, there: TableRegistry) -> tuple[LiveTable, LiveTable, Person]:
    """A table of a duplicate match on both workers: a person sits at it here, and there, where nobody is, it begins."""
    ada = Person("Ada")
    part = DuplicateTable("ABC234", 1, 2, "5a" * 32)
    settings = Settings(rules="classic", seats=2, pace="relaxed")
    table = await here.add(new_duplicate_table(Named(ada.id, "Ada"), settings, "casual", part))
    await ada.join_and_sit(table, 0)
    other = await there.find(table.code)
    assert other is not None
    await other.start_duplicate()
    return table, other, ada


async def test_a_worker_without_people_does_not_play_for_those_of_another() -> None:
    """A person who thinks longer than the table waits for a disconnected one still moves for themselves."""
    async with two_workers() as (store, _, here, there):
        table, other, ada = await begin_elsewhere(here, there)
        await asyncio.sleep(10)
        for _ in range(3):
            assert table.play is not None
            while table.play.match.round.turn != 0:
                await asyncio.sleep(1)
            before = len(store.log[table.play.id])
            await asyncio.sleep(PACES["relaxed"].absent + 10)
            assert len(store.log[table.play.id]) == before, "nobody has moved for her"
            assert not any(shown.seats[0].standin for shown in (other.describe(), ada.last(TableChanged).table))
            await make_first_move(table, ada)
            await let_announcements_through()
            assert not other.is_behind(table.play.id, before + 1)


async def test_a_worker_goes_on_with_a_table_whose_people_were_on_a_silent_one() -> None:
    """A worker that has the table plays it to its end, even if it is the only one left."""
    async with two_workers() as (_, bus, here, there):
        _, other, _ = await begin_elsewhere(here, there)
        await asyncio.sleep(10)
        bus.members.clear()
        await here.close()
        await asyncio.sleep(1000)
        assert other.state.duplicate is not None
        assert (other.state.duplicate.deal, other.state.phase) == (2, "over")

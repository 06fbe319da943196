"""All tables of a worker: restarts, rivals, hints that lie, empty tables (SERVER.md, one truth and faults)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fakes import MemoryStore, Person, instantly, new_house, new_table, playing_table
from lastcard.server.bus import NoBus
from lastcard.server.document import Denied
from lastcard.server.house import House
from lastcard.server.picture import Settings
from lastcard.server.protocol import Done, Heard, Kick, Moved, Ready, Refused, Say, Sit, Start, Welcome, Write
from lastcard.server.protocol import Table as TableNews
from lastcard.server.store import Store
from lastcard.server.table import Table


class Loopback:
    """A bus between workers of one loop; hints may be dropped or doubled."""

    def __init__(self) -> None:
        self.members: list[tuple[object, Callable[[str, bytes], None]]] = []
        self.deaf = False

    def member(self) -> Any:
        """A worker's end."""
        bus = self

        class End(NoBus):
            def publish(self, topic: str, data: bytes) -> None:
                for member, callback in bus.members:
                    if member is not self and not bus.deaf:
                        for _ in range(2):
                            asyncio.get_running_loop().call_soon(callback, topic, data)

            def subscribe(self, callback: Callable[[str, bytes], None]) -> None:
                bus.members.append((self, callback))

        return End()


async def settle() -> None:
    """Let hints and what they set off come through."""
    await asyncio.sleep(0.01)


async def two_workers() -> tuple[MemoryStore, Loopback, House, House]:
    """Two houses over one database."""
    store, bus = MemoryStore(shared=True), Loopback()
    houses = new_house(store, bus.member()), new_house(store, bus.member())
    for house in houses:
        await house.open()
    return store, bus, *houses


async def close(*houses: House) -> None:
    """Stop all workers."""
    for house in houses:
        await house.close()


# --- one worker -----------------------------------------------------------------------------------------------


def test_a_code_is_found_however_it_is_typed() -> None:
    """Small letters, blanks; a code of nobody is None."""

    async def play() -> None:
        house = new_house()
        table = await house.create(Person("Ada").player, Settings())
        assert await house.find(f" {table.code[:3].lower()}-{table.code[3:]}") is table
        assert await house.find("222222") is None and await house.find("nonsense!") is None

    instantly(play())


def test_settings_that_make_no_sense_make_no_table() -> None:
    """In words, before anything is saved."""

    async def play() -> None:
        store = MemoryStore()
        with pytest.raises(Denied):
            await new_house(store).create(Person("Ada").player, Settings(rules="poker"))
        assert not store.tables

    instantly(play())


def test_a_restart_mid_match_changes_nothing() -> None:
    """Stopping and starting again continues every table (issue 3, 1): hands, turn, seats, answered commands."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        store = MemoryStore()
        table = await playing_table(ada, bob, seats=3, store=store, rules="classic", pace="untimed")
        commands = []
        while len(commands) < 6:
            turn = table.play.match.round.turn
            if turn < 2:
                person = (ada, bob)[turn]
                commands.append((person, str(table.play.match.round.legal(turn)[0])))
                commands[-1] += (await person.act(commands[-1][1]),)
            await asyncio.sleep(0.5)
        again = await new_house(store).find(table.code)
        assert again is not None and again is not table
        assert again.play.match.round.table_bytes() == table.play.match.round.table_bytes()
        assert again.document == table.document and again.play.ledger.commands == table.play.ledger.commands
        person, move, command = commands[-1]
        await person.join(again)
        answers = person.count(Done)
        await person.act(move, command)
        assert person.count(Done) == answers + 1 and again.play.ledger.ply == table.play.ledger.ply

    instantly(play())


def test_bots_go_on_after_a_restart_when_somebody_is_there() -> None:
    """Not before: a table of bots alone must not play for ever."""

    async def play() -> None:
        ada, store = Person("Ada"), MemoryStore()
        table = await playing_table(ada, seats=4, store=store, rules="classic")
        while table.play.match.round.turn == 0:
            await ada.act(str(table.play.match.round.legal(0)[0]))
        ada.vanish()
        again = await new_house(store).find(table.code)
        ply = again.play.ledger.ply
        await asyncio.sleep(100)
        assert again.play.ledger.ply == ply
        await Person("Eve").join(again)
        await asyncio.sleep(3)
        assert again.play.ledger.ply > ply

    instantly(play())


def test_a_restart_between_log_and_table_is_healed() -> None:
    """The round was over, or the next one dealt, and the server died before the table was saved."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        store = MemoryStore()
        table = await playing_table(ada, bob, store=store, rules="classic", pace="untimed")
        rng = random.Random(7)
        saved = store.tables[table.code]
        while table.document.phase == "playing":
            turn = table.play.match.round.turn
            moves = [m for m in table.play.match.round.legal(turn) if m.verb not in ("uno", "catch")]
            plays = [m for m in moves if m.verb == "play"]
            await (ada, bob)[turn].act(str(rng.choice(plays or moves)))
        store.tables[table.code] = saved
        again = await new_house(store).find(table.code)
        assert again.document.phase == table.document.phase == "between"
        saved = store.tables[table.code]
        again.audience.enter(ada, None)
        await ada.join(again)
        await bob.join(again)
        await ada.say(Ready())
        saved = store.tables[table.code]
        await bob.say(Ready())
        assert again.document.phase == "playing" and again.document.round == 1
        store.tables[table.code] = saved
        third = await new_house(store).find(table.code)
        assert (third.document.phase, third.document.round) == ("playing", 1)

    instantly(play())


def test_writing_goes_on_after_a_restart() -> None:
    """Cards already written are kept."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        store = MemoryStore()
        table = await new_table(ada, bob, store=store, rules="wild-jackpot+wj_rules=written")
        await ada.say(Start())
        await ada.say(Write(("skip",)))
        again = await new_house(store).find(table.code)
        await ada.join(again)
        assert [seat.ready for seat in ada.last(Welcome).table.seats] == [True, False]
        await bob.join(again)
        await bob.say(Write(()))
        assert again.document.phase == "playing" and again.play.match.rule_cards[0].text == "skip"

    instantly(play())


def test_closing_sends_everybody_to_come_back() -> None:
    """SIGTERM: browsers hear ``restart`` and reconnect by themselves."""

    async def play() -> None:
        ada = Person("Ada")
        house = new_house()
        await house.open()
        await ada.join(await house.create(ada.player, Settings()))
        await house.close()
        assert ada.closed == "restart" and house.tables == ()

    instantly(play())


def test_empty_tables_leave_memory_and_come_back() -> None:
    """The store has them; a table with people stays."""

    async def play() -> None:
        ada, bob = Person("Ada"), Person("Bob")
        house = new_house()
        await house.open()
        kept, left = [await house.create(person.player, Settings()) for person in (ada, bob)]
        await ada.join(kept)
        await bob.join(left)
        bob.vanish()
        await asyncio.sleep(200)
        assert house.tables == (kept,)
        assert (await house.find(left.code)).document == left.document
        await house.close()

    instantly(play())


def test_tables_alone_cost_nothing() -> None:
    """Two thousand tables without people set no alarm, so a move costs the same with them (issue 3, 5)."""

    async def play() -> None:
        house, ada = new_house(), Person("Ada")
        for _ in range(200):
            await house.create(ada.player, Settings(), quick=True)
        assert all(table.alarms._handle is None for table in house.tables)

    instantly(play())


# --- several workers ------------------------------------------------------------------------------------------


def test_two_workers_one_ply() -> None:
    """Both think it is possible; the log decides, the other reads on and asks again (SERVER.md, one truth, 1)."""

    async def play() -> None:
        store, bus, here, there = await two_workers()
        bus.deaf = True
        ada, bob = Person("Ada"), Person("Bob")
        table = await here.create(ada.player, Settings(seats=2, rules="classic", pace="untimed"))
        await ada.join(table)
        await bob.join(await there.find(table.code))
        await bob.say(Sit(1))
        await ada.say(Start())
        await bob.table.look(document=True)
        turn = table.play.match.round.turn
        move = str(table.play.match.round.legal(turn)[0])
        person = (ada, bob)[turn]
        tab = Person(person.player.name)
        await tab.join(ada.table if person is bob else bob.table)
        await asyncio.gather(person.act(move, "command-one"), tab.act(move, "command-two"))
        assert len(store.log[table.play.id]) == 1
        assert person.count(Done) + tab.count(Done) == 1 and person.count(Refused) + tab.count(Refused) == 1
        await close(here, there)

    instantly(play())


def test_a_move_is_seen_by_the_peers_of_other_workers() -> None:
    """By a hint, doubled here; or, when hints are lost, at the next look at the log."""

    async def play() -> None:
        _, bus, here, there = await two_workers()
        ada, bob = Person("Ada"), Person("Bob")
        table = await here.create(ada.player, Settings(seats=2, rules="classic", pace="untimed"))
        await ada.join(table)
        await bob.join(await there.find(table.code))
        await bob.say(Sit(1))
        await settle()
        await ada.say(Start())
        await settle()
        assert bob.table.play is not None and bob.table.play.id == table.play.id
        people = ada, bob
        for seen, deaf in ((1, False), (2, True)):
            bus.deaf = deaf
            turn = people[0].table.play.match.round.turn
            await people[turn].act(str(people[turn].table.play.match.round.legal(turn)[0]))
            await asyncio.sleep(2.5 if deaf else 0.01)
            assert ada.count(Moved) == bob.count(Moved) == seen
        assert ada.table.play.match.round.table_bytes() == bob.table.play.match.round.table_bytes()
        await close(here, there)

    instantly(play())


def test_tables_agree_across_workers() -> None:
    """Who is here, what is said, who sits, and edits made at the same moment."""

    async def play() -> None:
        _, _, here, there = await two_workers()
        ada, bob, cleo = Person("Ada"), Person("Bob"), Person("Cleo")
        table = await here.create(ada.player, Settings(seats=3))
        await ada.join(table)
        other = await there.find(table.code)
        await bob.join(other)
        await cleo.join(other)
        await settle()
        assert {guest.name for guest in ada.last(TableNews).table.guests} == {"Bob", "Cleo"}
        assert bob.last(TableNews).table.seats[0].here
        await asyncio.gather(ada.say(Sit(2)), bob.say(Sit(1)), cleo.say(Sit(0)))
        await settle()
        assert other.document == table.document
        assert {table.document.playing_seat(person.id) for person in (ada, bob)} == {1, 2}
        await ada.say(Say("hello"))
        await settle()
        assert bob.last(Heard).note.text == "hello"
        bob.vanish()
        await settle()
        assert not ada.last(TableNews).table.seats[1].here
        await close(here, there)

    instantly(play())


def test_each_worker_watches_over_its_own_persons() -> None:
    """A person who is idle elsewhere is played for, and back, on word of that worker alone."""

    async def play() -> None:
        _, _, here, there = await two_workers()
        ada, bob = Person("Ada"), Person("Bob")
        table = await here.create(ada.player, Settings(seats=2, rules="classic", pace="fast"))
        await ada.join(table)
        await bob.join(await there.find(table.code))
        await bob.say(Sit(1))
        await settle()
        await ada.say(Start())
        await settle()
        turn = table.play.match.round.turn
        idle, busy = (ada, bob)[turn], (bob, ada)[turn]
        await asyncio.sleep(42.2)
        assert busy.last(TableNews).table.seats[turn].standin
        assert idle.id not in busy.table.standins
        await idle.say(Say("back"))
        await settle()
        assert not busy.last(TableNews).table.seats[turn].standin
        await close(here, there)

    instantly(play())


def test_a_worker_that_falls_silent_takes_its_persons_along() -> None:
    """Its persons count as gone after a while, and are played for."""

    async def play() -> None:
        _, bus, here, there = await two_workers()
        ada, bob = Person("Ada"), Person("Bob")
        table = await here.create(ada.player, Settings(seats=2))
        await ada.join(table)
        await bob.join(await there.find(table.code))
        await bob.say(Sit(1))
        await settle()
        assert bob.id in table.audience.here
        bus.deaf = True
        await asyncio.sleep(60)
        assert bob.id not in table.audience.here
        await close(here, there)

    instantly(play())


def test_hints_that_are_rubbish_do_no_harm() -> None:
    """Redis may lie (SERVER.md, faults)."""

    async def play() -> None:
        ada = Person("Ada")
        house = new_house(MemoryStore(shared=True))
        table = await playing_table(ada, seats=2, rules="classic")
        house._tables[table.code] = table
        before = table.document
        code = table.code.encode()
        for topic, data in (
            ("move", b"\xff"),
            ("move", b'["%s","other",99]' % code),
            ("table", b'["%s",99]' % code),
            ("table", b"[]"),
            ("say", b'["%s",{}]' % code),
            ("nothing", b"{}"),
        ):
            house._hear(topic, data)
            await settle()
        assert table.document == before and ada.closed is None

    instantly(play())


def test_a_table_that_was_swept_away_says_so() -> None:
    """Another worker deleted it: everybody is told, nobody waits."""

    async def play() -> None:
        ada, store = Person("Ada"), MemoryStore(shared=True)
        table = await new_table(ada, store=store)
        del store.tables[table.code]
        await table.look(document=True)
        assert ada.closed == "gone"

    instantly(play())


# --- the real store -------------------------------------------------------------------------------------------


def test_a_match_in_a_real_database(tmp_path: Path) -> None:
    """Played, stopped, started again and played on, from the file alone."""

    async def half(store: Store, code: str | None) -> Table:
        ada, bob = Person("Ada"), Person("Bob")
        house = House(store, NoBus(), public_url="http://localhost:8000")
        await house.open()
        if code is None:
            table = await house.create(ada.player, Settings(seats=2, rules="classic", pace="untimed"))
        else:
            found = await house.find(code)
            assert found is not None
            table = found
        await ada.join(table)
        await bob.join(table)
        if code is None:
            await bob.say(Sit(1))
            await ada.say(Start())
        for _ in range(5):
            turn = table.play.match.round.turn
            move = next(move for move in table.play.match.round.legal(turn) if move.verb not in ("uno", "catch"))
            await (ada, bob)[turn].act(str(move), f"{code}-{table.play.ledger.ply:08}")
        await ada.say(Kick(ada.id))
        assert ada.last(Refused).code == "kick-self"
        await house.close()
        return table

    def run(code: str | None) -> Table:
        store = Store.open(f"sqlite:///{tmp_path}/tables.db")
        try:
            return asyncio.run(half(store, code))
        finally:
            store.close()

    first = run(None)
    second = run(first.code)
    assert second.play.id == first.play.id and second.play.ledger.ply == 10
    assert second.document.seats == first.document.seats

"""Changed names, deleted data, and seats taken over from bots (docs/table.md, "After the match")."""

from __future__ import annotations

import asyncio
import re
from contextlib import closing
from pathlib import Path

import pytest

from lastcard.errors import StoreError
from lastcard.server.game.match_messages import game_for
from lastcard.server.store.rows import Player
from lastcard.server.store.store import Store
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.protocol import Dealt, NotePosted, Say, TableChanged, Welcome
from lastcard.server.wire.worker_bus import Bus
from lastcard.session.commands import Kick, Mute, Ready, Sit, Start, Write
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import NOBODY
from lastcard.session.table_state import Person as Named
from support.fakes import MemoryStore, Person, new_registry, new_table, playing_table, set_position, win_round
from support.threaded_server import run_threaded_server


def names(person: Person) -> list[str | None]:
    """The names in the seats, as a person sees them."""
    return [None if seat is None else seat.name for seat in person.last(TableChanged).table.seats]


def assert_unknown(store: MemoryStore, table: LiveTable, person: Person) -> None:
    """Check that neither the saved table nor the shown one contains anything of a person."""
    game = table.play and game_for(table.play, None, 0.0)
    for text in (store.tables[table.code].doc.decode(), str(table.describe()), str(table._chat.notes), str(game)):
        assert person.id not in text and not re.search(rf"""['"]{person.player.name}['"]""", text)


# --- changed names ----------------------------------------------------------------------------------------------


async def test_another_name_is_shown_at_once(ada: Person, bob: Person, cleo: Person) -> None:
    """The new name is shown in the seat, among spectators, as host, and in the chat."""
    table = await new_table(ada, bob)
    await cleo.join_and_sit(table)
    await table.rename(Named(ada.id, "Adele"))
    await table.rename(Named(cleo.id, "Cloe"))
    assert names(bob) == ["Adele", "Bob"] and table.state.host.name == "Adele"
    assert [guest.name for guest in bob.last(TableChanged).table.guests] == ["Cloe"]
    assert table.state.queue == (Named(cleo.id, "Cloe"),)
    await ada.send_command(Say("hello"))
    assert bob.last(NotePosted).note.name == "Adele"


async def test_names_in_a_match_stay_until_it_is_over(ada: Person, cleo: Person) -> None:
    """The record has one name for each seat; afterwards the new one counts, also that of a successor."""
    table = await playing_table(ada, seats=2, rules="classic+winning_score=100")
    await cleo.join_and_sit(table, 1)
    await table.rename(Named(ada.id, "Adele"))
    await table.rename(Named(cleo.id, "Cloe"))
    assert names(cleo)[0] == "Ada" and cleo.last(TableChanged).table.seats[1].heir == "Cloe"
    await win_round(table, ada, "W W W")
    assert table.state.phase == "over" and names(cleo) == ["Adele", "Cloe"]


async def test_only_tables_where_a_person_is_are_notified(ada: Person) -> None:
    """At other tables the new name comes with the person."""
    registry = new_registry()
    here, there = [await registry.create(ada.player, Settings()) for _ in range(2)]
    await ada.join(here)
    await registry.rename(Named(ada.id, "Adele"))
    assert here.state.seats[0].name == "Adele" and there.state.seats[0].name == "Ada"
    ada.player = type(ada.player)(ada.id, "Adele", "en")
    await ada.join(there)
    assert there.state.seats[0].name == "Adele"


# --- deleted data -----------------------------------------------------------------------------------------------


async def test_deleting_own_data_leaves_the_table(ada: Person, bob: Person, store: MemoryStore) -> None:
    """Seat, chat, wins, number and connection are gone, and somebody else is host (docs/table.md)."""
    registry = new_registry(store)
    table = await new_table(ada, bob, registry=registry)
    await ada.give_number()
    await ada.send_command(Say("hello"))
    await registry.forget(ada.id)
    assert ada.closed == "gone" and names(bob) == [None, "Bob"]
    assert table.state.host.id == bob.id
    assert_unknown(store, table, ada)
    assert await ada.refusal(Sit(0)) == "watching"
    ada.disconnect()
    await bob.send_command(Start())
    assert table.state.phase == "playing"


async def test_a_bot_takes_the_hand_of_a_deleted_person(ada: Person, bob: Person, store: MemoryStore) -> None:
    """This happens during the round, and for good."""
    table = await playing_table(ada, bob, store=store, rules="classic", pace="untimed")
    set_position(table, "R1 R2 R3", "R4 R5 R6", turn=1)
    await bob.send_command(Kick(ada.id))
    await ada.send_command(Mute(bob.id, True))
    await table.forget(bob.id)
    seat = ada.last(TableChanged).table.seats[1]
    assert seat.player is None and seat.bot == "casual" and table.state.vote is None
    assert_unknown(store, table, bob)
    await asyncio.sleep(4)
    assert table.play.log.ply == 1


async def test_a_match_that_is_over_forgets_a_name_too(
    ada: Person, bob: Person, cleo: Person, store: MemoryStore
) -> None:
    """The match stays on the table, and newcomers see it: there the person has no seat any more."""
    table = await playing_table(ada, bob, store=store, rules="classic+winning_score=100")
    await win_round(table, ada, "W W W")
    await table.forget(bob.id)
    await cleo.join(table)
    assert cleo.last(Welcome).game.players == ada.last(Dealt).game.players == ("Ada", NOBODY)
    assert_unknown(store, table, bob)


async def test_queue_and_written_cards_are_deleted_too(
    ada: Person, bob: Person, cleo: Person, eve: Person, store: MemoryStore
) -> None:
    """The queue, a takeover, rule cards and readiness are cleared."""
    table = await new_table(ada, bob, store=store, rules="wild-jackpot+wj_rules=written")
    await cleo.join_and_sit(table)
    await ada.send_command(Start())
    await bob.send_command(Write(("skip",)))
    for person in (bob, cleo):
        await table.forget(person.id)
        assert_unknown(store, table, person)
    await ada.send_command(Write(()))
    assert table.state.phase == "playing"
    await eve.join_and_sit(table, 1)
    assert table.state.seats[1].next_player is not None
    await table.forget(eve.id)
    assert_unknown(store, table, eve)


async def test_a_table_nobody_has_in_memory_forgets_too(ada: Person, bob: Person, store: MemoryStore) -> None:
    """The host was alone: the next person is host after a while."""
    code = (await new_registry(store).create(ada.player, Settings())).code
    registry = new_registry(store)
    await registry.forget(ada.id)
    table = await registry.find(code)
    assert table is not None
    assert_unknown(store, table, ada)
    assert table.state.host == Named("", NOBODY)
    await bob.join(table)
    await asyncio.sleep(61)
    assert table.state.host.id == bob.id


async def test_a_failed_deletion_is_reported(ada: Person, store: MemoryStore) -> None:
    """The person can ask again."""
    registry = new_registry(store)
    table = await registry.create(ada.player, Settings())
    store.broken = True
    with pytest.raises(StoreError):
        await registry.forget(ada.id)
    store.broken = False
    await registry.forget(ada.id)
    assert_unknown(store, table, ada)


async def test_a_table_outlives_its_last_match(ada: Person, store: MemoryStore) -> None:
    """The player has deleted it; the table is still there for the next match."""
    table = await playing_table(ada, seats=2, store=store)
    set_position(table, "W", "W W")
    await ada.make_move("W")
    assert table.state.phase == "over"
    store.matches.clear()
    again = await new_registry(store).find(table.code)
    await ada.join(again)
    assert again.play is None and again.state.phase == "over"
    await ada.send_command(Start())
    assert again.play is not None and ada.last(Dealt).game.match == again.play.id


# --- taking over a seat -----------------------------------------------------------------------------------------


@pytest.mark.real_time
async def test_a_match_taken_over_from_a_bot_is_among_the_own(ada: Person, bob: Person, tmp_path: Path) -> None:
    """The match comes with the seat; the record has the names at its start."""
    with closing(Store.open(f"sqlite:///{tmp_path}/tables.db")) as store:
        registry = TableRegistry(store, Bus(), public_url="")
        table = await new_table(ada, registry=registry, seats=3, rules="classic+winning_score=100")
        await ada.send_command(Start())
        started = await store.load_match(table.play.id)
        await bob.join_and_sit(table, 2)
        await win_round(table, ada, "R2", "R2")
        assert await store.matches_of(bob.id, 9) == []
        await bob.send_command(Ready())
        await ada.send_command(Ready())
        assert table.state.phase == "playing"
        (row,) = await store.matches_of(bob.id, 9)
        assert (row.players, row.names, row.bots) == ((ada.id, None, bob.id), started.names, started.bots)
        assert await store.delete_match_for(bob.id, row.id)
        assert await store.load_match(row.id) == started


@pytest.mark.real_time
async def test_a_match_taken_over_from_a_person_is_among_the_own(
    ada: Person, bob: Person, cleo: Person, tmp_path: Path
) -> None:
    """The person who was sent away has it, too; afterwards each may delete it."""
    with closing(Store.open(f"sqlite:///{tmp_path}/tables.db")) as store:
        registry = TableRegistry(store, Bus(), public_url="")
        table = await new_table(ada, bob, registry=registry, rules="classic+winning_score=100")
        await cleo.join(table)
        await ada.send_command(Start())
        await ada.send_command(Kick(bob.id))
        await win_round(table, ada, "R2")
        await cleo.send_command(Sit(1))
        for _ in range(2):
            for person in (cleo, ada):
                await person.send_command(Ready())
            assert table.state.phase == "playing"
            await win_round(table, ada, "R2")
        for person, seat in ((ada, 0), (bob, 1), (cleo, 1)):
            (row,) = await store.matches_of(person.id, 9)
            assert (row.seat_of(person.id), row.players, row.takeovers) == (seat, (ada.id, bob.id), ((1, cleo.id),))
        for person in (bob, cleo):
            await store.delete_player(person.id)
            assert await store.matches_of(person.id, 9) == []
        (row,) = await store.matches_of(ada.id, 9)
        assert (row.players, row.takeovers, row.names) == ((ada.id, None), (), ("Ada", NOBODY))


def test_a_tab_that_joins_during_deletion_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables have forgotten the person already, the database not yet: another tab comes back just then."""
    delete, tab = Store.delete_player, Person("Ada")
    with run_threaded_server(tmp_path) as served:
        ada = served.new_client("Ada")
        code = ada.create_table()
        tab.player = Player(ada.get("/api/me").json()["id"], "Ada", "en")

        async def delete_late(self: Store, player: str) -> None:
            await tab.join_and_sit(await served.app.state.registry.find(code), 1)
            await delete(self, player)

        monkeypatch.setattr(Store, "delete_player", delete_late)
        assert ada.http.delete("/api/me").status_code == 200
        assert tab.closed == "gone"
        table = served.app.state.registry.tables[0]
        assert table.state.seats[1] is None and tab.id not in str(table.state)

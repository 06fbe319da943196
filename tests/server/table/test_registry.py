"""The table registry of a worker: lookups, restarts, empty tables."""

from __future__ import annotations

import asyncio
import random
import weakref
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from lastcard.errors import StoreError
from lastcard.server.http import listening_socket
from lastcard.server.store.rows import TableRow
from lastcard.server.store.store import Store
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.protocol import Done, NotePosted, Refused, Say, Welcome
from lastcard.server.wire.worker_bus import Bus
from lastcard.session.commands import Kick, Ready, Sit, Start, Write
from lastcard.session.match_play import MatchPlay
from lastcard.session.match_rows import MoveRow
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import CommandError
from support.fakes import MemoryStore, Person, new_registry, new_table, open_registry, playing_table, win_round


async def test_a_code_is_found_however_it_is_typed(ada: Person) -> None:
    """Small letters and blanks are accepted; an unknown code gives None."""
    registry = new_registry()
    table = await registry.create(ada.player, Settings())
    assert await registry.find(f" {table.code[:3].lower()}-{table.code[3:]}") is table
    assert await registry.find("222222") is None and await registry.find("nonsense!") is None


@pytest.mark.parametrize("broken", ["document", "match"])
async def test_a_table_of_another_version_is_gone(store: MemoryStore, ada: Person, broken: str) -> None:
    """The person gets the answer for a table that does not exist, and the log says why."""
    table = await playing_table(ada, store=store)
    row = store.matches[table.play.id]
    if broken == "document":
        store.tables[table.code] = replace(store.tables[table.code], doc=b'{"host": 1}')
    else:
        store.log[row.id] = [MoveRow(row.id, 0, "command-0", 1, 0, 5)] * 2
    with capture_logs() as logs:
        assert await new_registry(store).find(table.code) is None
    (log,) = logs
    assert log["log_level"] == "warning" and "another version" in log["event"] and log["why"]


async def test_a_table_is_in_memory_once(store: MemoryStore, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody comes back at once, and the database is unavailable at first."""
    code = (await new_registry(store).create(ada.player, Settings())).code
    registry, load, calls = new_registry(store), store.load_table, iter(range(9))

    async def load_table(code: str) -> TableRow | None:
        call = next(calls)
        await asyncio.sleep(1)
        if call == 0:
            raise StoreError("gone")
        return await load(code)

    monkeypatch.setattr(store, "load_table", load_table)
    first, second = (asyncio.create_task(registry.find(code)) for _ in range(2))
    with pytest.raises(StoreError):
        await first
    assert await registry.find(code) is await second is not None


async def test_a_server_has_a_table_of_its_own_for_everybody(ada: Person) -> None:
    """Codes are short in a local network and longer in public."""
    table = await new_registry().create(ada.player, Settings())
    assert len(table.code) == 6 and table.describe().join_url == f"http://192.168.1.5:8000/t/{table.code}"


async def test_an_invitation_says_where_the_computer_is_now(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server may be up before the network, and a laptop may change networks."""
    monkeypatch.setattr(listening_socket, "lan_address", lambda: None)
    with closing(listening_socket.bind("0.0.0.0", 0)) as listener:
        place = listening_socket.find_address(listener, None)
    registry = TableRegistry(MemoryStore(), Bus(), public_url=place.current)  # type: ignore[arg-type]
    table = await registry.create(ada.player, Settings())
    path = f":{place.port}/t/{table.code}"
    assert table.describe().join_url == f"http://localhost{path}"
    for here in ("192.168.1.5", "10.0.0.7"):
        monkeypatch.setattr(listening_socket, "lan_address", partial(str, here))
        assert table.describe().join_url == f"http://{here}{path}"


async def test_invalid_settings_make_no_table(store: MemoryStore) -> None:
    with pytest.raises(CommandError):
        await new_registry(store).create(Person("Ada").player, Settings(rules="poker"))
    assert not store.tables


async def test_a_restart_mid_match_changes_nothing(ada: Person, bob: Person, store: MemoryStore) -> None:
    """A restart continues every table (docs/server.md): hands, turn, seats, answered commands."""
    table = await playing_table(ada, bob, seats=3, store=store, rules="classic", pace="untimed")
    commands: list[tuple[Person, str, str]] = []
    while len(commands) < 6:
        turn = table.play.match.round.turn
        if turn < 2:
            person = (ada, bob)[turn]
            move = str(table.play.match.round.legal(turn)[0])
            commands.append((person, move, await person.make_move(move)))
        await asyncio.sleep(0.5)
    again = await new_registry(store).find(table.code)
    assert again is not None and again is not table
    assert again.play.match.round.state_bytes() == table.play.match.round.state_bytes()
    assert again.state == table.state and again.play.log.ply == table.play.log.ply
    person, move, command = commands[-1]
    await person.join(again)
    answers = person.count(Done)
    await person.make_move(move, command)
    assert person.count(Done) == answers + 1 and again.play.log.ply == table.play.log.ply


async def test_bots_go_on_after_a_restart_when_somebody_is_there(ada: Person, store: MemoryStore) -> None:
    """Not before: a table of bots alone must not play forever."""
    table = await playing_table(ada, seats=4, store=store, rules="classic")
    while table.play.match.round.turn == 0:
        await ada.make_move(str(table.play.match.round.legal(0)[0]))
    ada.disconnect()
    again = await new_registry(store).find(table.code)
    ply = again.play.log.ply
    await asyncio.sleep(100)
    assert again.play.log.ply == ply
    await Person("Eve").join(again)
    await asyncio.sleep(3)
    assert again.play.log.ply > ply


@pytest.mark.parametrize("shared", [False, True])
async def test_a_restart_between_log_and_table_is_healed(ada: Person, bob: Person, shared: bool) -> None:
    """The round was over, or the next one dealt, and the server died before the table was saved."""
    store = MemoryStore(shared=shared)
    table = await playing_table(ada, bob, store=store, rules="classic", pace="untimed")
    rng = random.Random(7)
    saved = store.tables[table.code]
    while table.state.phase == "playing":
        turn = table.play.match.round.turn
        moves = [m for m in table.play.match.round.legal(turn) if m.verb not in ("uno", "catch")]
        plays = [m for m in moves if m.verb == "play"]
        await (ada, bob)[turn].make_move(str(rng.choice(plays or moves)))
    store.tables[table.code] = saved
    again = await new_registry(store).find(table.code)
    assert again.state.phase == table.state.phase == "between"
    saved = store.tables[table.code]
    again.presence.enter(ada, None)
    await ada.join(again)
    await bob.join(again)
    await ada.send_command(Ready())
    saved = store.tables[table.code]
    await bob.send_command(Ready())
    assert again.state.phase == "playing" and again.state.round == 1
    store.tables[table.code] = saved
    third = await new_registry(store).find(table.code)
    assert (third.state.phase, third.state.round) == ("playing", 1)


@pytest.mark.parametrize(("shared", "saves"), [(False, 0), (True, 4)])
async def test_passing_states_are_saved_only_for_other_workers(
    ada: Person, bob: Person, shared: bool, saves: int
) -> None:
    """The log has the end of a round, readiness and the next deal, but another worker may not have read it yet."""
    store = MemoryStore(shared=shared)
    table = await playing_table(ada, bob, store=store, rules="classic+winning_score=100")
    before = store.tables[table.code].rev
    await win_round(table, ada, "R2 R3")
    assert table.state.phase == "between"
    await ada.send_command(Ready())
    await bob.send_command(Ready())
    assert (table.state.phase, table.state.round) == ("playing", 1)
    assert store.tables[table.code].rev - before == saves


async def test_writing_goes_on_after_a_restart(ada: Person, bob: Person, store: MemoryStore) -> None:
    """Cards already written stay."""
    table = await new_table(ada, bob, store=store, rules="wild-jackpot+wj_rules=written")
    await ada.send_command(Start())
    await ada.send_command(Write(("skip",)))
    again = await new_registry(store).find(table.code)
    await ada.join(again)
    assert [seat.ready for seat in ada.last(Welcome).table.seats] == [True, False]
    await bob.join(again)
    await bob.send_command(Write(()))
    assert again.state.phase == "playing" and again.play.match.rule_cards[0].text == "skip"


async def test_closing_asks_everybody_to_reconnect(ada: Person) -> None:
    """On SIGTERM browsers receive ``restart`` and reconnect by themselves."""
    async with open_registry() as registry:
        await new_table(ada, registry=registry)
    assert ada.closed == "restart" and registry.tables == ()


async def test_empty_tables_leave_memory_and_come_back(ada: Person, bob: Person) -> None:
    """The store has them; a table with people stays."""
    async with open_registry() as registry:
        occupied, left = [await new_table(person, registry=registry) for person in (ada, bob)]
        bob.disconnect()
        await asyncio.sleep(200)
        assert registry.tables == (occupied,)
        assert (await registry.find(left.code)).state == left.state


async def test_joins_of_a_closed_table_are_refused(ada: Person, bob: Person) -> None:
    """Those people neither see the table without its match nor can send commands: the next server has all of it."""
    table, late = await playing_table(ada, bob, rules="classic"), Person("Bob")
    async with table.jobs.lock:
        closing = asyncio.create_task(table.close("restart"))
        coming = asyncio.create_task(late.join(table))
        talking = asyncio.create_task(ada.send_command(Say("Hello?")))
        await asyncio.sleep(1)
    await asyncio.gather(closing, coming, talking)
    assert ada.closed == bob.closed == late.closed == "restart"
    assert late.received == [] and not any(isinstance(message, Refused | NotePosted) for message in ada.received)


@pytest.mark.parametrize("bots", [False, True])
async def test_the_match_of_a_closed_table_leaves_memory_at_once(bots: bool, no_garbage_collector: None) -> None:
    """The garbage collector runs so seldom that a hundred of them would wait for it."""
    people = [Person("Ada")] if bots else [Person("Ada"), Person("Bob")]
    table = await playing_table(*people, seats=2, rules="classic", pace="fast")
    await asyncio.sleep(5)
    match = weakref.ref(table.play.match)
    for person in people:
        person.disconnect()
    await asyncio.sleep(1)
    await table.close("restart")
    await asyncio.sleep(60)
    assert match() is None


async def test_a_released_table_is_freed_at_once(ada: Person, no_garbage_collector: None) -> None:
    """All objects that belong to it do so, too."""
    async with open_registry() as registry:
        table = await new_table(ada, registry=registry)
        ada.disconnect()
        ada.table = None
        gone = weakref.ref(table), weakref.ref(table.jobs), weakref.ref(table.session)
        del table
        await asyncio.sleep(200)
        assert [held() for held in gone] == [None, None, None]


async def test_idle_tables_use_no_processor_time(ada: Person) -> None:
    """Two thousand tables without people set no timer, so a move costs the same with them."""
    registry = new_registry()
    for _ in range(200):
        await registry.create(ada.player, Settings(), quick=True)
    assert all(table.jobs.timers._handle is None for table in registry.tables)


# --- the real store -------------------------------------------------------------------------------------------


@pytest.mark.real_time
async def test_a_match_in_a_real_database(tmp_path: Path) -> None:
    """The match is played, stopped, and continued after a restart, from the file alone."""

    async def half(store: Store, code: str | None) -> tuple[LiveTable, MatchPlay]:
        ada, bob = Person("Ada"), Person("Bob")
        registry = TableRegistry(store, Bus(), public_url="http://localhost:8000")
        await registry.open()
        if code is None:
            table = await registry.create(ada.player, Settings(seats=2, rules="classic", pace="untimed"))
        else:
            found = await registry.find(code)
            assert found is not None
            table = found
        await ada.join(table)
        await bob.join(table)
        if code is None:
            await bob.send_command(Sit(1))
            await ada.send_command(Start())
        for _ in range(5):
            turn = table.play.match.round.turn
            move = next(move for move in table.play.match.round.legal(turn) if move.verb not in ("uno", "catch"))
            await (ada, bob)[turn].make_move(str(move), f"{code}-{table.play.log.ply:08}")
        await ada.send_command(Kick(ada.id))
        assert ada.last(Refused).code == "kick-self"
        play = table.play
        await registry.close()
        assert play is not None and table.play is None
        return table, play

    with closing(Store.open(f"sqlite:///{tmp_path}/tables.db")) as store:
        first, begun = await half(store, None)
    with closing(Store.open(f"sqlite:///{tmp_path}/tables.db")) as store:
        second, ended = await half(store, first.code)
    assert ended.id == begun.id and ended.log.ply == 10
    assert second.state.seats == first.state.seats

"""Duplicate matches: the same deals at several tables, compared by seat, with bots where nobody is, and an archive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from lastcard.cli.main import main
from lastcard.errors import RecordError
from lastcard.formats.duplicate_archive import DuplicateArchive, read_archive
from lastcard.game.seeds import commitment
from lastcard.server.game.duplicates import MAX_TABLES
from lastcard.server.http.app import Site, create_app
from lastcard.server.security.security import Limit
from lastcard.server.store.rows import DuplicateRow, Player, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table import duplicate_director
from lastcard.server.table.live_table import LiveTable
from lastcard.server.table.session_storage import restore_state
from lastcard.server.table.table_registry import TableRegistry
from lastcard.server.wire.worker_bus import Bus
from lastcard.session import commands, table_bots, table_session, turn_clock
from lastcard.session.table_settings import WantedSettings
from lastcard.session.table_state import CommandError, Person
from server.http.test_history import ANN, BO, as_
from server.http.test_history import any_store as any_store
from server.http.test_history import store as store
from support.fakes import LoopbackBus
from support.threaded_server import app_client, app_of, error_of

pytestmark = [pytest.mark.real_time, pytest.mark.usefixtures("quick_masters")]

WANTED: dict[str, Any] = {
    "settings": {"rules": "all-wild", "seats": 3, "grace": 0},
    "tables": 2,
    "deals": 3,
    "level": "sharp",
}
PATIENCE_S = 60.0


@pytest.fixture(autouse=True)
def make_bots_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots do not wait, nor does the next deal."""
    monkeypatch.setitem(turn_clock.SPEEDS, "normal", 0.0)
    for name in ("CALL_S", "CATCH_S"):
        monkeypatch.setattr(table_bots, name, (0.0, 0.0))
    monkeypatch.setattr(table_bots, "PAUSE_S", 0.0)
    monkeypatch.setattr(table_session, "NEXT_ROUND_S", 0.02)
    monkeypatch.setattr(duplicate_director, "STALLED_MS", -1000)
    monkeypatch.setattr(duplicate_director, "CHECK_S", 0.1)


@asynccontextmanager
async def running_client(store: Store, bus: Bus | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application whose periodic tasks run; at the end, the process is gone as if killed."""
    url, bus = "http://table", bus or Bus()
    registry = TableRegistry(store, bus, public_url=url)
    app = create_app(store, bus, registry, Site(url))
    app.state.director.open()
    try:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url=url, headers={"origin": url}, verify=False
        ) as client:
            yield client
    finally:
        await app.state.director.close()
        await registry.close()


async def open_match(client: httpx.AsyncClient, **wanted: Any) -> str:
    """The code of a duplicate match that Ann opens."""
    answer = await client.post("/api/duplicates", json=WANTED | wanted, headers=as_(ANN))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["code"])


async def page_of(client: httpx.AsyncClient, code: str, player: Player | None = None) -> dict[str, Any]:
    answer = await client.get(f"/api/duplicates/{code}", headers={} if player is None else as_(player))
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def play_to_end(client: httpx.AsyncClient, code: str) -> dict[str, Any]:
    """The page of a duplicate match that has ended."""
    async with asyncio.timeout(PATIENCE_S):
        while not (page := await page_of(client, code))["finished"]:
            await asyncio.sleep(0.1)
    return page


async def start(client: httpx.AsyncClient, code: str) -> None:
    assert (await client.post(f"/api/duplicates/{code}/start", json={}, headers=as_(ANN))).status_code == 200


async def table_of(client: httpx.AsyncClient, code: str) -> LiveTable:
    table: LiveTable | None = await app_of(client).state.registry.find(code)
    assert table is not None
    return table


# --- from the first deal to the archive -----------------------------------------------------------------


def verified(path: Path) -> DuplicateArchive:
    """The archive in a file, proved."""
    archive = read_archive(path)
    assert archive is not None
    archive.verify()
    return archive


async def test_all_tables_play_the_same_deals(
    any_store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is at the tables, so bots play; the archive proves it all."""
    async with running_client(any_store) as client:
        code = await open_match(client)
        before = await page_of(client, code)
        assert not before["started"] and before["secret"] is None and len(before["tables"]) == 2
        await start(client, code)
        page = await play_to_end(client, code)
        assert commitment(bytes.fromhex(page["secret"])) == before["promise"] == page["promise"]
        assert [deal["deal"] for deal in page["played"]] == [1, 2, 3]
        assert sum(line["match_points"] for line in page["lines"]) == 3 * 3 * 2, "two for each comparison"
        assert abs(sum(line["adjusted"] for line in page["lines"])) < 1e-3
        hands = [
            [(await client.get(f"/api/matches/{score['match']}/replay")).json()["rounds"][0]["first"]["hands"]]
            for deal in page["played"]
            for score in deal["scores"]
        ]
        assert hands[0::2] == hands[1::2] and hands[0] != hands[2], "a deal is the same at both tables"
        text = (await client.get(f"/api/duplicates/{code}/archive")).text
    (tmp_path / "archive.toml").write_text(text)
    archive = verified(tmp_path / "archive.toml")
    assert (archive.tables, archive.deals, len(archive.records)) == (2, 3, 6)
    assert main(["verify", str(tmp_path / "archive.toml")]) == 0
    assert "Tables: 2. Deals: 3." in capsys.readouterr().out
    for old, new, why in (
        (page["secret"], "00" * 32, "the promise does not match the secret"),
        ("deals = 3", "deals = 2", "6 records; 2 deals at 2 tables are 4"),
        ("duplicate = 1", "duplicate = 2", "reads version 1 of archives"),
        ("tables = 2\n", "", "head: tables"),
        (f'rules = "{page["rules"]}"\ntables', 'rules = "classic"\ntables', "deal 1, table 1: head: rules"),
    ):
        (tmp_path / "archive.toml").write_text(text.replace(old, new, 1))
        with pytest.raises(RecordError, match=why):
            verified(tmp_path / "archive.toml")


async def test_nothing_is_lost_by_a_restart(any_store: Store) -> None:
    """Another process goes on with the deal that is on the table, though nobody connects."""
    async with running_client(any_store) as client:
        code = await open_match(client, deals=4)
        await start(client, code)
        while not any(table["done"] for table in (await page_of(client, code))["tables"]):
            await asyncio.sleep(0.02)
        secret = (await any_store.find_duplicate(code) or pytest.fail("it is gone")).secret
    async with running_client(any_store) as client:
        page = await play_to_end(client, code)
        assert page["secret"] == secret.hex() and len(page["played"]) == 4


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
@pytest.mark.parametrize("tables", [1, 2])
async def test_workers_share_a_duplicate_match(any_store: Store, tables: int) -> None:
    """Whichever worker plays a deal, each table plays it once, and all workers show the same result."""
    bus = LoopbackBus()
    async with running_client(any_store, bus.member()) as here, running_client(any_store, bus.member()) as there:
        code = await open_match(here, tables=tables)
        await asyncio.gather(start(here, code), start(there, code))
        page = await play_to_end(there, code)
        assert await page_of(here, code) == page
        played = [(row.deal, row.table) for row in await any_store.duplicate_matches(code)]
        assert played == [(deal, table) for deal in (1, 2, 3) for table in await tables_of(any_store, code)]


async def tables_of(store: Store, code: str) -> tuple[str, ...]:
    found = await store.find_duplicate(code)
    assert found is not None
    return found.tables


async def test_a_single_table_is_compared_with_masters(store: Store) -> None:
    async with running_client(store) as client:
        code = await open_match(client, tables=1, deals=2)
        run = (await page_of(client, code))["tables"][1]
        assert run["code"] is None and run["join_url"] is None
        await start(client, code)
        page = await play_to_end(client, code)
        assert {player["bot"] for player in page["tables"][1]["players"]} == {"master"}
        table = await table_of(client, (await tables_of(store, code))[1])
        with pytest.raises(CommandError, match="duplicate"):
            commands.apply_command(table.state, Person("p-bo", "Bo"), commands.Sit(0), {})


# --- what nobody may know -------------------------------------------------------------------------------


async def test_a_deal_is_hidden_until_all_tables_have_played_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second table does not begin; the first plays on, and nobody sees its results, not even with the match."""
    started = LiveTable.start_duplicate
    async with running_client(store) as client:
        code = await open_match(client)
        first = (await page_of(client, code))["tables"][0]["code"]

        async def start_first(table: LiveTable) -> None:
            if table.code == first:
                await started(table)

        monkeypatch.setattr(LiveTable, "start_duplicate", start_first)
        await start(client, code)
        async with asyncio.timeout(PATIENCE_S):
            while (page := await page_of(client, code, BO))["tables"][0]["done"] < 3:
                await asyncio.sleep(0.05)
        assert page["played"] == [] == page["lines"] and page["secret"] is None
        answer = await client.get(f"/api/duplicates/{code}/archive")
        assert error_of(answer) == (409, "duplicate-open")
        match = (await store.duplicate_matches(code))[0]
        replay = (await client.get(f"/api/matches/{match.id}/replay")).json()
        assert replay["seed"] is None and replay["secret"] is None
        assert "seed" not in (await client.get(f"/api/matches/{match.id}/record")).text
        monkeypatch.setattr(LiveTable, "start_duplicate", started)
        page = await play_to_end(client, code)
        replay = (await client.get(f"/api/matches/{match.id}/replay")).json()
        assert replay["secret"] != page["secret"], "the secret of a deal gives away no other deal"
        assert replay["seed"] is not None


async def test_a_person_sits_at_one_table_only(any_store: Store) -> None:
    """They choose again after they have left their seat, but not once the match has started."""
    code = "ABC234"
    await store_duplicate(any_store, code)
    assert await any_store.join_duplicate(code, "p-ann", "T1") == "T1"
    assert await any_store.join_duplicate(code, "p-ann", "T2") == "T1"
    assert await any_store.join_duplicate(code, "p-bo", "T2") == "T2"
    await any_store.leave_duplicate(code, "p-ann")
    assert await any_store.join_duplicate(code, "p-ann", "T2") == "T2"
    await any_store.start_duplicate(code)
    await any_store.leave_duplicate(code, "p-ann")
    assert await any_store.join_duplicate(code, "p-ann", "T1") == "T2"
    await any_store.delete_player("p-ann")
    found = await any_store.find_duplicate(code)
    assert found is not None and found.host == "" and await any_store.join_duplicate(code, "p-ann", "T1") == "T1"


async def store_duplicate(store: Store, code: str) -> None:
    row = DuplicateRow(code, "p-ann", "classic", 4, 2, bytes(32), now_ms(), None, None, ("T1", "T2"))
    assert await store.create_duplicate(row) and not await store.create_duplicate(row)


async def test_nobody_changes_a_table_of_a_duplicate_match(store: Store) -> None:
    """Neither its host nor a program; nor does anybody pause it, because the other tables wait."""
    client = app_client(store)
    code = await open_match(client)
    table = await table_of(client, (await page_of(client, code))["tables"][0]["code"])
    ann = Person("p-ann", "Ann")
    state = commands.apply_command(table.state, ann, commands.Sit(0), {"p-ann": "Ann"})
    for command in (
        commands.Configure(WantedSettings()),
        commands.SetBot(1, "casual"),
        commands.Pause(on=True),
        commands.Ready(),
    ):
        with pytest.raises(CommandError) as refused:
            commands.apply_command(state, ann, command, {"p-ann": "Ann"})
        assert refused.value.code == "duplicate", command
    number = commands.Number(state.promise, "ab" * 16)
    assert commands.apply_command(state, ann, number, {}) == state
    assert not state.allows_hints and not state.allows_take_backs
    with pytest.raises(CommandError, match="duplicate"):
        await table.open_seat("p-ann", 1)


async def test_what_there_is_not_is_refused(store: Store) -> None:
    client = app_client(store)
    assert error_of(await client.post("/api/duplicates", json=WANTED)) == (401, "nobody")
    bad: list[tuple[dict[str, Any], str]] = [
        ({"tables": MAX_TABLES + 1}, "unreadable"),
        ({"tables": 0}, "unreadable"),
        ({"deals": 51}, "unreadable"),
        ({"deals": 0}, "unreadable"),
        ({"extra": 1}, "unreadable"),
        ({"level": "god"}, "no-such-level"),
        ({"settings": {"rules": "chess"}}, "bad-settings"),
        ({"settings": {"rules": "wild-jackpot+wj_rules=written"}}, "duplicate-written"),
    ]
    for wanted, code in bad:
        answer = await client.post("/api/duplicates", json=WANTED | wanted, headers=as_(ANN))
        assert error_of(answer) == (422, code) and answer.json()["text"], wanted
    code = await open_match(client)
    answer = await client.post(f"/api/duplicates/{code}/start", json={}, headers=as_(BO))
    assert error_of(answer) == (403, "duplicate-host")
    assert error_of(await client.post(f"/api/duplicates/{code}/start", json={})) == (401, "nobody")
    for path in ("ZZZ222", "nonsense-code", "%F0%9F%98%80"):
        assert error_of(await client.get(f"/api/duplicates/{path}")) == (404, "no-duplicate")
    app_of(client).state.limits.misses = Limit(rate=0.001, burst=1, shared_factor=1)
    await client.get("/api/duplicates/ZZZ222")
    last = await client.get("/api/duplicates/ZZZ222")
    assert error_of(last) == (429, "too-fast"), "codes are not guessed"


async def test_anybody_starts_a_match_whose_host_is_erased(any_store: Store) -> None:
    async with running_client(any_store) as client:
        code = await open_match(client)
        assert not (await page_of(client, code, BO))["mine"]
        await any_store.delete_player(ANN.id)
        assert (await page_of(client, code, BO))["mine"] and not (await page_of(client, code))["mine"]
        assert (await client.post(f"/api/duplicates/{code}/start", json={}, headers=as_(BO))).status_code == 200


async def test_the_settings_of_a_duplicate_match_let_tables_be_compared(store: Store) -> None:
    """Each deal is one round, there is a clock, and nobody watches."""
    client = app_client(store)
    rules = "classic+stacking=same+winning_score=200"
    code = await open_match(client, settings={"rules": rules, "pace": "untimed", "hints": True})
    row = await store.load_table((await page_of(client, code))["tables"][0]["code"])
    assert row is not None
    state = restore_state(row.doc)
    assert state.rules.options.match_mode == "single_round" and state.rules.options.stacking == "same"
    assert (state.settings.pace, state.settings.spectators, state.settings.hints) == ("relaxed", False, False)

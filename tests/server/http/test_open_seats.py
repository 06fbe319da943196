"""Open tables over HTTP, and what is stored about people who play with strangers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lastcard.server.http import open_seats
from lastcard.server.security.security import Limit
from lastcard.server.store import open_queries
from lastcard.server.store.rows import now_ms
from lastcard.server.store.store import Store
from lastcard.server.table.moderation import Moderation
from server.http.test_history import any_store as any_store
from support.threaded_server import ThreadedServer, error_of, run_threaded_server


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server with open tables."""
    with run_threaded_server(tmp_path_factory.mktemp("open"), open_tables=True) as running:
        yield running


def test_a_server_has_open_tables_only_by_its_option(served: ThreadedServer, open_server: ThreadedServer) -> None:
    ann = served.new_client()
    assert error_of(ann.get("/api/open")) == error_of(ann.post("/api/open", {"game": "classic"}))
    assert error_of(ann.get("/api/open")) == (404, "no-open-tables")
    assert "data-open-tables" not in ann.get("/").text and "data-open-tables" in open_server.new_client().get("/").text
    assert [server.new_client().get("/api/site").json()["open"] for server in (served, open_server)] == [False, True]


def test_a_seat_with_strangers(tmp_path: Path) -> None:
    """Everybody sees how many tables wait, and nobody which."""
    with run_threaded_server(tmp_path, open_tables=True) as served:
        stranger = served.new_client(None)
        assert stranger.get("/api/open").json() == {"waiting": 0, "wait_s": 0, "departures": 0, "blocked": 0}
        answers = [served.new_client(name).post("/api/open", {"game": "classic"}) for name in ("Ann", "Bo")]
        assert [answer.status_code for answer in answers] == [201, 201]
        first, second = (answer.json() for answer in answers)
        assert first == second and first["wait_s"] == 0
        assert stranger.get("/api/open").json()["waiting"] == 1
        sitting = stranger.get(f"/api/tables/{first['code']}").json()["sitting"]
        assert [seat["name"] for seat in sitting] == ["Ann", "Bo"]


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"game": "poker"}, (422, "unreadable")),
        ({}, (422, "unreadable")),
        ({"game": 5}, (422, "unreadable")),
        ({"game": "classic", "seat": 1}, (422, "unreadable")),
    ],
)
def test_bad_requests_are_refused(open_server: ThreadedServer, body: object, error: tuple[int, str]) -> None:
    assert error_of(open_server.new_client().post("/api/open", body)) == error
    assert error_of(open_server.new_client(None).post("/api/open", {"game": "classic"})) == (401, "nobody")


def test_requests_of_a_person_are_limited(open_server: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_seats, "_PERSON_LIMIT", Limit(rate=0.0, burst=2))
    eve, other = open_server.new_client("Eve"), open_server.new_client("Other")
    for _ in range(2):
        assert eve.post("/api/open", {"game": "classic"}).status_code == 201
    assert error_of(eve.post("/api/open", {"game": "classic"})) == (429, "too-fast")
    assert other.post("/api/open", {"game": "classic"}).status_code == 201


def test_requests_of_an_address_are_limited(open_server: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the limit on new tables: somebody with many names could otherwise open them."""
    monkeypatch.setattr(open_server.app.state.limits, "tables", Limit(rate=0.0, burst=2, shared_factor=1))
    clients = [open_server.new_client(name) for name in ("Eve", "Eva", "Evi")]
    answers = [client.post("/api/open", {"game": "classic"}) for client in clients]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert error_of(clients[0].post("/api/tables", {"settings": {}})) == (429, "too-fast")


def test_a_banned_person_gets_no_seat(open_server: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    eve = open_server.new_client("Eve")
    assert eve.get("/api/open").status_code == 200
    monkeypatch.setattr(Moderation, "is_banned_player", lambda self, player: True)
    assert error_of(eve.post("/api/open", {"game": "classic"})) == (403, "banned")


def test_blocked_persons_are_counted_and_forgotten(open_server: ThreadedServer) -> None:
    ann, bo = open_server.new_client("Ann"), open_server.new_client("Bo")
    own, other = (browser.get("/api/me").json()["id"] for browser in (ann, bo))
    assert error_of(ann.post("/api/me/blocks", {"player": own})) == (422, "no-such-player")
    for _ in range(2):
        assert ann.post("/api/me/blocks", {"player": other}).status_code == 200
    assert ann.get("/api/open").json()["blocked"] == 1
    codes = [browser.post("/api/open", {"game": "wild-jackpot"}).json()["code"] for browser in (ann, bo)]
    assert codes[0] != codes[1]
    assert ann.http.delete("/api/me/blocks").status_code == 200
    assert ann.get("/api/open").json()["blocked"] == 0


def test_deleted_persons_are_forgotten(tmp_path: Path) -> None:
    """With their departures, and with blocks by and of them."""
    with run_threaded_server(tmp_path, open_tables=True) as served:
        ann, bo = served.new_client("Ann"), served.new_client("Bo")
        ids = [browser.get("/api/me").json()["id"] for browser in (ann, bo)]
        ann.post("/api/me/blocks", {"player": ids[1]})
        bo.post("/api/me/blocks", {"player": ids[0]})
        bo.http.delete("/api/me")
        assert ann.get("/api/open").json()["blocked"] == 0


@pytest.mark.real_time
async def test_open_tables_are_stored(any_store: Store) -> None:
    """In both kinds of database, as the store in memory does it."""
    store, now = any_store, now_ms()
    await store.save_open_table("OLD222", "classic", now - 900, now - 1000)
    await store.save_open_table("NEW222", "classic", now - 100, now - 1000)
    await store.save_open_table("WILD22", "all-wild", now - 50, now - 1000)
    assert await store.list_open_tables("classic", now - 1000) == ["OLD222", "NEW222"]
    await store.save_open_table("NEW222", "classic", now, now - 500)
    assert await store.list_open_tables("classic", 0) == ["NEW222"]
    assert (await store.read_open_counts("ann", 0, 0)).waiting == 2
    await store.close_open_table("NEW222")
    assert await store.list_open_tables("classic", 0) == []
    await store.save_departures("m-1", ["ann", "bo"], [], 5)
    await store.save_departures("m-1", ["ann"], ["bo"], 9)
    await store.save_departures("m-2", ["ann"], [], 7)
    assert await store.list_departures("ann", 0) == [7, 5] and await store.list_departures("bo", 0) == []
    await store.sweep_departures(6)
    assert await store.list_departures("ann", 0) == [7]
    await store.block("ann", "bo", 1)
    await store.block("cid", "ann", 2)
    assert await store.find_blocked("ann") == {"bo", "cid"}
    assert await store.read_open_counts("ann", 0, 0) == (1, [7], 1)
    await store.delete_player("ann")
    assert await store.find_blocked("bo") == set() == await store.find_blocked("cid")
    assert await store.list_departures("ann", 0) == []


@pytest.mark.real_time
async def test_a_person_blocks_a_limited_number(any_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_queries, "MAX_BLOCKED", 2)
    for number in range(4):
        await any_store.block("ann", f"p{number}", number)
    assert await any_store.find_blocked("ann") == {"p2", "p3"}

"""One's own matches, and replay and record of a match whose id one has (docs/table.md, "After the match")."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from unittest.mock import Mock

import httpx
import pytest

from lastcard.formats.record_files import Record
from lastcard.formats.replay import verify_record
from lastcard.server.http import matches
from lastcard.server.http.replays import record_text, replay_text
from lastcard.server.security.security import COOKIE, Limit, hash_token
from lastcard.server.store.rows import Player, now_ms
from lastcard.server.store.store import Store
from lastcard.session.hosting import new_table
from lastcard.session.match_rows import MatchRow, MoveRow
from lastcard.session.table_settings import Settings
from lastcard.session.table_state import Person, write_table_state
from support.matches import random_log
from support.record_samples import SERVER_CONFIG, random_record
from support.store_samples import put_log
from support.threaded_server import app_client, error_of

pytestmark = pytest.mark.real_time


ANN, BO = Player("p-ann", "Ann", "en"), Player("p-bo", "Bo", "pl")
RULES = "classic+winning_score=100"


@contextmanager
def history_store(database: str) -> Iterator[Store]:
    """A store with Ann and Bo, whose tokens are their names."""
    with closing(Store.open(database)) as opened:
        for player in (ANN, BO):
            asyncio.run(opened.create_player(player, hash_token(player.name)))
        yield opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with Ann and Bo in a file."""
    with history_store(f"sqlite:///{tmp_path}/test.db") as opened:
        yield opened


@pytest.fixture
def any_store(database: str) -> Iterator[Store]:
    """A store with Ann and Bo in each kind of database."""
    with history_store(database) as opened:
        yield opened


@pytest.fixture
def client(store: Store) -> httpx.AsyncClient:
    """A client of the application over the store."""
    return app_client(store)


async def store_match(store: Store, row: MatchRow, moves: list[MoveRow]) -> None:
    """Put a match into the store as a table does."""
    await store.create_table(row.table, table_document())
    await put_log(store, row, moves)


def table_document(**settings: Any) -> bytes:
    """A table as it is saved."""
    return write_table_state(new_table(Person(ANN.id, ANN.name), Settings(seats=3, **settings), "a5" * 32))


def as_(player: Player) -> dict[str, str]:
    """The cookie of a player."""
    return {"cookie": f"{COOKIE}={player.name}"}


async def test_the_own_matches_latest_first(client: httpx.AsyncClient, store: Store) -> None:
    over, going = random_log(RULES, 3, seed=1), random_log(RULES, 3, seed=2, max_rows=10)
    later = replace(going[0], started=over[0].started + 5, players=(None, "p-ann", None))
    await store_match(store, *over)
    await store_match(store, later, going[1])
    listed: list[dict[str, Any]] = (await client.get("/api/matches", headers=as_(ANN))).json()
    found = [(line["id"], line["live"], line["seat"]) for line in listed]
    assert found == [(later.id, True, 1), (over[0].id, False, 0)]
    assert listed[1]["names"] == list(over[0].names) and not listed[1]["taken_back"]
    assert (listed[1]["winners"], listed[1]["finished"]) == (list(over[0].winners or ()), over[0].finished)
    assert "seed" not in listed[0] and "secret" not in listed[0]
    assert [line["id"] for line in (await client.get("/api/matches", headers=as_(BO))).json()] == [over[0].id]


async def test_a_stranger_has_no_list_of_matches(client: httpx.AsyncClient) -> None:
    for headers in ({}, as_(Player("p", "forged", "en"))):
        found = await client.get("/api/matches", headers=headers)
        assert (found.status_code, found.json()) == (200, [])
        assert error_of(await client.delete("/api/matches/x", headers=headers)) == (401, "nobody")


async def test_anyone_with_the_id_reads_a_finished_match(client: httpx.AsyncClient, store: Store) -> None:
    row, moves = random_log(RULES, 3, seed=1)
    await store_match(store, row, moves)
    for _ in range(2):  # made, then cached
        found = await client.get(f"/api/matches/{row.id}/replay")
        assert found.headers["content-type"] == "application/json"
        assert found.content == replay_text(row, moves)
    found = await client.get(f"/api/matches/{row.id}/record")
    assert found.headers["content-type"].startswith("text/toml")
    name = f"lastcard-2026-05-28-classic-{row.id[:6]}.toml"
    assert found.headers["content-disposition"] == f'attachment; filename="{name}"'
    record = Record.parse(found.text)
    verify_record(record)
    assert record.winners == row.winners


async def test_concurrent_requests_share_one_replay(
    client: httpx.AsyncClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link sent to many people does not replay the match once for each of them."""
    make = Mock(wraps=replay_text)
    monkeypatch.setattr(matches, "replay_text", make)
    row, moves = random_log(RULES, 3, seed=1)
    await store_match(store, row, moves)
    found = await asyncio.gather(*(client.get(f"/api/matches/{row.id}/replay") for _ in range(4)))
    assert {answer.content for answer in found} == {replay_text(row, moves)}
    assert [made.args[0].id for made in make.call_args_list] == [row.id]


async def test_a_live_match_is_what_spectators_see_until_it_ends(client: httpx.AsyncClient, store: Store) -> None:
    """A replay cached during the match is not served after its end, nor vice versa."""
    row, moves = random_log(RULES, 3, seed=1)
    await store_match(store, replace(row, finished=None), moves[:-1])
    for step in range(3):
        replay = (await client.get(f"/api/matches/{row.id}/replay")).json()
        record = (await client.get(f"/api/matches/{row.id}/record")).text
        assert replay["live"] is (step < 2)
        assert (row.seed.hex() in record) is (row.secret.hex() in record) is (step == 2)
        assert (replay["seed"] is None) is (step < 2)
        made = moves[: len(moves) - (step == 0)]
        assert sum(len(played["steps"]) for played in replay["rounds"]) == sum(move.seat >= 0 for move in made)
        if step == 0:
            await store.append(moves[-1])
        elif step == 1:
            await store.finish_match(row.id, row.finished or 0, row.winners or ())


async def test_an_abandoned_match_shows_its_secret_once_its_table_is_gone(
    client: httpx.AsyncClient, store: Store
) -> None:
    """The match cannot continue, and everybody can verify the dealt cards; it has no winner and no report."""
    row, moves = random_log(RULES, 3, seed=2, max_rows=10)
    await store_match(store, row, moves)
    before = Record.parse((await client.get(f"/api/matches/{row.id}/record")).text)
    assert before.seed is None and before.shuffle is not None and before.shuffle.secret is None
    assert await store.sweep(now_ms() + 1, 20) == 1
    record = Record.parse((await client.get(f"/api/matches/{row.id}/record")).text)
    verify_record(record)
    assert record.commitment == before.commitment
    assert record.shuffle is not None and record.shuffle.secret == row.secret
    assert (await client.get(f"/api/matches/{row.id}/replay")).json()["secret"] == row.secret.hex()
    (line,) = (await client.get("/api/matches", headers=as_(ANN))).json()
    assert (line["live"], line["winners"]) == (False, None)
    assert (await client.get(f"/api/matches/{row.id}/moments")).json() == []


async def test_without_spectators_a_match_is_its_players_own_until_it_ends(
    client: httpx.AsyncClient, store: Store
) -> None:
    """A person who has learned its id sees nothing of it while it goes on."""
    row, moves = random_log(RULES, 3, seed=1)
    row = replace(row, players=(ANN.id, None, None), takeovers=())
    await store.create_table(row.table, table_document(spectators=False))
    await store_match(store, replace(row, finished=None), moves[:-1])
    for name in ("replay", "record"):
        path = f"/api/matches/{row.id}/{name}"
        assert (await client.get(path, headers=as_(ANN))).status_code == 200
        assert (await client.get(path, headers=as_(BO))).status_code == 404
        assert (await client.get(path)).status_code == 404
    await store.append(moves[-1])
    await store.finish_match(row.id, row.finished or 0, row.winners or ())
    assert (await client.get(path)).status_code == 200


async def test_a_match_is_deleted_for_its_person_alone(client: httpx.AsyncClient, store: Store) -> None:
    row, moves = random_log(RULES, 3, seed=1)
    await store_match(store, row, moves)
    path = f"/api/matches/{row.id}"
    foreign = await client.delete(path, headers={**as_(ANN), "origin": "http://elsewhere"})
    assert error_of(foreign) == (403, "foreign")
    assert (await client.delete(path, headers=as_(ANN))).status_code == 200
    assert (await client.get("/api/matches", headers=as_(ANN))).json() == []
    assert error_of(await client.delete(path, headers=as_(ANN))) == (404, "not-found")
    assert len((await client.get("/api/matches", headers=as_(BO))).json()) == 1
    replay = (await client.get(f"{path}/replay")).json()
    assert "Player 0" not in replay["names"] and replay["names"][1:] == ["Player 1", "Player 2"]
    verify_record(Record.parse((await client.get(f"{path}/record")).text))
    assert (await client.delete(path, headers=as_(BO))).status_code == 200
    assert (await client.get(f"{path}/replay")).status_code == 404


async def test_an_unknown_or_invalid_id_is_not_found(any_store: Store) -> None:
    """PostgreSQL accepts no NUL in a text, and the answer was that there is no database."""
    client = app_client(any_store)
    for wrong in ("none", "x%00", "%C3%A9", "x" * 99, "x%20"):
        for path in ("/replay", "/record", "/report", "/moments"):
            assert error_of(await client.get(f"/api/matches/{wrong}{path}")) == (404, "not-found")
        assert error_of(await client.delete(f"/api/matches/{wrong}", headers=as_(ANN))) == (404, "not-found")


# --- imported matches -----------------------------------------------------------------------------------


TRUE: Final = random_record(SERVER_CONFIG, 3)[1]


async def import_record(client: httpx.AsyncClient, record: str, player: Player = ANN) -> httpx.Response:
    return await client.post("/api/matches", json={"record": record}, headers=as_(player))


async def test_a_record_is_imported_once(client: httpx.AsyncClient) -> None:
    """The importer has it in the list; it is shown, exported unchanged, counts nowhere, and can be deleted."""
    text = TRUE.text()
    found = [await import_record(client, text, player) for player in (ANN, ANN, BO)]
    assert [answer.status_code for answer in found] == [201] * 3
    (match,) = {answer.json()["id"] for answer in found}
    (line,) = (await client.get("/api/matches", headers=as_(ANN))).json()
    assert (line["id"], line["seat"], line["brought"], line["live"]) == (match, -1, True, False)
    assert (await client.get(f"/api/matches/{match}/record")).text == text
    assert (await client.get(f"/api/matches/{match}/replay")).json()["live"] is False
    for player in (ANN, BO):
        assert (await client.get("/api/me/career", headers=as_(player))).json()["total"]["matches"] == 0
        assert (await client.get("/api/me/honors", headers=as_(player))).json() == []
    path = f"/api/matches/{match}"
    for player, status in ((ANN, 200), (BO, 404)):
        assert (await client.delete(path, headers=as_(player))).status_code == 200
        assert (await client.get(f"{path}/replay")).status_code == status
    assert (await client.delete(path, headers=as_(ANN))).status_code == 404


async def test_deleting_a_person_deletes_their_imports(client: httpx.AsyncClient, store: Store) -> None:
    match = (await import_record(client, TRUE.text())).json()["id"]
    await store.delete_player(ANN.id)
    assert await store.load_match(match) is None and await store.read_moves(match) == []


async def test_a_match_of_this_server_is_not_imported(client: httpx.AsyncClient, store: Store) -> None:
    """Importing its record leads to that match."""
    row, moves = random_log(RULES, 3, seed=1)
    row = replace(row, players=(ANN.id, None, None))
    await store.import_match(row, moves)
    text = (await client.get(f"/api/matches/{row.id}/record")).text
    assert (await import_record(client, text)).json() == {"id": row.id}
    assert (await import_record(client, text, BO)).json() != {"id": row.id}, "who was not there brings it in"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: text.replace('seed = "', 'seed = "0', 1)[: len(text)], "head: seed"),
        (lambda text: text.replace("[[round]]", "[[rounds]]", 1), "rounds"),
        (lambda text: "[" * 30_000, "TOML"),
        (lambda text: "", "format"),
        (lambda _: replace(TRUE, shuffle=None).text(), "promise, numbers and secret"),
        (lambda _: replace(TRUE, players=("A", "B\u202e", "C")).text(), "plain letters"),
        (lambda _: replace(TRUE, players=("A", 30 * "x", "C")).text(), "plain letters"),
        (lambda text: text + "#" * 300_000, None),
    ],
)
async def test_a_false_record_is_not_imported(
    client: httpx.AsyncClient, store: Store, change: Callable[[str], str], why: str | None
) -> None:
    """The message says what is wrong; nothing is stored."""
    text = change(TRUE.text())
    answer = await import_record(client, text)
    assert answer.status_code == 422, answer.text
    if why is not None:
        assert answer.json()["error"] == "bad-record" and why in answer.json()["text"]
    assert await store.count_finished() == 0


async def test_a_running_match_is_not_imported(client: httpx.AsyncClient) -> None:
    """The record of a running match has no end yet, or no seed."""
    row, moves = random_log(RULES, 3, seed=1, max_rows=20)
    over = replace(row, finished=now_ms(), winners=None)
    for text in (record_text(row, moves), record_text(over, moves)):
        assert (await import_record(client, text)).json()["error"] == "bad-record"


async def test_imports_are_limited(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are limits on matches of a person, moves of a record, and records of an address; strangers have no list."""
    texts = [TRUE.text(), random_record(SERVER_CONFIG, 5)[1].text()]
    monkeypatch.setattr(matches, "MAX_IMPORTED", 1)
    assert (await client.post("/api/matches", json={"record": texts[0]})).status_code == 401
    assert [(await import_record(client, text)).status_code for text in (*texts, texts[0])] == [201, 422, 201]
    monkeypatch.setattr(matches, "MAX_MOVES", 10)
    assert "a server takes 10" in (await import_record(client, texts[1])).json()["text"]
    client._transport.app.state.limits.records = Limit(rate=0.0, burst=0)  # type: ignore[attr-defined]
    assert (await import_record(client, texts[0])).status_code == 429

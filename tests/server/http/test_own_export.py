"""The file with everything stored about one person (docs/table.md, "Profile"; docs/server.md, "Backups")."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lastcard.cli.main import main
from lastcard.server.store.personal_data import OWN_TABLES
from lastcard.server.store.rows import CallsRow, Complaint, DailyResultRow, now_ms
from lastcard.server.store.store import Store
from server.http.test_history import any_store as any_store
from support.store_samples import make_match_row, make_move_row, put_log, put_match
from support.threaded_server import Client, ThreadedServer, error_of


def test_a_person_downloads_their_data(ann: Client, code: str, stranger: Client) -> None:
    """As a file, which contains the table too and no token."""
    answer = ann.get("/api/me/data")
    assert answer.headers["content-disposition"] == 'attachment; filename="lastcard-data.json"'
    data = answer.json()
    assert data["player"] == [{**ann.get("/api/me").json()}]
    assert [(table["code"], table["host"], table["seat"]) for table in data["tables"]] == [(code, True, 0)]
    assert [list(token) for token in data["token"]] == [["player"]]
    assert error_of(stranger.get("/api/me/data")) == (401, "nobody")


def test_downloads_are_limited(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    eve = served.new_client("Eve")
    monkeypatch.setattr(served.app.state.limits.records, "take", lambda address: False)
    assert error_of(eve.get("/api/me/data")) == (429, "too-fast")


@pytest.mark.real_time
async def test_everything_about_a_person_is_in_it(any_store: Store) -> None:
    """In both kinds of database; moves of others, secrets and reporters are not."""
    store = any_store
    row = make_match_row("m-1", finished=9, winners=(0,), players=("ann", None, "bo"), daily="2026-11-30")
    moves = [make_move_row(ply, "m-1") for ply in range(3)]
    await put_log(store, row, [*moves[:2], moves[2]._replace(seat=2)])
    await put_match(store, make_match_row("m-2", players=("bo", None, None)))
    await store.take_seat("m-2", 0, "ann")
    await store.save_calls([CallsRow("m-1", seat, 1, seat, 0) for seat in range(3)])
    await store.save_daily_results([DailyResultRow("m-1", 0, 0, 3)])
    await store.begin_daily_try("2026-11-30", "classic", "ann", row.table)
    await store.save_departures("m-1", ["ann", "bo"], [], 5)
    await store.block("ann", "eve", 7)
    await store.block("eve", "ann", 8)
    await store.add_one_time("h" * 64, "code", "ann", now_ms() + 60_000, 1)
    for number, (about, by) in enumerate([("ann", "eve"), ("eve", "ann")]):
        await store.add_complaint(
            Complaint(f"c{number}", "ABC234", about, about, by, by, "words", f"of {by}", (("x", "y"),), number)
        )
    data = await store.export_player("ann")
    assert {table.name for table in OWN_TABLES} <= data.keys()
    assert [(match["id"], match["seat"]) for match in data["matches"]] == [("m-1", 0), ("m-2", 0)]
    assert [(move["match"], move["ply"]) for move in data["moves"]] == [("m-1", 0), ("m-1", 1)]
    assert [call["seat"] for call in data["calls"]] == [0] and len(data["daily_results"]) == 1
    assert [each["game"] for each in data["daily_try"]] == ["classic"]
    assert [(each["other"], each["at"]) for each in data["blocks"]] == [("eve", 7)]
    assert [each["at"] for each in data["departure"]] == [5]
    assert [each["text"] for each in data["reports_by"]] == ["of ann"]
    assert data["reports_about"] == [{"table_code": "ABC234", "name": "ann", "why": "words", "at": 0}]
    text = json.dumps(data, default=repr)
    assert "of eve" not in text and "h" * 64 not in text and repr(row.secret) not in text
    await store.delete_player("ann")
    gone = await store.export_player("ann")
    assert not any(rows for name, rows in gone.items() if name != "exported")


def test_an_operator_writes_the_file_too(
    served: ThreadedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By an id, or a name that only one person has."""
    for _ in range(2):
        served.new_client("Twin")
    only = served.new_client("Otter")
    address = f"sqlite:///{served.app.state.store._database.name}"
    own = ["export", str(tmp_path / "one.json"), "--database-url", address, "--player"]
    assert main([*own, "Otter"]) == 0
    data = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert data["player"][0]["id"] == only.get("/api/me").json()["id"]
    assert main([*own, data["player"][0]["id"], "--overwrite"]) == 0
    for name, words in (("Twin", "2 persons are called Twin: give an id of "), ("Nobody", "0 persons")):
        assert main([*own, name, "--overwrite"]) != 0
        assert words in capsys.readouterr().err
    assert json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))["player"] == data["player"]

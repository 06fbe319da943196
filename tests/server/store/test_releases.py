"""Databases and records that released versions wrote (docs/compatibility.md)."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lastcard import Record, __version__, read_record, verify
from lastcard.server.store.maintenance import restore
from lastcard.server.store.store import Store
from support.release_samples import CONTENTS, DATABASE, FOLDER, RECORD, count_rows
from support.threaded_server import run_threaded_server
from support.websocket_players import WebSocketPlayer, play_on, play_scenario

_MORE_MOVES = 20


@pytest.fixture(params=sorted(path.name for path in FOLDER.iterdir()))
def release(request: pytest.FixtureRequest) -> Path:
    """The folder of a release."""
    return FOLDER / str(request.param)


def read_contents(release: Path) -> dict[str, Any]:
    """What the files of a release contain."""
    contents: dict[str, Any] = json.loads(Path(release, CONTENTS).read_text(encoding="utf-8"))
    return contents


def lost_values(old: object, new: object, place: str = "") -> list[str]:
    """The places of values that are missing or different in newer data, which may have more keys."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return [lost for key in old for lost in lost_values(old[key], new.get(key), f"{place}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [lost for n, value in enumerate(old) for lost in lost_values(value, new[n], f"{place}[{n}]")]
    return [] if old == new else [f"{place}: {new!r}, which was {old!r}"]


def test_this_version_has_files() -> None:
    """A version is made with its files: ``python -m support.release_samples``."""
    assert {path.name for path in Path(FOLDER, __version__).iterdir()} == {CONTENTS, DATABASE, RECORD}


def test_a_database_opens(release: Path, database: str) -> None:
    """In both kinds of database, with every row, and every value about a person."""
    contents = read_contents(release)
    restore(release / DATABASE, database)
    with closing(Store.open(database)) as store:
        found = asyncio.run(store.export_player(contents["people"][0]["id"]))
    exported = json.loads(json.dumps(found, default=bytes.hex))
    assert lost_values({**contents["export"], "exported": exported["exported"]}, exported) == []
    assert count_rows(database, contents["rows"]) == contents["rows"]


def test_people_play_on(release: Path, tmp_path: Path) -> None:
    """They are signed in, their match has its record, and the match in play goes on with the same cards."""
    contents = read_contents(release)
    shutil.copy(release / DATABASE, tmp_path / "tables.sqlite")
    with run_threaded_server(tmp_path) as served:
        for person in contents["people"]:
            browser = served.new_client(None, cookie=person["cookie"])
            assert browser.get("/api/me").json()["name"] == person["name"]
        answer = browser.get(f"/api/matches/{contents['match']['id']}/record")
        assert Record.parse(answer.text) == read_record(release / RECORD)
        asyncio.run(play_more(served.url, contents))


async def play_more(url: str, contents: Mapping[str, Any]) -> None:
    """Continue the match in play."""
    in_play = contents["in_play"]
    async with play_scenario() as dice:
        people = [WebSocketPlayer(person["name"]) for person in contents["people"]]
        for player, person in zip(people, contents["people"], strict=True):
            player.cookie = person["cookie"]
            await player.connect(url, in_play["code"])
        assert people[0].ply == in_play["moves"] and (people[0].game or {})["mine"]["hand"] == in_play["hand"]
        await play_on(people, dice, _MORE_MOVES)
        assert people[0].ply > in_play["moves"]


def test_a_record_replays(release: Path) -> None:
    """Its moves are legal and its shuffle is proved."""
    contents = read_contents(release)
    record = read_record(release / RECORD)
    verify(record)
    assert (str(record.rules), list(record.winners or ())) == (contents["match"]["rules"], contents["match"]["winners"])

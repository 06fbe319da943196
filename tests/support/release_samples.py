"""What a release leaves on a disk, for the tests of later versions: ``python -m support.release_samples``.

It writes a database with a row in every table, the record of its finished match, and what is in them, into the folder
of this version in ``tests/releases``. It is run once, when a version is made (docs/release.md).
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx
import sqlalchemy as sql

from lastcard import __version__
from lastcard.server.store.database_address import DatabaseAddress
from lastcard.server.store.maintenance import back_up
from lastcard.server.store.rows import (
    BanRow,
    CallsRow,
    Complaint,
    DailyResultRow,
    DayTurn,
    DuplicateResultRow,
    DuplicateRow,
    FindingRow,
    NotificationAddress,
    PasskeyRow,
)
from lastcard.server.store.schema import METADATA
from lastcard.server.store.store import Store
from support.store_samples import make_match_row, make_move_row, put_match
from support.threaded_server import run_threaded_server
from support.websocket_players import WebSocketPlayer, play_on, play_scenario, seat_people

FOLDER: Final = Path(__file__).parents[1] / "releases"
"""A folder for each release, by its version."""
DATABASE: Final = "tables.sqlite"
RECORD: Final = "match.toml"
CONTENTS: Final = "contents.json"
_DAY: Final = "2026-11-30"
_LATER_MS: Final = 4_000_000_000_000
"""A time after all others, in the year 2096."""
_SEED: Final = 64
_ROUND_MOVES: Final = 400
"""More moves than a match to one round has."""
_MOVES_IN_PLAY: Final = 12


async def play_matches(url: str) -> tuple[list[WebSocketPlayer], str, str]:
    """Play a match to its end and begin another; returns its people, and the codes of both tables."""
    async with play_scenario(_SEED) as dice:
        over, people = await seat_people(url, ("Ada", "Błażej"), "classic+match_mode=single_round")
        await play_on(people, dice, _ROUND_MOVES)
        assert people[0].table["phase"] == "over"
        code = await people[0].create_table(url, rules="wild-jackpot+stacking=same", seats=2, pace="untimed")
        for person in people:
            await person.connect(url, code)
        await people[1].send("sit")
        await people[1].wait_until(people[1].has_seat)
        await people[0].send("start")
        for person in people:
            await person.wait_until(lambda person=person: person.game is not None)
        await play_on(people, dice, _MOVES_IN_PLAY)
    return people, over, code


async def fill(store: Store, match: str, person: str, other: str) -> None:
    """Add a row to each table that two people at two tables leave empty."""
    await put_match(store, make_match_row("taken-over", table="TAKEN2", players=(other, None, "gone"), finished=None))
    await store.take_seat("taken-over", 2, person)
    brought = make_match_row("brought", table="", players=(None,) * 3, finished=1_700_000_900_000, winners=(1,))
    await store.import_match_for(brought, [make_move_row(0, "brought")], person, 9)
    await store.save_calls([CallsRow(match, 0, 1, 0, 0), CallsRow(match, 1, 0, 1, 0)])
    await store.save_findings([FindingRow(match, 0, 0.25, 14, '{"color": 1}')])
    await store.daily_secret(_DAY, "classic", b"d" * 32)
    await store.begin_daily_try(_DAY, "classic", person, "DAILY2")
    await store.save_daily_results([DailyResultRow(match, 0, 0, 14)])
    await store.create_duplicate(
        DuplicateRow("DUPLI2", other, "classic", 2, 3, b"s" * 32, 1_700_000_000_000, None, None, ("DUPLI3", "DUPLI4"))
    )
    await store.join_duplicate("DUPLI2", person, "DUPLI3")
    await store.save_duplicate_result(DuplicateResultRow("DUPLI2", 1, "DUPLI3", match, [12, -12], [0], [0.1, -0.1]))
    await store.save_open_table("OPENS2", "all-wild", _LATER_MS, 0)
    await store.save_departures(match, [other], [], _LATER_MS)
    await store.block(person, other, 1_700_000_000_000)
    await store.save_day_turn(
        "DAILY3", DayTurn("by-the-day", person, _LATER_MS, 1_700_000_000_000, 1_700_000_000_000, None)
    )
    await store.note_service(_LATER_MS)
    await store.add_notification_address(
        NotificationAddress("n1", person, "ntfy", "https://push.example/ada", None, True, 0, 1_700_000_000_000)
    )
    await store.server_key("vapid", b"a private key")
    await store.add_one_time("h" * 64, "code", person, _LATER_MS, 5)
    await store.add_passkey(PasskeyRow("k1", person, "Phone", b"a public key", 1, 1_700_000_000_000, None), 10)
    await store.save_admin_settings({"notice": "Maintenance at noon."})
    await store.ban(BanRow("b1", "banned", None, "Mallory", False, 1_700_000_000_000, None))
    await store.add_complaint(
        Complaint("c1", "ABC234", other, "Bo", person, "Ada", "words", "rude", (("Bo", "so slow"),), _LATER_MS)
    )
    await store.save_worker("w1", _LATER_MS, {"tables": 2}, 0)


def count_rows(address: str, names: Iterable[str] = tuple(METADATA.tables)) -> dict[str, int]:
    """The number of rows of some tables of a database, by default of all."""
    engine = DatabaseAddress(address).connect()
    with engine.connect() as connection:
        counts = {
            name: connection.scalar(sql.select(sql.func.count()).select_from(sql.table(name))) or 0 for name in names
        }
    engine.dispose()
    return counts


def describe(url: str, people: Sequence[WebSocketPlayer], codes: Sequence[str]) -> tuple[dict[str, Any], str]:
    """What a server shows of both matches and their people, and the record of the finished one."""
    with httpx.Client(base_url=url, headers={"cookie": people[0].cookie}, verify=False) as browser:
        (over,) = [match for match in browser.get("/api/matches").json() if not match["live"]]
        record = browser.get(f"/api/matches/{over['id']}/record").raise_for_status().text
    return {
        "people": [{"name": person.name, "id": person.own_id, "cookie": person.cookie} for person in people],
        "match": {"id": over["id"], "rules": over["rules"], "winners": over["winners"]},
        "in_play": {"code": codes[1], "moves": people[0].ply, "hand": (people[0].game or {})["mine"]["hand"]},
    }, record


def write(folder: Path) -> None:
    """Write the files of this version into a folder.

    Raises:
        AssertionError: if a table is left empty.
    """
    folder.mkdir(parents=True)
    with TemporaryDirectory() as scratch:
        with run_threaded_server(Path(scratch)) as served:
            people, *codes = asyncio.run(play_matches(served.url))
            contents, record = describe(served.url, people, codes)
        address = f"sqlite:///{Path(scratch, 'tables.sqlite')}"
        person, other = (each["id"] for each in contents["people"])
        with closing(Store.open(address)) as store:
            asyncio.run(fill(store, contents["match"]["id"], person, other))
            contents["export"] = asyncio.run(store.export_player(person))
        contents["rows"] = count_rows(address)
        back_up(address, folder / DATABASE)
    assert all(contents["rows"].values()), f"empty tables: {[k for k, v in contents['rows'].items() if not v]}"
    Path(folder, RECORD).write_text(record, encoding="utf-8")
    text = json.dumps(contents, default=bytes.hex, ensure_ascii=False, indent=1, sort_keys=True)
    Path(folder, CONTENTS).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if sys.argv[1:] else FOLDER / __version__
    write(target)
    print(f"written: {target}")

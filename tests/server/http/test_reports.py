"""Luck and skill of a finished match over HTTP."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import httpx
import pytest

from lastcard.server.http import reports
from lastcard.server.security.security import Limit, hash_token
from lastcard.server.store.rows import Player
from lastcard.server.store.store import Store
from lastcard.session.match_rows import MatchRow, MoveRow
from lastcard.text.locale import Catalog
from support.matches import random_log
from support.report_samples import quick_report
from support.store_samples import put_log
from support.threaded_server import TIMEOUT_S, app_client, error_of

pytestmark = pytest.mark.real_time


@pytest.fixture(autouse=True)
def make_report(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Makes reports in little time."""
    make = Mock(wraps=quick_report)
    monkeypatch.setattr(reports, "make_report", make)
    monkeypatch.setattr(reports, "_LIMIT", Limit(rate=0.0, burst=2, shared_factor=1))
    reports._REPORTS.clear()
    reports._HIGHLIGHTS.clear()
    return make


@asynccontextmanager
async def reports_app(
    folder: Path, *logs: tuple[MatchRow, list[MoveRow]], analysis: str = "server"
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the application over a store with these matches."""
    with closing(Store.open(f"sqlite:///{folder / 'test.db'}")) as store:
        for row, moves in logs:
            await put_log(store, row, moves)
        yield app_client(store, analysis)


async def test_a_report_is_made_once_and_said_in_every_language(tmp_path: Path, make_report: Mock) -> None:
    row, moves = random_log("all-wild", 3, seed=1)
    async with reports_app(tmp_path, (row, moves)) as client:
        first, second = await asyncio.gather(
            client.get(f"/api/matches/{row.id}/report"), client.get(f"/api/matches/{row.id}/report?lang=fr")
        )
        assert (first.status_code, second.status_code) == (200, 200)
        english, french = first.json(), second.json()
        assert english["curves"][0]["chances"] == french["curves"][0]["chances"]
        assert len(english["curves"][0]["chances"]) == len(moves) + 1
        assert english["curves"][0]["chances"][-1].count(1.0) == 1
        titles = [[listing["title"] for listing in found["lists"]] for found in (english, french)]
        assert titles[0][:2] == ["Largest changes of chances", "Worst decisions"]
        assert titles[1][:2] == ["Plus grands changements des chances", "Pires décisions"]
        assert all(0 < ply <= len(moves) for listing in english["lists"] for _, ply, _ in listing["lines"])
        results, decisions, kinds = english["tables"]
        assert len(results["rows"]) == len(decisions["rows"]) == 3
        assert kinds["title"] == "Mistakes by kind" and len(kinds["heads"]) == 4
        assert all(len(row) == 4 for row in kinds["rows"])
    assert [made.args[0].rules_name for made in make_report.call_args_list] == ["all-wild"]


async def test_the_chances_come_before_the_report_is_ready(tmp_path: Path, make_report: Mock) -> None:
    """They wait for no report; once the report is ready, it comes in their place."""
    row, moves = random_log("all-wild", 3, seed=1)
    async with reports_app(tmp_path, (row, moves)) as client:
        path = f"/api/matches/{row.id}/report"
        go = threading.Event()
        reports._WORKER.submit(go.wait, TIMEOUT_S)
        found = asyncio.create_task(client.get(path))
        first = (await client.get(f"{path}?first")).json()
        assert not found.done() and not make_report.called
        go.set()
        whole = (await found).json()
        assert (await client.get(f"{path}?first")).json() == whole
        assert first["tables"] == [] and len(whole["tables"]) == 3
        assert [len(page["curves"][0]["chances"]) for page in (first, whole)] == [len(moves) + 1] * 2
        assert [page["lists"][0]["title"] for page in (first, whole)] == ["Largest changes of chances"] * 2
        assert len(first["lists"]) == 1 and 0 < len(first["lists"][0]["lines"]) <= 3


@pytest.mark.parametrize("analysis", ["server", "client"])
async def test_a_report_is_left_to_a_capable_page(tmp_path: Path, make_report: Mock, analysis: str) -> None:
    """The server must be configured so and one person have played with bots; the page gets only the record."""
    bots, persons = random_log("all-wild", 2, seed=1), random_log("all-wild", 2, seed=2)
    alone = replace(bots[0], players=("ann", None)), bots[1]
    several = replace(persons[0], players=("ann", "ben")), persons[1]
    async with reports_app(tmp_path, alone, several, analysis=analysis) as client:
        path = f"/api/matches/{alone[0].id}"
        left = (await client.get(f"{path}/report?here")).json()
        assert ("record" in (await client.get(f"{path}/report?first&here")).json()) is (analysis == "client")
        if analysis == "client":
            assert left == {"record": (await client.get(f"{path}/record")).text} and not make_report.called
        else:
            assert "curves" in left
        assert "curves" in (await client.get(f"/api/matches/{several[0].id}/report?here")).json()
        assert "curves" in (await client.get(f"{path}/report")).json(), "a page that cannot"
    assert make_report.call_count == 2


async def test_a_stored_report_forgets_a_player_who_deletes_own_data(tmp_path: Path, make_report: Mock) -> None:
    row, moves = random_log("all-wild", 2, seed=1)
    row = replace(row, names=("Ann", "Secretname"), players=("ann", "secret"))
    async with reports_app(tmp_path, (row, moves)) as client:
        store: Store = client._transport.app.state.store  # type: ignore[attr-defined]
        for after in (False, True):
            text = (await client.get(f"/api/matches/{row.id}/report")).text
            assert "Ann" in text and ("Secretname" in text) is not after
            await store.delete_player("secret")
    assert make_report.call_count == 2


async def test_a_running_match_does_not_reveal_its_secrets(tmp_path: Path, make_report: Mock) -> None:
    row, moves = random_log("classic", 2, seed=1, max_rows=20)
    assert row.finished is None
    async with reports_app(tmp_path, (row, moves)) as client:
        for match in (row.id, "nothing"):
            assert error_of(await client.get(f"/api/matches/{match}/report")) == (404, "not-found")
    assert not make_report.called


async def test_too_many_reports_are_refused_but_stored_ones_are_served(tmp_path: Path, make_report: Mock) -> None:
    logs = [random_log("all-wild", 2, seed=seed) for seed in (1, 2, 3)]
    async with reports_app(tmp_path, *logs) as client:
        codes = [(await client.get(f"/api/matches/{row.id}/report")).status_code for row, _ in logs]
        assert codes == [200, 200, 429]
        assert (await client.get(f"/api/matches/{logs[0][0].id}/report")).status_code == 200
    assert make_report.call_count == 2


async def test_reports_of_one_person_are_not_in_the_way_of_anothers_behind_the_same_address(
    tmp_path: Path, make_report: Mock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person with too many waiting requests is refused; each gets their position in the queue."""
    logs = [random_log("all-wild", 2, seed=seed) for seed in range(5)]
    monkeypatch.setattr(reports, "_LIMIT", Limit(rate=0.0, burst=20, shared_factor=1))
    monkeypatch.setattr(reports, "MAX_WAITING", 3)
    begun, go = threading.Event(), threading.Event()

    def hold(row: MatchRow, moves: Sequence[MoveRow], texts: Catalog) -> str:
        begun.set()
        assert go.wait(TIMEOUT_S)
        return row.id

    monkeypatch.setattr(reports, "make_page", hold)
    async with reports_app(tmp_path, *logs) as client:
        store: Store = client._transport.app.state.store  # type: ignore[attr-defined]
        cookies = {}
        for name in ("Ann", "Bob"):
            await store.create_player(Player(name, name, "en"), hash_token(name))
            cookies[name] = {"cookie": f"lastcard={name}"}

        async def ask(name: str, n: int) -> int:
            return (await client.get(f"/api/matches/{logs[n][0].id}/report", headers=cookies[name])).status_code

        async def place(name: str) -> int:
            return int((await client.get("/api/reports/place", headers=cookies[name])).json()["ahead"])

        first = asyncio.create_task(ask("Ann", 0))
        await asyncio.to_thread(begun.wait, TIMEOUT_S)
        more = [asyncio.create_task(ask("Ann", n)) for n in range(1, 4)]
        while len(reports._QUEUE) < 3:
            await asyncio.sleep(0.01)
        assert await ask("Ann", 4) == 429
        bob = asyncio.create_task(ask("Bob", 4))
        while (ahead := await place("Bob")) == 0:
            await asyncio.sleep(0.01)
        assert ahead == 2, "the one that is being made, and one of Ann's"
        go.set()
        assert await asyncio.gather(first, *more, bob) == [200] * 5


async def test_a_finished_match_has_highlights(tmp_path: Path) -> None:
    """Highlights name the player concerned; a running match has none."""
    over, live = random_log("all-wild", 3, seed=1), random_log("all-wild", 3, seed=2, max_rows=5)
    async with reports_app(tmp_path, over, live) as client:
        answer = await client.get(f"/api/matches/{over[0].id}/moments")
        assert answer.status_code == 200
        found = answer.json()
        assert found and all(moment["seat"] < 3 and 1 <= moment["points"] <= 100 for moment in found)
        assert found[-1]["seat"] == (over[0].winners or (0,))[0]
        assert (await client.get(f"/api/matches/{live[0].id}/moments")).status_code == 404


def test_a_person_is_not_blamed_for_moves_before_a_takeover() -> None:
    """Decisions are judged only in seats that one person has had since the first round."""
    row, _ = random_log("all-wild", 4, seed=1)
    assert reports._seats_of_persons(row) == {0, 1}
    assert reports._seats_of_persons(row.with_takeover(2, "p-eva")) == {0, 1}, "the seat of a bot"
    assert reports._seats_of_persons(row.with_takeover(0, "p-eva")) == {1}, "the seat of a person"

"""Results of matches: one's own career, and leaderboards (docs/table.md, "Me")."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from lastcard.match.events import Called, Caught, Event
from lastcard.server.game.career import career, count_calls, fair_share, finding_rows, rank_players
from lastcard.server.http import careers, reports
from lastcard.server.store.rows import CallsRow, FindingRow, PastMatch, Player, Sitter
from lastcard.server.store.store import Store
from lastcard.session.match_log import apply_row, new_match
from lastcard.session.match_rows import TAKE_BACK, MoveRow
from server.http.test_history import ANN, BO, RULES, as_, store_match
from server.http.test_history import client as client
from server.http.test_history import store as store
from support.matches import random_log
from support.report_samples import play_match, quick_report
from support.store_samples import make_match_row, put_match
from support.threaded_server import run_threaded_server

pytestmark = pytest.mark.real_time


ANN_SITS, BO_SITS, BOT = Sitter(0, "p-ann", "Ann", True), Sitter(1, "p-bo", "Bo", True), Sitter(2, None, None, True)
ALONE = (ANN_SITS, Sitter(1, None, None, True))


def past_match(number: int, winners: tuple[int, ...], **changes: Any) -> PastMatch:
    """A finished match of Ann, Bo and a bot; a higher number is later."""
    match = PastMatch(f"m{number}", "classic", number, winners, (ANN_SITS, BO_SITS, BOT), (), ())
    return replace(match, **changes)


# --- sums -----------------------------------------------------------------------------------------------


def test_a_career_adds_up() -> None:
    """The input has the latest match first; the course begins with the oldest."""
    matches = [
        past_match(5, (0,), rules="all-wild", sitters=ALONE),
        past_match(4, (0,), calls=(CallsRow("m4", 0, 3, 1, 2), CallsRow("m4", 1, 9, 9, 9))),
        past_match(
            3, (1,), findings=(FindingRow("m3", 0, -0.25, 8, '{"color": 2}'), FindingRow("m3", 1, 1.0, 9, "{}"))
        ),
        past_match(2, (0,), findings=(FindingRow("m2", 0, 0.5, 4, '{"color": 1, "wild": 1}'),)),
        past_match(1, (0,)),
    ]
    found = career(matches, "p-ann")
    assert (found.total.matches, found.total.won) == (5, 4)
    assert found.total.chance == pytest.approx(4 / 3 + 1 / 2)
    shares = [(share.game, share.seats, share.matches, share.won) for share in found.shares]
    assert shares == [("classic", 3, 4, 3), ("all-wild", 2, 1, 1)]
    assert (found.streak, found.longest) == (2, 2)
    assert found.course == pytest.approx([2 / 3, 4 / 3, 1, 5 / 3, 13 / 6], abs=0.001)
    calls = found.calls
    assert (calls.called, calls.caught, calls.catches, calls.waiting) == (3, 1, 2, 4)
    findings = found.findings
    assert (findings.matches, findings.luck, findings.decisions) == (2, 0.25, 12)
    assert findings.mistakes == {"color": 3, "wild": 1}
    assert [(rival.name, rival.matches, rival.won, rival.lost) for rival in found.rivals] == [("Bo", 4, 3, 1)]


def test_a_person_with_two_seats_is_one_rival() -> None:
    """Two profiles that played against each other were joined later."""
    joined = (ANN_SITS, BO_SITS, BO_SITS._replace(seat=2))
    matches = [past_match(number, (number,), sitters=joined) for number in (3, 2, 1, 0)]
    (rival,) = career(matches, "p-ann").rivals
    assert (rival.matches, rival.won, rival.lost) == (4, 1, 2)
    assert rival.chance == pytest.approx(4 / 3)
    lines = [(line.name, line.matches, line.won) for line in rank_players(matches)]
    assert lines == [("Ann", 4, 1)], "a match against oneself does not count"


def test_nobody_has_played_yet() -> None:
    found = career([], "p-ann")
    assert (found.total.matches, found.streak, found.longest, found.course) == (0, 0, 0, [])


def test_partners_have_twice_the_fair_share() -> None:
    """6.8: two of four win together."""
    assert fair_share("classic+team_play", 4) == 0.5 and fair_share("classic", 4) == 0.25


def test_the_leaderboard_compares_persons() -> None:
    """Matches against bots alone do not count; only requested people who are willing to be named are listed."""
    shy = (ANN_SITS, BO_SITS._replace(shown=False), BOT)
    matches = [past_match(3, (0,), sitters=ALONE), past_match(2, (1,)), past_match(1, (1,))]
    lines = [(line.name, line.matches, line.won) for line in rank_players(matches)]
    assert lines == [("Bo", 2, 2), ("Ann", 2, 0)]
    assert rank_players(matches, ["p-ann"]) == []
    assert [line.name for line in rank_players([past_match(1, (1,), sitters=shy)])] == ["Ann"]


def test_calls_are_those_of_the_match() -> None:
    """CO-17 and CO-19: calls of each seat, and who caught whom."""
    row, moves = random_log("classic", 3, seed=7)
    match, events = new_match(row), list[Event]()
    for move in moves:
        events += apply_row(match, move)
    counted = count_calls(row, moves)
    assert [one.seat for one in counted] == [0, 1, 2]
    assert sum(one.called for one in counted) == sum(isinstance(event, Called) for event in events) > 0
    caught = sum(isinstance(event, Caught) for event in events)
    assert sum(one.caught for one in counted) == sum(one.catches for one in counted) == caught


def test_career_findings_equal_those_of_reports() -> None:
    report = quick_report(play_match("classic", "sharp,learner", 2))
    found = finding_rows("m", report)
    for one, account in zip(found, report.accounts, strict=True):
        assert (one.luck, one.decisions) == (account.luck.value, account.decisions)
        assert sum(json.loads(one.mistakes).values()) == account.mistakes
    assert found[1].mistakes != "{}", "a learner makes some"


# --- in the store, and over HTTP ------------------------------------------------------------------------


async def test_stored_results_are_those_of_finished_matches(database: str) -> None:
    """Only finished matches count, each once, latest first; deleting a match deletes its results."""
    with closing(Store.open(database)) as store:
        for player in (Player("ada", "Ada", "en"), Player("ben", "Ben", "pl", shown=False)):
            await store.create_player(player, player.id)
        for number, finished in enumerate((None, 20, 10)):
            await put_match(store, make_match_row(f"match-{number}"))
            if finished:
                await store.finish_match(f"match-{number}", finished, [2])
        calls, finding = CallsRow("match-1", 0, 1, 2, 3), FindingRow("match-1", 2, 0.5, 9, "{}")
        for _ in range(2):
            await store.save_calls([calls, CallsRow("gone", 0, 1, 1, 1)])
            await store.save_findings([finding])
        found = await store.past_matches(["ada"], 1, 10)
        assert [match.id for match in found] == ["match-1", "match-2"]
        assert found[0].calls == (calls,) and found[0].findings == (finding,) and found[1].calls == ()
        sitters = Sitter(0, "ada", "Ada", True), Sitter(1, None, None, None), Sitter(2, "ben", "Ben", False)
        assert found[0].sitters == sitters
        assert [match.id for match in await store.past_matches(["ada"], 1, 1)] == ["match-1"]
        assert len(await store.past_matches(["ada", "ben"], 2, 10)) == 2
        assert await store.past_matches(["ada", "cleo"], 2, 10) == []
        assert await store.delete_match_for("ada", "match-1") and await store.delete_match_for("ben", "match-1")
        assert [match.id for match in await store.past_matches(["ada"], 1, 10)] == ["match-2"]
        plies = (await store.read_heads(["match-2"]))["match-2"]
        await store.append(MoveRow("match-2", plies, "back", 0, TAKE_BACK, 1))
        assert await store.past_matches(["ada"], 1, 10) == [], "practice does not count"
        assert await store.taken_back(["match-2", "match-1"]) == {"match-2"}


async def test_a_career_is_private(client: httpx.AsyncClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls are counted a few matches at a time, until all are; nobody else can ask for it."""
    monkeypatch.setattr(careers, "COUNT_BATCH", 2)
    for seed in range(3):
        await store_match(store, *random_log(RULES, 3, seed=seed))
    await store_match(store, *random_log(RULES, 3, seed=9, max_rows=10))  # still running
    waiting = []
    for _ in range(3):
        found = (await client.get("/api/me/career", headers=as_(ANN))).json()
        waiting.append(found["calls"]["waiting"])
    assert waiting == [1, 0, 0] and found["total"]["matches"] == 3
    assert [rival["name"] for rival in found["rivals"]] == ["Bo"]
    assert (await client.get("/api/me/career")).json() is None
    assert (await client.get("/api/me/honors")).json() == []


def test_the_leaderboard_of_a_table(tmp_path: Path) -> None:
    """The leaderboard lists the people who sit there, and only matches they have played with each other."""
    with run_threaded_server(tmp_path) as served:
        ann, bo = served.new_client("Ann"), served.new_client("Bo")
        code = ann.create_table()
        lines = [ann.join(code), bo.join(code)]
        lines[1].send(type="sit")
        ids = tuple(browser.get("/api/me").json()["id"] for browser in (ann, bo))
        seated: set[str] = set()
        while seated != {"Ann", "Bo"}:
            seated = {seat["name"] for seat in lines[0].receive("table")["table"]["seats"] if seat}
        row, moves = random_log(RULES, 3, seed=1)
        row = replace(row, players=(*ids, None))
        assert bo.get(f"/api/tables/{code}/honors").json() == []
        asyncio.run(served.app.state.store.import_match(row, moves))
        named = [line["name"] for line in bo.get(f"/api/tables/{code}/honors").json()]
        assert sorted(named) == ["Ann", "Bo"]
        assert bo.get("/api/tables/NOSUCH/honors").status_code == 404


async def test_findings_come_from_requested_reports(
    client: httpx.AsyncClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "make_report", quick_report)
    reports._REPORTS.clear()
    logs = [random_log(RULES, 3, seed=seed) for seed in range(2)]
    for log in logs:
        await store_match(store, *log)
    assert (await client.get(f"/api/matches/{logs[0][0].id}/report")).status_code == 200
    for player in (ANN, BO):
        found = (await client.get("/api/me/career", headers=as_(player))).json()["findings"]
        assert found["matches"] == 1 and found["decisions"] > 0 and found["luck"] != 0


async def test_the_leaderboard_lists_fellow_players(client: httpx.AsyncClient, store: Store) -> None:
    """It lists people one has played with, except those who do not want to be named or have gone."""
    await store_match(store, *random_log(RULES, 3, seed=1))

    async def names() -> set[str]:
        return {line["name"] for line in (await client.get("/api/me/honors", headers=as_(ANN))).json()}

    assert await names() == {"Ann", "Bo"}
    wish = {"name": "Bo", "language": "pl", "shown": False}
    assert (await client.post("/api/me", json=wish, headers=as_(BO))).json()["shown"] is False
    assert await names() == {"Ann"}
    assert (await client.post("/api/me", json={"name": "Bo"}, headers=as_(BO))).json()["shown"] is False
    await store.delete_player(BO.id)
    assert await names() == set(), "nobody is left with whom there was a match"

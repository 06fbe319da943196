"""Daily deals: one deal a day and game for everybody, one try each, standings, a seed that stays secret for the day."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import msgspec
import pytest

from lastcard.analysis.master_run import run_master
from lastcard.arena.bot_play import play
from lastcard.formats.record_files import Record
from lastcard.game import daily_deal
from lastcard.game.daily_deal import day_end_ms
from lastcard.game.moves import move_to_action
from lastcard.game.rulesets import GAMES
from lastcard.game.seeds import commitment
from lastcard.server.game.daily import count_result
from lastcard.server.http import daily_deals
from lastcard.server.security.security import COOKIE, Limit
from lastcard.server.store.rows import Player
from lastcard.server.store.store import Store
from lastcard.server.table.session_storage import restore_state
from lastcard.session import commands, dealing, hosting
from lastcard.session.commands import apply_command
from lastcard.session.match_log import new_match
from lastcard.session.match_rows import MatchRow, MoveRow
from lastcard.session.table_settings import WantedSettings
from lastcard.session.table_state import CommandError, Person, TableState
from server.http.test_history import ANN, BO, as_
from server.http.test_history import any_store as any_store
from server.http.test_history import store as store
from support.store_samples import put_log
from support.threaded_server import app_client, error_of

pytestmark = [pytest.mark.real_time, pytest.mark.usefixtures("quick_masters")]

DAY, NEXT_DAY = "2026-11-30", "2026-12-01"
DURING_MS = day_end_ms(DAY) - 1000
SECRET = "5a" * 32


@pytest.fixture(autouse=True)
def set_day(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Sets the day of the server's clock."""

    def change(day: str) -> None:
        monkeypatch.setattr(daily_deal, "today", lambda: day)

    change(DAY)
    return change


async def start(client: httpx.AsyncClient, player: Player, game: str = "classic") -> str:
    """The code of a player's table."""
    answer = await client.post("/api/daily", json={"game": game}, headers=as_(player))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["code"])


async def finish(store: Store, code: str, finished_ms: int = DURING_MS, level: str = "sharp") -> MatchRow:
    """Let a bot play the person's round at a table to its end."""
    table = await store.load_table(code)
    assert table is not None
    row, moves = played_try(restore_state(table.doc), code, level)
    row = replace(row, finished=finished_ms)
    await put_log(store, row, moves)
    return row


def played_try(state: TableState, code: str, level: str = "sharp") -> tuple[MatchRow, list[MoveRow]]:
    """A try in which a bot of a level has the seat of the person."""
    row, moves = dealing.new_match_row(code, state, f"match-{code}"), list[MoveRow]()
    match = play(
        new_match(row),
        [level, "sharp", "sharp", "sharp"],
        seed=row.seed,
        on_move=lambda seat, move, _: moves.append(
            MoveRow(row.id, len(moves), f"c{len(moves)}", seat, move_to_action(move), DURING_MS)
        ),
    )
    return replace(row, winners=match.winners), moves


async def standings(client: httpx.AsyncClient, player: Player | None, game: str = "classic") -> dict[str, Any]:
    headers = {} if player is None else as_(player)
    found: dict[str, Any] = (await client.get(f"/api/daily/{DAY}/{game}", headers=headers)).json()
    return found


# --- the table ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_the_same_moves_give_the_same_round(game: str) -> None:
    """The deal does not depend on persons, and bots answer equal moves alike; a master plays it alike too."""
    tables = [hosting.new_daily_table(Person(name, name), DAY, game, SECRET) for name in ("Ann", "Bo")]
    (one, moves), (other, others) = (played_try(table, "CODE") for table in tables)
    assert [move[2:5] for move in moves] == [move[2:5] for move in others]
    assert count_result(one, moves)[1:] == count_result(other, others)[1:]
    assert (
        one.daily == DAY
        and one.bots[1:] == ("sharp",) * 3
        and new_match(one).rules.options.match_mode == "single_round"
    )
    assert run_master(new_match(one)) == run_master(new_match(other))


@pytest.mark.parametrize(
    "command",
    [
        commands.Sit(1),
        commands.LeaveSeat(),
        commands.Configure(WantedSettings()),
        commands.SetBot(1, "casual"),
        commands.SetBot(1, None),
    ],
    ids=lambda command: type(command).__name__,
)
def test_nobody_changes_a_daily_table(command: commands.Command) -> None:
    table = hosting.new_daily_table(Person("p-ann", "Ann"), DAY, "classic", SECRET)
    with pytest.raises(CommandError) as refused:
        apply_command(table, Person("p-ann", "Ann"), command, {"p-ann": "Ann"})
    assert refused.value.code == "daily"


def test_a_number_does_not_change_the_deal() -> None:
    table = hosting.new_daily_table(Person("p-ann", "Ann"), DAY, "classic", SECRET)
    number = commands.Number(table.promise, "ab" * 16)
    assert apply_command(table, Person("p-ann", "Ann"), number, {}) == table


def test_there_is_no_second_try() -> None:
    table = hosting.new_daily_table(Person("p-ann", "Ann"), DAY, "classic", SECRET)
    over = msgspec.structs.replace(table, phase="over", quick=False)
    with pytest.raises(CommandError, match="daily"):
        dealing.set_ready(over, "p-ann")
    with pytest.raises(CommandError, match="daily"):
        hosting.check_start(over, "p-ann", "casual")


# --- over HTTP --------------------------------------------------------------------------------------------


async def test_everybody_has_one_try_at_one_deal(any_store: Store) -> None:
    """Also two tabs at once; each game has a deal of its own."""
    client = app_client(any_store)
    code, same = await asyncio.gather(start(client, ANN), start(client, ANN))
    assert code == same == await start(client, ANN)
    codes = [code, await start(client, BO), await start(client, ANN, "all-wild")]
    tables = [await any_store.load_table(each) for each in codes]
    secrets = [restore_state(table.doc).secret for table in tables if table is not None]
    assert secrets[0] == secrets[1] != secrets[2]
    today = (await client.get("/api/daily", headers=as_(ANN))).json()
    assert [(game["game"], game["table"]) for game in today["games"]] == [
        ("all-wild", codes[2]),
        ("classic", code),
        ("wild-jackpot", None),
    ]
    assert (today["day"], today["ends"], today["streak"]) == (DAY, day_end_ms(DAY), 0)


async def test_the_secret_is_shown_when_the_day_is_over(any_store: Store, set_day: Callable[[str], None]) -> None:
    """Results of others are shown without their matches, and nobody sees the seed before the next day (CO-4)."""
    client = app_client(any_store)
    mine, late = await finish(any_store, await start(client, ANN)), await start(client, BO)
    found = await standings(client, ANN)
    assert (found["over"], found["secret"], found["players"]) == (False, None, 1)
    assert [(line["mine"], line["match"], line["name"]) for line in found["lines"]] == [(True, mine.id, "Ann")]
    assert [(line["mine"], line["match"]) for line in (await standings(client, BO))["lines"]] == [(False, None)]
    replay = (await client.get(f"/api/matches/{mine.id}/replay")).json()
    assert replay["seed"] is None and replay["secret"] is None and replay["rounds"][0]["first"]["hands"]
    record = Record.parse((await client.get(f"/api/matches/{mine.id}/record")).text)
    assert record.seed is None
    set_day(NEXT_DAY)
    other = await finish(any_store, late, day_end_ms(DAY) + 1, "random")
    found = await standings(client, None)
    assert found["over"] and commitment(bytes.fromhex(found["secret"])) == found["promise"]
    assert {line["match"]: line["late"] for line in found["lines"]} == {mine.id: False, other.id: True}
    replay = (await client.get(f"/api/matches/{mine.id}/replay")).json()
    assert replay["secret"] == found["secret"]
    today = (await client.get("/api/daily", headers=as_(ANN))).json()
    assert (today["day"], today["streak"]) == (NEXT_DAY, 1)
    assert [(each["day"], each["finished"]) for each in today["tries"]] == [(DAY, True)]


async def test_standings_are_ordered_by_result(any_store: Store) -> None:
    client = app_client(any_store)
    for player, level in ((ANN, "random"), (BO, "sharp")):
        await finish(any_store, await start(client, player, "all-wild"), level=level)
    lines = (await standings(client, ANN, "all-wild"))["lines"]
    keys = [(not line["won"], line["points"], line["moves"]) for line in lines]
    assert keys == sorted(keys) and [line["place"] for line in lines] == [1 + keys.index(key) for key in keys]


async def test_ones_own_result_is_among_the_best_or_below(any_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal results share a place, whatever the number of lines."""
    monkeypatch.setattr(daily_deals, "MAX_LINES", 1)
    client = app_client(any_store)
    for i, player in enumerate((ANN, BO)):
        await finish(any_store, await start(client, player), DURING_MS + i)
    for player, shown in ((ANN, [("Ann", True)]), (BO, [("Ann", False), ("Bo", True)])):
        found = await standings(client, player)
        assert [(line["name"], line["mine"]) for line in found["lines"]] == shown
        assert {line["place"] for line in found["lines"]} == {1} and found["players"] == 2


async def test_a_master_is_compared_after_the_own_try(any_store: Store) -> None:
    client = app_client(any_store)
    row = await finish(any_store, await start(client, ANN))
    assert (await standings(client, BO))["master"] is None, "it would show what the deal is worth"
    master = None
    while master is None:
        master = (await standings(client, ANN))["master"]
        await asyncio.sleep(0.05)
    expected = run_master(new_match(row))
    assert (master["won"], master["points"], master["luck"]) == (expected.won, expected.points, expected.luck)


async def test_what_there_is_not_is_refused(store: Store) -> None:
    client = app_client(store)
    assert error_of(await client.post("/api/daily", json={"game": "classic"})) == (401, "nobody")
    assert error_of(await client.post("/api/daily", json={"game": "chess"}, headers=as_(ANN))) == (422, "no-such-game")
    for path in ("2026-11-31/classic", "2026-11-30/chess", "2026-12-24/classic", "2026-11-30/classic"):
        assert error_of(await client.get(f"/api/daily/{path}")) == (404, "not-found")
    today = (await client.get("/api/daily")).json()
    assert today["tries"] == [] and [game["table"] for game in today["games"]] == [None] * 3


async def test_strangers_find_no_seed_before_the_day_is_over(any_store: Store) -> None:
    """Neither in the results nor in the match of another person, whose id they know; tries of others stay theirs."""
    client = app_client(any_store)
    mine = await finish(any_store, await start(client, ANN))
    assert await start(client, BO) != mine.table
    forged = {"cookie": f"{COOKIE}=forged"}
    paths = [f"/api/daily/{DAY}/classic", *(f"/api/matches/{mine.id}/{part}" for part in ("replay", "record"))]
    for headers in (as_(BO), forged, {}):
        for path in paths:
            shown = (await client.get(path, headers=headers)).text
            assert mine.seed.hex() not in shown and mine.secret.hex() not in shown
        assert (await client.get("/api/daily", headers=headers)).json()["tries"] == (
            [] if headers != as_(BO) else [{"day": DAY, "game": "classic", "finished": False, "won": False}]
        )


async def test_what_is_no_request_is_refused(store: Store) -> None:
    client = app_client(store)
    for content in (b"", b"{", b"[]", b'{"game":7}', b'{"game":"classic","seed":"00"}', b'{"game":"' + b"x" * 500):
        answer = await client.post("/api/daily", content=content, headers=as_(ANN))
        assert 400 <= answer.status_code < 500, content
    forged = {"cookie": f"{COOKIE}=x"}
    assert error_of(await client.post("/api/daily", json={"game": "classic"}, headers=forged)) == (401, "nobody")
    for path in (
        "0" * 200 + "/classic",
        "0001-01-01/classic",
        "9999-12-31/classic",
        "../classic",
        f"{DAY}/" + "x" * 99,
    ):
        assert (await client.get(f"/api/daily/{path}")).status_code == 404, path


async def test_new_tries_are_limited_by_address(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are free, so each could begin a try; a try that has begun is found without limit."""
    client = app_client(store)
    code = await start(client, ANN)
    monkeypatch.setattr(Limit, "take", lambda limit, address: False)
    assert await start(client, ANN) == code
    assert error_of(await client.post("/api/daily", json={"game": "classic"}, headers=as_(BO))) == (429, "too-fast")

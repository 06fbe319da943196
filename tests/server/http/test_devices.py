"""One profile on several devices: codes, and what becomes of the other device's guest (docs/table.md, "Profile")."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, closing

import pytest

from lastcard.server.security.security import Limit
from lastcard.server.store import personal_data
from lastcard.server.store.rows import DailyResultRow, DuplicateRow, Player, now_ms
from lastcard.server.store.schema import METADATA
from lastcard.server.store.store import Store
from lastcard.session import seating
from lastcard.session.commands import Ready, Start
from lastcard.session.table_state import Person as Named
from lastcard.session.table_state import replace
from server.http.test_history import any_store as any_store
from support.fakes import Person, new_registry, new_table, playing_table
from support.store_samples import make_match_row, put_match
from support.threaded_server import Client, ThreadedServer, error_of


def show_code(browser: Client) -> str:
    """The code that a device shows."""
    return str(browser.post("/api/me/code", {}).json()["code"])


def id_of(browser: Client) -> str:
    return str(browser.get("/api/me").json()["id"])


def test_a_code_joins_a_device_without_a_name(served: ThreadedServer) -> None:
    """It shows whose it is first, is read in any spelling, and works once."""
    ann, phone, late = served.new_client(), served.new_client(None), served.new_client(None)
    code = show_code(ann)
    assert len(code) == 10
    spelled = {"code": f" {code[:5].lower()}-{code[5:]} "}
    assert phone.post("/api/join/check", spelled).json() == {"profile": {"name": "Ann", "matches": 0}, "here": None}
    assert phone.post("/api/join", spelled).json()["name"] == "Ann"
    assert id_of(phone) == id_of(ann)
    assert error_of(late.post("/api/join", spelled)) == (404, "no-device-code")
    assert error_of(late.post("/api/me/code", {})) == (401, "nobody")


def test_two_profiles_become_one(served: ThreadedServer) -> None:
    """Every browser of the other profile has the first one's; tables, host and seat go with it."""
    ann, phone = served.new_client("Ann"), served.new_client("Annie")
    table = phone.create_table()
    code = show_code(ann)
    check = phone.post("/api/join/check", {"code": code}).json()
    assert check == {"profile": {"name": "Ann", "matches": 0}, "here": {"name": "Annie", "matches": 0}}
    old = id_of(phone)
    socket = phone.join(table)
    assert phone.post("/api/join", {"code": code}).status_code == 200
    assert id_of(phone) == id_of(ann) != old
    assert socket.wait_closed()[0] == "restart"
    seat = ann.join(table).welcome["table"]["seats"][0]
    assert (seat["player"], seat["name"]) == (id_of(ann), "Ann")
    assert old not in str(served.table(table).state)
    assert error_of(phone.post("/api/join", {"code": show_code(ann)})) == (422, "same-profile")


def test_a_newer_code_replaces_an_older_one_and_both_expire(
    served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, phone = served.new_client(), served.new_client(None)
    first, second = show_code(ann), show_code(ann)
    assert error_of(phone.post("/api/join", {"code": first})) == (404, "no-device-code")
    now = now_ms()
    monkeypatch.setattr(personal_data, "now_ms", lambda: now + 601_000)
    assert error_of(phone.post("/api/join", {"code": second})) == (404, "no-device-code")
    monkeypatch.setattr(personal_data, "now_ms", lambda: now + 599_000)
    assert phone.post("/api/join/check", {"code": second}).status_code == 200


def test_guesses_are_limited(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """After too many wrong codes the right one is refused too."""
    ann, eve = served.new_client(), served.new_client(None)
    code = show_code(ann)
    monkeypatch.setattr(served.app.state.limits, "misses", Limit(rate=0.0, burst=3, shared_factor=1))
    for _ in range(3):
        assert error_of(eve.post("/api/join/check", {"code": "AAAAAAAAAA"})) == (404, "no-device-code")
    for path in ("/api/join/check", "/api/join"):
        assert error_of(eve.post(path, {"code": code})) == (429, "too-fast")
    assert error_of(eve.post("/api/join", {"code": 5})) == (422, "unreadable")


def test_bans_count_for_both(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody gets rid of a ban by joining another profile, and nobody joins a banned one."""
    ann, eve = served.new_client(), served.new_client("Eve")
    code, banned = show_code(ann), id_of(eve)
    monkeypatch.setattr(served.app.state.moderation, "is_banned_player", lambda player: player == banned)
    assert error_of(eve.post("/api/join", {"code": code})) == (403, "banned")
    banned = id_of(ann)
    assert error_of(eve.post("/api/join", {"code": code})) == (403, "banned")


def test_two_tables_of_one_duplicate_match_are_not_joined(
    served: ThreadedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a person would know the deals of the other table."""
    ann, phone = served.new_client("Ann"), served.new_client("Annie")
    code, ids = show_code(ann), [id_of(phone), id_of(ann)]

    async def shares(self: Store, *players: str) -> bool:
        return [*players] == ids

    monkeypatch.setattr(Store, "shares_duplicate", shares)
    for path in ("/api/join/check", "/api/join"):
        assert error_of(phone.post(path, {"code": code})) == (422, "both-in-duplicate")
    assert id_of(phone) == ids[0]


# --- tables -----------------------------------------------------------------------------------------------


async def test_a_running_match_goes_on_with_the_other_profile(ada: Person, bob: Person) -> None:
    """Seat, log, wins and readiness are the other profile's; nobody counts as a successor."""
    registry = new_registry()
    table = await playing_table(ada, bob, registry=registry, rules="classic", pace="untimed")
    await registry.merge(bob.id, Named("new", "Bobby"))
    assert table.state.seats[1].player == "new" and table.state.seats[1].name == "Bob"
    row = table.play.log.row
    assert row.players == (ada.id, "new") and row.takeovers == () and not row.is_inherited
    assert bob.id not in str(table.state)


async def test_of_two_seats_at_a_table_one_stays(ada: Person, bob: Person, cleo: Person) -> None:
    """In a match a bot plays on in the other seat; votes, wins and the queue are joined."""
    table = await playing_table(ada, bob, rules="classic", pace="untimed")
    await cleo.join_and_sit(table)
    state = replace(
        table.state, wins={ada.id: 1, bob.id: 2}, muted=(bob.id,), ready=(ada.id, bob.id), numbers={bob.id: "0"}
    )
    merged = seating.merge_person(state, bob.id, Named(ada.id, "Ada"))
    assert merged.players == (ada.id, None) and merged.seats[1].bot == "casual"
    assert merged.wins == {ada.id: 3} and merged.muted == merged.ready == (ada.id,) and merged.numbers == {ada.id: "0"}
    assert bob.id not in str(merged)
    seated = seating.merge_person(state, cleo.id, Named(ada.id, "Ada"))
    assert seated.queue == () and seated.players == (ada.id, bob.id), "who has a seat waits for none"


async def test_in_the_lobby_the_other_seat_is_free(ada: Person, bob: Person) -> None:
    table = await new_table(ada, bob)
    merged = seating.merge_person(table.state, ada.id, Named(bob.id, "Bob"))
    assert [seat and seat.player for seat in merged.seats] == [None, bob.id] and merged.host == Named(bob.id, "Bob")


async def test_a_person_who_is_ready_starts_the_next_round_after_joining(ada: Person, bob: Person) -> None:
    """The game goes on after a merge between rounds."""
    registry = new_registry()
    table = await new_table(ada, bob, registry=registry, rules="classic")
    await ada.send_command(Start())
    await registry.merge(bob.id, Named("new", "Bobby"))
    bob.player = Player("new", "Bobby", "en")
    await bob.join(table)
    assert await bob.refusal(Ready()) == "not-now"


# --- the database -----------------------------------------------------------------------------------------


def test_every_column_with_a_person_is_known() -> None:
    """A new table with data of people must be exported, merged and deleted with the rest."""
    names = {"player", "other", "by"}
    found = {column for table in METADATA.sorted_tables for column in table.c if column.name in names}
    known = {*personal_data._SHARED, *(table.c.player for table in personal_data.OWN_TABLES)}
    assert found <= known


@pytest.mark.real_time
async def test_all_rows_become_one_persons(any_store: Store) -> None:
    """In both kinds of database; what both have is there once."""
    store, far = any_store, now_ms() + 60_000
    for player in ("old", "new"):
        await store.create_player(Player(player, player, "en"), player * 20)
    await put_match(store, make_match_row("m-1", players=("old", None, "ben")))
    await put_match(store, make_match_row("m-2", players=("old", None, "new")))
    for match in ("m-1", "m-2"):
        await store.finish_match(match, 9, (0,))
    await store.take_seat("m-1", 2, "old")
    await store.take_seat("m-1", 0, "new")
    await store.save_departures("m-1", ["old", "new"], [], 5)
    for pair in (("old", "eve"), ("new", "eve"), ("eve", "old"), ("new", "old")):
        await store.block(*pair, 1)
    await store.add_one_time("h" * 64, "code", "new", far, 1)
    assert await store.count_own_matches("old") == 2
    assert await store.merge_players("old", "new")
    assert not await store.merge_players("old", "new") and not await store.merge_players("new", "old")
    assert (await store.load_match("m-1")).players == ("new", None, "ben")
    assert (await store.load_match("m-1")).takeovers == ((2, "new"),), "nobody takes over their own seat"
    assert await store.count_own_matches("new") == 2 and await store.matches_of("old", 9) == []
    assert [match.id for match in await store.past_matches(["new"], 1, 9)] == ["m-1"], "not against oneself"
    assert await store.list_departures("new", 0) == [5]
    assert await store.find_blocked("new") == {"eve"}
    assert await store.read_open_counts("new", 0, 0) == (0, [5], 1)
    assert await store.player_by_token("old" * 20) == await store.player_by_token("new" * 20) != None  # noqa: E711
    assert not await store.use_one_time("h" * 64, "code") and await store.load_player("old") is None


@pytest.mark.real_time
async def test_of_two_joins_at_one_instant_one_is_refused(database: str) -> None:
    """Two workers join two profiles with each other, in both directions: one of them stays, with all that both had."""
    for attempt in range(10):
        pair = [f"ada-{attempt}", f"ben-{attempt}"]
        with ExitStack() as stack:
            count = 1 if database.startswith("sqlite") else 2  # SQLite has one worker
            stores = [stack.enter_context(closing(Store.open(database))) for _ in range(count)]
            for player in pair:
                await stores[0].create_player(Player(player, player, "en"), player * 9)
            joins = (stores[0].merge_players(*pair), stores[-1].merge_players(*pair[::-1]))
            assert sorted(await asyncio.gather(*joins)) == [False, True]
            left = [player for player in pair if await stores[0].load_player(player)]
            assert len(left) == 1
            owners = [await stores[0].player_by_token(player * 9) for player in pair]
            assert [owner.id for owner in owners if owner] == left * 2


def test_the_loser_of_two_joins_gets_the_reason(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tables are those of the profile that is left."""
    ann, phone = served.new_client("Ann"), served.new_client("Annie")
    table = ann.create_table()
    code, (owner, here) = show_code(ann), (id_of(ann), id_of(phone))
    merge = Store.merge_players

    async def join_first_elsewhere(store: Store, player: str, into: str) -> bool:
        assert await merge(store, into, player)
        return await merge(store, player, into)

    monkeypatch.setattr(Store, "merge_players", join_first_elsewhere)
    assert error_of(phone.post("/api/join", {"code": code})) == (409, "joined-meanwhile")
    assert id_of(phone) == id_of(ann) == here
    assert owner not in str(served.table(table).state) and here in str(served.table(table).state)


@pytest.mark.real_time
async def test_the_earlier_try_at_a_daily_deal_counts(any_store: Store) -> None:
    """A second device gives no second try; the other match stays in the list."""
    store, day = any_store, "2026-11-30"
    for player, started in (("old", 5), ("new", 9)):
        await store.create_player(Player(player, player, "en"), player * 20)
        row = make_match_row(player, table=f"{player:6}", players=(player, None, None), started=started, daily=day)
        await put_match(store, row)
        await store.begin_daily_try(day, "classic", player, row.table)
        await store.finish_match(player, started + 1, (0,))
        await store.save_daily_results([DailyResultRow(player, 0, 0, started)])
    await store.begin_daily_try("2026-11-29", "classic", "old", "before")
    assert await store.merge_players("old", "new")
    tries = await store.daily_tries("new")
    assert [(row.day, row.table) for row in tries] == [(day, "old   "), ("2026-11-29", "before")]
    assert [row.match for row in await store.daily_standings(day, "classic", "new", 9)] == ["old"]
    assert await store.count_own_matches("new") == 2


@pytest.mark.real_time
async def test_a_shared_duplicate_match_is_found(any_store: Store) -> None:
    """At two tables, until it is over."""
    row = DuplicateRow("DUP222", "host", "classic", 3, 2, b"s" * 32, 1, None, None, ("TABLE2", "TABLE3"))
    await any_store.create_duplicate(row)
    for player, table in (("ann", "TABLE2"), ("bo", "TABLE2"), ("cid", "TABLE3")):
        await any_store.join_duplicate("DUP222", player, table)
    assert await any_store.shares_duplicate("ann", "cid") and not await any_store.shares_duplicate("ann", "bo")
    await any_store.start_duplicate("DUP222")
    await any_store.finish_duplicate("DUP222")
    assert not await any_store.shares_duplicate("ann", "cid")


@pytest.mark.real_time
async def test_secrets_are_valid_once_and_for_a_time(any_store: Store) -> None:
    store, now = any_store, now_ms()
    await store.add_one_time("a" * 64, "code", "ann", now + 60_000, 1)
    await store.add_one_time("b" * 64, "code", "bo", now - 1, 1)
    assert await store.find_one_time("a" * 64, "code") == "ann"
    assert await store.find_one_time("a" * 64, "passkey") is None is await store.find_one_time("b" * 64, "code")
    assert not await store.use_one_time("a" * 64, "passkey") and not await store.use_one_time("b" * 64, "code")
    assert await store.use_one_time("a" * 64, "code") and not await store.use_one_time("a" * 64, "code")
    for number in range(4):
        await store.add_one_time(str(number) * 64, "code", "ann", now + 60_000 + number, 2)
    valid = [await store.find_one_time(str(number) * 64, "code") for number in range(4)]
    assert valid == [None, None, "ann", "ann"]

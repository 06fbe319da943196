"""Notifications of turns over HTTP: places, switches, tests, and one notification a turn."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from lastcard.server.http import turn_notices
from lastcard.server.security.security import Limit
from lastcard.server.store import day_queries, notification_queries
from lastcard.server.store.rows import DayTurn, NotificationAddress, Player, now_ms
from lastcard.server.store.store import Store
from lastcard.server.table import day_director, notifier
from server.http.test_history import any_store as any_store
from support.push_service import BrowserSubscription, PushService, run_push_service
from support.store_samples import make_match_row, put_match
from support.threaded_server import TIMEOUT_S, Client, ThreadedServer, error_of, run_threaded_server

PATH = "/api/me/notifications"


@pytest.fixture
def service() -> Iterator[PushService]:
    with run_push_service() as running:
        yield running


@pytest.fixture(scope="module")
def notifying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server that may send to this machine, and checks often."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(day_director, "CHECK_S", 0.1)
        patch.setattr(day_director, "UNSEEN_MS", 200)
        with run_threaded_server(tmp_path_factory.mktemp("notify"), notify="127.0.0.0/8") as running:
            yield running


def add_webhook(browser: Client, service: PushService, kind: str = "discord") -> str:
    answer = browser.post(PATH, {"kind": kind, "address": f"{service.url}/hook"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def wait_for(service: PushService, number: int) -> None:
    """Wait until so many requests have arrived."""
    until = time.monotonic() + TIMEOUT_S
    while len(service.received) < number:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_webhook(notifying: ThreadedServer, service: PushService) -> None:
    """It can be tested, turned off and removed, by its owner only; nobody is sent its address again."""
    ann, eve = notifying.new_client("Ann"), notifying.new_client("Eve")
    id_ = add_webhook(ann, service)
    (place,) = ann.get(PATH).json()["places"]
    assert place == {"id": id_, "kind": "discord", "host": "127.0.0.1", "enabled": True, "failing": False}
    assert ann.post(f"{PATH}/{id_}/test", {}).json() == {"arrived": True}
    (received,) = service.received
    assert received.path == "/hook" and "It works" in json.loads(received.body)["content"]
    assert eve.get(PATH).json()["places"] == []
    for answer in (eve.post(f"{PATH}/{id_}/test", {}), eve.post(f"{PATH}/{id_}", {"enabled": False})):
        assert error_of(answer) == (404, "not-found")
    assert error_of(eve.http.delete(f"{PATH}/{id_}")) == (404, "not-found")
    assert ann.post(f"{PATH}/{id_}", {"enabled": False}).status_code == 200
    assert not ann.get(PATH).json()["places"][0]["enabled"]
    service.status = 500
    assert ann.post(f"{PATH}/{id_}/test", {}).json() == {"arrived": False}
    assert ann.get(PATH).json()["places"][0]["failing"]
    assert ann.http.delete(f"{PATH}/{id_}").status_code == 200
    assert ann.get(PATH).json()["places"] == []


def test_a_browser(notifying: ThreadedServer, service: PushService) -> None:
    """A message is encrypted for it; once it has unsubscribed it is forgotten."""
    pytest.importorskip("py_vapid")
    ann, browser = notifying.new_client("Ann"), BrowserSubscription()
    key = ann.get(PATH).json()["key"]
    answer = ann.post(PATH, {"kind": "push", "address": f"{service.url}/push", "keys": browser.keys})
    id_ = answer.json()["id"]
    assert ann.post(f"{PATH}/{id_}/test", {}).json() == {"arrived": True}
    (received,) = service.received
    assert received.headers["authorization"].endswith(f"k={key}")
    message = json.loads(browser.read(received.body))
    assert message["title"] == "It works" and message["url"] == f"{notifying.url}/"
    service.status = 410
    ann.post(f"{PATH}/{id_}/test", {})
    assert ann.get(PATH).json()["places"] == []


def test_a_server_without_the_libraries(served: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifier, "has_web_push", lambda: False)
    served.app.state.notifier._signer = None
    assert served.new_client().get(PATH).json() == {"key": None, "places": []}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"kind": "discord", "address": "https://127.0.0.1/"}, "notify-address"),
        ({"kind": "discord", "address": "http://cards.example/"}, "notify-address"),
        ({"kind": "discord", "address": "nowhere"}, "notify-address"),
        ({"kind": "mail", "address": "https://cards.example/"}, "unreadable"),
        ({"kind": "push", "address": "https://cards.example/"}, "unreadable"),
        ({"kind": "push", "address": "https://cards.example/", "keys": {"p256dh": "x", "auth": "y"}}, "unreadable"),
        ({"kind": "discord", "address": "https://cards.example/", "keys": {"p256dh": "x", "auth": "y"}}, "unreadable"),
        ({"kind": "discord", "address": "https://a/" + "x" * 1000}, "unreadable"),
        ({"kind": "discord"}, "unreadable"),
    ],
)
def test_bad_places_are_refused(served: ThreadedServer, body: object, code: str) -> None:
    assert error_of(served.new_client().post(PATH, body)) == (422, code)
    assert error_of(served.new_client(None).post(PATH, body)) == (401, "nobody")
    assert error_of(served.new_client(None).get(PATH)) == (401, "nobody")


def test_requests_are_limited(notifying: ThreadedServer, service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sends something to somebody else."""
    monkeypatch.setattr(turn_notices, "_PERSON_LIMIT", Limit(rate=0.0, burst=2))
    eve = notifying.new_client("Eve")
    id_ = add_webhook(eve, service)
    assert eve.post(f"{PATH}/{id_}/test", {}).status_code == 200
    assert error_of(eve.post(f"{PATH}/{id_}/test", {})) == (429, "too-fast")
    assert error_of(eve.post(PATH, {"kind": "ntfy", "address": service.url})) == (429, "too-fast")


def test_one_notification_a_turn(notifying: ThreadedServer, service: PushService) -> None:
    """It comes when the person on turn is away, names game and table and no card; the first page lists the turn."""
    ann, bo = notifying.new_client("Ann"), notifying.new_client("Bo")
    code = ann.create_table(settings={"rules": "classic+first_dealer=host", "seats": 2, "pace": "24h@Europe/Berlin"})
    lines = [ann.join(code), bo.join(code)]
    lines[1].send(type="sit")
    lines[1].receive("table")
    for browser in (ann, bo):
        add_webhook(browser, service)
    lines[0].send(type="start")
    game = lines[0].receive("dealt")["game"]
    turn = game["public"]["turn"]
    on_turn, line = ((ann, bo)[turn], lines[turn])
    time.sleep(0.5)
    assert not service.received, "they are here"
    line.connection.close()
    wait_for(service, 1)
    time.sleep(0.5)
    (received,) = service.received
    text = json.loads(received.body)["content"]
    assert text == f"Your turn – UNO waits for your move. {notifying.url}/t/{code}"
    (match,) = on_turn.get("/api/me/tables").json()
    assert match["yours"] and 20 * 3_600_000 < match["due"] - now_ms() < 80 * 3_600_000
    again = on_turn.join(code)
    again.connection.close()
    time.sleep(0.6)
    assert len(service.received) == 1, "one is enough"


@pytest.mark.real_time
async def test_what_is_stored(any_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """In both kinds of database; with the person it disappears."""
    monkeypatch.setattr(notification_queries, "MAX_ADDRESSES", 3)
    monkeypatch.setattr(notification_queries, "MAX_FAILURES", 2)
    store = any_store
    for name in ("ann", "bo"):
        await store.create_player(Player(name, name, "pl"), f"hash-{name}")
    assert (await store.language_of("ann"), await store.language_of("nobody")) == ("pl", "en")
    keys = {"p256dh": "k", "auth": "a"}
    for number in range(4):
        await store.add_notification_address(
            NotificationAddress(f"id-{number}", "ann", "push", f"https://push.example/{number}", keys, True, 0, number)
        )
    rows = await store.notification_addresses("ann")
    assert [row.id for row in rows] == ["id-1", "id-2", "id-3"] and rows[0].keys == keys
    await store.add_notification_address(rows[0]._replace(id="id-9", player="bo", at=9))
    assert [row.id for row in await store.notification_addresses("ann")] == ["id-2", "id-3"], "a browser has one owner"
    await store.add_notification_address(rows[0]._replace(id="id-0", player="nobody"))
    assert await store.notification_addresses("nobody") == []
    await store.note_delivery("id-2", False)
    await store.note_delivery("id-2", True)
    await store.note_delivery("id-2", False)
    assert (await store.notification_addresses("ann"))[0].enabled
    await store.note_delivery("id-2", False)
    assert not (await store.notification_addresses("ann"))[0].enabled
    assert await store.set_notification_address("ann", "id-2", True)
    assert not await store.set_notification_address("bo", "id-2", True)
    assert (await store.notification_addresses("ann"))[0][5:7] == (True, 0)
    assert await store.server_key("vapid", b"first") == b"first" == await store.server_key("vapid", b"second")
    await store.save_day_turn("ABC234", DayTurn("m", "ann", 5, 1, 1, 1))
    await store.delete_player("ann")
    assert await store.notification_addresses("ann") == []
    assert await store.list_due_tables(9) == ["ABC234"] and await store.list_day_turns("ann") == []


@pytest.mark.real_time
async def test_matches_by_the_day_are_stored(any_store: Store) -> None:
    """Notices are claimed once; a match is closed only after its notice."""
    store, now = any_store, now_ms()
    assert not await store.has_day_tables() and await store.note_service(now) == []
    await put_match(store, make_match_row())
    turn = DayTurn("match-1", "ben", now + 500, now - 900, now - 900, now - 800)
    await store.save_day_turn("ABC234", turn)
    assert await store.has_day_tables() and await store.list_day_tables() == ["ABC234"]
    assert await store.list_due_tables(now) == [] and await store.list_due_tables(now + 500) == ["ABC234"]
    assert await store.list_day_turns("ben") == [("ABC234", "classic+jump_in", now + 500, 0)]
    assert await store.claim_turn_notices(now - 801) == []
    assert await store.claim_turn_notices(now - 800) == [("ABC234", "ben", "classic+jump_in")]
    assert await store.claim_turn_notices(now) == []
    await store.save_day_turn("ABC234", turn._replace(unseen=None))
    assert await store.claim_turn_notices(now) == []

    assert await store.sweep(now + 1, 5) == 0
    assert await store.claim_closing_notices(now - 901, now - 1) == []
    assert await store.claim_closing_notices(now - 900, now - 1) == [("ABC234", ("ada", "ben"), "classic+jump_in")]
    assert await store.claim_closing_notices(now, now - 1) == []
    await store.save_day_turn("ABC234", turn._replace(moved=now))
    assert await store.sweep(now + 1, 5) == 0, "somebody has moved"
    await store.claim_closing_notices(now, now - 1)
    assert await store.sweep(now + 1, 5) == 1 and not await store.has_day_tables()


@pytest.mark.real_time
async def test_times_of_service_are_stored(any_store: Store) -> None:
    """Servers that run at once have one time; those before the last weeks are forgotten."""
    store, gap = any_store, day_queries.SERVICE_GAP_MS
    await store.save_day_turn("ABC234", DayTurn("m", None, 0, 1, 1, None))
    assert await store.note_service(1000) == [(1000, 1000)]
    assert await store.note_service(1000 + gap) == [(1000, 1000 + gap)]
    assert await store.note_service(1001 + 2 * gap) == [(1000, 1000 + gap), (1001 + 2 * gap, 1001 + 2 * gap)]
    late = 1002 + 2 * gap + day_queries.SERVICE_RETENTION_MS
    assert await store.note_service(late) == [(late, late)]
    await store.save_day_turn("ABC234", None)
    assert await store.note_service(late + 5) == [(late, late)]

"""Tables that take days: their settings, a turn while nobody else is there, the first page, notifications."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from lastcard.server.table import day_director
from support.axe import find_violations
from support.player import ON_BOTH, Invite, press_first
from support.push_service import PushService, run_push_service
from support.threaded_server import ThreadedServer, run_threaded_server

_FAKE_PUSH = """keys => {
    Notification.requestPermission = async () => "granted";
    PushManager.prototype.subscribe = async (options) => {
        window.subscribed = options;
        return { toJSON: () => keys };
    };
}"""


_PUSH = """message => new Promise((resolve) => {
    registration.showNotification = async (title, options) => resolve({ title, ...options });
    dispatchEvent(new PushEvent("push", { data: message }));
})"""

_REMEMBER_NAME = """(name) => {
    localStorage.lastcard = JSON.stringify({ ...JSON.parse(localStorage.lastcard ?? "{}"), name });
}"""
"""The first page lists matches for a person with a name."""

_PRESS = """({ data, open }) => new Promise((resolve) => {
    const seen = [];
    const notification = { data, close: () => seen.push("closed") };
    const focus = (url) => async () => seen.push(`focused ${url}`);
    clients.matchAll = async () => open.map((url) => ({ url, focus: focus(url) }));
    clients.openWindow = async (url) => seen.push(`opened ${url}`);
    const event = new ExtendableEvent("notificationclick");
    event.notification = notification;
    event.waitUntil = (work) => work.then(() => resolve(seen));
    dispatchEvent(event);
})"""
"""Presses a notification: only the browser itself may open a window, after a press of its own."""


@pytest.fixture(scope="module")
def notifying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server that may send notifications to this machine."""
    with run_threaded_server(tmp_path_factory.mktemp("days"), notify="127.0.0.0/8") as served:
        yield served


@pytest.fixture
def service() -> Iterator[PushService]:
    with run_push_service() as running:
        yield running


@ON_BOTH
def test_the_host_chooses_the_pace(notifying: ThreadedServer, invite: Invite, screen: dict[str, Any]) -> None:
    """The lobby says what it means, and why UNO is called for everybody."""
    ann = invite(notifying.url, "Ann", **screen, timezone_id="America/New_York")
    ann.make_table("classic", seats=2)
    ann.page.get_by_role("button", name="Edit rules").click()
    dialog = ann.page.get_by_role("dialog")
    grace = dialog.get_by_label("Time to call UNO")
    expect(grace).to_be_visible()
    dialog.get_by_role("radio", name="By the day").check()
    expect(grace).to_be_hidden()
    dialog.get_by_role("radio", name="8 hours").check()
    dialog.get_by_role("switch", name="Weekends off").check()
    expect(dialog.get_by_text("America/New_York")).to_be_visible()
    assert find_violations(ann.page) == []
    dialog.get_by_role("button", name="Apply").click()
    words = ann.page.get_by_text("8 hours, weekends off (America/New_York): nobody has to be here")
    expect(words).to_contain_text("UNO is called for everybody")
    ann.page.get_by_role("button", name="Edit rules").click()
    expect(dialog.get_by_role("switch", name="Weekends off")).to_be_checked()
    expect(dialog.get_by_role("radio", name="8 hours")).to_be_checked()
    expect(grace).to_be_hidden()


@ON_BOTH
def test_a_turn_days_later(notifying: ThreadedServer, invite: Invite, screen: dict[str, Any]) -> None:
    """The first page lists the table for the person on turn, with the deadline; the table shows it too."""
    ann, ben = invite(notifying.url, "Ann", **screen), invite(notifying.url, "Ben")
    code = ann.play_with(ben, rules="classic+first_dealer=host", pace="24h")
    moves = [player.page.locator(".hand [data-card]") for player in (ann, ben)]
    for hand in moves:
        expect(hand.first).to_be_visible()
    expect(ann.page.locator(".notice:visible")).to_contain_text("Time for this move until")
    ann.page.get_by_role("button", name="Menu", exact=True).click()
    expect(ann.page.get_by_role("dialog").get_by_role("button", name="Pause")).to_have_count(0)
    ann.page.evaluate(_REMEMBER_NAME, "Ann")
    for player in (ann, ben):
        player.page.goto(notifying.url)
        expect(player.page.locator(".continue-game")).to_contain_text("turn")
    turn = next(player for player in (ann, ben) if player.page.get_by_text("Your turn").count())
    link = turn.page.locator(".continue-game")
    expect(link).to_contain_text("until")
    assert find_violations(turn.page) == []
    link.click()
    turn.page.wait_for_url(f"**/t/{code}")
    expect(turn.page.locator(".hand [data-card]").first).to_be_visible()


@ON_BOTH
def test_the_notice_before_a_match_is_closed(
    notifying: ThreadedServer,
    invite: Invite,
    screen: dict[str, Any],
    service: PushService,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Everybody in it is notified, the first page has the day for the player on turn, and a move keeps the match."""
    ann, ben = invite(notifying.url, "Ann", **screen), invite(notifying.url, "Ben", **screen)
    ann.play_with(ben, rules="classic+first_dealer=host", pace="24h")
    for player in (ann, ben):
        player.page.evaluate(_REMEMBER_NAME, player.name)
        hook = {"kind": "ntfy", "address": f"{service.url}/{player.name}"}
        answer = player.page.context.request.post(
            f"{notifying.url}/api/me/notifications", data=hook, headers={"origin": notifying.url}
        )
        assert answer.ok, answer.text()
    with monkeypatch.context() as patch:
        patch.setattr(day_director, "IDLE_MS", day_director.NOTICE_MS)  # as if nobody had moved for weeks
        for player in (ann, ben):
            player.page.goto(notifying.url)
        ann.wait_until(lambda: len(service.received) >= 2, "both are notified")
    notices = {each.path: each.body.decode() for each in service.received}
    assert set(notices) == {"/Ann", "/Ben"}
    assert all("Nobody has moved in UNO for weeks" in text for text in notices.values()), notices
    for player in (ann, ben):
        player.page.goto(notifying.url)
        expect(player.page.locator(".continue-game")).to_contain_text("turn")
    turn = next(player for player in (ann, ben) if player.page.get_by_text("Your turn").count())
    expect(turn.page.locator(".continue-game")).to_contain_text("is closed on")
    assert find_violations(turn.page) == []
    turn.page.locator(".continue-game").click()
    turn.wait_until(lambda: (state := turn.find_screen_state()) is not None and state.asked, "the table is there")
    before = turn.screen_state()
    press_first(turn, before)
    turn.wait_for_ply(before.ply + 1)
    turn.page.goto(notifying.url)
    expect(turn.page.locator(".continue-game")).to_be_visible()
    expect(turn.page.locator(".continue-game")).not_to_contain_text("is closed on")


@ON_BOTH
def test_a_webhook(notifying: ThreadedServer, invite: Invite, screen: dict[str, Any], service: PushService) -> None:
    """It is added, tested, turned off with one tap, and removed."""
    ann = invite(notifying.url, "Ann", **screen)
    ann.make_table("classic", pace="24h")
    with ann.page.expect_popup() as opened:
        ann.page.get_by_role("link", name="Notify me of my turns").click()
    page = opened.value
    page.get_by_text("A webhook", exact=True).click()
    page.get_by_label("For", exact=True).select_option("ntfy")
    page.get_by_label("Address").fill("http://192.0.2.1/hook")
    ann.expect_failure(422, "/api/me/notifications")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="must begin with https://")).to_be_visible()
    page.get_by_label("Address").fill(f"{service.url}/hook")
    page.get_by_role("button", name="Add", exact=True).click()
    switch = page.get_by_role("switch", name="ntfy")
    expect(switch).to_be_checked()
    assert find_violations(page) == []
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("The test is on its way.")).to_be_visible()
    assert service.received[0].body.decode().startswith("It works")
    with page.expect_response("**/api/me/notifications/*"):
        page.get_by_text("ntfy", exact=True).first.click()
    page.reload()
    expect(switch).not_to_be_checked()
    page.get_by_role("button", name="Remove").click()
    expect(switch).to_have_count(0)


@ON_BOTH
def test_a_browser(notifying: ThreadedServer, invite: Invite, screen: dict[str, Any], service: PushService) -> None:
    """It subscribes with the key of the server."""
    pytest.importorskip("py_vapid")
    from support.push_service import BrowserSubscription

    ann, keys = invite(notifying.url, "Ann", **screen), BrowserSubscription().keys
    ann.make_table("classic", pace="24h")
    ann.page.goto(f"{notifying.url}/me")
    ann.page.evaluate(_FAKE_PUSH, {"endpoint": f"{service.url}/push", "keys": keys})
    ann.page.get_by_role("button", name="Notify me on this device").click()
    expect(ann.page.get_by_role("switch", name="A browser")).to_be_checked()
    asked = ann.page.evaluate("subscribed")
    assert asked["userVisibleOnly"] and len(asked["applicationServerKey"]) == 87


def test_a_push_is_shown(notifying: ThreadedServer, invite: Invite) -> None:
    """The service worker shows the message of the server, one for each table."""
    ann = invite(notifying.url, "Ann")
    ann.make_table("classic", pace="24h")
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    (worker,) = ann.page.context.service_workers
    url = f"{notifying.url}/t/ABC234"
    shown = worker.evaluate(_PUSH, json.dumps({"title": "Your turn", "body": "UNO waits for your move.", "url": url}))
    assert ann.page.context.request.get(shown.pop("icon")).ok
    assert shown == {"title": "Your turn", "body": "UNO waits for your move.", "tag": url, "data": url}


def test_a_press_on_a_notification(notifying: ThreadedServer, invite: Invite) -> None:
    """It closes the notification, and shows the page of the table if it is open; else it opens it."""
    ann = invite(notifying.url, "Ann")
    ann.make_table("classic", pace="24h")
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    (worker,) = ann.page.context.service_workers
    home, table, other = f"{notifying.url}/", f"{notifying.url}/t/ABC234", f"{notifying.url}/t/XYZ567"

    def press(data: str | None, *pages: str) -> list[str]:
        return list(worker.evaluate(_PRESS, {"data": data, "open": pages}))

    assert press(table, home, table) == ["closed", f"focused {table}"]
    assert press(table, home, other) == ["closed", f"opened {table}"]
    assert press(table) == ["closed", f"opened {table}"]
    assert press(None, home, other) == ["closed", f"focused {home}"], "a page has shown it (on Android)"
    assert press(None) == ["closed"]

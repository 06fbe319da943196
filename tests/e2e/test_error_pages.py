"""Errors for addresses, tables, codes and seats that do not exist: each page says so and offers a way on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Route, expect
from pytest_playwright import CreateContextCallback

from lastcard.server.wire.messages import MatchSnapshot, game_of
from lastcard.session.turn_clock import Clock
from lastcard.text.locale import LANGUAGES, catalog
from support.live_server import LiveServer
from support.mock_screen import OWN_ID, MockScreen, OpenScreen, seat_of, table_of
from support.player import PHONE, Invite
from support.screens import SCREENS
from support.situations import NAMES, decides, reach

_SMALL_PHONE = {**PHONE, "viewport": {"width": 320, "height": 568}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unknown_address(live_server: LiveServer, new_context: CreateContextCallback, language: str) -> None:
    """A page in the reader's language with a way home, whether the address is valid or not."""
    page = new_context(locale=language).new_page()
    for path in ("/nowhere", "/t/ABC234/more", "/qr/none.svg", "/%E0%A4%A"):
        answer = page.goto(live_server.url + path)
        assert answer is not None and answer.status == 404
        expect(page.get_by_role("heading")).to_have_text(catalog(language).text("web.page.unknown"))
        expect(page.get_by_role("link", name=catalog(language).text("web.home.rules"))).to_be_visible()
    page.get_by_role("link", name=catalog(language).text("web.page.home")).click()
    page.wait_for_url(f"{live_server.url}/")


def test_an_unknown_table(live_server: LiveServer, invite: Invite) -> None:
    """Signed-in people and strangers read that there is no such table."""
    ann = invite(live_server.url, "Ann", **_SMALL_PHONE)
    ann.make_table("all-wild")
    ann.page.goto(f"{live_server.url}/t/ZZZZ99")
    expect(ann.page.get_by_role("heading", name="There is no table ZZZZ99")).to_be_visible()
    expect(ann.page.get_by_text("Connecting")).to_have_count(0)
    ann.page.get_by_label("Table code").fill("yyyy 88")
    ann.page.get_by_role("button", name="Join").click()
    expect(ann.page.get_by_role("heading", name="There is no table YYYY88")).to_be_visible()
    ann.page.get_by_role("link", name="Home").click()
    expect(ann.page.get_by_role("button", name="Play now")).to_be_visible()


def test_a_wrong_code(live_server: LiveServer, invite: Invite) -> None:
    """The error is in view, on the smallest phone too."""
    ann = invite(live_server.url, "Ann", **_SMALL_PHONE)
    ann.open_home()
    ann.expect_failure(404, "/api/tables/ZZZZ99")
    ann.page.get_by_label("Table code").fill("ZZZZ99")
    ann.page.get_by_role("button", name="Join").click()
    alert = ann.page.get_by_role("alert").filter(has_text="ZZZZ99")
    expect(alert).to_be_in_viewport(ratio=1)
    ann.page.get_by_label("Your name").fill("")
    ann.page.get_by_role("button", name="New table").click()
    expect(ann.page.get_by_role("alert").filter(has_text="name")).to_be_in_viewport(ratio=1)
    expect(ann.page.get_by_label("Your name")).to_be_focused()
    expect(alert).to_have_count(0)  # of the previous attempt


@pytest.mark.parametrize(("typed", "sent"), [("", "-"), ("?!", "-"), ("abc", "ABC"), ("0000 00", "000000")])
def test_no_code_at_all(live_server: LiveServer, invite: Invite, typed: str, sent: str) -> None:
    """The error says what a code looks like."""
    ann = invite(live_server.url, "Ann", **_SMALL_PHONE)
    ann.open_home()
    ann.expect_failure(404, f"/api/tables/{sent}")
    ann.page.get_by_label("Table code").fill(typed)
    ann.page.get_by_role("button", name="Join").click()
    expect(ann.page.get_by_role("alert").filter(has_text="6 or 8 letters and digits")).to_be_in_viewport(ratio=1)


def test_rules_that_do_not_exist(live_server: LiveServer, invite: Invite) -> None:
    """The page leads to those that do."""
    ann = invite(live_server.url, "Ann")
    ann.expect_failure(422, "/api/rules/classic%2Bbridge")
    for path in ("/rules/bridge", "/rules/classic+bridge"):
        ann.page.goto(live_server.url + path)
        ann.page.get_by_role("link", name="Rules").click()
        expect(ann.page.get_by_role("heading", name="Rules", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("why", "path", "step", "wanted"),
    [
        ("full", "/t/", "web.page.again", "/t/FULL99"),
        ("gone", "/t/", "web.home.join", "/t/ABC345"),
        ("gone", "/tv/", "web.home.join", "/tv/ABC345"),
        ("gone", "/tv/", "web.table.enter", "/t/FULL99"),
    ],
)
def test_a_table_that_lets_nobody_in(stage: MockScreen, why: str, path: str, step: str, wanted: str) -> None:
    """A full table can be tried again; instead of one that is over, another one can be joined or watched."""
    end = f'{{"type": "bye", "why": "{why}"}}'
    stage.page.route_web_socket(re.compile("/ws/FULL99"), lambda line: line.on_message(lambda _: line.send(end)))
    stage.open("/")
    stage.open(f"{path}FULL99", ".lost")
    if step == "web.home.join":
        stage.page.get_by_label(stage.text("web.home.code")).fill("abc 345")
    stage.press(step, within=".lost")
    stage.page.wait_for_url(f"**{wanted}")


@pytest.mark.parametrize("answer", [None, {"status": 502, "content_type": "text/html", "body": "<h1>Bad Gateway</h1>"}])
def test_a_server_that_is_away(open_screen: OpenScreen, answer: dict[str, Any] | None) -> None:
    """During a restart nothing or a proxy answers; the page says so in the person's language."""
    stage = open_screen(390, 844, language="pl")
    SCREENS["matches"](stage)

    def away(route: Route) -> None:
        route.fulfill(**answer) if answer else route.abort()

    stage.page.route("**/api/me/sessions", away)
    stage.press("web.me.out")
    dialog = stage.page.get_by_role("dialog", name=stage.text("web.me.out.ask"))
    dialog.get_by_role("button", name=stage.text("web.me.out")).click()
    expect(stage.page.locator(".toast")).to_have_text(stage.text("web.net.unreachable"))
    assert all("/api/me/sessions" in complaint for complaint in stage.errors)  # as the browser reports them
    stage.errors.clear()


def test_scores_without_a_server(stage: MockScreen) -> None:
    """The check of the shuffle needs the match from its first card: if it cannot be loaded, the page says so."""
    SCREENS["over"](stage)
    stage.page.evaluate("void (window.fetch = () => Promise.reject(new TypeError()))")
    stage.press("web.score.check")
    expect(stage.page.locator(".toast")).to_have_text(stage.text("web.net.unreachable"))
    stage.page.reload()


def test_settings_without_a_server(stage: MockScreen) -> None:
    """The settings of another game cannot be loaded: the dialog says so, and shows them once the server is back."""
    SCREENS["settings"](stage)
    dialog = stage.page.get_by_role("dialog")
    stage.page.route("**/api/options/*", lambda route: route.abort())
    dialog.get_by_role("radio", name=stage.text("game.all-wild"), exact=True).check()
    expect(dialog.get_by_role("alert").filter(has_text=stage.text("web.net.unreachable"))).to_be_visible()
    expect(dialog.locator(".rule")).to_have_count(0)
    stage.page.unroute("**/api/options/*")
    dialog.get_by_role("radio", name=stage.text("game.wild-jackpot"), exact=True).check()
    expect(dialog.locator(".rule").first).to_be_attached()
    assert all("/api/options/" in complaint for complaint in stage.errors)  # as the browser reports them
    stage.errors.clear()


def test_a_rate_limited_stranger_does_not_learn_that_there_is_no_table(
    live_server: LiveServer, new_context: CreateContextCallback
) -> None:
    page = new_context(locale="fr").new_page()
    said = catalog("fr").text("web.refused.too-fast")
    refusal = {"error": "too-fast", "text": said}
    page.route("**/api/tables/*", lambda route: route.fulfill(status=429, json=refusal))
    page.goto(f"{live_server.url}/t/ABC234")
    expect(page.get_by_role("heading")).to_have_text(said)


def test_a_page_that_was_left_stays_closed(stage: MockScreen) -> None:
    """A table waits a moment for a deal; a person who goes home meanwhile stays there."""
    stage.open("/")
    stage.show_match(reach("classic", 4, decides("play")))
    body = stage.page.locator("body")
    expect(body).to_have_class(re.compile("playing"))
    stage.open("/")
    stage.page.wait_for_timeout(2600)
    expect(body).not_to_have_class(re.compile("playing|noticed"))


def test_the_line_counts_until_a_bot_plays(stage: MockScreen) -> None:
    """A person who waits for somebody disconnected sees the remaining seconds."""
    match = reach("classic", 3, decides("play")).match
    gone = match.round.turn
    mine = (gone + 1) % 3
    seats = [seat_of(name, player=OWN_ID if i == mine else None) for i, name in enumerate(NAMES[:3])]
    seats[gone] = replace(seats[gone], here=False)
    snapshot = MatchSnapshot("m1", match, match.round.public_state(), 1, "a" * 64, Clock(left=12_000, bank=0))
    stage.show_table(table_of("playing", tuple(seats), "classic"), game_of(snapshot, mine, ()))
    said = stage.page.locator(".action-bar-prompt")
    for seconds in (12, 11, 10):
        expect(said).to_have_text(stage.text("web.game.turn_of_away_in", player=NAMES[gone], seconds=seconds))


@pytest.mark.parametrize("why", ["gone", "elsewhere"])
def test_a_closed_table_takes_no_input(stage: MockScreen, why: str) -> None:
    """The table is visible, but nothing is asked and nothing can be pressed; back from another tab, everything can."""
    stage.show_match(reach("classic", 4, decides("play")))
    tray, card = stage.page.locator(".action-bar"), stage.page.locator(".hand-card.can").first
    expect(tray).to_be_visible()
    stage.send(type="bye", why=why)
    expect(stage.page.locator(".notice")).to_be_visible()
    expect(tray).to_be_hidden()
    assert not card.evaluate("card => { card.focus(); return card === document.activeElement; }")
    stage.page.keyboard.press("d")
    if why == "elsewhere":
        stage.press("web.notice.here")
        expect(tray).to_be_visible()
        assert card.evaluate("card => { card.focus(); return card === document.activeElement; }")
    assert not stage.messages("act")

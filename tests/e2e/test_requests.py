"""The page makes no request that it could know to be refused: visits of its screens cause no failed request.

That holds for every test with ``invite`` or ``open_screen``; here are the people and addresses that others do not try.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import expect

from lastcard.text.locale import catalog
from support.live_server import LiveServer
from support.mock_screen import OWN_ID, MockScreen, seat_of, table_of
from support.page_readiness import wait_until_ready
from support.player import ON_BOTH, PHONE, BrowserPlayer, Invite, play_match, wait_for_cards
from support.screens import SCREENS
from support.threaded_server import run_threaded_server

TOKEN: Final = "correct horse battery staple"
PAGES: Final = ("/", "/me", "/matches", "/about", "/privacy", "/program", "/rules", "/rules/classic+harsh", "/admin")
SHORT: Final = "all-wild+hand_size=5"
TEXT: Final = catalog("en").text


def visit(player: BrowserPlayer, *paths: str) -> None:
    """Load pages by their addresses, each completely."""
    for path in paths:
        player.page.goto(f"{player.url}{path}")
        expect(player.page.locator("h1").first).to_be_attached()
        wait_until_ready(player.page)
        player.page.wait_for_load_state("networkidle")


def test_a_newcomer_causes_no_failed_request(live_server: LiveServer, invite: Invite) -> None:
    """Neither the browser nor the server; a wrong code is the only reason for a request."""
    ann, ben = invite(live_server.url, "Ann"), invite(live_server.url, "Ben", **PHONE)
    code = ann.make_table("classic")
    visit(ben, *PAGES, f"/t/{code}", f"/tv/{code}", "/tv/ZZZZ99", "/rules/poker")
    ben.expect_failure(404, "/api/tables/ZZZZ99")
    visit(ben, "/t/ZZZZ99")
    expect(ben.page.get_by_role("heading")).to_have_text(TEXT("web.table.unknown", code="ZZZZ99"))


def test_the_server_has_forgotten_a_guest(ann: BrowserPlayer, ben: BrowserPlayer) -> None:
    """The browser still has the name, the server no longer has the person."""
    code = ann.make_table("classic")
    ben.follow_link(code)
    ben.page.context.clear_cookies()
    visit(ben, *PAGES, f"/t/{code}", f"/tv/{code}")


@pytest.mark.parametrize("screen", [PHONE])
def test_during_and_after_a_match(
    ann: BrowserPlayer, ben: BrowserPlayer, cleo: BrowserPlayer, live_server: LiveServer
) -> None:
    """No request fails for players, spectators and people with the link, nor in the replay before and after the end."""
    code = ann.play_with(ben, rules=SHORT)
    wait_for_cards(ann, ben)
    match = live_server.table(code).describe().match
    visit(ann, *PAGES, f"/tv/{code}", f"/match/{match}", f"/match/{match}#luck", f"/t/{code}")
    visit(cleo, f"/match/{match}")
    cleo.follow_link(code)
    expect(cleo.page.locator("lc-game")).to_be_visible()
    wait_for_cards(ann, ben)
    play_match([ann, ben])
    for player in (ann, ben, cleo):
        expect(player.page.get_by_role("link", name=TEXT("web.score.replay"))).to_be_visible()
    for player in (ann, cleo):
        visit(player, *PAGES, f"/tv/{code}", f"/match/{match}", f"/t/{code}")
    ann.expect_failure(404, "/api/matches/m1/replay")
    visit(ann, "/match/m1", "/t/ZZZZ99")


@ON_BOTH
def test_the_admin_page(tmp_path: Path, invite: Invite, screen: dict[str, Any]) -> None:
    """Before signing in nothing is refused; a wrong token is, and the right one clears the message."""
    with run_threaded_server(tmp_path, admin_token=TOKEN) as served:
        ada = invite(served.url, "Ada", **screen)
        visit(ada, "/admin")
        field, problem = ada.page.get_by_label(TEXT("web.admin.token")), ada.page.get_by_role("alert")
        enter = ada.page.get_by_role("button", name=TEXT("web.admin.signin"))
        enter.click()
        expect(field).to_be_focused()
        ada.expect_failure(403, "/api/admin/session")
        field.fill("wrong")
        enter.click()
        expect(problem).to_have_text(TEXT("web.refused.wrong-token"))
        field.fill(TOKEN)
        enter.click()
        expect(ada.page.get_by_role("button", name=TEXT("web.admin.signout"))).to_be_visible()
        expect(ada.page.get_by_text(TEXT("web.refused.wrong-token"))).to_have_count(0)
        ada.page.get_by_role("button", name=TEXT("web.admin.signout")).click()
        expect(field).to_be_visible()


@ON_BOTH
def test_a_name_of_blanks_is_not_sent(live_server: LiveServer, invite: Invite, screen: dict[str, Any]) -> None:
    """The page names the missing name; the message disappears with the next attempt."""
    ann, ben = invite(live_server.url, "Ann"), invite(live_server.url, "Ben", **screen)
    code = ann.make_table("classic")
    ben.page.goto(f"{ben.url}/t/{code}")
    field = ben.page.get_by_label(TEXT("web.home.name"))
    field.fill("   ")
    ben.page.get_by_role("button", name=TEXT("web.table.enter")).click()
    expect(ben.page.get_by_role("alert")).to_have_text(TEXT("web.home.name.missing"))
    expect(field).to_be_focused()
    field.fill("Ben")
    ben.page.get_by_role("button", name=TEXT("web.table.enter")).click()
    expect(ben.page.get_by_role("button", name="Menu")).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["phone", "desktop"])
def test_questions_are_answered_with_no(stage: MockScreen) -> None:
    """Contradictory rules and invalid rule cards are explained in words; they are no failed requests."""
    stage.show_table(table_of("lobby", (seat_of("Ada", player=OWN_ID), None, None), "classic"))
    stage.press("web.lobby.settings", within=".lobby")
    dialog = stage.page.get_by_role("dialog")
    expect(dialog.locator("details").first).to_be_attached()
    stage.page.evaluate("for (const fold of document.querySelectorAll('dialog details')) fold.open = true")
    dialog.get_by_role("switch", name=stage.text("web.switch.team_play")).check()
    expect(dialog.get_by_role("alert")).to_contain_text(stage.text("option.team_play.true")[1:])
    dialog.get_by_role("radio", name="4", exact=True).check()
    expect(dialog.get_by_role("alert")).to_be_empty()
    SCREENS["write"](stage)
    dare = stage.page.get_by_label(stage.text("web.write.dare")).first
    preview = stage.page.locator(".rule-preview").first
    dare.fill("a\u202eb")
    expect(preview).to_have_class(re.compile("error"))
    dare.fill("dance")
    expect(preview).to_have_text("dance")

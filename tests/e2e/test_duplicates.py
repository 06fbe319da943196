"""A duplicate match in the page: open tables, join, play the same deals, standings, a television."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from support.axe import find_violations
from support.live_server import LiveServer
from support.player import ON_BOTH, PHONE, BrowserPlayer, Invite, play_round, wait_for_cards

RESULTS_TIMEOUT_MS = 20_000


def open_tables(ann: BrowserPlayer, tables: str, deals: str) -> str:
    """Open a duplicate match from the first page, with two seats a table; returns the address of its page."""
    page = ann.page
    ann.open_home()
    page.get_by_role("link", name="Duplicate match").click()
    expect(page.get_by_role("heading", name="Duplicate match")).to_be_visible()
    page.get_by_label("Your name").fill(ann.name)
    page.get_by_role("radio", name="UNO All Wild").check()
    page.get_by_label("Tables", exact=True).select_option(tables)
    page.get_by_label("Seats", exact=True).select_option("2")
    page.get_by_label("Deals", exact=True).select_option(deals)
    assert not find_violations(page)
    page.get_by_role("button", name="Open the tables").click()
    page.wait_for_url("**/duplicate/*")
    return page.url


def sit(player: BrowserPlayer, url: str, number: int) -> None:
    """Take a seat at a table; a new person gives the name."""
    page = player.page
    page.goto(url)
    page.get_by_role("link", name=f"Go to table {number}").click()
    page.wait_for_url("**/t/*")
    name = page.get_by_label("Your name")
    expect(name.or_(page.get_by_role("region", name="At the table"))).to_be_visible()
    if name.is_visible():
        name.fill(player.name)
        page.get_by_role("button", name="Join the table").click()
    player.wait_until_seated(player.name)


def check_layout(page: Page) -> None:
    """Nothing is wider than the narrowest phone, and axe has no complaints."""
    size = page.viewport_size
    assert size is not None
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.set_viewport_size(size)
    assert not find_violations(page)


@ON_BOTH
def test_two_tables_play_the_same_deals(live_server: LiveServer, invite: Invite, screen: dict[str, Any]) -> None:
    live_server.seed = None
    ann, bo = (invite(live_server.url, name, **screen) for name in ("Ann", "Bo"))
    url = open_tables(ann, "2", "2")
    page = ann.page
    expect(page.get_by_role("img", name="QR code")).to_have_count(2)
    check_layout(page)
    sit(bo, url, 2)
    expect(bo.page.get_by_role("status").filter(has_text="Table 2 of a duplicate match of 2 deals")).to_be_visible()
    assert bo.page.get_by_role("button", name="Start").count() == 0
    sit(ann, url, 1)
    page.get_by_role("link", name="Tables and standings").click()
    table = page.get_by_role("region", name="Table 2")
    expect(table.get_by_text("Bo", exact=True)).to_be_visible()
    page.get_by_role("button", name="Start all tables").click()
    page.get_by_role("link", name="To my table").click()
    for deal in (1, 2):
        wait_for_cards(ann, bo)
        play_round([ann, bo])
        for player in (ann, bo) if deal == 1 else ():
            player.page.get_by_role("button", name="Next round").click()
            player.page.wait_for_function("() => !document.querySelector('lc-game')?.hasAttribute('over')")
    assert not ann.refusals() and not bo.refusals()
    page.get_by_role("link", name="Standings").click()
    standings = page.get_by_role("region", name="Standings")
    expect(standings).to_contain_text("After 2 of 2 deals", timeout=RESULTS_TIMEOUT_MS)
    expect(page.get_by_text("All tables have played all deals.")).to_be_visible()
    expect(standings.get_by_role("row")).to_have_count(5)
    expect(standings.get_by_role("row").filter(has_text="Ann")).to_have_text(re.compile(r"1\d \d+%[+-]?\d\.\d\d$"))
    page.get_by_text("Deal by deal").click()
    expect(page.get_by_role("link", name="Table 1")).to_have_count(2)
    page.get_by_text("Proof", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the archive").click()
    assert "duplicate = 1" in download.value.path().read_text()
    check_layout(page)
    page.get_by_role("link", name="Show on a television").click()
    expect(page.get_by_role("heading", name=re.compile("Duplicate match"))).to_be_visible()
    expect(page.get_by_role("rowheader", name="Bo Table 2")).to_be_visible()
    check_layout(page)


def test_a_screen_shows_how_to_join(live_server: LiveServer, invite: Invite) -> None:
    """Before the first deal, and with standings that come by themselves; masters have played before."""
    ann, tv = invite(live_server.url, "Ann", **PHONE), invite(live_server.url, "TV")
    url = open_tables(ann, "1", "2")
    tv.page.goto(f"{url}/tv")
    expect(tv.page.get_by_role("img", name="QR code")).to_have_count(1)
    expect(tv.page.get_by_text("Waiting for the host to start")).to_be_visible()
    expect(ann.page.get_by_text("Masters play the same deals here.")).to_be_visible()
    sit(ann, url, 1)
    ann.page.go_back()
    ann.page.get_by_role("button", name="Start all tables").click()
    ann.page.get_by_role("link", name="To my table").click()
    wait_for_cards(ann)
    play_round([ann])
    expect(tv.page.get_by_role("region", name="Standings")).to_contain_text(
        "After 1 of 2 deals", timeout=RESULTS_TIMEOUT_MS
    )


def test_an_unknown_code_has_a_page(live_server: LiveServer, invite: Invite) -> None:
    ann = invite(live_server.url, "Ann")
    ann.expect_failure(404, "/api/duplicates/ZZZ222")
    ann.page.goto(f"{live_server.url}/duplicate/ZZZ222")
    expect(ann.page.get_by_role("heading", name="There is no such duplicate match.")).to_be_visible()

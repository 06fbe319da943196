"""The first page offers a running match first, and says whose turn it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from support.live_server import LiveServer
from support.player import ON_BOTH, BrowserPlayer, wait_for_cards
from support.pointers import box_of
from support.static_site import StaticHost, fast_web, open_offline_player


def check_is_first(page: Page) -> None:
    """It is above the form and does not move the content below."""
    link, form = page.get_by_role("link", name="Continue game"), page.get_by_role("button", name="Play now")
    assert box_of(link)["y"] < box_of(form)["y"]


@ON_BOTH
def test_a_match_on_the_server(ann: BrowserPlayer, ben: BrowserPlayer, live_server: LiveServer) -> None:
    """Both players get the offer; by the link they are back in their seats."""
    code = ann.play_with(ben, rules="classic")
    wait_for_cards(ann, ben)
    turn = live_server.match(code).round.turn
    ann.page.evaluate(
        "localStorage.lastcard = JSON.stringify({ format: 1, name: 'Ann' })"
    )  # she has not come by the first page
    for seat, player in enumerate((ben, ann)):
        player.page.goto(live_server.url)
        words = "Your turn" if turn == 1 - seat else f"{('Ann', 'Ben')[turn]}’s turn"
        expect(player.page.get_by_role("link", name="Continue game")).to_contain_text(f"UNO · {words}")
    check_is_first(ann.page)
    ann.page.get_by_role("link", name="Continue game").click()
    expect(ann.hand).to_be_visible()


@ON_BOTH
def test_a_match_on_the_device(browser: Browser, tmp_path: Path, screen: dict[str, Any]) -> None:
    """The page without a server offers it, too."""
    host = StaticHost(tmp_path, fast_web())
    with open_offline_player(browser, host, "Ann", **screen) as ann:
        ann.open_home()
        ann.make_table("classic", seats=2)
        ann.start()
        ann.wait_for_turn()
        ann.page.goto(f"{ann.url}/")
        expect(ann.page.get_by_role("link", name="Continue game")).to_contain_text("UNO · Your turn")
        check_is_first(ann.page)
    host.shut_down()

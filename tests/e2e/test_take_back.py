"""Practice on the screen: no clock runs, and the last move is taken back by button and by key."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Page, expect

from support.live_server import LiveServer
from support.player import PHONE, Invite

_GAME: Final = "document.querySelector('lc-game')?.session?.game"


def hand(page: Page) -> list[str]:
    """The cards as the server sends them."""
    return list(page.evaluate(f"[...{_GAME}.mine.hand]"))


def test_a_move_is_taken_back(live_server: LiveServer, invite: Invite) -> None:
    """The drawn card is gone, the bots' moves too; the page says if there is nothing to take back."""
    ann = invite(live_server.url, "Ann", **PHONE)
    page = ann.page
    ann.open_home()
    page.get_by_role("button", name="Play now").click()
    ann.wait_for_turn()
    assert page.evaluate(f"{_GAME}.clock") is None
    back = page.get_by_role("button", name="Undo my move")
    back.click()
    expect(page.locator(".action-bar-news")).to_contain_text("nothing to undo")
    before = hand(page)
    page.evaluate("document.querySelector('lc-game').session.makeMove('draw')")
    page.wait_for_function(f"n => {_GAME}.mine.hand.length > n", arg=len(before))
    back.click()
    page.wait_for_function(f"n => {_GAME}.mine.hand.length === n", arg=len(before))
    assert hand(page) == before
    expect(page.locator(".hand-card")).to_have_count(len(before))
    page.evaluate("document.querySelector('lc-game').session.makeMove('draw')")
    page.wait_for_function(f"n => {_GAME}.mine.hand.length > n", arg=len(before))
    page.keyboard.press("z")
    page.wait_for_function(f"n => {_GAME}.mine.hand.length === n", arg=len(before))
    assert hand(page) == before

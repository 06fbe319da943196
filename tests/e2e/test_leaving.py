"""Leaving a table during a match: the page asks first, and the seat is reserved."""

from __future__ import annotations

from playwright.sync_api import expect

from support.live_server import LiveServer
from support.player import ON_BOTH, BrowserPlayer


def choose(player: BrowserPlayer, name: str) -> None:
    """Choose an item of the menu."""
    player.page.get_by_role("button", name="Menu").click()
    player.page.get_by_role("dialog", name="Menu").get_by_role("button", name=name).click()


@ON_BOTH
def test_leaving_asks_and_the_seat_is_reserved(ann: BrowserPlayer, ben: BrowserPlayer, live_server: LiveServer) -> None:
    """The link leads back to the same hand; a person who declines goes on playing."""
    code = ann.play_with(ben, rules="classic+first_dealer=host")
    expect(ann.hand).to_be_visible()
    hand = ann.screen_state().hand
    dialog = ann.page.get_by_role("dialog", name="Leave your hand to a bot?")
    for item in ("Leave the table", "Watch instead"):
        choose(ann, item)
        expect(dialog).to_contain_text("Your seat and your points stay yours while the match lasts")
        ann.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    document = live_server.table(code).state
    assert ann.screen_state().hand == hand and document.playing_seat(document.host.id) == 0
    choose(ann, "Leave the table")
    dialog.get_by_role("button", name="Leave the table").click()
    expect(ann.page.get_by_role("button", name="Play now")).to_be_visible()
    ann.page.goto(f"{live_server.url}/t/{code}")
    ann.page.get_by_role("button", name="I’m back").click()
    expect(ann.hand).to_be_visible()
    document = live_server.table(code).state
    assert document.players[0] is not None and document.playing_seat(document.players[0]) == 0


@ON_BOTH
def test_leaving_a_lobby_does_not_ask(ann: BrowserPlayer) -> None:
    """There is nothing to lose."""
    ann.make_table("classic")
    choose(ann, "Leave the table")
    expect(ann.page.get_by_role("button", name="Play now")).to_be_visible()

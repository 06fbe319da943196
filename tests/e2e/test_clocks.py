"""Time at a table: the rest of a time bank, and the automatic start of the next round."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from lastcard.session import turn_clock
from support.live_server import LiveServer
from support.player import PHONE, BrowserPlayer, Invite, play_round
from support.static_site import StaticHost, open_offline_player

GAME: Final = "document.querySelector('lc-game')?.session?.game"
SHORT: Final = "classic+hand_size=5+first_dealer=host"
"""A match whose rounds are short."""


def bank(page: Page) -> int:
    """Milliseconds in the time bank of the person, who is on turn."""
    asked = f"{GAME}?.public.turn === {GAME}?.mine?.seat && {GAME}?.clock"
    found = page.wait_for_function(f"() => {asked} ? {{ bank: {GAME}.clock.bank }} : null")
    return int(found.json_value()["bank"])


def test_a_bank_is_not_refilled(live_server: LiveServer, invite: Invite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither taking a move back nor a restart of the server refills it."""
    monkeypatch.setitem(turn_clock.PACES, "fast", turn_clock.Pace(0.1, 30, 15, 0.6))
    ann = invite(live_server.url, "Ann", **PHONE)
    page = ann.page
    code = ann.make_table("classic", pace="fast", take_backs=True)
    ann.start()
    assert bank(page) == 30_000
    page.wait_for_function("() => document.querySelector('lc-game').session.deadline - performance.now() < 28_500")
    plies = page.evaluate(f"{GAME}.ply")
    page.keyboard.press("d")
    page.wait_for_function(f"() => {GAME}.ply > {plies}")
    if page.evaluate(f"{GAME}.public.decision") == "drawn":
        plies = page.evaluate(f"{GAME}.ply")
        page.keyboard.press("p")
        page.wait_for_function(f"() => {GAME}.ply > {plies}")
    left = bank(page)
    assert left < 29_000
    before = page.evaluate(f"{GAME}.ply")
    page.get_by_role("button", name="Undo my move").click()
    page.wait_for_function(f"() => {GAME}.ply > {before}")
    assert 20_000 < bank(page) <= left
    plies = page.evaluate(f"{GAME}.ply")
    live_server.reload_table(code)
    ann.wait_until(lambda: sum('"type":"welcome"' in text for text in ann.received) == 2, "the page is back")
    assert page.evaluate(f"{GAME}.ply") == plies
    assert 20_000 < bank(page) <= left


def test_a_person_who_plays_alone_has_no_deadline(ann: BrowserPlayer, ben: BrowserPlayer) -> None:
    """A person who plays alone has no deadline for rule cards or between rounds; with others there is one."""
    ann.make_table("wild-jackpot+wj_rules=written", pace="normal")
    ann.start()
    expect(ann.page.locator(".rule-card")).to_have_count(4)
    expect(ann.page.get_by_role("timer")).to_be_hidden()
    code = ann.make_table(SHORT, pace="normal", bots="quick")
    ann.start()
    expect(ann.hand).to_be_visible()
    play_round([ann])
    expect(ann.page.get_by_role("button", name="Next round")).to_be_visible()
    expect(ann.page.locator(".scores-next")).to_be_empty()
    ben.follow_link(code)
    ben.page.wait_for_function("() => document.querySelector('lc-game')?.session.online")
    ben.page.evaluate("document.querySelector('lc-game').session.send({ type: 'sit', seat: null })")
    expect(ann.page.locator(".scores-next")).to_contain_text("The next round begins in")
    ben.page.goto("about:blank")
    expect(ann.page.locator(".scores-next")).to_be_empty()


def test_there_is_no_deadline_without_a_server(browser: Browser, static_host: StaticHost) -> None:
    """All players there share one device; ``test_local_table.py`` checks several of them."""
    with open_offline_player(browser, static_host, "Ann", **PHONE) as ann:
        ann.open_home()
        ann.make_table(SHORT, seats=2)
        ann.start()
        expect(ann.hand).to_be_visible()
        play_round([ann])
        expect(ann.page.get_by_role("button", name="Next round")).to_be_visible()
        expect(ann.page.locator(".scores-next")).to_be_empty()

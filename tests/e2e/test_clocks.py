"""Time at a table as people see it: what is left of a bank, and when the next round comes by itself."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Page

from lastcard.server.game import clock
from support.house import House
from support.player import DESKTOP, PHONE, Invite

GAME: Final = "document.querySelector('lc-game')?.session?.game"
SCREENS: Final = pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])


def bank(page: Page) -> int:
    """Milliseconds in the bank of the person, who is on turn."""
    page.wait_for_function(f"() => {GAME}?.public.turn === {GAME}?.mine?.seat && {GAME}?.clock")
    return int(page.evaluate(f"{GAME}.clock.bank"))


@SCREENS
def test_a_bank_is_not_refilled(
    house: House, invite: Invite, monkeypatch: pytest.MonkeyPatch, screen: dict[str, Any]
) -> None:
    """By taking a move back, or by a server that is started anew."""
    monkeypatch.setitem(clock.PACES, "fast", clock.Pace(0.1, 30, 15, 0.6))
    ann = invite(house.url, "Ann", **screen)
    page = ann.page
    code = ann.make_table("classic", pace="fast", take_backs=True)
    ann.start()
    assert bank(page) == 30_000
    page.wait_for_function("() => document.querySelector('lc-game').session.deadline - performance.now() < 28_500")
    page.keyboard.press("d")
    page.wait_for_function(f"() => {GAME}.ply > 0")
    if page.evaluate(f"{GAME}.public.decision") == "drawn":
        page.keyboard.press("p")
    left = bank(page)
    assert left < 29_000
    page.get_by_role("button", name="Take back my move").click()
    page.wait_for_function(f"() => !{GAME}.mine.drawn && {GAME}.clock.bank <= {left}")
    assert 20_000 < bank(page) <= left
    plies = page.evaluate(f"{GAME}.ply")
    house.restart(code)
    ann.until(lambda: sum('"type":"welcome"' in text for text in ann.heard) == 2, "the page is back")
    assert page.evaluate(f"{GAME}.ply") == plies
    assert 20_000 < bank(page) <= left

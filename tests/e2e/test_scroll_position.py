"""Every screen opens at its top, whatever was scrolled before."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from support.mock_screen import OWN_ID, SIZES_PX, MockScreen, seat_of, table_of
from support.page_readiness import wait_until_ready
from support.screens import SCREENS

_SCROLLED: Final = """() => [...document.querySelectorAll(document.querySelector("dialog") ? "dialog *" : "*")]
    .filter((node) => node.scrollTop > 0 && node.checkVisibility())
    .filter((node) => node === document.scrollingElement || /auto|scroll/.test(getComputedStyle(node).overflowY))
    .filter((node) => !node.matches(".chat-log, .replay-lines") && !node.querySelector(":scope > .log"))
    .map(({ tagName, className, scrollTop }) => `${tagName} ${className} ${scrollTop}`)"""
"""Elements that are not scrolled to their top; chats and logs to their end. Behind a dialog nothing is visible."""
_TO_THE_END: Final = """(within) => {
    for (const root of document.querySelectorAll(within)) {
        for (const node of [root, ...root.querySelectorAll("*")]) node.scrollTop = node.scrollHeight;
    }
}"""
PANELS: Final = {"menu": "web.table.menu", "chat": "web.table.chat"}
"""Panels beside a game, and their buttons."""


@pytest.mark.parametrize("size", SIZES_PX)
def test_every_screen_opens_at_its_top(stage: MockScreen) -> None:
    for name, show in SCREENS.items():
        stage.open("/privacy")
        stage.page.evaluate(_TO_THE_END, "html")
        assert stage.page.evaluate("scrollY") > 0
        show(stage)
        wait_until_ready(stage.page)
        assert stage.page.evaluate(_SCROLLED) == [], name


@pytest.mark.parametrize("size", [*SIZES_PX, (320, 568), (844, 390)])
def test_the_next_screen_of_a_table_opens_at_its_top(stage: MockScreen, size: tuple[int, int]) -> None:
    """Lobby, writing cards, lobby again: the page is the same, and the clock runs."""
    SCREENS["lobby"](stage)
    seats = (seat_of("Ada", player=OWN_ID), seat_of("Ben"))
    phases = {"writing": ".rule-card", "lobby": ".lobby-seat"}
    for phase, part in phases.items():
        stage.page.evaluate(_TO_THE_END, "html")
        before = stage.page.evaluate("scrollY")
        stage.send(type="table", table=table_of(phase, seats, "wild-jackpot+wj_rules=written"))
        expect(stage.page.locator(part).first).to_be_visible()
        wait_until_ready(stage.page)
        assert stage.page.evaluate(_SCROLLED) == []
        assert before or size == SIZES_PX[1]


@pytest.mark.parametrize("size", [*SIZES_PX, (844, 390)])
@pytest.mark.parametrize("panel", PANELS)
def test_a_panel_opens_at_its_top_once_more(stage: MockScreen, panel: str) -> None:
    SCREENS[panel](stage)
    stage.page.evaluate(_TO_THE_END, ".popover")
    for _ in ("closed", "open"):
        stage.press(PANELS[panel], within=".bar")
        wait_until_ready(stage.page)
    expect(stage.page.locator(".popover:visible")).to_have_count(1)
    assert stage.page.evaluate(_SCROLLED) == []


@pytest.mark.parametrize("size", [*SIZES_PX, (844, 390)])
def test_settings_and_keys_open_at_their_top_once_more(stage: MockScreen) -> None:
    for screen in ("settings", "keys"):
        SCREENS[screen](stage)
        stage.page.evaluate(_TO_THE_END, "dialog, .side-panel")
        stage.page.keyboard.press("Escape")
        if screen == "settings":
            stage.press("web.lobby.settings", within=".lobby")
        else:
            stage.page.keyboard.press("?")
        wait_until_ready(stage.page)
        assert stage.page.evaluate(_SCROLLED) == []

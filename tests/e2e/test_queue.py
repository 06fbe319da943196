"""Waiting for a seat: a press is shown at once, and another one takes it back, however slow the connection is."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from lastcard.server.wire.parts import Guest
from support.mock_screen import OWN_ID, SIZES_PX, MockScreen, seat_of, table_of
from support.page_readiness import wait_until_pressable
from support.situations import decides, reach

ON_BOTH: Final = pytest.mark.parametrize("size", SIZES_PX)


def watch(stage: MockScreen) -> None:
    """Watch a match; the table of the mock screen does not answer by itself."""
    stage.show_match(reach("classic", 4, decides("play")), watching=True)
    stage.change_table(guests=(Guest(OWN_ID, "Eva", queued=False),))


def sent(stage: MockScreen) -> list[str]:
    """Commands about seats sent to the server."""
    return [message["type"] for message in stage.messages("sit", "stand")]


def is_pressed(stage: MockScreen, button: Locator) -> None:
    """Its text changes before the server has answered."""
    expect(button).to_contain_text(stage.text("web.game.queued"), timeout=300)


@ON_BOTH
def test_a_press_is_seen_at_once_and_taken_back_by_another(stage: MockScreen) -> None:
    """Neither the server's answer meanwhile nor older messages change anything."""
    watch(stage)
    button = stage.page.locator(".action-bar-answers button")
    expect(button).to_have_text(stage.text("web.game.sit"))
    button.click()
    is_pressed(stage, button)
    wait_until_pressable(stage.page)  # the next press is no half of a double click
    stage.change_table(paused=True)
    stage.change_table(paused=False)
    is_pressed(stage, button)
    stage.change_table(guests=(Guest(OWN_ID, "Eva", queued=True),))
    is_pressed(stage, button)
    button.click()
    expect(button).to_have_text(stage.text("web.game.sit"), timeout=300)
    stage.wait_for_message("stand")
    assert sent(stage) == ["sit", "stand"]


@ON_BOTH
def test_a_refused_press_is_undone(stage: MockScreen) -> None:
    watch(stage)
    button = stage.page.locator(".action-bar-answers button")
    button.click()
    is_pressed(stage, button)
    text = "No match begins now."
    stage.send(type="refused", id=None, code="draining", clause=None, text=text, late=None)
    expect(stage.page.locator(".toast")).to_contain_text(text)
    expect(button).to_have_text(stage.text("web.game.sit"))


@ON_BOTH
def test_the_lobby_shows_it_at_once_too(stage: MockScreen) -> None:
    """All seats belong to people there."""
    guests = (Guest(OWN_ID, "Eva", queued=False),)
    stage.show_table(table_of("lobby", (seat_of("Ben"), seat_of("Chloé")), guests=guests, host="Ben"))
    stage.press("web.lobby.queue")
    expect(stage.page.locator(".guests")).to_contain_text(stage.text("web.lobby.queued"), timeout=300)
    stage.press("web.lobby.unqueue")
    expect(stage.page.locator(".guests")).to_contain_text(stage.text("web.lobby.watching"), timeout=300)
    assert sent(stage) == ["sit", "stand"]

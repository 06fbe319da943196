"""Words that cover the table for a moment: a press ends them and reaches the table; reduced motion has none."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from lastcard.server.wire.parts import Happening
from support.mock_screen import MockScreen
from support.screens import SCREENS

EFFECTS = {
    "uno.uno": Happening(e="called", seat=1),
    "splash.caught": Happening(e="caught", seat=1, other=2),
    "splash.bluff": Happening(e="challenged", seat=1, other=2, guilty=True),
}


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_a_press_ends_an_effect(stage: MockScreen) -> None:
    """The press plays the card under the word, too: no effect delays a move."""
    stage.open("/about")
    stage.page.emulate_media(reduced_motion="no-preference")
    SCREENS["turn"](stage)
    stage.page.wait_for_function("() => document.querySelector('lc-game:not([dealing])')")
    stage.page.evaluate(
        "document.querySelector('lc-game').session.makeMove = async (move) => { globalThis.made = move; }"
    )
    for word, event in EFFECTS.items():
        stage.send_move(event)
        splash = stage.page.locator(".splash")
        expect(splash).to_have_text(stage.text(f"web.{word}"))
    stage.page.locator(".hand-card.can:not([data-card^='W'])").first.click()
    expect(splash).to_have_count(0)
    assert stage.page.evaluate("globalThis.made")


def test_reduced_motion_has_no_effect(stage: MockScreen) -> None:
    SCREENS["turn"](stage)
    stage.send_move(EFFECTS["uno.uno"])
    expect(stage.page.locator(".stamp")).to_have_count(1)
    expect(stage.page.locator(".splash")).to_have_count(0)

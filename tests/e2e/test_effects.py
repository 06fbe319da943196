"""Words that cover the table for a moment: a press ends them and reaches the table; reduced motion has none."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from lastcard.server.wire.parts import Happening
from support.mock_screen import MockScreen
from support.mock_site import WEB
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


_RECORD = """() => {
    globalThis.recorded = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        const animation = animate.call(this, frames, timing);
        const { duration, iterations } = animation.effect.getComputedTiming();
        const shown = animation.effect.getKeyframes().map(({ opacity }) => opacity).filter(Boolean).map(Number);
        recorded.push({ shown, duration, iterations });
        return animation;
    };
}"""
"""Records the opacities of all animations that scripts begin."""
_REPEATED = re.compile(
    rb"^[^\n@]*animation: [\w-]+ ([\d.]+)(m?s)[^;]* infinite|animation-duration: ([\d.]+)(m?s);", re.M
)
FLASHES_PER_S = 3
"""WCAG 2.3.1."""


def test_style_sheets_flash_slowly() -> None:
    """An animation that repeats gets brighter once each time."""
    found = [match for file in WEB.rglob("*.css") for match in _REPEATED.findall(file.read_bytes())]
    times_s = [float(a or b) / (1000 if b"ms" in (unit, other) else 1) for a, unit, b, other in found]
    assert len(times_s) >= 5 and min(times_s) >= 1 / FLASHES_PER_S


def test_effects_flash_slowly(stage: MockScreen) -> None:
    """What scripts animate gets brighter at most three times a second."""
    stage.open("/about")
    stage.page.emulate_media(reduced_motion="no-preference")
    stage.page.evaluate(_RECORD)
    SCREENS["turn"](stage)
    for event in EFFECTS.values():
        stage.send_move(event)
        expect(stage.page.locator(".splash")).to_be_visible()
    recorded = stage.page.evaluate("recorded")
    assert any(animation["shown"] for animation in recorded)
    for animation in recorded:
        shown = animation["shown"]
        flashes = sum(before < now for before, now in pairwise(shown)) * animation["iterations"]
        assert flashes <= max(1, FLASHES_PER_S * animation["duration"] * animation["iterations"] / 1000), animation

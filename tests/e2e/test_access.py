"""Accessibility: axe finds nothing, targets are large enough, the focus is never lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.axe import find_violations
from support.mock_screen import MockScreen, OpenScreen
from support.player import BrowserPlayer, make_any_move
from support.screens import SCREENS

MIN_TARGET_PX = 44
PHONE_SIZES_PX = ((320, 568), (390, 844))
_SMALL = """(smallest) => {
    const controls = "button, select, summary, [role=slider], input, a[href]";
    const inline = (node) => node.matches("p a, li a, .skip-link") && !node.matches(".button");
    const idle = (node) => node.matches("[replay] .draw-pile");  // only says how many cards there are
    const overlapping = (node) => node.matches(".hand-card");  // as wide as there is space: test_hand.py measures them
    const around = (node) => node.matches("input") && node.closest("label");
    const label = (node) => node.matches("[type=radio]") ? node.labels[0] : around(node);
    const box = (node) => (label(node) || node).getBoundingClientRect();
    return [...document.querySelectorAll(controls)]
        .filter((node) => node.checkVisibility({ visibilityProperty: true }))
        .filter((node) => !inline(node) && !idle(node) && !overlapping(node))
        .map((node) => [node.getAttribute("aria-label") ?? node.textContent, box(node)])
        .filter(([, { width, height }]) => width < smallest - 0.5 || height < smallest - 0.5)
        .map(([name, { width, height }]) => `${name.trim()}: ${Math.round(width)} × ${Math.round(height)}`);
}"""
_FOCUS = "() => document.activeElement !== document.body && document.activeElement.checkVisibility()"


def small_targets(stage: MockScreen) -> list[str]:
    """Controls less than 44 px wide or high on two phones, except links in a text and cards that overlap."""
    found = []
    for size in PHONE_SIZES_PX:
        stage.resize(*size)
        found += stage.page.evaluate(_SMALL, MIN_TARGET_PX)
    return found


@pytest.mark.parametrize("part", range(3))
def test_every_screen(open_screen: OpenScreen, part: int) -> None:
    """Axe finds nothing in light, dark and high contrast; every control but a card is 44 px wide and high."""
    stage = open_screen(*PHONE_SIZES_PX[-1])
    for name in list(SCREENS)[part::3]:
        SCREENS[name](stage)
        assert find_violations(stage.page) == [], name
        for theme in ("dark", "contrast"):
            stage.set_prefs(theme=theme)
            assert find_violations(stage.page, runOnly=["color-contrast"]) == [], (name, theme)
        stage.set_prefs(theme="light")
        if not name.startswith("tv"):
            assert small_targets(stage) == [], name


@pytest.mark.parametrize("screen", ["settings", "verify", "chat", "menu", "log", "keys"])
def test_focus_comes_back(stage: MockScreen, screen: str) -> None:
    """When Escape closes a dialog, the focus returns to a visible element."""
    SCREENS[screen](stage)
    panel = stage.page.locator("dialog, .popover:visible, .side-panel:visible")
    expect(panel).to_have_count(1)
    stage.page.wait_for_function("() => document.activeElement.closest('dialog, .popover, .side-panel') !== null")
    stage.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    stage.page.wait_for_function(_FOCUS)


def test_focus_at_the_table(ann: BrowserPlayer) -> None:
    """From the lobby to the game and through a round, an element has the focus after every move."""
    ann.make_table("classic+hand_size=5", 3)
    start = ann.page.get_by_role("button", name="Start")
    start.focus()
    start.press("Enter")
    expect(ann.hand).to_be_visible()
    assert ann.page.evaluate(_FOCUS), "lost between lobby and game"
    for _ in range(10):
        ann.wait_until(lambda: ann.screen_state().asked or ann.screen_state().over, "it is Ann's turn")
        state = ann.screen_state()
        if state.over:
            break
        if state.playable:
            ann.card(state.playable[0]).focus()
        make_any_move(ann, state)
        assert ann.page.evaluate(_FOCUS), f"lost after {state}"

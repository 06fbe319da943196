"""Everybody can play: axe finds nothing, targets can be hit, the focus is never lost (issue section 3)."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from e2e.conftest import Invite, SetStage
from e2e.house import House
from e2e.player import make_move
from screens import SCREENS
from stage import Stage

SMALLEST = 44
PHONES = ((320, 568), (390, 844))
_SMALL = """(smallest) => {
    const controls = "button, select, summary, [role=slider], input, a[href]";
    const inline = (node) => node.matches("p a, li a, .skip-link") && !node.matches(".button");
    const box = (node) => (node.matches("input") && node.closest("label") || node).getBoundingClientRect();
    return [...document.querySelectorAll(controls)]
        .filter((node) => node.checkVisibility({ visibilityProperty: true }) && !inline(node))
        .map((node) => [node.getAttribute("aria-label") ?? node.textContent, box(node)])
        .filter(([, { width, height }]) => width < smallest - 0.5 || height < smallest - 0.5)
        .map(([name, { width, height }]) => `${name.trim()}: ${Math.round(width)} × ${Math.round(height)}`);
}"""
_FOCUS = "document.activeElement !== document.body && document.activeElement.checkVisibility()"


def violations(page: Page, **options: Any) -> list[str]:
    """What axe finds."""
    found = Axe().run(page, options=options).response["violations"]
    return [f"{rule['id']}: {node['html']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]


def look(stage: Stage, theme: str) -> None:
    """Put the page that is shown in other colors."""
    stage.page.evaluate(
        """async (theme) => {
            const { applyTheme, prefs } = await import("/web/prefs.js");
            prefs.set("theme", theme);
            applyTheme();
        }""",
        theme,
    )


@pytest.mark.parametrize("part", range(3))
def test_axe(set_stage: SetStage, part: int) -> None:
    """Axe finds nothing on every screen, in light, dark and high contrast."""
    stage = set_stage(390, 844)
    found = {}
    for name in list(SCREENS)[part::3]:
        SCREENS[name](stage)
        found[name] = violations(stage.page)
        for theme in ("dark", "contrast", "light"):
            look(stage, theme)
            if theme != "light":
                found[f"{name}, {theme}"] = violations(stage.page, runOnly=["color-contrast"])
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize("part", range(2))
def test_targets(set_stage: SetStage, part: int) -> None:
    """Whatever can be pressed is at least 44 px wide and high, but for links in a text."""
    stage = set_stage(*PHONES[part])
    small = {}
    for name in [name for name in SCREENS if not name.startswith("tv")][part::2]:
        SCREENS[name](stage)
        for size in PHONES:
            stage.resize(*size)
            small[name, size] = stage.page.evaluate(_SMALL, SMALLEST)
        stage.resize(*PHONES[part])
    assert {name: what for name, what in small.items() if what} == {}


@pytest.mark.parametrize("screen", ["settings", "verify", "chat", "menu", "log", "keys"])
def test_focus_comes_back(set_stage: SetStage, screen: str) -> None:
    """Closed by Escape, a dialog gives the focus back to something that can be seen."""
    stage = set_stage(390, 844)
    SCREENS[screen](stage)
    panel = stage.page.locator("dialog, .popover:visible, .drawer:visible")
    expect(panel).to_have_count(1)
    assert stage.page.evaluate("document.activeElement.closest('dialog, .popover, .drawer') !== null")
    stage.page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    assert stage.page.evaluate(_FOCUS)


def test_focus_at_the_table(house: House, invite: Invite) -> None:
    """From the lobby to the game, and through a round: something has the focus after every move."""
    ann = invite(house.url, "Ann")
    ann.make_table("classic+hand_size=5", 3)
    start = ann.page.get_by_role("button", name="Start")
    start.focus()
    start.press("Enter")
    expect(ann.hand).to_be_visible()
    assert ann.page.evaluate(_FOCUS), "lost between lobby and game"
    for _ in range(10):
        ann.until(lambda: ann.sight().asked or ann.sight().over, "it is Ann's turn")
        sight = ann.sight()
        if sight.over:
            break
        if sight.playable:
            ann.card(sight.playable[0]).focus()
        make_move(ann, sight)
        assert ann.page.evaluate(_FOCUS), f"lost after {sight}"

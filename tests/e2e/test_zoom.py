"""Every screen is usable at a zoom of 200 % and in the forced colors of a system."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.mock_screen import OpenScreen
from support.screens import SCREENS

_SIDEWAYS = """() => [
    document.documentElement.scrollWidth - innerWidth,
    [...document.querySelectorAll("button, a, input, select")].filter((each) => {
        const { left, right, width } = each.getBoundingClientRect();
        return each.checkVisibility() && width > 1 && (right > innerWidth + 1 || left < -1);
    }).map((each) => each.textContent),
]"""


@pytest.mark.parametrize("screen", ["home", "turn", "challenge", "pick a color", "between", "replay", "rules"])
def test_twice_as_large(open_screen: OpenScreen, screen: str) -> None:
    """A laptop of 1280 × 800 at 200 % is a screen of 640 × 400: nothing overflows beside or below it."""
    stage = open_screen(640, 400)
    SCREENS[screen](stage)
    assert stage.page.evaluate(_SIDEWAYS) == [0, []]
    if stage.page.locator(".uno-button").is_visible():
        assert stage.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_choice_in_forced_colors(open_screen: OpenScreen) -> None:
    """The chosen game is marked by more than bold words."""
    stage = open_screen(1024, 768)
    stage.page.emulate_media(forced_colors="active")
    SCREENS["home"](stage)
    chosen = stage.page.locator(".chip input:checked + span").first
    expect(chosen).to_have_css("outline-style", "solid")
    others = stage.page.locator(".chip input:not(:checked) + span").first
    expect(others).to_have_css("outline-style", "none")


def test_playable_cards_are_marked_in_forced_colors(open_screen: OpenScreen) -> None:
    """Playable cards and the seat on turn are marked by more than a glow."""
    stage = open_screen(1024, 768)
    stage.page.emulate_media(forced_colors="active")
    SCREENS["turn"](stage)
    outlined = "cards => cards.map((card) => getComputedStyle(card).outlineStyle)"
    assert set(stage.page.locator(".hand-card.can .face").evaluate_all(outlined)) == {"solid"}
    assert set(stage.page.locator(".hand-card:not(.can) .face").evaluate_all(outlined)) == {"none"}
    expect(stage.page.locator(".own .seat-avatar")).to_have_css("outline-style", "solid")


def test_a_button_of_the_bar_under_the_mouse_in_high_contrast(open_screen: OpenScreen) -> None:
    """The sign is white and the background is not, light and dark."""
    stage = open_screen(1024, 768)
    SCREENS["turn"](stage)
    menu = stage.page.locator(".bar-button").last
    menu.hover()
    for scheme in ("light", "dark"):
        stage.page.emulate_media(color_scheme=scheme)
        stage.set_prefs(theme="contrast")
        expect(stage.page.locator(":root[data-contrast=more]")).to_be_attached()
        colors = "button => [getComputedStyle(button).color, getComputedStyle(button).backgroundColor]"
        sign, behind = menu.evaluate(colors)
        assert sign == "rgb(255, 255, 255)"
        assert behind.endswith(" / 0.25)")  # of white, on black
    stage.page.emulate_media(color_scheme="light")

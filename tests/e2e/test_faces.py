"""Card faces for low vision: chosen in the menu, and used on every screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from lastcard.game.rulesets import GAMES
from support.axe import find_violations
from support.mock_screen import SIZES_PX, MockScreen
from support.player import ON_BOTH, BrowserPlayer
from support.screens import SCREENS, clear_faces

_TEXT_FITS = """() => [...document.querySelectorAll(".card.clear .name")].filter((name) => {
    const [text, card] = [name.getBoundingClientRect(), name.closest("svg").getBoundingClientRect()];
    return text.left < card.left || text.right > card.right;
}).map((name) => name.textContent)"""


@ON_BOTH
def test_faces_are_chosen_in_the_menu(ann: BrowserPlayer) -> None:
    """The screen is drawn anew, the match goes on, and the choice stays; so does the name of each color."""
    ann.make_table("classic")
    ann.start()
    page = ann.page
    expect(page.locator(".hand .card").first).to_be_visible()
    expect(page.locator(".card.clear")).to_have_count(0)
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_role("radio", name="Easy to see").click()
    expect(page.locator(".hand .card.clear").first).to_be_visible()
    expect(page.locator(".hand .card:not(.clear)")).to_have_count(0)
    page.reload()
    expect(page.locator(".hand .card.clear").first).to_be_visible()
    names = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}
    for card in page.locator(".hand [data-card]").all():
        code = card.get_attribute("data-card") or ""
        if code[0] in names:
            expect(card.locator(".name")).to_have_text(names[code[0]])
    assert find_violations(page) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", SIZES_PX)
def test_every_game_has_clear_faces(stage: MockScreen, game: str) -> None:
    clear_faces(game)(stage)
    expect(stage.page.locator(".card:not(.clear, .card-back)")).to_have_count(0)
    assert stage.page.evaluate(_TEXT_FITS) == []


@pytest.mark.parametrize("name", ["replay", "puzzle", "rules", "tv"])
def test_other_screens_have_them_too(stage: MockScreen, name: str) -> None:
    stage.open("/about")
    stage.set_prefs(faces="clear")
    SCREENS[name](stage)
    expect(stage.page.locator(".card.clear").first).to_be_visible()
    expect(stage.page.locator("main .card:not(.clear, .card-back)")).to_have_count(0)

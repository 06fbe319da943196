"""The first page: games with their durations, the bots, a suggested name, and the promise of a fair shuffle."""

from __future__ import annotations

from playwright.sync_api import expect

from lastcard.game.rulesets import GAMES
from support.mock_screen import MockScreen
from support.player import BrowserPlayer


def test_bots_and_game_are_chosen_by_tapping(ann: BrowserPlayer) -> None:
    """The name is suggested; number and level of the bots are remembered."""
    page = ann.page
    page.goto(ann.url)
    games = page.locator(".home-game")
    expect(games).to_have_count(len(GAMES))
    for game in games.all():
        expect(game.locator("svg.card")).to_be_visible()
        expect(game.locator(".home-time")).to_contain_text("min")
    name = page.get_by_label("Your name")
    assert name.input_value()
    name.fill("Ann")
    games.filter(has_text="All Wild").click()
    page.get_by_label("Bots", exact=True).select_option("5")
    page.get_by_label("How well they play").select_option("sharp")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".seats .seat")).to_have_count(5)
    levels = "document.querySelector('lc-game').session.table.seats.slice(1).map((seat) => seat.bot)"
    assert page.evaluate(levels) == ["sharp"] * 5
    page.goto(ann.url)
    expect(page.get_by_label("Bots", exact=True)).to_have_value("5")
    expect(page.get_by_label("How well they play")).to_have_value("sharp")


def test_the_check_of_the_shuffle_is_two_taps_away(stage: MockScreen) -> None:
    """From the promise on the first page to the check of the last match."""
    stage.open("/")
    stage.press("web.home.fair")
    stage.press("web.about.shuffle.check")
    expect(stage.page.get_by_role("dialog", name=stage.text("web.verify.title"))).to_be_visible()

"""The lobby and the rules page show what a round is like by their rules, compared with the official ones."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from support.mock_screen import OWN_ID, MockScreen, seat_of, table_of
from support.player import DESKTOP, PHONE, BrowserPlayer
from support.static_site import StaticHost, open_offline_player

ON_BOTH = pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])


def figures_of(page: Page) -> dict[str, str]:
    """The figures on a page, once they are there, by their labels."""
    shown = page.locator(".figure-list")
    expect(shown).not_to_have_attribute("aria-busy", "true")
    labels, texts = shown.locator("dt").all_inner_texts(), shown.locator("dd").all_inner_texts()
    return dict(zip(labels, texts, strict=True))


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_the_lobby_compares_its_rules(stage: MockScreen) -> None:
    """Differences have words; what may be chance has none. Other rules have other figures."""
    seats = (seat_of("Ada", player=OWN_ID), seat_of("Ben"), None, None)
    stage.show_table(table_of("lobby", seats, "classic+living-room"))
    assert figures_of(stage.page) == {
        "Length of a round": "about 60 turns, 7 min\na third more",
        "Waiting": "more than once round the table, for 25% of turns\ntwice as much",
        "Changes of the lead": "2.8 in a round\nabout the same",
        "Skill": "a good player beats a weak one in 64 of 100 rounds\nofficial rules: 58",
    }
    expect(stage.page.locator(".figure-list")).to_contain_text("With 4 players, compared with the official rules")
    stage.show_table(table_of("lobby", seats, "classic"))
    expect(stage.page.locator(".figure-list")).to_contain_text("With 4 players, by the official rules")
    assert figures_of(stage.page)["Length of a round"] == "about 47 turns, 5 min"


@ON_BOTH
def test_the_server_measures_for_a_page(ann: BrowserPlayer) -> None:
    """Swapping hands changes the lead more often; rules that do not exist have no figures."""
    ann.page.goto(f"{ann.url}/rules/classic+seven_zero")
    shown = figures_of(ann.page)
    assert "more" in shown["Changes of the lead"] or "much" in shown["Changes of the lead"]
    assert shown["Length of a round"].startswith("about ")
    ann.page.goto(f"{ann.url}/rules/classic")
    assert not any("\n" in text for text in figures_of(ann.page).values())


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_page_without_a_server_measures_itself(
    browser: Browser, static_host: StaticHost, screen: dict[str, Any]
) -> None:
    with open_offline_player(browser, static_host, "Ann", **screen) as ann:
        ann.wait_until_cached()
        ann.make_table("all-wild+harsh", seats=3)
        assert all("\n" in text for text in figures_of(ann.page).values())

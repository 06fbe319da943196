"""The pictures of cards for Python are those of the page."""

from __future__ import annotations

from playwright.sync_api import Page

from lastcard.game.card_pictures import read_pictures
from tools.card_pictures import draw_cards


def test_pictures_are_those_of_the_page(page: Page) -> None:
    """``make card-pictures`` was run after the last change of the page's cards."""
    assert draw_cards(page) == read_pictures()

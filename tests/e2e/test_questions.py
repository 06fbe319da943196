"""Questions explain their answers: the cost, the color, the cards of a player."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from lastcard.text.locale import LANGUAGES
from support.mock_screen import MockScreen, OpenScreen
from support.screens import SCREENS

PHONE_SIZE_PX = (320, 568)
_TOO_WIDE = """buttons => buttons.filter((button) => {
    const range = document.createRange();
    range.selectNodeContents(button.lastChild);
    return range.getBoundingClientRect().width > button.clientWidth + 0.5;
}).map(({ textContent }) => textContent)"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_challenge_states_its_cost_and_is_no_main_button(open_screen: OpenScreen, language: str) -> None:
    """A wrong challenge draws six in place of four (CL-36); accepting the four is the plain button."""
    stage = open_screen(*PHONE_SIZE_PX, language=language)
    SCREENS["challenge"](stage)
    answers = stage.page.locator(".action-bar-answers")
    challenge = answers.get_by_role("button", name=stage.text("web.pick.challenge"))
    expect(challenge).to_contain_text(stage.text("web.pick.wrong", n=6))
    expect(challenge).not_to_have_class(re.compile("primary"))
    expect(answers.get_by_role("button", name=stage.text("web.pick.accept", n=4))).to_have_class(re.compile("primary"))
    assert challenge.evaluate("button => button.scrollWidth <= button.clientWidth + 1")
    assert answers.evaluate("answers => answers.scrollWidth <= answers.clientWidth + 1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_colors_are_named(open_screen: OpenScreen, language: str) -> None:
    stage = open_screen(*PHONE_SIZE_PX, language=language)
    SCREENS["pick a color"](stage)
    for color in ("red", "yellow", "green", "blue"):
        button = stage.page.locator(".action-bar-answers").get_by_role(
            "button", name=stage.text(f"color.{color}"), exact=True
        )
        expect(button).to_be_visible()
    for size in (PHONE_SIZE_PX, (360, 740), (667, 375), (740, 360)):
        stage.resize(*size)
        assert stage.page.locator(".answer.color").evaluate_all(_TOO_WIDE) == []


def test_players_are_chosen_by_their_cards(open_screen: OpenScreen) -> None:
    """Each player shows their number of cards: those are swapped."""
    stage = open_screen(*PHONE_SIZE_PX)
    SCREENS["pick a player"](stage)
    players = stage.page.locator(".action-bar-answers .answer.player")
    held = [int(text) for text in players.locator(".held").all_inner_texts()]
    assert len(held) == 3
    assert all(count > 0 for count in held)
    expect(players.first).to_have_accessible_name(re.compile(rf": {held[0]} cards$"))


ASKED = ("drawn", "challenge", "stack", "color", "pull", "perform", "throw", "bury", "choose", "take")


@pytest.mark.parametrize("name", ASKED)
def test_no_tip_takes_the_place_of_a_question(stage: MockScreen, name: str) -> None:
    """A new player must read the question first of all."""
    stage.open("/about")
    stage.set_prefs(hints=[])
    SCREENS[name](stage)
    expect(stage.page.locator(".action-bar-prompt")).to_be_visible()
    expect(stage.page.locator(".action-bar-news")).to_be_hidden()

"""What is asked says what the answers mean: their cost, their color, the cards of a player."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from lastcard.text.locale import LANGUAGES
from support.screens import SCREENS
from support.stage import SetStage

PHONE = (320, 568)
_TOO_WIDE = """buttons => buttons.filter((button) => {
    const range = document.createRange();
    range.selectNodeContents(button.lastChild);
    return range.getBoundingClientRect().width > button.clientWidth + 0.5;
}).map(({ textContent }) => textContent)"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_challenge_says_what_it_costs_and_is_not_the_loud_button(set_stage: SetStage, language: str) -> None:
    """Wrong, one draws six in place of four (CL-36); taking the four is the plain way."""
    stage = set_stage(*PHONE, language=language)
    SCREENS["challenge"](stage)
    answers = stage.page.locator(".tray-answers")
    challenge = answers.get_by_role("button", name=stage.t("web.pick.challenge"))
    expect(challenge).to_contain_text(stage.t("web.pick.wrong", n=6))
    expect(challenge).not_to_have_class(re.compile("primary"))
    expect(answers.get_by_role("button", name=stage.t("web.pick.accept", n=4))).to_have_class(re.compile("primary"))
    assert challenge.evaluate("button => button.scrollWidth <= button.clientWidth + 1")
    assert answers.evaluate("answers => answers.scrollWidth <= answers.clientWidth + 1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_colors_are_named(set_stage: SetStage, language: str) -> None:
    """Nobody needs to know a color from its look, and no name is cut off."""
    stage = set_stage(*PHONE, language=language)
    SCREENS["pick a color"](stage)
    for color in ("red", "yellow", "green", "blue"):
        button = stage.page.locator(".tray-answers").get_by_role("button", name=stage.t(f"color.{color}"), exact=True)
        expect(button).to_be_visible()
    for size in (PHONE, (360, 740), (667, 375), (740, 360)):
        stage.resize(*size)
        assert stage.page.locator(".answer.color").evaluate_all(_TOO_WIDE) == []


def test_players_are_chosen_by_their_cards(set_stage: SetStage) -> None:
    """Each says how many cards it has: that is what one swaps."""
    stage = set_stage(*PHONE)
    SCREENS["pick a player"](stage)
    players = stage.page.locator(".tray-answers .answer.player")
    held = [int(text) for text in players.locator(".held").all_inner_texts()]
    assert len(held) == 3
    assert all(count > 0 for count in held)
    expect(players.first).to_have_accessible_name(re.compile(rf": {held[0]} cards$"))


ASKED = ("drawn", "challenge", "stack", "color", "pull", "perform", "throw", "bury", "choose", "take")


@pytest.mark.parametrize("name", ASKED)
def test_no_tip_takes_the_place_of_a_question(set_stage: SetStage, name: str) -> None:
    """Whoever plays for the first time has to read above all what is asked."""
    stage = set_stage(390, 844)
    stage.open("/about")
    stage.remember(hints=[])
    SCREENS[name](stage)
    expect(stage.page.locator(".tray-prompt")).to_be_visible()
    expect(stage.page.locator(".tray-news")).to_be_hidden()

"""Every card has an info panel: large, with its name, its effect, and whether and why not it can be played now."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from lastcard.match.match import Match
from lastcard.text.locale import catalog
from support.live_server import LiveServer, find_seed, hand_texts
from support.mock_screen import MockScreen, OpenScreen
from support.player import PHONE, BrowserPlayer, Invite
from support.situations import decides, holds, reach

PRESS = """async (card) => {
    const { left, top } = card.getBoundingClientRect();
    const at = { bubbles: true, cancelable: true, pointerType: "touch", isPrimary: true };
    const place = { clientX: left + 14, clientY: top + 20 };
    card.dispatchEvent(new PointerEvent("pointerdown", { ...at, ...place }));
    await new Promise((resolve) => setTimeout(resolve, 600));
    card.dispatchEvent(new PointerEvent("pointerup", { ...at, ...place }));
    card.click();
}"""
"""A finger that stays on a card, and the resulting click."""


def has_both(match: Match) -> bool:
    """Ann begins, holds a card that fits and a blue number that does not."""
    top, hand = match.round.top, hand_texts(match, 0)
    fitting = {str(move)[:2] for move in match.round.legal(0)}
    return match.round.turn == 0 and top < 50 and "R5" in fitting and "B3" in hand and "B3" not in fitting


def info_panel(player: BrowserPlayer) -> Locator:
    return player.page.locator(".side-panel:has(.card-about)")


@pytest.mark.parametrize("way", ["press", "click", "key"])
def test_a_card_in_hand(live_server: LiveServer, invite: Invite, way: str) -> None:
    """A long press, a right click or ``?`` opens it and plays nothing; Escape closes it."""
    ann, ben = invite(live_server.url, "Ann", **(PHONE if way == "press" else {})), invite(live_server.url, "Ben")
    live_server.seed = find_seed("classic", 2, has_both)
    ann.play_with(ben, rules="classic")
    ann.wait_for_turn()
    for card, name, now in (
        ("R5", "red 5", catalog("en").text("web.card.can")),
        ("B3", "blue 3", "does not go on"),
    ):
        if way == "press":
            ann.card(card).evaluate(PRESS)
        elif way == "click":
            ann.card(card).click(button="right", position={"x": 12, "y": 20})
        else:
            ann.card(card).focus()
            ann.page.keyboard.press("?")
        expect(info_panel(ann)).to_contain_text(name)
        expect(info_panel(ann)).to_contain_text(catalog("en").text("web.card.number"))
        expect(info_panel(ann).get_by_role("status")).to_contain_text(now)
        expect(info_panel(ann).get_by_role("heading")).to_be_focused()
        ann.page.keyboard.press("Escape")
        expect(info_panel(ann)).to_be_hidden()
    assert ann.screen_state().ply == 0
    if way == "key":
        expect(ann.card("B3")).to_be_focused()


def test_the_pile(stage: MockScreen) -> None:
    """The panel of the top card explains its effect by the table's rules; it does not say whether it can be played."""
    stage.show_match(reach("all-wild", 4, decides("play")))
    page, pile = stage.page, stage.page.locator(".discard-pile")
    info = page.locator(".side-panel:has(.card-about)")
    name = (pile.get_attribute("aria-label") or "").removeprefix("Top card: ").split(".")[0]

    def enter() -> None:
        """Go up from the hand by keys; Enter opens the panel, and Escape closes it and restores the focus."""
        page.locator(".hand-card").first.press("ArrowUp")
        expect(pile).to_be_focused()
        page.keyboard.press("Enter")

    ways = (enter, lambda: pile.press("?"), pile.click, lambda: page.locator(".laid-card").last.click(button="right"))
    for open_info in ways:
        open_info()
        expect(info.get_by_role("heading")).to_have_text(name)
        expect(info.locator(".card-does")).not_to_be_empty()
        expect(info.get_by_role("status")).to_be_hidden()
        page.keyboard.press("Escape")
        expect(info).to_be_hidden()
        expect(pile).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator('.hand-card[tabindex="0"]')).to_be_focused()

    pile.click()
    expect(info.locator(".card-does")).to_be_visible()
    expect(info.locator(".card-does")).not_to_contain_text("[")
    page.keyboard.press("Escape")
    stage.press("web.table.menu")
    page.get_by_role("switch", name=stage.text("web.rules.clauses")).click()
    page.keyboard.press("Escape")
    pile.click()
    expect(info.locator(".card-does")).to_contain_text(re.compile(r"\[AW-\d+( AW-\d+)*\]$"))


def test_name_plates(stage: MockScreen) -> None:
    """The cards of All Wild show their names in the first rounds that a person plays of it."""
    stage.show_match(reach("all-wild", 4, decides("play")))
    plates = stage.page.locator('.hand [data-plate]:not([data-plate=""])')
    expect(plates.first).to_be_visible()
    assert {plate.get_attribute("data-plate") for plate in plates.all()} <= {
        text for key, text in catalog("en").texts.items() if key.startswith("plate.")
    }
    step = stage.page.locator(".hand").evaluate("hand => parseFloat(hand.style.getPropertyValue('--step'))")
    assert step >= 0.8 * plates.first.evaluate("face => face.clientWidth"), "a neighbor lies on the name"


def test_no_row_lies_on_a_name(open_screen: OpenScreen) -> None:
    """A name of two lines is fully visible on a small phone, where a hand has several rows."""
    stage = open_screen(360, 640, language="fr")
    stage.show_match(reach("all-wild+hand_size=10", 4, holds("W")))
    ends = stage.page.locator(".hand .face").evaluate_all(
        """faces => faces.map(face => {
            const { top, height } = getComputedStyle(face, "::before");
            return parseFloat(top) + parseFloat(height);
        })"""
    )
    rows, row = stage.page.locator(".hand").evaluate(
        "hand => ['--rows', '--row'].map(name => parseFloat(hand.style.getPropertyValue(name)))"
    )
    assert rows == 2 and max(ends) <= row

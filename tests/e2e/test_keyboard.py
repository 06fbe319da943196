"""A match with the keyboard alone and without motion: no mouse, no finger, nothing that travels, all of it said."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Locator, Page, expect

from support.house import House
from support.player import Invite, Player, Sight

_COUNT_POINTERS: Final = """
    globalThis.pointers = 0;
    for (const name of ["mousedown", "pointerdown", "touchstart"]) addEventListener(name, () => (pointers += 1), true);
    addEventListener("click", (event) => (pointers += event.detail), true);
"""
_WATCH_MOTION: Final = """
    globalThis.travels = [];
    globalThis.said = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        const places = new Set([frames].flat().flatMap(({ transform = [] }) => transform));
        if (places.size > 1 && timing.duration > 1) travels.push(this.className);
        return animate.call(this, frames, timing);
    };
    addEventListener("DOMContentLoaded", () => new MutationObserver((changes) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        said.push(...added.filter((node) => node.parentElement?.role === "log").map((node) => node.textContent));
    }).observe(document.body, { childList: true, subtree: true }));
"""
_ENDLESS: Final = """() => document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().iterations === Infinity)
    .map(({ animationName }) => animationName)"""
_FOCUSED: Final = "node => node === document.activeElement"
_MOST_TABS: Final = 40


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the focus is there."""
    expect(target).to_be_visible()
    for _ in range(_MOST_TABS):
        if target.evaluate(_FOCUSED):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {target}")


def play_by_keys(player: Player, sight: Sight) -> None:
    """Make a move: arrows and Enter for a card and what it asks, a digit for other answers, D to draw, U to call."""
    keys = player.page.keyboard
    if len(sight.hand) == 2 and sight.playable and player.uno.get_attribute("aria-pressed") == "false":
        keys.press("u")
        expect(player.uno).to_have_attribute("aria-pressed", "true")
    elif sight.playable:
        card = player.card(sight.playable[0])
        keys.press("ArrowLeft")
        keys.press("Home")
        for _ in range(sight.hand.index(sight.playable[0])):
            keys.press("ArrowRight")
        assert card.evaluate(_FOCUSED), "arrows lead along the hand"
        player.act(lambda: enter_and_pick(player))
    elif sight.answers:
        player.act(lambda: keys.press("1"))
    else:
        player.act(lambda: keys.press("d"))


def enter_and_pick(player: Player) -> None:
    """Play the card in focus; where it asks for a player, the focus is on the first, and Enter takes it."""
    player.page.keyboard.press("Enter")
    if player.may_put_back():
        expect(player.answer(player.sight().answers[0])).to_be_focused()
        player.page.keyboard.press("Enter")


def test_keyboard_only(house: House, invite: Invite) -> None:
    """From the name on the first page through Play now to the winner of the match, and to a rematch."""
    ann = invite(house.url, "Ann")
    page, keys = ann.page, ann.page.keyboard
    page.add_init_script(_COUNT_POINTERS)
    page.add_init_script(_WATCH_MOTION)
    page.goto(house.url)
    tab_to(page, page.get_by_label("Your name"))
    keys.type("Ann")
    tab_to(page, page.get_by_role("radio", name="UNO", exact=True))
    keys.press("ArrowLeft")
    expect(page.get_by_role("radio", name="UNO All Wild")).to_be_checked()
    tab_to(page, page.get_by_role("button", name="Play now"))
    keys.press("Enter")
    expect(ann.hand).to_be_visible()

    ann.until(lambda: ann.look() is not None, "the game is there")
    while not ann.sight().over:
        sight = ann.sight()
        assert page.evaluate(_ENDLESS) == []
        if sight.asked:
            play_by_keys(ann, sight)
        else:
            page.wait_for_timeout(20)

    expect(page.get_by_role("heading", name="the match")).to_be_visible()
    first = ann.sight().match
    tab_to(page, page.get_by_role("button", name="Play again"))
    keys.press("Enter")
    ann.until(lambda: ann.sight().match != first, "the rematch has begun")
    assert page.evaluate("pointers") == 0
    assert page.evaluate("[...new Set(travels)]") == []
    said = page.evaluate("said.join(' ')")
    for words in ("You play Wild", r"\w+ plays Wild", "(You win|wins) the round!"):
        assert re.search(words, said), said

"""A match with the keyboard alone and without motion: nothing needs a pointer or an animation, all is announced."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Locator, Page, expect

from lastcard.match.match import Match
from support.live_server import LiveServer, find_seed
from support.page_readiness import wait_until_pressable
from support.player import BrowserPlayer, ScreenState

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
RULES: Final = "classic+first_dealer=host"
_ENDLESS: Final = """() => document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().iterations === Infinity)
    .map(({ animationName }) => animationName)"""
_FOCUSED: Final = "node => node === document.activeElement"
_MOST_TABS: Final = 40


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the element has the focus."""
    expect(target).to_be_visible()
    for _ in range(_MOST_TABS):
        if target.evaluate(_FOCUSED):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {target}")


def play_by_keys(player: BrowserPlayer, state: ScreenState) -> None:
    """Make a move: arrows and Enter for a card and its question, a digit for other answers, D to draw, U to call."""
    keys = player.page.keyboard
    if len(state.hand) == 2 and state.playable and player.uno.get_attribute("aria-pressed") == "false":
        keys.press("u")
        expect(player.uno).to_have_attribute("aria-pressed", "true")
    elif state.playable:
        card = player.card(state.playable[0])
        keys.press("ArrowLeft")
        keys.press("Home")
        for _ in range(state.hand.index(state.playable[0])):
            keys.press("ArrowRight")
        assert card.evaluate(_FOCUSED), "arrows lead along the hand"
        player.send_move(lambda: enter_and_pick(player))
    elif state.answers:
        player.send_move(lambda: keys.press("1"))
    else:
        player.send_move(lambda: keys.press("d"))


def enter_and_pick(player: BrowserPlayer) -> None:
    """Play the card in focus; if it asks for a player, the first has the focus, and Enter takes it."""
    player.page.keyboard.press("Enter")
    if player.can_put_back():
        expect(player.answer(player.screen_state().answers[0])).to_be_focused()
        wait_until_pressable(player.page)
        player.page.keyboard.press("Enter")


def test_keyboard_only(ann: BrowserPlayer, live_server: LiveServer) -> None:
    """From the name on the first page through Play now to the winner of the match and a rematch."""
    page, keys = ann.page, ann.page.keyboard
    page.add_init_script(_COUNT_POINTERS)
    page.add_init_script(_WATCH_MOTION)
    page.goto(live_server.url)
    tab_to(page, page.get_by_label("Your name"))
    keys.type("Ann")
    tab_to(page, page.get_by_role("radio", name="UNO", exact=True))
    keys.press("ArrowLeft")
    expect(page.get_by_role("radio", name="UNO All Wild")).to_be_checked()
    tab_to(page, page.get_by_role("button", name="Play now"))
    keys.press("Enter")
    expect(ann.hand).to_be_visible()

    ann.wait_until(lambda: ann.find_screen_state() is not None, "the game is there")
    while not ann.screen_state().over:
        state = ann.screen_state()
        assert page.evaluate(_ENDLESS) == []
        if state.asked:
            play_by_keys(ann, state)
        else:
            page.wait_for_timeout(20)

    expect(page.get_by_role("heading", name="the match")).to_be_visible()
    first = ann.screen_state().match
    tab_to(page, page.get_by_role("button", name="Play again"))
    keys.press("Enter")
    ann.wait_until(lambda: ann.screen_state().match != first, "the rematch has begun")
    assert page.evaluate("pointers") == 0
    assert page.evaluate("[...new Set(travels)]") == []
    said = page.evaluate("said.join(' ')")
    for words in ("You play Wild", r"\w+ plays Wild", "(You win|wins) the round!"):
        assert re.search(words, said), said


def begins_with_a_skip(match: Match) -> bool:
    """Seat 1 begins and may play a Skip, and then something else."""
    table = match.round
    skips = [move for move in map(str, table.legal()) if re.fullmatch("[RYGB]s", move)]
    if table.turn != 1 or table.decision != "play" or not skips:
        return False
    copied = table.copy()
    copied.do(1, skips[0])
    return copied.turn == 1 and any(re.fullmatch("[RYGB][0-9]", str(move)) for move in copied.legal())


def test_a_question_is_announced_after_its_cause(
    ann: BrowserPlayer, ben: BrowserPlayer, live_server: LiveServer
) -> None:
    """Screen readers get it in that order; it is repeated if a move leaves the same question."""
    live_server.seed = find_seed(RULES, 2, begins_with_a_skip)
    for player in (ann, ben):
        player.page.add_init_script(_WATCH_MOTION)
    ann.play_with(ben, rules=RULES)
    ben.wait_for_turn()
    ben.make_move(next(card for card in ben.screen_state().playable if card.endswith("s")))
    ben.wait_for_turn()
    skip, question = ben.page.evaluate("said.slice(-2)")
    assert re.fullmatch(r"You play \w+ Skip. Ann loses a turn.", skip) and question == "Play a card or draw."
    ben.make_move(next(card for card in ben.screen_state().playable if re.fullmatch("[RYGB][0-9]", card)))
    ann.wait_for_turn()
    played, question = ann.page.evaluate("said.slice(-2)")
    assert re.fullmatch(r"Ben plays \w+ \d.", played)
    assert question in ("Play a card or draw.", "No card can be played: draw.")

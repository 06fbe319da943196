"""Nothing that must be read or seen is cut off, in any language, on any screen, at any font size."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from lastcard.game.rulesets import ruleset
from lastcard.session.turn_clock import Clock
from lastcard.text.locale import LANGUAGES
from support.matches import random_match
from support.mock_screen import MockScreen, OpenScreen
from support.pointers import box_of
from support.screens import SCREENS
from support.situations import LONG_NAMES, NAMES, decides, reach

SIZES_PX: Final = [(320, 568), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080)]
HALF_SIZE_PX: Final = (640, 400)
"""A window of 1280 × 800 at 200 %."""

_FIND_CLIPPED: Final = """() => {
    const found = [];
    const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length;
    const name = (node) => `${node.getAttribute("class")}: ${node.textContent.slice(0, 60)}`;
    const felt = document.querySelector("lc-game .felt").getBoundingClientRect();
    for (const node of document.querySelectorAll("lc-game .action-bar :not(svg *), lc-game .seats :not(svg *)")) {
        if (!seen(node) || node.offsetWidth <= 1) continue;
        const style = getComputedStyle(node);
        const isName = node.matches(".seat-name, .player > span");
        const [wide, high] = [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight];
        if (style.overflowX === "hidden" && wide > 1 && !isName) found.push(`${name(node)} is cut by ${wide}`);
        if (style.overflowY !== "visible" && high > 1 && !isName) found.push(`${name(node)} is cut by ${high} below`);
    }
    const seats = ".seat-count, .clock-left, .seat-badge, .seat-open .card, .uno-state";
    const pictures = `.arrow, .pile-count, .pending, ${seats}`;
    for (const node of [...document.querySelectorAll(pictures)].filter(seen)) {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        const out = Math.max(felt.left - left, right - felt.right, felt.top - top, bottom - felt.bottom);
        if (out > 0.5) found.push(`${name(node)} sticks out by ${out.toFixed(1)}`);
    }
    for (const node of [...document.querySelectorAll(".clock-left")].filter(seen)) {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        const corners = [[left + 2, bottom - 3], [right - 2, bottom - 3], [(left + right) / 2, (top + bottom) / 2]];
        const free = ([x, y]) => node.closest(".seat").contains(document.elementFromPoint(x, y));
        const label = node.closest(".seat").querySelector(".seat-name").getBoundingClientRect();
        if (!corners.every(free) || (label.height && label.top < bottom - 1)) found.push("seconds lie under a name");
    }
    return [...new Set(found)];
}"""
"""Parts of a table that are cut off or stick out; of very long names the beginning is enough."""


def clocked(stage: MockScreen) -> None:
    """Ten at a table, and the person's own or another's time runs out."""
    now = reach("all-wild", 10, decides("play"))
    for seat in (now.match.round.turn, (now.match.round.turn + 1) % 10):
        stage.show_match(now, seat=seat, names=(*LONG_NAMES, *NAMES[2:]))
    stage.send_move(seat=0, clock=Clock(left=5_000, bank=0))
    expect(stage.page.locator(".clock-left")).to_be_visible()


def opened(players: int) -> Callable[[MockScreen], None]:
    """A replay with all hands open, the largest ones."""

    def show(stage: MockScreen) -> None:
        replay = json.loads(random_match(3, ruleset("classic"), players=players, max_plies=50))
        stage.mock_answer("/replay", replay)
        stage.open("/match/m3#ply=50")
        expect(stage.page.locator(".seat-open .card").first).to_be_visible()

    return show


def named(stage: MockScreen) -> None:
    """A player with a long name has played the card with the longest name."""
    now = reach("classic", 4, decides("challenge"))
    names = list(NAMES[:4])
    names[(now.match.round.turn - now.match.round.direction) % 4] = LONG_NAMES[0]
    stage.show_match(now, names=tuple(names))


STATES: Final[dict[str, Callable[[MockScreen], None]]] = {
    "turn": SCREENS["turn"],
    "challenge": SCREENS["challenge"],
    "named": named,
    "stack": SCREENS["stack"],
    "pick a color": SCREENS["pick a color"],
    "clock": clocked,
    "replay": SCREENS["replay"],
    "open": opened(4),
    "ten open": opened(10),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("letters", ["normal", "huge"])
def test_nothing_at_a_table_is_cut_off(open_screen: OpenScreen, language: str, letters: str) -> None:
    """Neither words nor seconds, badges, open hands or the ring.

    Each state is shown in every language and at both font sizes, but not in all combinations.
    """
    first = (LANGUAGES.index(language) + (letters == "huge")) % 2
    stage = open_screen(*SIZES_PX[0], language=language)
    stage.open("/about")
    stage.set_prefs(size=letters)
    found = {}
    for state, show in [*STATES.items()][first::2]:
        stage.resize(*SIZES_PX[0])
        show(stage)
        found[state] = stage.evaluate_at((*SIZES_PX, HALF_SIZE_PX), _FIND_CLIPPED)
    cut = [f"{state}, {size}: {what}" for state, places in found.items() for size, what in places.items()]
    assert not cut, "\n".join(cut)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_keys_are_seen_at_once(open_screen: OpenScreen, language: str) -> None:
    """On a low screen, a shadow shows that there are more."""
    stage = open_screen(*SIZES_PX[1], language=language)
    SCREENS["keys"](stage)
    panel = stage.page.locator(".side-panel .content")
    for size in [(390, 844), (768, 1024), (1280, 800), (1920, 1080)]:
        stage.resize(*size)
        assert panel.evaluate("(panel) => panel.scrollHeight - panel.clientHeight") <= 1, size
    for size in [(320, 568), (844, 390), HALF_SIZE_PX]:
        stage.resize(*size)
        assert panel.evaluate("(panel) => panel.scrollHeight > panel.clientHeight")
        assert panel.evaluate("(panel) => getComputedStyle(panel).backgroundAttachment").startswith("local"), size


@pytest.mark.parametrize("size", [(844, 390), HALF_SIZE_PX, (390, 844), (1280, 800)])
@pytest.mark.parametrize("letters", ["normal", "huge"])
def test_the_menu_is_as_high_as_the_screen_allows(stage: MockScreen, size: tuple[int, int], letters: str) -> None:
    """On a low screen it lies over the hand, but neither over the line nor over the button beside it."""
    stage.open("/about")
    stage.set_prefs(size=letters)
    SCREENS["menu"](stage)
    menu, line, uno = (box_of(stage.page.locator(part)) for part in (".popover.menu", ".line", ".uno-button"))
    for other in (line, uno):
        aside = other["x"] >= menu["x"] + menu["width"] or other["y"] >= menu["y"] + menu["height"]
        assert aside, (menu, other)
    assert menu["height"] >= (0.75 * size[1] if size[1] < 480 else 0.3 * size[1])

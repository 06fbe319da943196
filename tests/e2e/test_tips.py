"""Tips for a first game: they appear when they matter, disappear when followed, and hide no event."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import expect

from lastcard.match.match import Match
from lastcard.server.wire.parts import Happening
from lastcard.text.locale import LANGUAGES
from support.mock_screen import READ_HINTS, SIZES_PX, MockScreen, OpenScreen
from support.page_readiness import import_expression
from support.screens import SCREENS
from support.situations import LONG_NAMES, NAMES, holds, reach

REFUSAL: Final = {"type": "refused", "code": "no-match", "clause": "CL-15", "text": "It does not fit.", "late": None}
ALL_SIZES: Final = [*SIZES_PX, (320, 568), (844, 390), (768, 1024), (1920, 1080)]

_CUT: Final = """() => [".line-words", ".action-bar-news", ".line-latest", ".line"].filter((selector) => {
    const node = document.querySelector(selector);
    const line = document.querySelector(".line").getBoundingClientRect();
    if (!node.checkVisibility()) return false;
    const { top, bottom } = node.getBoundingClientRect();
    return node.scrollHeight > node.clientHeight + 1 || top < line.top - 1 || bottom > line.bottom + 1;
})"""
"""Parts of the line that need scrolling."""
_LEARNED: Final = f"async () => (await {import_expression('ui/prefs.js')}).prefs.get('hints')"


def newcomer(stage: MockScreen, *known: str) -> None:
    """A person who plays for the first time, and has read some tips."""
    stage.open("/about")
    stage.set_prefs(hints=list(known))


def two_left(match: Match) -> bool:
    """The seat on turn holds two cards and may play."""
    table = match.round
    return table.decision == "play" and len(table.hand(table.turn)) == 2 and table.counts[table.turn] == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tip_is_placed_below_the_last_event(open_screen: OpenScreen, language: str) -> None:
    """The longest tip at every size; nothing of it or of the news is cut off."""
    stage = open_screen(*SIZES_PX[0], language=language)
    newcomer(stage, "play")
    stage.show_match(reach("classic", 4, two_left), names=(*LONG_NAMES, *NAMES[2:4]))
    for tip in READ_HINTS:
        text = stage.text(f"web.tip.{tip}")
        stage.page.locator(".action-bar-news").evaluate("(node, text) => { node.textContent = text }", text)
        for size in ALL_SIZES:
            stage.resize(*size)
            last = ".line-latest" if size[0] < 1200 else ".scoreboard-events li:first-child"
            expect(stage.page.locator(".action-bar-news")).to_be_visible()
            expect(stage.page.locator(last)).to_be_visible()
            assert stage.page.evaluate(_CUT) == [], (tip, size)


@pytest.mark.parametrize("size", SIZES_PX)
def test_a_caught_player_reads_it_under_a_tip(stage: MockScreen, size: tuple[int, int]) -> None:
    """The tip about calling is in the line; the news is shown all the same."""
    newcomer(stage, "play")
    stage.show_match(reach("classic", 4, two_left))
    expect(stage.page.get_by_text(stage.text("web.tip.uno"))).to_be_visible()
    stage.send_move(Happening(e="caught", seat=me(stage), other=other(stage)))
    said = stage.text("event.caught.at_you", player=stage.welcome["game"].players[other(stage)])
    last = ".line-latest" if size[0] < 1200 else ".scoreboard-events li:first-child"
    expect(stage.page.locator(last)).to_have_text(said)
    expect(stage.page.locator(last)).to_be_visible()


@pytest.mark.parametrize("size", SIZES_PX)
def test_an_event_replaces_a_refusal(stage: MockScreen) -> None:
    """Others may play meanwhile."""
    SCREENS["turn"](stage)
    stage.answers["why"] = REFUSAL
    stage.page.locator(".hand-card:not(.can)").first.click()
    alert = stage.page.get_by_role("alert")
    expect(alert).to_be_visible()
    stage.send_move(Happening(e="called", seat=other(stage)))
    expect(alert).to_be_visible()
    stage.send_move(Happening(e="skipped", seat=me(stage)))
    expect(alert).to_be_hidden()


@pytest.mark.parametrize("size", SIZES_PX)
def test_a_tip_that_was_followed_is_gone(stage: MockScreen) -> None:
    """Nobody has to dismiss it."""
    newcomer(stage)
    stage.show_match(reach("classic", 4, holds("W")))
    tip = stage.page.get_by_text(stage.text("web.tip.play"))
    expect(tip).to_be_visible()
    stage.answers["act"] = {"type": "done", "ply": 1}
    stage.answers["why"] = REFUSAL | {"clause": None, "text": "No."}
    stage.page.locator(".hand-card.can:not([data-card^=W])").first.click()
    stage.page.wait_for_function(f"async () => (await ({_LEARNED})()).includes('play')")
    stage.send_move(seat=other(stage))
    expect(tip).to_be_hidden()
    stage.page.locator(".hand-card:not(.can)").first.click()
    stage.page.wait_for_function(f"async () => (await ({_LEARNED})()).includes('why')")
    stage.page.locator(".uno-button").press("Enter")
    assert "uno" not in stage.page.evaluate(_LEARNED)


def me(stage: MockScreen) -> int:
    """The person's own seat."""
    seat: int = stage.welcome["game"].mine.seat
    return seat


def other(stage: MockScreen) -> int:
    return (me(stage) + 1) % 4

"""Hints at the table: always against bots, with other people only by agreement."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from lastcard.server.wire.parts import AdvisedMove
from lastcard.text.locale import LANGUAGES, catalog
from support.live_server import LiveServer
from support.mock_screen import MockScreen
from support.player import PHONE, BrowserPlayer, Invite
from support.screens import SCREENS

COMPILE_TIMEOUT_MS: Final = 180_000
"""Milliseconds: the first search of a new engine compiles it."""


def button(player: BrowserPlayer) -> Locator:
    """The button that opens the panel."""
    return player.page.get_by_role("button", name="Hint", exact=True)


def marks(player: BrowserPlayer) -> Locator:
    """The chances at the cards and answers of the best moves."""
    return player.page.locator("[data-hint]")


def test_the_best_moves_against_bots(live_server: LiveServer, invite: Invite) -> None:
    """Three moves at most are marked with their chances, and the line gives the reason; a move removes them."""
    ann = invite(live_server.url, "Ann", **PHONE)
    ann.make_table("classic", 3)
    expect(button(ann)).to_be_hidden()
    ann.start()
    ann.wait_for_turn()
    button(ann).click()
    expect(marks(ann).first).to_be_visible(timeout=COMPILE_TIMEOUT_MS)
    chances = [mark.get_attribute("data-hint") or "" for mark in marks(ann).all()]
    assert 1 <= len(chances) <= 3 and all(re.fullmatch(r"\d+%", chance) for chance in chances)
    expect(ann.page.locator(".line")).to_contain_text(re.compile(r"\d+% to win\. .+\."))
    expect(ann.uno).to_be_in_viewport()
    ann.make_move(next(iter(ann.screen_state().playable), "draw").partition(":")[0])
    expect(marks(ann)).to_have_count(0)


def test_with_other_people_only_as_agreed(ann: BrowserPlayer, ben: BrowserPlayer, live_server: LiveServer) -> None:
    """The host turns hints on before the match, and the lobby shows that to everybody."""
    ann.play_with(ben, rules="classic")
    expect(ben.hand).to_be_visible()
    expect(button(ann)).to_be_hidden()
    expect(button(ben)).to_be_hidden()

    code = ann.make_table("classic", 2)
    ben.page.goto(f"{live_server.url}/t/{code}")
    ann.wait_until_seated("Ben")
    ann.page.get_by_role("button", name="Edit rules").click()
    ann.page.get_by_role("switch", name="Hints").check()
    ann.page.get_by_role("button", name="Apply").click()
    expect(ben.page.get_by_text("Hints are on: everybody may ask for the best moves.")).to_be_visible()
    ann.start()
    expect(button(ann)).to_be_visible()
    expect(button(ben)).to_be_visible()
    waits = (ben, ann)[live_server.match(code).round.turn]
    button(waits).click()
    expect(waits.page.locator(".line")).to_contain_text("Hints are for your own turn.")


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_every_move_is_marked_where_it_is_made(stage: MockScreen) -> None:
    """A play is marked on its card, drawing on the pile, and every answer on its button."""
    places = {
        "turn": ("draw", ".draw-pile"),
        "pick a color": ("W=G", '.answer[data-color="G"]'),
        "challenge": ("challenge", ".answer.costs"),
        "color": ("color=R", '.answer[data-color="R"]'),
        "pull": ("pull", ".answer"),
    }
    for screen, (move, place) in places.items():
        SCREENS[screen](stage)
        ply = stage.page.evaluate("document.querySelector('lc-game').session.game.ply")
        stage.change_table(hints=True)
        advised = AdvisedMove(move, "a move", 0.5, 0.01, "A reason.")
        stage.answers["advise"] = {"type": "advice", "ply": ply, "moves": [advised]}
        stage.press("web.table.hint")
        expect(stage.page.locator(f"{place}[data-hint]")).to_have_attribute("data-hint", "50%")
        expect(stage.page.locator(".line")).to_contain_text("50% to win. A reason.")
        for _ in range(2):  # the first press may cancel a picked card
            stage.page.keyboard.press("Escape")
        expect(stage.page.locator("[data-hint]")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_has_five_words(language: str) -> None:
    """A name counts as one."""
    for key, found in catalog(language).texts.items():
        if key.startswith("advice."):
            for text in found.values() if isinstance(found, dict) else [found]:
                assert len([word for word in text.split() if word.strip("«»:%.")]) <= 5, (key, text)

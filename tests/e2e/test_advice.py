"""Hints at the table: always against bots, with other people only by agreement."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from lastcard.server.wire.parts import AdvisedMove
from support.live_server import LiveServer
from support.mock_screen import MockScreen
from support.player import PHONE, BrowserPlayer, Invite
from support.screens import SCREENS

COMPILE_TIMEOUT_MS: Final = 180_000
"""Milliseconds: the first search of a new engine compiles it."""


def button(player: BrowserPlayer) -> Locator:
    """The button that opens the panel."""
    return player.page.get_by_role("button", name="Hint", exact=True)


def panel(player: BrowserPlayer) -> Locator:
    return player.page.get_by_role("dialog", name="Hint")


def test_the_best_moves_against_bots(live_server: LiveServer, invite: Invite) -> None:
    """Three moves at most, with chances and a sentence; making a move closes the panel."""
    ann = invite(live_server.url, "Ann", **PHONE)
    ann.make_table("classic", 3)
    expect(button(ann)).to_be_hidden()
    ann.start()
    ann.wait_for_turn()
    button(ann).click()
    moves = panel(ann).get_by_role("listitem")
    expect(moves.first).to_be_visible(timeout=COMPILE_TIMEOUT_MS)
    assert 1 <= moves.count() <= 3
    for i in range(moves.count()):
        moves.nth(i).locator("label").click()
        line = moves.nth(i).inner_text()
        assert re.search(r"\d+% ± \d+%", line) and line.rstrip().endswith(".")
    expect(ann.uno).to_be_in_viewport()
    ann.make_move(next(iter(ann.screen_state().playable), "draw").partition(":")[0])
    expect(panel(ann)).to_be_hidden()


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
    expect(panel(waits)).to_contain_text("Hints are for your own turn.")


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_every_move_has_a_picture(stage: MockScreen) -> None:
    """A play shows its card, drawing the back of one, a color its sign, a player their face; nothing is empty."""
    pictures = {
        "draw": "card-back",
        "accept": "card-back",
        "pass": "card",
        "challenge": "card",
        "pull": "card",
        "color=R": "symbol",
        "choose>1": "avatar",
        "throw R5": "card-R",
        "W=G": "card-W",
    }
    for move, css_class in pictures.items():
        SCREENS["turn"](stage)
        ply = stage.page.evaluate("document.querySelector('lc-game').session.game.ply")
        stage.change_table(hints=True)
        stage.answers["advise"] = {
            "type": "advice",
            "ply": ply,
            "moves": [AdvisedMove(move, "a move", 0.5, 0.01, "A reason.")],
        }
        stage.press("web.table.hint")
        picture = stage.page.locator(".advice-card svg")
        expect(picture).to_be_visible()
        assert css_class in (picture.get_attribute("class") or "").split(), move
        stage.page.keyboard.press("Escape")

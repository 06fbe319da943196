"""Servers that die and pages that are reloaded during a match."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pytest_playwright import CreateContextCallback

from lastcard.game.cards import CARD_NAMES
from lastcard.match.match import Match
from support.live_server import VERSION, LiveServer, find_seed, hand_texts, serve_another_version
from support.player import BrowserPlayer, Invite, make_any_move, wait_for_cards
from support.websocket_players import ServerProcess

RULES = "classic+first_dealer=host"
CONNECTION_LOST_TEXT = "Reconnecting … Nothing is lost."
PLIES = 6


def begin(server: ServerProcess, invite: Invite) -> tuple[BrowserPlayer, BrowserPlayer]:
    """Ann and Ben, some moves into a match."""
    ann, ben = invite(server.url, "Ann"), invite(server.url, "Ben")
    ann.play_with(ben, rules=RULES)
    wait_for_cards(ann, ben)
    go_on(ann, ben, PLIES)
    while not any(player.screen_state().asked and player.screen_state().draw for player in (ann, ben)):
        go_on(ann, ben, ann.screen_state().ply + 1)
    return ann, ben


def go_on(ann: BrowserPlayer, ben: BrowserPlayer, ply: int) -> None:
    """Play until the match has this many moves."""
    while max(ann.screen_state().ply, ben.screen_state().ply) < ply:
        for player in (ann, ben):
            state = player.screen_state()
            if state.asked:
                make_any_move(player, state)
    for player in (ann, ben):
        player.wait_for_ply(ply)


def is_back(player: BrowserPlayer) -> None:
    """Wait until the page has its connection again."""
    expect(player.page.get_by_text(CONNECTION_LOST_TEXT)).to_have_count(0, timeout=30_000)
    welcomes = sum('"type":"welcome"' in text for text in player.received)
    assert welcomes >= 2


def test_kill(server: ServerProcess, invite: Invite) -> None:
    """Killed with -9 and started again on the same file: all acknowledged moves are there, play goes on."""
    ann, ben = begin(server, invite)
    before = [player.screen_state() for player in (ann, ben)]
    server.kill()
    for player in (ann, ben):
        expect(player.page.get_by_text(CONNECTION_LOST_TEXT)).to_be_visible()
    # A move made during the outage is queued and sent once when the connection is back.
    mover = next(player for player in (ann, ben) if player.screen_state().asked)
    mover.pile.click()
    server.start()
    for player, seen in zip((ann, ben), before, strict=True):
        is_back(player)
        player.wait_for_ply(seen.ply + 1)
        assert player.screen_state().ply == seen.ply + 1
        drawn = int(player is mover)
        assert len(player.screen_state().hand) == len(seen.hand) + drawn and not set(seen.hand) - set(
            player.screen_state().hand
        )
    go_on(ann, ben, ann.screen_state().ply + 6)
    assert not [answer for player in (ann, ben) for answer in player.refusals()]


def test_stop(server: ServerProcess, invite: Invite) -> None:
    """After a clean stop the pages say so and reconnect by themselves."""
    ann, ben = begin(server, invite)
    before = [player.screen_state() for player in (ann, ben)]
    server.send_signal(signal.SIGTERM)
    assert server.wait() == 0
    for player in (ann, ben):
        expect(player.page.get_by_text(CONNECTION_LOST_TEXT)).to_be_visible()
        assert any('"why":"restart"' in text for text in player.received)
    server.start()
    for player in (ann, ben):
        is_back(player)
    for player, seen in zip((ann, ben), before, strict=True):
        player.wait_for_state(seen)
    go_on(ann, ben, ann.screen_state().ply + 2)


def may_play_drawn(match: Match) -> bool:
    """Ben begins, and the first card he draws can be played."""
    table = match.round
    if table.turn != 1 or table.decision != "play":
        return False
    copied = table.copy()
    copied.do(1, "draw")
    return copied.decision == "drawn" and "W" not in CARD_NAMES[copied.view(1).drawn or 0]


def asks_for_color(match: Match) -> bool:
    """The first card is a wild, and Ben names the color (CL-10)."""
    return match.round.decision == "color" and match.round.turn == 1 and "W" in hand_texts(match, 1)


def test_reload_with_a_drawn_card(ann: BrowserPlayer, ben: BrowserPlayer, live_server: LiveServer) -> None:
    """After a reload with a drawn card in hand, the page offers the same: to play it or keep it."""
    live_server.seed = find_seed(RULES, 2, may_play_drawn)
    ann.play_with(ben, rules=RULES)
    ben.wait_for_turn()
    ben.make_move("draw")
    ben.wait_for_turn("fits. Play it?")
    before = ben.screen_state()
    ben.page.reload()
    ben.wait_for_turn("fits. Play it?")
    assert ben.screen_state() == before
    assert len(before.playable) == 1 and before.answers == ["Play it", "Keep it"]
    ben.answer("Play it").click()
    expect(ben.hand.get_by_role("button")).to_have_count(7)


def test_reload_while_a_color_is_asked(ann: BrowserPlayer, ben: BrowserPlayer, live_server: LiveServer) -> None:
    """After a reload while a color is pending, the page asks for it again; a half-made choice is lost."""
    live_server.seed = find_seed(RULES, 2, asks_for_color)
    ann.play_with(ben, rules=RULES)
    ben.wait_for_turn()
    colors = ["red", "yellow", "green", "blue"]
    assert ben.screen_state().answers == colors
    ben.page.reload()
    ben.wait_for_turn("Name a color.")
    assert ben.screen_state().answers == colors
    ben.make_move("color=Y")
    ben.wait_for_turn()

    ben.card("W").click()
    expect(ben.action_bar).to_contain_text("Wild: which color?")
    ben.page.reload()
    ben.wait_for_turn("Play a card or draw.")
    ben.make_move("W=B")
    ann.wait_for_turn()
    expect(ann.top).to_have_attribute("aria-label", "Top card: Wild. Current color: blue.")


def test_a_server_replaced_under_an_open_page(
    ann: BrowserPlayer, ben: BrowserPlayer, live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page goes on; when it needs one more module it reloads, with the same cards, and then has it."""
    live_server.seed = find_seed(RULES, 2, may_play_drawn)
    ann.play_with(ben, rules=RULES)
    ben.wait_for_turn()
    before, old = ben.screen_state(), ben.page.evaluate(VERSION)
    ben.page.route("**", lambda route: route.continue_())  # without the cache, which has modules of earlier tests
    serve_another_version(tmp_path, monkeypatch)
    ben.page.get_by_role("button", name="Menu").click()
    ben.page.wait_for_function(f"(old) => {VERSION} !== old", arg=old)
    ben.wait_for_turn()
    assert ben.screen_state() == before
    ben.page.get_by_role("button", name="Menu").click()
    expect(ben.page.get_by_label("Sound", exact=True)).to_be_visible()


def test_a_page_older_than_its_server_is_loaded_anew(
    live_server: LiveServer, new_context: CreateContextCallback
) -> None:
    """The page requests one more module of its own version, which the server does not have."""
    page = new_context(locale="en").new_page()
    page.goto(f"{live_server.url}/rules/classic")
    expect(page.get_by_role("heading", name="UNO: the rules")).to_be_visible()
    page.evaluate("() => { window.old = true; void import('/web/0123456789abcdef/lobby/lobby.js'); }")
    page.wait_for_function("() => !window.old")
    expect(page.get_by_role("heading", name="UNO: the rules")).to_be_visible()
    assert page.url == f"{live_server.url}/rules/classic"

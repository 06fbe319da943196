"""A whole match of each game between two people and bots, through the page alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from lastcard.game.seeds import parse_seed
from support.live_server import LiveServer
from support.player import DESKTOP, PHONE, BrowserPlayer, Invite, play_match, wait_for_cards

SEEDS = {"UNO All Wild": 5, "UNO": 1261, "UNO Wild Jackpot": 106}
"""Seeds of short matches: some thirty moves, the long ones two rounds."""
GAMES: dict[str, dict[str, str]] = {
    "UNO All Wild": {},
    "UNO": {"The score that ends a match": "100", "Cards dealt to each player": "5"},
    "UNO Wild Jackpot": {"The score that ends a match": "100", "Cards dealt to each player": "5"},
}


def configure(host: BrowserPlayer, changes: dict[str, str]) -> None:
    """Three seats and a short match, set in the dialog of settings."""
    page = host.page
    page.get_by_role("button", name="Edit rules").click()
    dialog = page.get_by_role("dialog", name="Settings of the table")
    dialog.get_by_role("group", name="Seats").get_by_role("radio", name="3", exact=True).check()
    dialog.get_by_role("group", name="Pace").get_by_role("radio", name="No clock").check()
    for option, value in changes.items():
        dialog.get_by_label("Search the rules").fill(option)
        dialog.get_by_label(option).select_option(value)
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize(
    ("game", "screen"), [("UNO All Wild", PHONE), ("UNO", DESKTOP), ("UNO Wild Jackpot", PHONE)], ids=list(GAMES)
)
def test_match(live_server: LiveServer, invite: Invite, game: str, screen: dict[str, Any]) -> None:
    """From a new table and its code to the winner and the rematch; nothing is refused on the way."""
    live_server.seed = parse_seed(SEEDS[game])
    ann, ben = invite(live_server.url, "Ann"), invite(live_server.url, "Ben", **screen)
    code = ann.new_table(game)
    configure(ann, GAMES[game])
    ben.join_by_code(code)
    ann.wait_until_seated("Ann", "Ben")
    ann.start()
    wait_for_cards(ann, ben)

    play_match([ann, ben])

    match = live_server.match(code)
    assert match.winners is not None
    names = [match.players[seat] for seat in match.winners]
    for player in (ann, ben):
        alone = "You win the match!" if names == [player.name] else f"{names[0]} wins the match!"
        together = f"{', '.join(names)} win the match together!"
        expect(player.page.get_by_role("heading", name=alone if len(names) == 1 else together)).to_be_visible()
        assert not player.refusals()
    ben.page.get_by_role("button", name="Play again").click()
    expect(ben.page.get_by_role("button", name="Waiting for 1 player")).to_be_visible()
    expect(ann.page.get_by_text("Ben is ready")).to_be_attached()
    ann.page.get_by_role("button", name="Play again").click()
    for player in (ann, ben):
        expect(player.hand.get_by_role("button")).to_have_count(match.rules.options.hand_size)
        expect(player.page.get_by_role("heading", name=re.compile("the match"))).to_be_hidden()

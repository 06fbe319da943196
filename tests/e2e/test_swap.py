"""A forced swap with the player picked on the page (AW-24)."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import expect

from lastcard.match.match import Match
from support.live_server import LiveServer, find_seed, hand_texts
from support.player import BrowserPlayer

RULES = "all-wild+first_dealer=host"
RARE = "W@2"
"""Only the two who swap hold it: the third must never receive it."""


def swaps(match: Match) -> bool:
    """Seat 1 begins and may swap with seat 0; only they hold the rare card."""
    hands = [hand_texts(match, seat) for seat in range(3)]
    only_bens = RARE in hands[1] and RARE not in hands[0] and RARE not in hands[2]
    return match.round.turn == 1 and "Wx" in hands[1] and only_bens and Counter(hands[0]) != Counter(hands[1])


def test_swap(ann: BrowserPlayer, ben: BrowserPlayer, cleo: BrowserPlayer, live_server: LiveServer) -> None:
    """Hands really change places, and the third page receives none of their cards (no hidden card, ever)."""
    live_server.seed = find_seed(RULES, 3, swaps)
    ann.play_with(ben, cleo, rules=RULES)
    ben.wait_for_turn()
    anns, bens = Counter(ann.screen_state().hand), Counter(ben.screen_state().hand)

    ben.card("Wx").click()
    expect(ben.action_bar).to_contain_text("which player?")
    expect(ben.answer("Cleo")).to_be_visible()
    ben.send_move(ben.answer("Ann").click)

    left = bens - Counter(["Wx"])
    assert Counter(ben.screen_state().hand) == anns
    ann.wait_for_ply(1)
    assert Counter(ann.screen_state().hand) == left
    cleo.wait_for_ply(1)
    expect(cleo.seat_of("Ann")).to_contain_text(str(left.total()))
    assert [text for text in ben.received if RARE in text] and [text for text in ann.received if RARE in text]
    assert not [text for text in cleo.received if RARE in text]
    assert not [text for text in cleo.received if '"hands":[' in text]

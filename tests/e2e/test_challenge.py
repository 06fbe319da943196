"""A Wild Draw Four, challenged both ways and accepted (CL-32 to CL-36)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from lastcard.game.cards import CARD_NAMES
from lastcard.match.match import Match
from support.live_server import LiveServer, find_seed, hand_texts
from support.player import BrowserPlayer, Invite

RULES = "classic+first_dealer=host"
BLUFF = "+4 for you! Was it a bluff?"


def draws_four(is_bluff: bool) -> Callable[[Match], bool]:
    """Ben begins with a Wild Draw Four, with or without a card of the current color."""

    def condition(match: Match) -> bool:
        color = CARD_NAMES[match.round.top][0]
        bens = hand_texts(match, 1)
        begins = match.round.turn == 1 and match.round.decision == "play" and color != "W"
        return begins and "W+4" in bens and any(card[0] == color for card in bens) == is_bluff

    return condition


def test_a_card_may_answer(
    ann: BrowserPlayer, ben: BrowserPlayer, cleo: BrowserPlayer, live_server: LiveServer
) -> None:
    """LC-40: the page says so to a player who holds a card that answers."""
    rules, wish = f"{RULES}+stacking=same", draws_four(is_bluff=False)
    live_server.seed = find_seed(rules, 3, lambda match: wish(match) and "W+4" in hand_texts(match, 2))
    ann.play_with(ben, cleo, rules=rules)
    ben.wait_for_turn()
    ben.make_move("W+4=G")
    cleo.wait_for_turn(f"{BLUFF} Or answer with a card.")
    cleo.make_move("W+4=G")
    ann.wait_for_turn("+8 for you: answer or draw.")


def seat_after_draw_four(
    live_server: LiveServer, invite: Invite, is_bluff: bool
) -> tuple[BrowserPlayer, BrowserPlayer, BrowserPlayer]:
    """Ann, Ben who has laid the card, and Cleo who must draw."""
    live_server.seed = find_seed(RULES, 3, draws_four(is_bluff))
    ann, ben, cleo = (invite(live_server.url, name) for name in ("Ann", "Ben", "Cleo"))
    ann.play_with(ben, cleo, rules=RULES)
    ben.wait_for_turn()
    ben.make_move("W+4=G")
    cleo.wait_for_turn(BLUFF)
    return ann, ben, cleo


@pytest.mark.parametrize(("guilty", "drawn"), [(True, (10, 7)), (False, (6, 13))])
def test_challenge(live_server: LiveServer, invite: Invite, guilty: bool, drawn: tuple[int, int]) -> None:
    """A guilty player draws four, a wrong challenger six; only the challenger sees the hand."""
    ann, ben, cleo = seat_after_draw_four(live_server, invite, guilty)
    bens, names = ben.screen_state().hand, ben.names()
    cleo.make_move("challenge")

    expect(cleo.action_bar).to_contain_text("Ben held these cards:")
    shown = cleo.action_bar.get_by_role("img").and_(cleo.page.get_by_label(re.compile("^(?!Cleo:)"))).all()
    assert Counter(card.get_attribute("aria-label") for card in shown) == Counter(names)
    for player, cards in zip((ben, cleo), drawn, strict=True):
        expect(player.hand.get_by_role("button")).to_have_count(cards)

    ann.wait_for_ply(2)
    expect(ann.action_bar).not_to_contain_text("held these cards")
    open_cards = {CARD_NAMES[card] for card in live_server.match(ann.table_code()).round.discard}
    secret = set(bens) - set(ann.screen_state().hand) - open_cards
    assert secret
    assert not [(card, text) for text in ann.received for card in secret if f'"{card}"' in text]


def test_accept(live_server: LiveServer, invite: Invite) -> None:
    """Accepting draws four and loses the turn; no cards are shown."""
    ann, ben, cleo = seat_after_draw_four(live_server, invite, is_bluff=True)
    cleo.make_move("accept")
    expect(cleo.hand.get_by_role("button")).to_have_count(11)
    expect(ben.hand.get_by_role("button")).to_have_count(6)
    ann.wait_for_turn()
    assert not [text for text in cleo.received if '"e":"shown"' in text]


def test_a_shown_hand_is_hidden_from_the_next_person(live_server: LiveServer, invite: Invite) -> None:
    """On a shared device somebody else has it then; no new round is needed for that."""
    _, _, cleo = seat_after_draw_four(live_server, invite, is_bluff=False)
    cleo.make_move("challenge")
    expect(cleo.action_bar).to_contain_text("Ben held these cards:")
    dispatch_dealt = "document.querySelector('lc-game').session.dispatchEvent(new CustomEvent('dealt', { detail }))"
    cleo.page.evaluate(f"(detail) => {dispatch_dealt}", {"events": []})
    expect(cleo.action_bar).not_to_contain_text("Ben held these cards:")

"""A Wild Draw Four, challenged both ways and accepted (CL-32 to CL-36)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from lastcard.game.cards import CARD_NAMES
from lastcard.match.match import Match
from support.house import House, cards_of, find_seed
from support.player import Invite, Player

RULES = "classic+first_dealer=host"
BLUFF = "+4 for you! Was it a bluff?"


def draws_four(guilty: bool) -> Callable[[Match], bool]:
    """Ben begins with a Wild Draw Four, with or without a card of the color in force."""

    def wish(match: Match) -> bool:
        color = CARD_NAMES[match.round.top][0]
        bens = cards_of(match, 1)
        begins = match.round.turn == 1 and match.round.decision == "play" and color != "W"
        return begins and "W+4" in bens and any(card[0] == color for card in bens) == guilty

    return wish


def test_a_card_may_answer(house: House, invite: Invite) -> None:
    """LC-40: whoever holds a card that answers is told so."""
    rules, wish = f"{RULES}+stacking=same", draws_four(guilty=False)
    house.seed = find_seed(rules, 3, lambda match: wish(match) and "W+4" in cards_of(match, 2))
    ann, ben, cleo = (invite(house.url, name) for name in ("Ann", "Ben", "Cleo"))
    ann.play_with(ben, cleo, rules=rules)
    ben.is_asked()
    ben.do("W+4=G")
    cleo.is_asked(f"{BLUFF} Or answer with a card.")
    cleo.do("W+4=G")
    ann.is_asked("+8 for you: answer or draw.")


def struck(house: House, invite: Invite, guilty: bool) -> tuple[Player, Player, Player]:
    """Ann, Ben who has laid the card, and Cleo whom it strikes."""
    house.seed = find_seed(RULES, 3, draws_four(guilty))
    ann, ben, cleo = (invite(house.url, name) for name in ("Ann", "Ben", "Cleo"))
    ann.play_with(ben, cleo, rules=RULES)
    ben.is_asked()
    ben.do("W+4=G")
    cleo.is_asked(BLUFF)
    return ann, ben, cleo


@pytest.mark.parametrize(("guilty", "drawn"), [(True, (10, 7)), (False, (6, 13))])
def test_challenge(house: House, invite: Invite, guilty: bool, drawn: tuple[int, int]) -> None:
    """The guilty one draws four, the wrong challenger six; the hand is shown to the challenger and nobody else."""
    ann, ben, cleo = struck(house, invite, guilty)
    bens, names = ben.sight().hand, ben.names()
    cleo.do("challenge")

    expect(cleo.tray).to_contain_text("Ben held these cards:")
    shown = cleo.tray.get_by_role("img").and_(cleo.page.get_by_label(re.compile("^(?!Cleo:)"))).all()
    assert Counter(card.get_attribute("aria-label") for card in shown) == Counter(names)
    for player, cards in zip((ben, cleo), drawn, strict=True):
        expect(player.hand.get_by_role("button")).to_have_count(cards)

    ann.sees_ply(2)
    expect(ann.tray).not_to_contain_text("held these cards")
    open_cards = {CARD_NAMES[card] for card in house.match(ann.code()).round.discard}
    secret = set(bens) - set(ann.sight().hand) - open_cards
    assert secret
    assert not [(card, text) for text in ann.heard for card in secret if f'"{card}"' in text]


def test_accept(house: House, invite: Invite) -> None:
    """Who accepts draws four and loses the turn; nobody sees anything."""
    ann, ben, cleo = struck(house, invite, guilty=True)
    cleo.do("accept")
    expect(cleo.hand.get_by_role("button")).to_have_count(11)
    expect(ben.hand.get_by_role("button")).to_have_count(6)
    ann.is_asked()
    assert not [text for text in cleo.heard if '"e":"shown"' in text]


def test_what_was_shown_is_not_there_for_the_next_person(house: House, invite: Invite) -> None:
    """At a device of several people somebody else looks then; nothing is dealt for that."""
    _, _, cleo = struck(house, invite, guilty=False)
    cleo.do("challenge")
    expect(cleo.tray).to_contain_text("Ben held these cards:")
    someone_looks = "document.querySelector('lc-game').session.dispatchEvent(new CustomEvent('dealt', { detail }))"
    cleo.page.evaluate(f"(detail) => {someone_looks}", {"events": []})
    expect(cleo.tray).not_to_contain_text("Ben held these cards:")

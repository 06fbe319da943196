"""The lever of Wild Jackpot with rule cards written on the page (WJ-4, WJ-20 to WJ-47)."""

from __future__ import annotations

import re
from typing import Final

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from lastcard.game.cards import CARD_NAMES
from lastcard.game.rulecards import parse_rule_card
from lastcard.match.events import RuleDealt
from lastcard.match.match import Match
from lastcard.server.wire.parts import Happening
from support.live_server import LiveServer, find_seed, hand_texts
from support.mock_screen import MockScreen
from support.player import BrowserPlayer, Invite
from support.pointers import box_of
from support.screens import SCREENS

RULES: Final = "wild-jackpot+first_dealer=host+wj_rules=written+wj_lever_weights=0/1/0/0/0/0"
"""The lever always points to the player on the right."""

DARE: Final = "sing a song"
BUILT: Final = "draw 3"
CARDS: Final = {
    "Ann": [f"dare: {DARE}", BUILT, "dare: ann three", "dare: ann four"],
    "Ben": [f"dare: ben {n}" for n in ("one", "two", "three", "four")],
}
ALL: Final = [parse_rule_card(text) for name in ("Ann", "Ben") for text in CARDS[name]]


def jackpot(match: Match, rule: str) -> str | None:
    """The Jackpot with which Ben can begin, if the next rule card is the wanted one."""
    top = CARD_NAMES[match.round.top]
    card = f"{top[0]}j"
    if match.round.turn != 1 or match.round.decision != "play" or top[0] == "W" or card not in hand_texts(match, 1):
        return None
    table = match.round.copy()
    table.do(1, card)
    if table.decision != "pull":
        return None
    dealt = [table.rule_cards[event.rule] for event in table.do(1, "pull") if isinstance(event, RuleDealt)]
    return card if dealt == [parse_rule_card(rule)] else None


def write(player: BrowserPlayer) -> None:
    """Fill in all cards, dares as text and the built one by fields; each shows its reading."""
    page = player.page
    expect(page.get_by_role("heading", name="Write the rule cards")).to_be_visible()
    for number, text in enumerate(CARDS[player.name], 1):
        form = page.locator("section", has=page.get_by_role("group", name=f"Card {number}", exact=True))
        form = form.and_(page.locator(".rule-card"))
        if text == BUILT:
            form.get_by_role("radio", name="An effect on cards").check()
            form.get_by_label("Effect", exact=True).select_option("draw")
            form.get_by_label("How many", exact=True).select_option("3")
            expect(form).to_contain_text(re.compile("Draw 3 cards", re.IGNORECASE))
        else:
            form.get_by_label("Text of the dare").fill(text.removeprefix("dare: "))
            expect(form.locator("[aria-live]")).to_contain_text(text.removeprefix("dare: "))
    page.get_by_role("button", name="Done").click()


def start_written(live_server: LiveServer, invite: Invite, rule: str) -> tuple[BrowserPlayer, BrowserPlayer, str]:
    """Ann and Ben have written; Ben is to begin and may lay a Jackpot, after which a rule card comes."""
    live_server.seed = find_seed(RULES, 2, lambda match: jackpot(match, rule) is not None, ALL)
    card = jackpot(Match(RULES, 2, seed=live_server.seed, rule_cards=ALL), rule)
    assert card is not None
    ann, ben = invite(live_server.url, "Ann"), invite(live_server.url, "Ben")
    ann.play_with(ben, rules=RULES)
    write(ann)
    expect(ann.page.get_by_text("Your cards are in the dispenser")).to_be_visible()
    write(ben)
    ben.wait_for_turn()
    return ann, ben, card


def pull(ann: BrowserPlayer, ben: BrowserPlayer, card: str) -> None:
    """Ben lays the Jackpot and pulls the lever; both see its outcome."""
    ben.make_move(card)
    ben.wait_for_turn("Pull the lever")
    lever = ben.page.locator("lc-lever").get_by_role("button", name="Pull the lever")
    expect(lever).to_be_enabled()
    ben.send_move(lever.click)
    for player in (ann, ben):
        expect(player.page.locator("lc-lever")).to_contain_text("Player on your right: rule card")


def test_dare(live_server: LiveServer, invite: Invite) -> None:
    """Ann gets the dare, everybody reads it, and she alone confirms that it is done."""
    ann, ben, card = start_written(live_server, invite, CARDS["Ann"][0])
    pull(ann, ben, card)
    for player in (ann, ben):
        expect(player.action_bar).to_contain_text(DARE)
    ann.wait_for_turn(DARE)
    expect(ben.answer("Done!")).to_have_count(0)
    assert ann.make_move("done")["type"] == "done"
    expect(ann.action_bar).not_to_contain_text(DARE)


def test_built(live_server: LiveServer, invite: Invite) -> None:
    """The table executes the card's effects."""
    ann, ben, card = start_written(live_server, invite, BUILT)
    pull(ann, ben, card)
    expect(ann.hand.get_by_role("button")).to_have_count(10)
    expect(ben.seat_of("Ann")).to_have_accessible_name(re.compile("^Ann: 10 cards"))


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 800)])
def test_the_lever_moves_aside(stage: MockScreen) -> None:
    """It replaces the piles until it is pulled; its result leaves them visible."""
    SCREENS["pull"](stage)
    page, game = stage.page, stage.welcome["game"]
    expect(page.locator("lc-lever")).to_be_visible()
    expect(page.locator(".piles")).to_have_css("visibility", "hidden")
    public = replace(game.public, decision="play")
    stage.send_move(Happening(e="lever", seat=game.mine.seat, outcome="left"), seat=game.mine.seat, public=public)
    expect(page.locator(".lever-panel.aside")).to_contain_text(stage.text("lever.left"))
    expect(page.locator(".piles")).to_have_css("visibility", "visible")
    result, pile = (box_of(page.locator(part)) for part in (".lever-result", ".draw-pile"))
    assert result["y"] + result["height"] <= pile["y"] or result["x"] + result["width"] <= pile["x"]


def test_nothing_written(ann: BrowserPlayer, ben: BrowserPlayer) -> None:
    """A card without words is refused: the page says so and stays."""
    ann.play_with(ben, rules=RULES)
    ann.page.get_by_label("Text of the dare").first.fill("   ")
    ann.page.get_by_role("button", name="Done").click()
    expect(ann.page.get_by_label("Text of the dare").first).to_be_focused()
    expect(ann.page.locator(".rule-preview.error").first).not_to_be_empty()

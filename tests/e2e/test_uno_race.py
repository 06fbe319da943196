"""The race for UNO through two pages (CO-10 to CO-17): in time, too late, caught, and the grace."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from lastcard.play.match import Match
from support.house import House, cards_of, find_seed
from support.player import Invite, Player

RULES = "all-wild+first_dealer=host+hand_size=5"
AGAIN = ("Ws", "Wr")
"""Cards after which the same person plays on, in a game of two."""

AT_ONCE = "() => { const now = performance.now(); performance.now = () => now; }"
"""For the page no time goes by, however slow the machine: a press long after is none that came too late."""


def gets_down(match: Match) -> bool:
    """Ben begins, plays on three times and has a plain wild before his last card; Ann can answer with one."""
    bens = cards_of(match, 1)
    on = sum(bens.count(card) for card in AGAIN)
    return match.round.turn == 1 and on == 3 and "W" in bens and "W" in cards_of(match, 0)


def at_table(house: House, invite: Invite, grace: int) -> tuple[Player, Player]:
    """Ann, and Ben who begins."""
    house.seed = find_seed(RULES, 2, gets_down)
    ann, ben = invite(house.url, "Ann"), invite(house.url, "Ben")
    ann.play_with(ben, rules=RULES, grace=grace)
    ben.is_asked()
    return ann, ben


def one_card_left(house: House, invite: Invite, grace: int) -> tuple[Player, Player]:
    """Ann at the table with Ben, who has just laid his last card but one without a word."""
    ann, ben = at_table(house, invite, grace)
    for card in [card for card in ben.sight().hand if card in AGAIN]:
        ben.do(card)
    ben.do("W")
    expect(ann.seat_of("Ben")).to_have_accessible_name(re.compile("has not called UNO: tap to catch"))
    return ann, ben


def test_call_in_time(house: House, invite: Invite) -> None:
    """A press right after the play is in time, and everybody sees it."""
    ann, ben = one_card_left(house, invite, grace=1000)
    assert ben.do("uno")["type"] == "done"
    expect(ben.uno).to_contain_text("called")
    expect(ann.seat_of("Ben")).to_have_accessible_name(re.compile("has called UNO"))


def test_call_with_the_play(house: House, invite: Invite) -> None:
    """Pressed before one's turn, the call waits and goes with the play."""
    ann, ben = at_table(house, invite, grace=0)
    on = [card for card in ben.sight().hand if card in AGAIN]
    for card in (on[0], on[1], "W"):
        ben.do(card)
    ben.uno.click()
    expect(ben.uno).to_contain_text("with the play")
    ann.do("W")
    ben.is_asked()
    ben.do(on[2])
    assert f'"move":"{on[2]}!"' in ben.said[-1]
    expect(ann.seat_of("Ben")).to_have_accessible_name(re.compile("has called UNO"))


def test_caught_and_too_late(house: House, invite: Invite) -> None:
    """A tap on the exposed player catches; the late press is told how late it was, on the page too."""
    ann, ben = one_card_left(house, invite, grace=0)
    ben.page.evaluate(AT_ONCE)
    assert ann.do("catch>Ben")["type"] == "done"
    ben.sees_ply(5)
    answer = ben.do("uno")
    assert answer["code"] == "late" and answer["late"] > 0
    expect(ben.alert).to_have_text(re.compile(r"^\d\.\d+\ss too late\.$"))
    expect(ben.hand.get_by_role("button")).to_have_count(3)
    expect(ann.seat_of("Ben")).to_have_accessible_name(re.compile("^Ben: 3 cards"))


def test_grace(house: House, invite: Invite) -> None:
    """A call within the grace beats a catch that came before it; called by the key U."""
    ann, ben = one_card_left(house, invite, grace=3000)
    ann.seat_of("Ben").click()
    ann.until(lambda: any("catch>1" in text for text in ann.said), "the catch was sent")
    assert ben.act(lambda: ben.page.keyboard.press("u"))["type"] == "done"
    expect(ann.alert).to_contain_text("Ben called UNO in time.")
    expect(ben.hand.get_by_role("button")).to_have_count(1)

"""The race for UNO through two pages (CO-10 to CO-17): in time, too late, caught, and the grace."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from lastcard.match.match import Match
from support.live_server import LiveServer, find_seed, hand_texts
from support.mock_screen import MockScreen, OpenScreen
from support.page_readiness import wait_until_ready
from support.player import BrowserPlayer, Invite
from support.situations import reach

RULES = "all-wild+first_dealer=host+hand_size=5"
AGAIN = ("Ws", "Wr")
"""Cards after which the same person plays on, in a game of two."""

AT_ONCE = "() => { const now = performance.now(); performance.now = () => now; }"
"""Stops the page's clock: however slow the machine is, no press comes too late."""


def gets_down(match: Match) -> bool:
    """Ben begins, plays on three times and has a plain wild before his last card; Ann can answer with one."""
    bens = hand_texts(match, 1)
    on = sum(bens.count(card) for card in AGAIN)
    return match.round.turn == 1 and on == 3 and "W" in bens and "W" in hand_texts(match, 0)


def at_table(
    live_server: LiveServer, invite: Invite, grace: int, rules: str = RULES
) -> tuple[BrowserPlayer, BrowserPlayer]:
    """Ann, and Ben who begins."""
    live_server.seed = find_seed(RULES, 2, gets_down)
    ann, ben = invite(live_server.url, "Ann"), invite(live_server.url, "Ben")
    ann.play_with(ben, rules=rules, grace=grace)
    ben.wait_for_turn()
    return ann, ben


def one_card_left(live_server: LiveServer, invite: Invite, grace: int) -> tuple[BrowserPlayer, BrowserPlayer]:
    """Ann at the table with Ben, who has just laid his last card but one without a call."""
    ann, ben = at_table(live_server, invite, grace)
    for card in [card for card in ben.screen_state().hand if card in AGAIN]:
        ben.make_move(card)
    ben.make_move("W")
    expect(ann.seat_of("Ben")).to_have_accessible_name(re.compile("has not called UNO: tap to catch"))
    return ann, ben


def test_call_in_time(live_server: LiveServer, invite: Invite) -> None:
    """A press right after the play is in time, and everybody sees it."""
    ann, ben = one_card_left(live_server, invite, grace=1000)
    assert ben.make_move("uno")["type"] == "done"
    expect(ben.uno).to_contain_text("called")
    expect(ann.seat_of("Ben")).to_have_accessible_name(re.compile("has called UNO"))


@pytest.mark.parametrize("options", ["", "+false_uno_penalty=2"])
def test_call_with_the_play(live_server: LiveServer, invite: Invite, options: str) -> None:
    """Pressed out of turn, the call waits and goes with the play, also where a call would then be false."""
    ann, ben = at_table(live_server, invite, grace=0, rules=RULES + options)
    on = [card for card in ben.screen_state().hand if card in AGAIN]
    for card in (on[0], on[1], "W"):
        ben.make_move(card)
    ben.uno.click()
    expect(ben.uno).to_contain_text("with the play")
    ann.make_move("W")
    ben.wait_for_turn()
    ben.make_move(on[2])
    assert f'"move":"{on[2]}!"' in ben.sent[-1]
    expect(ann.seat_of("Ben")).to_have_accessible_name(re.compile("has called UNO"))


def test_caught_and_too_late(live_server: LiveServer, invite: Invite) -> None:
    """A tap on the exposed player catches; the page says how late the late press was."""
    ann, ben = one_card_left(live_server, invite, grace=0)
    ben.page.evaluate(AT_ONCE)
    assert ann.make_move("catch>Ben")["type"] == "done"
    ben.wait_for_ply(5)
    answer = ben.make_move("uno")
    assert answer["code"] == "late" and answer["late"] > 0
    expect(ben.alert).to_have_text(re.compile(r"^\d\.\d+\ss too late\.$"))
    expect(ben.hand.get_by_role("button")).to_have_count(3)
    expect(ann.seat_of("Ben")).to_have_accessible_name(re.compile("^Ben: 3 cards"))


def test_grace(live_server: LiveServer, invite: Invite) -> None:
    """A call within the grace period beats an earlier catch; the call is made by the key U."""
    ann, ben = one_card_left(live_server, invite, grace=3000)
    ann.seat_of("Ben").click()
    ann.wait_until(lambda: any("catch>1" in text for text in ann.sent), "the catch was sent")
    assert ben.send_move(lambda: ben.page.keyboard.press("u"))["type"] == "done"
    expect(ann.alert).to_contain_text("Ben called UNO in time.")
    expect(ben.hand.get_by_role("button")).to_have_count(1)


# --- one meaning of the button ---------------------------------------------------------------------------------


def two_cards(match: Match) -> bool:
    """Seat 1 holds two cards, and it is the turn of seat 0, which holds more."""
    table = match.round
    return table.decision == "play" and table.turn == 0 and table.counts[1] == 2 < table.counts[0]


def two_cards_on_turn(match: Match) -> bool:
    """Seat 1 holds two cards and can play one of them; it is on turn."""
    table = match.round
    fits = [move for move in map(str, table.legal()) if move[0] in "RYGB" and ">" not in move]
    return table.decision == "play" and table.turn == 1 and table.counts[1] == 2 and bool(fits)


def pressed(
    stage: OpenScreen, rules: str, condition: Callable[[Match], bool], seat: int, key: bool
) -> tuple[MockScreen, list[str]]:
    """A page on which UNO was pressed, with a finger or the key, and the moves it has sent."""
    page = stage(390, 844)
    page.show_match(reach(rules, 3, condition), seat=seat)
    if key:
        page.page.keyboard.press("u")
    else:
        page.page.locator(".uno-button").click()
    wait_until_ready(page.page)
    return page, [message["move"] for message in page.messages("act")]


@pytest.mark.parametrize(
    ("early", "fined", "key"),
    [
        *(("own_turn_two_cards", False, False), ("own_turn_two_cards", True, True)),
        *(("with_play_only", False, True), ("with_play_only", True, False)),
        *(("any_time", False, False), ("any_time", True, True)),
    ],
)
def test_a_press_means_the_same_whether_or_not_false_calls_are_fined(
    open_screen: OpenScreen, early: str, fined: bool, key: bool
) -> None:
    """The press calls where a call counts (CO-11, LC-17); elsewhere it only prepares the call, which costs nothing."""
    rules = f"classic+uno_early_call={early}" + ("+false_uno_penalty=2" if fined else "")
    for wish, seat, calls in (
        (two_cards, 1, early == "any_time"),
        (two_cards, 0, False),  # three cards or more, on turn
        (two_cards_on_turn, 1, early != "with_play_only"),
    ):
        stage, sent = pressed(open_screen, rules, wish, seat, key)
        button = stage.page.locator(".uno-button")
        assert sent == (["uno"] if calls else [])
        if not calls:
            expect(button).to_have_accessible_name(f"UNO! {stage.text('web.uno.armed')}")
            expect(button).to_have_attribute("aria-pressed", "true")


def test_a_prepared_call_goes_only_with_a_play_that_leaves_one_card(open_screen: OpenScreen) -> None:
    """With any other it would be false, which may cost two cards (LC-18)."""
    rules = "classic+uno_early_call=with_play_only+false_uno_penalty=2"
    for wish, seat, call in ((two_cards_on_turn, 1, "!"), (lively, 0, "")):
        stage, sent = pressed(open_screen, rules, wish, seat, key=False)
        assert sent == []
        stage.page.locator(".hand button.can").first.click()
        (sent_play,) = stage.messages("act")
        assert sent_play["move"].endswith("!") == bool(call)


@pytest.mark.parametrize(
    ("rules", "pace", "shown"),
    [
        ("classic", "relaxed", True),
        ("classic+uno_window=no_penalty", "relaxed", True),
        ("classic+uno_window=automatic_call", "relaxed", False),
        ("classic", "24h@Europe/Berlin", False),
    ],
)
def test_there_is_no_button_where_the_table_calls(stage: MockScreen, rules: str, pace: str, shown: bool) -> None:
    """By the rules (LC-16) or by the day; the key for it then does nothing either."""
    stage.show_match(reach(rules, 3, two_cards), seat=0)
    stage.change_table(settings=replace(stage.welcome["table"].settings, rules=rules, pace=pace))
    button = stage.page.locator(".uno-button")
    expect(button).to_be_visible(visible=shown)
    stage.page.keyboard.press("u")
    expect(button).to_have_attribute("aria-pressed", str(shown).lower())


def lively(match: Match) -> bool:
    """Seat 0 is on turn with three cards or more, and one of them that names nothing fits."""
    table = match.round
    fits = [move for move in map(str, table.legal()) if move[0] in "RYGB"]
    return table.decision == "play" and table.turn == 0 and table.counts[0] > 2 and bool(fits)

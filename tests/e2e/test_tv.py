"""The TV view on a real server: the big screen shows no hand at all, and follows every phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, expect

from lastcard.match.match import Match
from support.axe import find_violations
from support.live_server import LiveServer, hand_texts
from support.mock_screen import CODE, MockScreen, OpenScreen, seat_of, table_of
from support.page_readiness import wait_until_ready
from support.player import PHONE, BrowserPlayer, Invite, make_any_move
from support.pointers import box_of
from support.screens import SCREENS, WRITTEN
from support.situations import LONG_NAMES, NAMES, Condition, decides, holds, reach

ON_TV: Final = pytest.mark.parametrize("size", [(1920, 1080)])
FULL_HD: Final = {"viewport": {"width": 1920, "height": 1080}}


def received(player: BrowserPlayer) -> list[dict[str, Any]]:
    """Every message of the server."""
    return [json.loads(text) for text in player.received]


def test_big_screen_and_phones(live_server: LiveServer, invite: Invite) -> None:
    """The QR code brings a phone to the table; both play; the big screen shows each move and never receives a hand."""
    ann = invite(live_server.url, "Ann", **PHONE)
    code = ann.make_table("all-wild+hand_size=5", 2)
    tv = invite(live_server.url, "TV", **FULL_HD)
    tv.page.goto(f"{live_server.url}/tv/{code}")

    picture = tv.page.get_by_role("img", name="QR code")
    expect(picture).to_be_visible()
    tv.page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
    expect(tv.page.get_by_text(f"/t/{code}")).to_be_visible()

    ben = invite(live_server.url, "Ben", **PHONE)
    ben.follow_link(code)
    expect(tv.page.get_by_text("Ben", exact=True)).to_be_visible()
    ann.start()
    expect(tv.page.get_by_role("group", name="Players")).to_be_visible()

    played = 0
    while not ann.screen_state().over:
        for player in (ann, ben):
            state = player.screen_state()
            if state.asked and not state.over:
                make_any_move(player, state)
                played += 1
        for page in (ann, ben, tv):
            page.wait_for_ply(max(ann.screen_state().ply, ben.screen_state().ply))
        assert tv.screen_state().hand == []
    expect(tv.page.get_by_role("heading", name=re.compile("wins the match"))).to_be_visible()

    match = live_server.match(code)
    assert played > 5 and match.over
    messages = received(tv)
    assert messages and not [m for m in messages if m.get("mine") or (m.get("game") or {}).get("mine")]
    for message in messages:
        public = message.get("public") or (message.get("game") or {}).get("public")
        assert not public or public["hands"] is None or public["decision"] == "over"
        drawn = [event for event in message.get("events", []) if event["e"] == "drew"]
        assert not [event for event in drawn if event.get("cards")]


SMALL = """(least) => {
    const layer = document.querySelector(".motion-layer");
    for (const look of layer ? ["stamp", "stamp bad", "tally"] : []) {
        layer.append(Object.assign(document.createElement("div"), { className: look, textContent: "+4" }));
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set();
    while (texts.nextNode()) {
        const node = texts.currentNode.parentElement;
        const seen = node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        if (!seen || !texts.currentNode.textContent.trim() || node.closest(".visually-hidden, .skip-link")) continue;
        const size = parseFloat(getComputedStyle(node).fontSize);
        if (size < least) found.add(`${node.className || node.tagName}: ${size}`);
    }
    return [...found];
}"""
"""Visible words of fewer pixels than a limit."""

MIN_TEXT_PX = 40
"""Pixels of 1080 at which words can be read from a sofa."""


def shown(rules: str, condition: Condition, players: int = 4) -> Callable[[MockScreen], None]:
    """The big screen over a match that meets a condition."""
    return lambda stage: stage.show_match(reach(rules, players, condition), names=(*LONG_NAMES, *NAMES[2:]), tv=True)


def gone(stage: MockScreen) -> None:
    """The table no longer exists."""
    SCREENS["tv"](stage)
    stage.send(type="bye", why="gone")
    expect(stage.page.locator(".tv-stage .primary")).to_be_visible()


STATES: dict[str, Callable[[MockScreen], None]] = {
    "lobby": SCREENS["tv lobby"],
    "full lobby": lambda stage: stage.show_table(table_of("lobby", tuple(map(seat_of, NAMES))), tv=True),
    "writing": lambda stage: stage.show_table(
        table_of("writing", (seat_of("Ada"), seat_of("Ben")), WRITTEN[0]), tv=True
    ),
    "turn": shown("classic", decides("play")),
    "challenge": shown("classic", decides("challenge")),
    "stack": shown("classic+stacking=same", decides("stack")),
    "color": shown("classic", decides("color")),
    "lever": shown("wild-jackpot", decides("pull")),
    "rule card": shown("wild-jackpot", decides("perform")),
    "called": shown(
        "classic", lambda match: bool(match.round.public_state().exposed or match.round.public_state().called)
    ),
    "ten": shown("all-wild", holds("Wx"), 10),
    "between": shown("classic", lambda match: match.round.over and not match.over),
    "over": shown("all-wild+hand_size=5", lambda match: match.over),
    "gone": gone,
}


@ON_TV
def test_everything_can_be_read_from_the_sofa(stage: MockScreen) -> None:
    """No word on the television is smaller than 40 of 1080 pixels, whatever it shows."""
    for name, show in STATES.items():
        show(stage)
        if name in ("between", "over"):
            expect(stage.page.locator(".scores table")).to_be_visible()
        elif name not in ("lobby", "full lobby", "writing", "gone"):
            expect(stage.page.locator(".scoreboard-standings li").first).to_be_visible()
        assert stage.page.evaluate(SMALL, MIN_TEXT_PX) == [], name


def qr_code(stage: MockScreen) -> Locator:
    return stage.page.get_by_role("img", name="QR code")


@ON_TV
def test_the_lobby_says_how_to_join(stage: MockScreen) -> None:
    """The lobby shows code, address, QR code, and the people; it follows the table."""
    stage.show_table(table_of("lobby", (seat_of("Ada"), None, None, None)), tv=True)
    stage.open(f"/tv/{CODE.lower()}", ".tv-people")
    expect(stage.page.locator(".tv-code")).to_have_text(CODE)
    expect(stage.page.get_by_text(f"192.0.2.7:8020/t/{CODE}")).to_be_visible()
    url = quote(stage.welcome["table"].join_url, safe="")
    expect(qr_code(stage)).to_have_attribute("src", f"/qr/{CODE}.svg?{url}")
    expect(stage.page.get_by_text("free seat")).to_have_count(3)
    assert stage.messages("hello")[-1]["tv"] is True
    assert find_violations(stage.page) == []
    stage.change_table(seats=(*map(seat_of, ("Ada", *LONG_NAMES)), None))
    expect(stage.page.get_by_text("free seat")).to_have_count(1)
    expect(stage.page.get_by_text(LONG_NAMES[1])).to_be_visible()


@ON_TV
@pytest.mark.parametrize("state", ["lobby", "turn"])
def test_the_computer_comes_into_another_network(stage: MockScreen, state: str) -> None:
    """The new address is shown, and the QR code is fetched anew."""
    STATES[state](stage)
    moved = f"198.51.100.9:8020/t/{CODE}"
    stage.change_table(join_url=f"http://{moved}")
    expect(qr_code(stage)).to_have_attribute("src", f"/qr/{CODE}.svg?{quote(f'http://{moved}', safe='')}")
    if state == "lobby":
        expect(stage.page.locator(".tv-address")).to_have_text(moved)
    else:
        expect(stage.page.locator("lc-game[tv] .seats .seat")).to_have_count(4)


@ON_TV
def test_the_game_is_shown_without_a_hand(stage: MockScreen) -> None:
    """All players around the table, leader and events beside it, nobody's cards, and how late people join."""
    STATES["challenge"](stage)
    expect(stage.page.locator("lc-game[tv] .seats .seat")).to_have_count(4)
    expect(stage.page.locator(".hand .card, .seat-open .card")).to_have_count(0)
    expect(stage.page.locator(".tv-corner .tv-code")).to_have_text(CODE)
    expect(stage.page.get_by_role("button", name="UNO")).to_have_count(0)
    expect(stage.page.locator(".scoreboard-standings li")).to_have_count(4)
    expect(stage.page.locator(".scoreboard-events li").first).to_be_visible()
    assert find_violations(stage.page) == []


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800), (320, 568)])
def test_ten_with_long_names_fit_the_lobby(stage: MockScreen, size: tuple[int, int]) -> None:
    """With the leaderboard; nothing is cut off sideways."""
    stage.show_table(table_of("lobby", tuple(map(seat_of, (*LONG_NAMES, *NAMES[2:])))), tv=True)
    expect(stage.page.locator(".tv-people li")).to_have_count(10)
    stage.page.locator(".tv-leaderboard").wait_for()
    wide = """() => [...document.querySelectorAll(".tv *")].filter((element) =>
        element.getBoundingClientRect().right > innerWidth + 1).map((element) => element.textContent)"""
    assert stage.page.evaluate(wide) == []
    if size[0] > 1000:
        assert stage.page.locator(".tv-stage").evaluate("stage => stage.scrollHeight - stage.clientHeight") <= 0


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("rules", ["classic", "all-wild"])
def test_the_scores_of_ten_are_seen_whole(open_screen: OpenScreen, size: tuple[int, int], rules: str) -> None:
    """After a round and after the match nobody can scroll them, and the way to join covers none of them."""
    stage = open_screen(*size, language="pl")
    stage.show_match(reach(rules, 10, _won), tv=True, names=(*LONG_NAMES, *NAMES[2:]))
    expect(stage.page.locator(".scores tbody tr")).to_have_count(10)
    wait_until_ready(stage.page)
    assert stage.page.locator(".scores-body").evaluate("body => body.scrollHeight <= body.clientHeight")
    scores, corner = (box_of(stage.page.locator(place)) for place in (".scores", ".tv-corner"))
    assert scores["x"] + scores["width"] < corner["x"]


def _won(match: Match) -> bool:
    return match.round.over and match.round.winner is not None


def test_the_big_screen_gets_no_hidden_card(ann: BrowserPlayer, live_server: LiveServer, invite: Invite) -> None:
    """The messages to the big screen contain no card of a hand when the round is dealt."""
    code = ann.make_table("classic", 2)
    tv = invite(live_server.url, "TV", **FULL_HD)
    tv.page.goto(f"{live_server.url}/tv/{code}")
    expect(tv.page.get_by_role("img", name="QR code")).to_be_visible()
    ann.start()
    expect(tv.page.get_by_role("group", name="Players")).to_be_visible()
    match = live_server.match(code)
    hidden = {f'"{card}"' for seat in range(2) for card in hand_texts(match, seat)}
    seen = {f'"{card}"' for message in received(tv) for card in cards_in(message)}
    assert len(hidden) > 5
    assert not [text for text in tv.received for card in hidden - seen if card in text]


def cards_in(message: dict[str, Any]) -> list[str]:
    """The open cards of a message."""
    public = message.get("public") or (message.get("game") or {}).get("public") or {}
    return [*public.get("pile", ()), *([public["top"]] if public else [])]

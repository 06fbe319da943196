"""The TV view: the open table on a big screen, the QR code to join, never a hand."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from playwright.sync_api import Page, ViewportSize, WebSocketRoute, expect

from lastcard.match.match import Match
from lastcard.server.wire.messages import MatchSnapshot, game_of, happenings
from lastcard.server.wire.parts import SeatInfo, TableInfo
from lastcard.session.table_settings import Settings
from support.axe import find_violations
from support.mock_site import MockSite

TV_SIZE_PX: ViewportSize = {"width": 1920, "height": 1080}
URL = "http://192.0.2.7:8020/t/ABC234"
NAMES = ("Ada", "Maximiliana-Konstanze vQ", "Wojciech Brzęczyszczykie", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")


def seat_of(name: str) -> SeatInfo:
    """A connected person."""
    return SeatInfo(name=name, player=name, bot=None, here=True, standin=False)


def table_of(phase: str, seats: int, taken: int) -> TableInfo:
    """A table with some people at it."""
    return TableInfo(
        code="ABC234",
        phase=phase,
        host="Ada",
        settings=Settings(seats=seats),
        seats=tuple(seat_of(name) for name in NAMES[:taken]) + (None,) * (seats - taken),
        guests=(),
        match=None if phase == "lobby" else "m1",
        played=0,
        wins={},
        promise="a" * 64,
        paused=False,
        vote=None,
        muted=(),
        cards_each=0,
        hints=False,
        take_backs=False,
        next_in=None,
        join_url=URL,
    )


class Screen:
    """A big screen, and the table at the other end of its connection."""

    def __init__(self, page: Page, table: TableInfo) -> None:
        self.page = page
        self.hello: dict[str, Any] = {}
        self.table = table
        page.set_viewport_size(TV_SIZE_PX)
        page.route_web_socket(re.compile("/ws/ABC234"), self._connected)
        self.site = MockSite(page)
        self.site.answers["/api/tables/ABC234/honors"] = []
        self.site.open("/tv/abc234")
        expect(page.locator(".tv-code")).to_be_visible()

    def _connected(self, line: WebSocketRoute) -> None:
        self.line = line

        def receive(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "hello":
                self.hello = message
                self.say(type="welcome", v=1, you=None, table=self.table, game=None, notes=())

        line.on_message(receive)

    def say(self, **message: Any) -> None:
        """Send a message of the server."""
        self.line.send(msgspec.json.encode(message).decode())


@pytest.fixture
def screen(page: Page) -> Screen:
    """A big screen at a table of four in its lobby, with one connected person."""
    return Screen(page, table_of("lobby", 4, 1))


def deal(screen: Screen, match: Match) -> None:
    """Start the match, or show its current state."""
    screen.say(
        type="table", table=table_of("over" if match.over else "playing", len(match.players), len(match.players))
    )
    screen.say(
        type="dealt", game=game_of(MatchSnapshot("m1", match, match.round.public_state(), 0, "a" * 64), None), events=()
    )
    expect(screen.page.locator("lc-game[tv] .seats .seat")).to_have_count(len(match.players))


def test_lobby_says_how_to_join(screen: Screen) -> None:
    """The lobby shows code, address, QR code, and the people; it follows the table."""
    page = screen.page
    expect(page.locator(".tv-code")).to_have_text("ABC234")
    expect(page.get_by_text("192.0.2.7:8020/t/ABC234")).to_be_visible()
    expect(page.get_by_role("img", name="QR code")).to_have_attribute("src", f"/qr/ABC234.svg?{quote(URL, safe='')}")
    expect(page.get_by_text("free seat")).to_have_count(3)
    assert screen.hello["tv"] is True
    screen.say(type="table", table=table_of("lobby", 4, 3))
    expect(page.get_by_text("free seat")).to_have_count(1)
    expect(page.get_by_text("Wojciech Brzęczyszczykie")).to_be_visible()


@pytest.mark.parametrize("phase", ["lobby", "playing"])
def test_the_computer_comes_into_another_network(screen: Screen, phase: str) -> None:
    """The new address is shown, and the QR code is fetched anew."""
    code = screen.page.get_by_role("img", name="QR code")
    if phase == "playing":
        deal(screen, Match("classic", NAMES[:4], seed=1))
    moved = "http://198.51.100.9:8020/t/ABC234"
    screen.say(type="table", table=msgspec.structs.replace(table_of(phase, 4, 4), join_url=moved))
    expect(code).to_have_attribute("src", f"/qr/ABC234.svg?{quote(moved, safe='')}")
    if phase == "lobby":
        expect(screen.page.locator(".tv-address")).to_have_text(moved.removeprefix("http://"))
    else:
        expect(screen.page.locator("lc-game[tv] .seats .seat")).to_have_count(4)


def test_game_without_a_hand(screen: Screen) -> None:
    """All players around the table, nobody's cards, and the way to join for late people."""
    page = screen.page
    deal(screen, Match("classic", NAMES[:4], seed=1))
    expect(page.locator(".hand .card")).to_have_count(0)
    expect(page.locator(".seat-open .card")).to_have_count(0)
    expect(page.locator(".tv-corner .tv-code")).to_have_text("ABC234")
    expect(page.get_by_role("button", name="UNO")).to_have_count(0)


_SMALL = """() => [...document.querySelectorAll(".tv *")].filter((node) => {
    const { width, height } = node.getBoundingClientRect();
    const style = getComputedStyle(node);
    const says = [...node.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
    return says && width > 1 && height > 1 && style.visibility === "visible" && style.opacity !== "0" &&
        parseFloat(style.fontSize) < 40;
}).map((node) => `${node.className} ${getComputedStyle(node).fontSize} ${node.textContent}`)"""


def test_everything_can_be_read_from_the_sofa(screen: Screen) -> None:
    """No word is smaller than 40 of 1080 pixels; leader and events are beside the table."""
    page = screen.page
    assert page.evaluate(_SMALL) == []
    match = Match("classic", NAMES[:4], seed=1)
    deal(screen, match)
    expect(page.locator(".scoreboard-standings li")).to_have_count(4)
    moves = [move for move in match.round.legal() if move.verb == "draw"]
    events = match.do(match.round.turn, moves[0])
    game = game_of(MatchSnapshot("m1", match, match.round.public_state(), 1, "a" * 64), None)
    screen.say(type="dealt", game=game, events=happenings(events, match, None))
    expect(page.locator(".scoreboard-events li").first).to_be_visible()
    assert page.evaluate(_SMALL) == []


def test_scores_can_be_read_from_afar(screen: Screen) -> None:
    """Nothing in them is smaller than 40 px on a TV."""
    match = Match("all-wild+hand_size=5", NAMES[:4], seed=2)
    while not match.over:
        table = match.round
        plays = [move for move in table.legal() if move.verb not in ("uno", "catch", "draw")]
        match.do(table.turn, (plays or table.legal())[0])
    deal(screen, match)
    cells = screen.page.locator(".scores :is(td, th, h2)")
    expect(cells.first).to_be_visible()
    sizes = cells.evaluate_all("(cells) => cells.map((cell) => parseFloat(getComputedStyle(cell).fontSize))")
    assert min(sizes) >= 40


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 800), (320, 568)])
def test_ten_with_long_names_fit(page: Page, width: int, height: int) -> None:
    """Nothing is cut off sideways."""
    Screen(page, table_of("lobby", 10, 10))
    page.set_viewport_size({"width": width, "height": height})
    expect(page.locator(".tv-people li")).to_have_count(10)
    wide = """() => [...document.querySelectorAll(".tv *")].filter((element) =>
      element.getBoundingClientRect().right > innerWidth + 1).map((element) => element.textContent)"""
    assert page.evaluate(wide) == []
    if width > 1000:
        assert (
            page.evaluate(
                "() => { const s = document.querySelector('.tv-stage'); return s.scrollHeight - s.clientHeight; }"
            )
            <= 0
        )


def test_axe_finds_nothing(screen: Screen) -> None:
    """In the lobby and in the game."""
    assert find_violations(screen.page) == []
    deal(screen, Match("classic", NAMES[:4], seed=1))
    assert find_violations(screen.page) == []
    assert screen.site.errors == []

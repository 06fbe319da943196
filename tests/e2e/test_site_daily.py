"""The deal of the day on the page without a server: offline, the same cards on every device, one try."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from lastcard.analysis.master_run import measure_person_luck, run_master
from lastcard.bots.registry import make_bots
from lastcard.formats.record_files import Record
from lastcard.formats.replay import replay, start_match
from lastcard.game.daily_deal import DAILY_LEVEL, PERSON_SEAT
from lastcard.terminal.daily_client import new_daily_match
from support.axe import find_violations
from support.player import DESKTOP, PHONE, play_round
from support.static_site import USE_MODULE, OfflinePlayer, StaticHost, open_offline_player

DAY = datetime(2031, 3, 30, 23, 30, tzinfo=UTC)
"""An evening in UTC, and the next day in Auckland."""
MASTER_TIMEOUT_MS = 60_000
READ_RECORD = f"async () => (await {USE_MODULE}('offline/store.js').readMatches())[0].record"
READ_PREFS = "() => JSON.parse(localStorage.lastcard)"


@pytest.fixture
def ann(browser: Browser, static_host: StaticHost) -> Iterator[OfflinePlayer]:
    """A person at the site."""
    with open_offline_player(browser, static_host, "Ann", **PHONE) as opened:
        yield opened


def open_daily(ann: OfflinePlayer, at: datetime) -> Page:
    """Show the deals of the day with the clock of the device set."""
    ann.page.clock.set_system_time(at)
    ann.page.goto(f"{ann.url}/?/daily")
    return ann.page


def play_game(ann: OfflinePlayer, game: str) -> Page:
    """Play the deal of the day of a game to its end, and return to the results."""
    page = ann.page
    page.get_by_role("button", name=f"Play: {game}").click()
    expect(ann.hand).to_be_visible(timeout=60_000)
    play_round([ann])
    page.get_by_role("link", name="Deal of the day").click()
    return page


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_try_offline(browser: Browser, static_host: StaticHost, screen: dict[str, Any]) -> None:
    """After the first visit the host is gone: the result beside a master's, equal to that of the library."""
    host = static_host.second_host()
    with open_offline_player(browser, host, "Ann", timezone_id="Pacific/Auckland", **screen) as ann:
        ann.wait_until_cached()
        host.shut_down()
        page = open_daily(ann, DAY)
        expect(page.get_by_text("results here are not proved")).to_be_visible()
        assert not find_violations(page)
        play_game(ann, "UNO All Wild")
        panel = page.get_by_role("region", name="UNO All Wild")
        expect(panel).to_contain_text(re.compile(r"You won in \d+ moves?|You had \d+ points? left"))
        expect(panel.get_by_role("button", name="Play")).to_have_count(0)
        expect(panel.get_by_role("status")).to_contain_text("Luck aside, your play", timeout=MASTER_TIMEOUT_MS)
        signs = panel.locator(".daily-signs").text_content() or ""
        assert signs and not re.search(r"[0-9A-Z]", signs), "it shows no card"
        expect(page.get_by_role("listitem").filter(has_text=re.compile("Mar 30, 2031: (won|played)"))).to_have_count(1)
        assert not find_violations(page)
        (found,) = page.evaluate(READ_PREFS)["daily"]
        assert (found["day"], found["game"]) == ("2031-03-30", "all-wild")
        record = Record.parse(page.evaluate(READ_RECORD))
        check_bots(record)
        dealt = new_daily_match("2031-03-30", "all-wild", record.players)
        assert (dealt.seed, dealt.rules, dealt.host) == (record.seed, record.rules, record.host)
        assert found["luck"] == pytest.approx(measure_person_luck(list(replay(record))[-1][0]))
        assert found["master"] == pytest.approx(msgspec.to_builtins(run_master(dealt)))


def check_bots(record: Record) -> None:
    """The bots' moves on their turns are those of the library's bots."""
    match = start_match(record)
    bots = make_bots([DAILY_LEVEL] * len(record.players), match.seed)
    moves = 0
    for _, seat, move, _ in replay(record):
        if seat != PERSON_SEAT and seat == match.round.turn and move.verb not in ("uno", "catch"):
            assert bots[seat].choose(match.round.view(seat)) == move
            moves += 1
        match.do(seat, move)
    assert moves


def test_one_try_a_day(ann: OfflinePlayer) -> None:
    """It goes on after a reload; the next day has another; a clock that goes back costs no streak."""
    page = open_daily(ann, DAY)
    page.get_by_role("button", name="Play: UNO All Wild").click()
    expect(ann.hand).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    code = page.url
    page = open_daily(ann, DAY)
    expect(page.get_by_role("button", name=re.compile("^Play:"))).to_have_count(2)
    page.get_by_role("link", name="Continue").click()
    expect(ann.hand).to_be_visible(timeout=60_000)
    assert page.url == code
    play_round([ann])
    for days in (1, 2):
        page = open_daily(ann, DAY + timedelta(days=days))
        expect(page.get_by_role("button", name=re.compile("^Play:"))).to_have_count(3)
        if days == 1:
            play_game(ann, "UNO All Wild")
            expect(page.locator(".daily-signs")).to_be_visible(timeout=60_000)
    for days in (1, 2, -400):
        expect(open_daily(ann, DAY + timedelta(days=days)).get_by_text("2 days in a row")).to_be_visible()
    assert len(page.evaluate(READ_PREFS)["daily"]) == 2
    page.clock.set_system_time(DAY)
    page.goto(f"{ann.url}/")
    state = re.compile(r"Deal of the day.*1 of 3 played · 2 days in a row · 1 hr")
    expect(page.get_by_role("button", name="Deal of the day")).to_have_text(state)

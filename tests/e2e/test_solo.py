"""A server that leaves solo games to the page: they send it nothing, and a friend gets a table there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect
from pytest_playwright import CreateContextCallback

from lastcard.server.http import pages, reports
from lastcard.server.http.assets import VersionAnswers as Files
from lastcard.server.http.assets import WebFolder
from lastcard.server.table import live_table
from support.mock_site import WEB
from support.player import DESKTOP, PHONE, BrowserPlayer, Invite, make_any_move, open_figures, play_match
from support.static_site import OfflinePlayer, fast_web
from support.threaded_server import ThreadedServer, run_threaded_server

_MAKE: Final = """async ([name, settings]) => {
    const use = (await import(document.querySelector("script[type=module]").src)).$use;
    use("ui/prefs.js").prefs.set("name", name);
    return (await use("net/api.js").post("/api/tables", { settings }, true)).code;
}"""


class FastWebFolder(WebFolder):
    """The browser's side with very fast bots."""

    def now(self) -> Files:
        """The files, which do not change."""
        self._web = self._web or Files(fast_web())
        return self._web


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server that leaves all it can to the page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "_WEB", FastWebFolder(WEB))
        with run_threaded_server(tmp_path_factory.mktemp("solo"), solo="client") as opened:
            yield opened


@pytest.fixture
def ann(served: ThreadedServer, new_context: CreateContextCallback) -> Iterator[OfflinePlayer]:
    """A person at the first page, whose requests to the server are counted."""
    page = new_context(locale="en-US", reduced_motion="reduce", **PHONE).new_page()
    soloist = OfflinePlayer(page, served.url, "Ann")
    yield soloist
    assert not soloist.errors


def watch(ann: OfflinePlayer) -> list[str]:
    """The addresses requested from now on, except files of the page."""
    asked: list[str] = []

    def note(url: str) -> None:
        if "/web/" not in url:
            asked.append(url)

    ann.page.on("request", lambda request: note(request.url))
    ann.page.on("websocket", lambda line: note(line.url))
    return asked


def test_play_now_asks_the_server_nothing(ann: OfflinePlayer) -> None:
    """Cards, moves, hints, take-backs and a reload work."""
    ann.open_home()
    asked = watch(ann)
    ann.page.get_by_role("button", name="Play now").click()
    ann.wait_for_turn()
    ann.page.get_by_role("button", name="Hint").click()
    expect(ann.page.locator("[data-hint]").first).to_be_visible(timeout=60_000)
    ann.page.keyboard.press("Escape")
    make_any_move(ann, ann.screen_state())
    ann.wait_for_turn()
    assert asked == []
    before = ann.screen_state()
    ann.page.goto(f"{ann.url}/")
    ann.page.get_by_role("link", name="Continue game").click()
    ann.wait_for_turn()
    assert ann.screen_state() == before


def test_a_lesson_is_in_the_page_too(ann: OfflinePlayer) -> None:
    """A person who has never played the game begins there."""
    ann.open_home()
    asked = watch(ann)
    ann.page.get_by_role("button", name="Quick lesson (1 min)").click()
    expect(ann.hand).to_be_visible()
    assert asked == []


def test_a_match_is_saved_on_the_device(ann: OfflinePlayer, served: ThreadedServer) -> None:
    """The match is in its own part of *My matches* and has its report; the server's figures do not include it."""
    ann.page.goto(f"{ann.url}/")
    settings = {"rules": "all-wild+hand_size=5", "seats": 3, "bots": "quick", "pace": "untimed"}
    code = ann.page.evaluate(_MAKE, ["Ann", settings])
    ann.page.goto(f"{ann.url}/t/{code}")
    asked = watch(ann)
    ann.start()
    expect(ann.hand).to_be_visible(timeout=60_000)
    play_match([ann])
    assert [url for url in asked if "/api/options/" not in url] == []  # the names of a game's settings
    asked.clear()
    ann.page.get_by_role("link", name="Luck and skill").click()
    open_figures(ann.page)
    assert [url for url in asked if "/api/" in url] == []

    ann.page.goto(f"{ann.url}/me")
    here = ann.page.get_by_role("heading", name="Played on this device")
    expect(here).to_be_visible()
    expect(ann.page.get_by_role("link", name=re.compile("^Replay"))).to_have_count(1)
    assert served.new_client("Ben").get("/api/matches").json() == []
    with ann.page.expect_download() as saved:
        ann.page.get_by_role("button", name="Download record").click()
    ann.page.get_by_role("button", name=re.compile("^Delete")).click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Delete match").click()
    expect(here).to_be_hidden()

    ben = BrowserPlayer(ann.page, served.url, "Ben")
    ben.make_table("classic")  # and is known to the server
    ben.page.goto(f"{ben.url}/me")
    ann.expect_failure(422, "/api/matches")  # of this browser, for any user
    ben.page.get_by_label("Choose a file").set_input_files(__file__)
    expect(ben.page.get_by_role("alert")).to_contain_text("This is not a valid record of a match")
    ben.page.get_by_label("Choose a file").set_input_files(saved.value.path())
    expect(ben.page.get_by_role("button", name="Check the shuffle")).to_be_visible()
    ben.page.goto(f"{ben.url}/me")
    expect(ben.page.locator(".played-match")).to_contain_text("Imported: not counted in statistics.")


def test_a_friend_gets_a_table_on_the_server(ann: OfflinePlayer, served: ThreadedServer) -> None:
    """Rules and bots with their styles stay, except at the friend's seat; a message says the score is zero."""
    ann.page.goto(f"{ann.url}/")
    settings = {"rules": "classic+stacking=same", "seats": 4, "bots": "quick", "pace": "untimed"}
    code = ann.page.evaluate(_MAKE, ["Ann", settings])
    ann.page.goto(f"{ann.url}/t/{code}")
    seats = ann.page.get_by_role("region", name="At the table")
    seats.get_by_role("listitem").last.get_by_role("button", name="Add bot").click()
    seats.get_by_role("combobox", name="How well").select_option(label="Sharp")
    seats.get_by_role("combobox", name="Style of").select_option(label="Hoarder")
    ann.page.get_by_role("radio", name="Sharp").check()
    ann.start()
    ann.wait_for_turn()
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Invite a friend to the next match").click()
    dialog = ann.page.get_by_role("dialog", name="Invite a friend to the next match")
    expect(dialog).to_contain_text("begins at zero")
    dialog.get_by_role("button", name="Open the table").click()
    ann.page.wait_for_url(re.compile("/t/[2-9A-Z]{6}$"))
    expect(ann.page.get_by_role("heading", name="Invite", exact=True)).to_be_visible()
    opened = ann.page.url.rpartition("/")[2]
    [found] = [live_table for live_table in served.app.state.registry.tables if live_table.code == opened]
    assert found.state.settings.rules == "classic+stacking=same"
    assert [seat and seat.bot for seat in found.state.seats] == [None, None, "sharp", "sharp"]
    assert [seat and seat.style for seat in found.state.seats] == ["", None, "", "hoarder"]
    assert found.state.host.name == "Ann"
    ann.page.goto(f"{ann.url}/")
    ann.page.get_by_role("link", name="Continue game").click()
    ann.wait_for_turn()


def test_hints_and_reports_are_left_to_the_page(
    invite: Invite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a table of the server: the module is loaded when a hint is requested, and the server computes nothing."""
    monkeypatch.setattr(live_table, "give_advice", None)
    monkeypatch.setattr(reports, "make_page", None)
    with run_threaded_server(tmp_path, analysis="client") as served:
        dan = invite(served.url, "Dan")
        fetched: list[str] = []
        dan.page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
        dan.make_table("all-wild", 2, bots="quick")  # with few cards a bot may win before Dan's first turn
        dan.start()
        dan.wait_for_turn()
        assert "lastcard.wasm" not in fetched
        dan.page.get_by_role("button", name="Hint").click()
        expect(dan.page.locator("[data-hint]").first).to_be_visible(timeout=60_000)
        assert "lastcard.wasm" in fetched
        assert any('"type":"sight"' in text for text in dan.received)
        dan.page.keyboard.press("Escape")
        play_match([dan])
        dan.page.get_by_role("link", name="Luck and skill").click()
        open_figures(dan.page)


def test_a_browser_without_webassembly_plays_on_the_server(
    served: ThreadedServer, new_context: CreateContextCallback
) -> None:
    """Some are configured so; the game works as before."""
    page = new_context(locale="en-US", reduced_motion="reduce", **DESKTOP).new_page()
    page.add_init_script("delete globalThis.WebAssembly")
    cleo = OfflinePlayer(page, served.url, "Cleo")
    cleo.open_home()
    cleo.page.get_by_role("button", name="Play now").click()
    cleo.wait_for_turn()
    assert re.fullmatch(r".*/t/[2-9A-Z]{6}", cleo.page.url)
    assert not cleo.errors

"""Our pages in the ``<iframe>`` of another site: a replay, a puzzle, and the game against bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, FrameLocator, Request, expect

from e2e.test_puzzles import answer, open_puzzle, shipped
from support.player import DESKTOP, ON_BOTH, BrowserPlayer, Invite
from support.static_site import StaticHost, open_offline_player
from support.threaded_server import ThreadedServer, run_threaded_server
from support.web_host import run_web_host


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server whose pages the sites at localhost may show; its own name is 127.0.0.1."""
    with run_threaded_server(tmp_path_factory.mktemp("embed"), embed_origins=("http://localhost:*",)) as served:
        yield served


@pytest.fixture
def ann_offline(browser: Browser, static_host: StaticHost) -> Iterator[BrowserPlayer]:
    """A person at the site without a server."""
    with open_offline_player(browser, static_host, "Ann", **DESKTOP) as player:
        yield player


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Callable[..., FrameLocator]]:
    """Opens a page of another site with a line of HTML."""
    with run_web_host(tmp_path) as host:

        def open_page(player: BrowserPlayer, line: str, name: str = "localhost") -> FrameLocator:
            page = f'<!doctype html><title>Club</title><link rel="icon" href="data:,">{line}'
            (tmp_path / "index.html").write_text(page, encoding="utf-8")
            player.page.goto(f"http://{name}:{urlsplit(host.url).port}/")
            return player.page.frame_locator("iframe")

        yield open_page


def play_match(player: BrowserPlayer, server: ThreadedServer) -> str:
    """The id of a match of the person with bots."""
    headers = {"origin": server.url}
    request = player.page.context.request
    expect(request.post(f"{server.url}/api/me", data={"name": "Ann", "language": "en"}, headers=headers)).to_be_ok()
    created = request.post(f"{server.url}/api/tables", data={"quick": True}, headers=headers)
    player.page.goto(f"{server.url}/t/{created.json()['code']}")
    expect(player.hand.locator("[data-card]").first).to_be_visible()
    play = server.table(created.json()["code"]).play
    assert play is not None
    return str(play.id)


@ON_BOTH
def test_a_replay_on_another_site(
    embedded: ThreadedServer, invite: Invite, screen: dict[str, Any], club: Callable[..., FrameLocator]
) -> None:
    """The dialog has the line; the frame shows the replay, without a cookie and without the person."""
    ann = invite(embedded.url, "Ann", **screen)
    match = play_match(ann, embedded)
    ann.page.goto(f"{ann.url}/match/{match}")
    ann.page.get_by_role("button", name="Embed").click()
    dialog = ann.page.get_by_role("dialog", name="Embed")
    line = dialog.get_by_role("textbox").first.input_value()
    assert line.startswith(f'<iframe src="{embedded.url}/embed/?/match/{match}"')
    asked: list[Request] = []
    ann.page.on("request", lambda request: asked.append(request))
    frame = club(ann, line)
    expect(frame.get_by_role("heading", name="UNO")).to_be_visible()
    expect(frame.locator("lc-game")).to_be_visible()
    expect(frame.get_by_role("button", name="Luck and skill")).to_have_count(0)
    link = frame.get_by_role("link", name="Open in Last Card")
    assert link.get_attribute("href") == f"{embedded.url}/match/{match}"
    sent = [each for each in asked if each.url.startswith(embedded.url)]
    assert sent and all(each.url.startswith(f"{embedded.url}/embed/") for each in sent)
    assert not any("cookie" in each.all_headers() for each in sent)


@ON_BOTH
def test_a_puzzle_and_the_solo_page_on_another_site(
    embedded: ThreadedServer, invite: Invite, screen: dict[str, Any], club: Callable[..., FrameLocator]
) -> None:
    """Both play without the server."""
    ann = invite(embedded.url, "Ann", **screen)
    frame = club(ann, f'<iframe src="{embedded.url}/embed/?/puzzles/1" allow="screen-wake-lock" height="700"></iframe>')
    expect(frame.get_by_role("heading", name="Which move is best?")).to_be_visible()
    expect(frame.locator(".hand [data-card]").first).to_be_visible()
    frame = club(ann, f'<iframe src="{embedded.url}/embed/" allow="screen-wake-lock" height="700"></iframe>')
    frame.get_by_role("button", name="Play now").click()
    expect(frame.locator(".hand [data-card]").first).to_be_visible()
    assert embedded.app.state.registry.tables == () or not ann.sent


def test_the_server_lets_no_other_site(
    embedded: ThreadedServer, invite: Invite, club: Callable[..., FrameLocator]
) -> None:
    """Neither a site that is not allowed, nor pages with a person."""
    eve = invite(embedded.url, "Eve")
    asked: list[str] = []
    eve.page.on("request", lambda request: asked.append(request.url))
    for refusals, (path, site) in enumerate((("/embed/", "127.0.0.1"), ("/", "localhost")), start=1):
        club(eve, f'<iframe src="{embedded.url}{path}"></iframe>', site)
        eve.wait_until(lambda: len(eve._errors) == refusals, "the refusal")  # noqa: B023
    assert not [url for url in asked if "/web/" in url], "a page that is shown loads its styles first"
    eve._errors.clear()


def test_the_static_site_offers_the_line_for_a_puzzle(ann_offline: BrowserPlayer) -> None:
    """Any site may show it."""
    open_puzzle(ann_offline, 1)
    answer(ann_offline, shipped()[0].chances[0][0])
    ann_offline.page.get_by_role("button", name="Embed").click()
    line = ann_offline.page.get_by_role("dialog", name="Embed").get_by_role("textbox")
    assert line.first.input_value().startswith(f'<iframe src="{ann_offline.url}/?/puzzles/1" title="Puzzles"')
    assert line.last.input_value().startswith(f'<iframe src="{ann_offline.url}/" title="Last Card"')

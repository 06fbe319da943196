"""Playing with strangers: from the first page to a match that starts by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from lastcard.session import open_table
from support.axe import find_violations
from support.player import ON_BOTH, BrowserPlayer, Invite
from support.threaded_server import ThreadedServer, run_threaded_server


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """A server with open tables."""
    with run_threaded_server(tmp_path_factory.mktemp("open"), open_tables=True) as served:
        yield served


def play_with_others(player: BrowserPlayer) -> None:
    """From the first page to the lobby of an open table."""
    player.page.goto(player.url)
    player.page.get_by_label("Your name").fill(player.name)
    player.page.get_by_role("button", name="Play with others").click()
    expect(player.page.get_by_role("timer")).to_contain_text("The match begins in")


@ON_BOTH
def test_strangers_play_at_once(
    open_server: ThreadedServer, invite: Invite, screen: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is invited or host; when the time is up, bots take the free seats."""
    monkeypatch.setattr(open_table, "GATHER_S", 6.0)
    ann, ben = invite(open_server.url, "Ann", **screen), invite(open_server.url, "Ben")
    play_with_others(ann)
    play_with_others(ben)
    ann.wait_until_seated("Ben")
    expect(ann.page.get_by_role("heading", name="Rules")).to_be_visible()
    expect(ann.page.get_by_role("heading", name="Invite")).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Edit rules")).to_have_count(0)
    assert find_violations(ann.page) == []
    for player in (ann, ben):
        expect(player.page.locator(".seats .seat")).to_have_count(3)


def test_a_stranger_is_blocked_and_unblocked(open_server: ThreadedServer, invite: Invite) -> None:
    """In the menu of the table, and in one's profile."""
    ann, ben = invite(open_server.url, "Ann"), invite(open_server.url, "Ben")
    for player in (ann, ben):
        play_with_others(player)
    ann.wait_until_seated("Ben")
    ann.page.get_by_role("button", name="Menu", exact=True).click()
    menu = ann.page.get_by_role("dialog", name="Menu")
    menu.get_by_text("Ben", exact=True).click()
    menu.get_by_role("button", name="Block").click()
    ann.page.get_by_role("dialog", name="Never play with Ben again?").get_by_role("button", name="Block").click()
    expect(ann.page.get_by_text("Blocked: Ben")).to_be_visible()
    ann.page.goto(f"{ann.url}/me")
    ann.page.get_by_role("button", name="Unblock all").click()
    expect(ann.page.get_by_text("Nobody is blocked any more.")).to_be_visible()


def test_the_page_says_how_long_to_wait(
    open_server: ThreadedServer, invite: Invite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person who has left matches gets the seat as soon as the time is up."""
    waits = iter([(2, 3)])

    async def find_wait(self: object, player: str) -> tuple[int, int]:
        return next(waits, (0, 3))

    monkeypatch.setattr("lastcard.server.table.matchmaking.Matchmaker.find_wait", find_wait)
    ann = invite(open_server.url, "Ann")
    ann.page.goto(ann.url)
    ann.page.route("**/api/open", lambda route: route.continue_() if route.request.method == "POST" else route.abort())
    ann.page.get_by_role("button", name="Play with others").click()
    expect(ann.page.get_by_text("You left 3 matches with others in the last 24 hours.")).to_be_visible()
    expect(ann.page.get_by_role("timer")).to_contain_text("The match begins in")

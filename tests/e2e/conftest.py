"""Tests in a browser use the chromium of ``tests/support/browser.py``, a server, and persons at pages of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect

from support.browser import launch_options
from support.house import House, open_house
from support.player import DESKTOP, Invite, Player
from support.serving import Served, serving
from support.stage import SetStage, Stage

expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How pytest-playwright starts chromium."""
    return launch_options()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A table server."""
    with open_house(tmp_path, monkeypatch) as opened:
        yield opened


@pytest.fixture
def invite(browser: Browser) -> Iterator[Invite]:
    """Brings persons; no page may complain."""
    players: list[Player] = []
    contexts: list[BrowserContext] = []

    def bring(url: str, name: str, **options: Any) -> Player:
        context = browser.new_context(**{"locale": "en-US", "reduced_motion": "reduce", **DESKTOP, **options})
        contexts.append(context)
        players.append(Player(context.new_page(), url, name))
        return players[-1]

    yield bring
    complaints = {player.name: player.errors for player in players if player.errors}
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture(scope="session")
def backdrop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The server behind all stages."""
    with serving(tmp_path_factory.mktemp("stage")) as served:
        yield served


@pytest.fixture
def set_stage(browser: Browser, backdrop: Served) -> Iterator[SetStage]:
    """Brings pages on which every screen can be set; none may complain."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def bring(width: int, height: int, **how: str) -> Stage:
        size: ViewportSize = {"width": width, "height": height}
        context = browser.new_context(locale="en-US", reduced_motion="reduce", viewport=size)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        return Stage(page, backdrop, **how)

    yield bring
    for context in contexts:
        context.close()
    assert not complaints

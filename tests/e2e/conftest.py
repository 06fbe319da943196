"""Tests in a browser use the chromium of ``tests/browser.py``, a server, and persons at pages of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from browser import launch_options
from e2e.house import House, open_house
from e2e.player import Player

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "device_scale_factor": 2}

Invite = Callable[..., Player]

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
    """Brings persons: ``invite(url, "Ann")``, with ``**PHONE`` where it is no desktop; no page may complain."""
    players: list[Player] = []
    contexts: list[BrowserContext] = []

    def bring(url: str, name: str, **options: Any) -> Player:
        context = browser.new_context(locale="en-US", reduced_motion="reduce", **{**DESKTOP, **options})
        contexts.append(context)
        players.append(Player(context.new_page(), url, name))
        return players[-1]

    yield bring
    complaints = {player.name: player.errors for player in players if player.errors}
    for context in contexts:
        context.close()
    assert not complaints

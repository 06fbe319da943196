"""Tests in a browser use the chromium of ``tests/support/browser.py``, a server, and persons at pages of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from support.browser import launch_options
from support.house import House, open_house
from support.player import DESKTOP, Invite, Player
from support.serving import Served, serving
from support.stage import SetStage, Stage

expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How pytest-playwright starts chromium."""
    return launch_options(painted=False)


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


@pytest.fixture(scope="session")
def stages(browser: Browser) -> Iterator[dict[frozenset[tuple[str, str]], list[Stage]]]:
    """Pages that no test uses at the moment, by what is special about them: to load one takes longest of all."""
    idle: dict[frozenset[tuple[str, str]], list[Stage]] = defaultdict(list)
    yield idle
    for stage in chain.from_iterable(idle.values()):
        stage.page.context.close()


@pytest.fixture
def set_stage(
    browser: Browser,
    backdrop: Served,
    stages: dict[frozenset[tuple[str, str]], list[Stage]],
    request: pytest.FixtureRequest,
) -> Iterator[SetStage]:
    """Brings pages on which every screen can be set; none may complain."""
    used: list[tuple[list[Stage], Stage]] = []

    def bring(width: int, height: int, **how: str) -> Stage:
        idle = stages[frozenset(how.items())]
        if idle:
            stage = idle.pop()
        else:
            context = browser.new_context(locale="en-US", reduced_motion="reduce")
            stage = Stage(context.new_page(), backdrop, **how)
        used.append((idle, stage))
        stage.page.set_viewport_size({"width": width, "height": height})
        return stage

    failed = request.session.testsfailed
    yield bring
    complaints = [text for _, stage in used for text in stage.complaints]
    for idle, stage in used:
        if complaints or request.session.testsfailed > failed:
            stage.page.context.close()
        else:
            stage.clear()
            idle.append(stage)
    assert not complaints

"""Tests in a browser use the chromium of ``tests/support/browser.py``, a server, and persons at pages of their own."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from support.browser import launch_options
from support.house import House, open_house
from support.player import DESKTOP, Invite, Player, forget_person
from support.serving import Served, serving
from support.settling import patient_presses
from support.sites import Host, hurried_web
from support.stage import SetStage, Stage
from support.visitors import ServerProcess

expect.set_options(timeout=15_000)


@pytest.fixture(scope="session", autouse=True)
def patience() -> Iterator[None]:
    """Nothing is pressed before it takes presses."""
    with patient_presses():
        yield


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How pytest-playwright starts chromium."""
    return launch_options(painted=False)


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The server of all tests with ``house``, so that a browser finds in its cache what it has fetched before."""
    with serving(tmp_path_factory.mktemp("house")) as served:
        yield served


@pytest.fixture
def house(shared_server: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A table server without tables."""
    with open_house(shared_server, monkeypatch) as opened:
        yield opened


@pytest.fixture(scope="session")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The process of all tests with ``server``."""
    with ServerProcess(f"sqlite:///{tmp_path_factory.mktemp('process')}/tables.sqlite") as running:
        yield running


@pytest.fixture
def server(process: ServerProcess) -> ServerProcess:
    """``lastcard serve`` with a database in a file; a test may kill it."""
    process.ensure()
    return process


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host that is not cut off; browsers keep its files from test to test."""
    opened = Host(tmp_path_factory.mktemp("host"), hurried_web())
    opened.devices = defaultdict(list)
    yield opened
    opened.cut()


@pytest.fixture(scope="session")
def browsers(browser: Browser) -> Iterator[dict[str, list[BrowserContext]]]:
    """Browsers that nobody uses at the moment, by their options: they have fetched the files of ``shared_server``."""
    idle: dict[str, list[BrowserContext]] = defaultdict(list)
    yield idle
    for context in chain.from_iterable(idle.values()):
        context.close()


@pytest.fixture
def invite(
    browser: Browser,
    browsers: dict[str, list[BrowserContext]],
    shared_server: Served,
    request: pytest.FixtureRequest,
) -> Iterator[Invite]:
    """Brings persons; no page may complain."""
    players: list[tuple[Player, list[BrowserContext]]] = []

    def bring(url: str, name: str, **options: Any) -> Player:
        options = {"locale": "en-US", "reduced_motion": "reduce", **DESKTOP, **options}
        idle = browsers[json.dumps(options, sort_keys=True)] if url == shared_server.url else []
        if idle:
            page = idle.pop().new_page()
            forget_person(page, url)
        else:
            page = browser.new_context(**options).new_page()
        player = Player(page, url, name)
        players.append((player, idle))
        return player

    failed = request.session.testsfailed
    yield bring
    complaints = {player.name: player.errors for player, _ in players if player.errors}
    for player, idle in players:
        context = player.page.context
        if player.url == shared_server.url and not complaints and request.session.testsfailed == failed:
            player.leave()
            idle.append(context)
        else:
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

"""Fixtures for tests in a browser: the chromium of ``tests/support/browser.py``, a server, and persons at pages."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, expect

from support.browser import launch_options
from support.browser_fixtures import browser_type_launch_args as browser_type_launch_args
from support.browser_fixtures import pressable_controls as pressable_controls
from support.live_server import LiveServer, run_live_server
from support.mock_screen import SIZES_PX, MockScreen, OpenScreen
from support.player import DESKTOP, BrowserPlayer, Invite, clear_storage
from support.static_site import StaticHost, fast_web
from support.threaded_server import ThreadedServer, run_threaded_server
from support.websocket_players import ServerProcess

expect.set_options(timeout=30_000)
IdleScreens = dict[tuple[Browser, frozenset[tuple[str, str]]], list[MockScreen]]
"""Unused pages, by their browser and their settings."""


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """The server of all tests with ``live_server``; a browser's cache survives from test to test."""
    with run_threaded_server(tmp_path_factory.mktemp("server")) as served:
        yield served


@pytest.fixture
def live_server(shared_server: ThreadedServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveServer]:
    """A table server without tables."""
    with run_live_server(shared_server, monkeypatch) as opened:
        yield opened


@pytest.fixture(scope="session")
def server_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The process of all tests with ``server``."""
    with ServerProcess(f"sqlite:///{tmp_path_factory.mktemp('process')}/tables.sqlite") as running:
        yield running


@pytest.fixture
def server(server_process: ServerProcess) -> ServerProcess:
    """``lastcard serve`` with a database in a file; a test may kill it."""
    server_process.ensure_running()
    return server_process


@pytest.fixture(scope="session")
def static_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticHost]:
    """A host that is not shut down; browsers cache its files from test to test."""
    opened = StaticHost(tmp_path_factory.mktemp("host"), fast_web())
    opened.idle_contexts = defaultdict(list)
    yield opened
    opened.shut_down()


@pytest.fixture(scope="session")
def idle_contexts(browser: Browser) -> Iterator[dict[str, list[BrowserContext]]]:
    """Unused browser contexts, by their options: they have cached the files of ``shared_server``."""
    idle: dict[str, list[BrowserContext]] = defaultdict(list)
    yield idle
    for context in chain.from_iterable(idle.values()):
        context.close()


@pytest.fixture
def invite(
    browser: Browser,
    idle_contexts: dict[str, list[BrowserContext]],
    shared_server: ThreadedServer,
    request: pytest.FixtureRequest,
) -> Iterator[Invite]:
    """Opens pages for persons; no page may report an error."""
    players: list[tuple[BrowserPlayer, list[BrowserContext]]] = []

    def bring(url: str, name: str, **options: Any) -> BrowserPlayer:
        options = {"locale": "en-US", "reduced_motion": "reduce", **DESKTOP, **options}
        idle = idle_contexts[json.dumps(options, sort_keys=True)] if url == shared_server.url else []
        if idle:
            page = idle.pop().new_page()
            clear_storage(page, url)
        else:
            page = browser.new_context(**options).new_page()
        player = BrowserPlayer(page, url, name)
        players.append((player, idle))
        return player

    failed = request.session.testsfailed
    yield bring
    complaints = {player.name: player.errors for player, _ in players if player.errors}
    for player, idle in players:
        context = player.page.context
        if player.url == shared_server.url and not complaints and request.session.testsfailed == failed:
            player.close()
            idle.append(context)
        else:
            context.close()
    assert not complaints


@pytest.fixture
def screen() -> dict[str, Any]:
    """Options of the browser of ``ann``; tests override them by a parameter."""
    return DESKTOP


@pytest.fixture
def ann(invite: Invite, live_server: LiveServer, screen: dict[str, Any]) -> BrowserPlayer:
    """A person at a page of the server."""
    return invite(live_server.url, "Ann", **screen)


@pytest.fixture
def ben(invite: Invite, live_server: LiveServer) -> BrowserPlayer:
    """Another person at a page of the server."""
    return invite(live_server.url, "Ben")


@pytest.fixture
def cleo(invite: Invite, live_server: LiveServer) -> BrowserPlayer:
    """A third person at a page of the server."""
    return invite(live_server.url, "Cleo")


@pytest.fixture(scope="session")
def screen_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadedServer]:
    """The server behind all ``MockScreen`` pages."""
    with run_threaded_server(tmp_path_factory.mktemp("stage")) as served:
        yield served


@pytest.fixture(scope="session")
def painting_browser(browser_type: BrowserType) -> Iterator[Browser]:
    """A browser that paints its pages: one that does not may never answer the second of two touches."""
    opened = browser_type.launch(**launch_options())
    yield opened
    opened.close()


@pytest.fixture
def screen_browser(browser: Browser) -> Browser:
    """The browser of ``open_screen``; modules with touches override it."""
    return browser


@pytest.fixture(scope="session")
def idle_screens(browser: Browser) -> Iterator[IdleScreens]:
    """Unused pages: loading a page takes longest of all."""
    idle: IdleScreens = defaultdict(list)
    yield idle
    for stage in chain.from_iterable(idle.values()):
        stage.page.context.close()


@pytest.fixture
def open_screen(
    screen_browser: Browser,
    screen_server: ThreadedServer,
    idle_screens: IdleScreens,
    request: pytest.FixtureRequest,
) -> Iterator[OpenScreen]:
    """Opens pages that can show every screen; none may report an error."""
    used: list[tuple[list[MockScreen], MockScreen]] = []

    def bring(width: int, height: int, **how: str) -> MockScreen:
        idle = idle_screens[screen_browser, frozenset(how.items())]
        if idle:
            stage = idle.pop()
            stage.reset()
        else:
            context = screen_browser.new_context(locale="en-US", reduced_motion="reduce")
            stage = MockScreen(context.new_page(), screen_server, **how)
        used.append((idle, stage))
        stage.page.set_viewport_size({"width": width, "height": height})
        return stage

    failed = request.session.testsfailed
    yield bring
    complaints = [text for _, stage in used for text in stage.errors]
    for idle, stage in used:
        if complaints or request.session.testsfailed > failed:
            stage.page.context.close()
        else:
            idle.append(stage)
    assert not complaints


@pytest.fixture
def size() -> tuple[int, int]:
    """The size of the window of ``stage`` in pixels, a phone's; tests override it by a parameter."""
    return SIZES_PX[0]


@pytest.fixture
def stage(open_screen: OpenScreen, size: tuple[int, int]) -> MockScreen:
    """A page that can show every screen."""
    return open_screen(*size)

"""Fixtures for tests in a browser, with the chromium of ``tests/support/browser.py``."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from support.browser_fixtures import browser_type_launch_args as browser_type_launch_args
from support.browser_fixtures import pressable_controls as pressable_controls
from support.mock_site import MockSite
from support.modules import ModulesPage, serve_modules


@pytest.fixture(scope="module")
def blank_page(browser: Browser) -> Iterator[MockSite]:
    """A page to run modules in, one for all tests of a file: they only compute."""
    context = browser.new_context()
    site = MockSite(context.new_page())
    site.open_blank()
    yield site
    context.close()


@pytest.fixture
def own_site(page: Page) -> MockSite:
    """An empty page of the test's own, in which no module has run: a test may add scripts, listeners or a clock."""
    site = MockSite(page)
    site.open_blank()
    return site


@pytest.fixture(scope="session")
def idle_sites(browser: Browser) -> Iterator[list[MockSite]]:
    """Pages that no test uses at the moment."""
    idle: list[MockSite] = []
    yield idle
    for site in idle:
        site.page.context.close()


@pytest.fixture
def shared_site(browser: Browser, idle_sites: list[MockSite], request: pytest.FixtureRequest) -> Iterator[MockSite]:
    """An empty page of the size of a laptop, for a test that adds neither scripts nor listeners to it."""
    site = idle_sites.pop() if idle_sites else MockSite(browser.new_context().new_page())
    site.page.set_viewport_size({"width": 1280, "height": 720})
    failed = request.session.testsfailed
    site.open_blank()
    yield site
    if request.session.testsfailed == failed:
        site.reset()
        idle_sites.append(site)
    else:
        site.page.context.close()


@pytest.fixture(scope="session")
def modules(browser: Browser) -> Iterator[ModulesPage]:
    """A page for modules, one for all tests that use nothing else."""
    context = browser.new_context()
    with serve_modules() as address:
        yield ModulesPage(context.new_page(), address)
        context.close()

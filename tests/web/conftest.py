"""Tests in a browser use the chromium of ``tests/support/browser.py``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from support.browser import launch_options
from support.modules import Modules, serve_modules
from support.site import Site


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How pytest-playwright starts chromium."""
    return launch_options(painted=False)


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Site]:
    """A page to run modules in, one for all tests of a file: they only compute."""
    context = browser.new_context()
    site = Site(context.new_page())
    site.blank()
    yield site
    context.close()


@pytest.fixture(scope="session")
def modules(browser: Browser) -> Iterator[Modules]:
    """A page for modules, one for all tests that look at no more than these."""
    context = browser.new_context()
    with serve_modules() as address:
        yield Modules(context.new_page(), address)
        context.close()

"""Fixtures of all tests in a browser: they are imported by the ``conftest.py`` of a folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.browser import launch_options
from support.page_readiness import wait_before_clicks


@pytest.fixture(scope="session", autouse=True)
def pressable_controls() -> Iterator[None]:
    """Playwright waits until a control takes presses."""
    with wait_before_clicks():
        yield


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Launch options of chromium for pytest-playwright."""
    return launch_options(painted=False)

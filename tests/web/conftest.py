"""Tests in a browser use the chromium of ``tests/support/browser.py``."""

from __future__ import annotations

from typing import Any

import pytest

from support.browser import launch_options


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How pytest-playwright starts chromium."""
    return launch_options()

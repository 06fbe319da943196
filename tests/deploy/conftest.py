"""Slow tests of ``deploy/`` run only under ``make deploy-check``."""

from __future__ import annotations

from typing import Any

import pytest

from support.proxies import RUN_ALL

collect_ignore = [] if RUN_ALL else ["test_whole.py"]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Launch options of chromium for pytest-playwright."""
    from support.browser import launch_options

    return launch_options()

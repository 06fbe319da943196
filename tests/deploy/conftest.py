"""What takes long of ``deploy/`` is tested by ``make deploy-check`` alone."""

from __future__ import annotations

from typing import Any

import pytest

from support.browser import launch_options
from support.proxies import RUN_ALL

collect_ignore = [] if RUN_ALL else ["test_whole.py"]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How pytest-playwright starts chromium."""
    return launch_options()

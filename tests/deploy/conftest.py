"""What takes long of ``deploy/`` is tested by ``make deploy-check`` alone."""

from __future__ import annotations

from typing import Any

import pytest

from support.browser import launch_options
from support.proxies import WHOLE

collect_ignore = [] if WHOLE else ["test_whole.py"]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How pytest-playwright starts chromium."""
    return launch_options()

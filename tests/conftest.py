"""What all tests share."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)

# The first call of a compiled function takes seconds, so nothing has a deadline.
settings.register_profile(
    "default", max_examples=60, derandomize=True, deadline=None, print_blob=True, suppress_health_check=_SLOW
)
settings.register_profile("hunt", max_examples=3000, deadline=None, print_blob=True, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("LASTCARD_HYPOTHESIS", "default"))


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark of tests/support/clauses.py; make sure that what tests start can be interrupted."""
    config.addinivalue_line("markers", "proves(*names): the clauses and option values that a test proves")
    # A shell that starts tests in the background has it ignored, which every process that they start would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)

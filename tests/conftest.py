"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark of tests/clauses.py."""
    config.addinivalue_line("markers", "proves(*names): the clauses and option values that a test proves")

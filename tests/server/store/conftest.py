"""Fixtures of the tests of the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from lastcard.server.store.store import Store


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An empty store in each kind of database."""
    with closing(Store.open(database)) as opened:
        yield opened

"""Fixtures of the tests of the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lastcard.server.store.store import Store


@pytest.fixture
def address(tmp_path: Path) -> str:
    """The address of a file that is not yet there."""
    return f"sqlite:///{tmp_path}/tables.db"


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An empty store in each kind of database."""
    with closing(Store.open(database)) as opened:
        yield opened

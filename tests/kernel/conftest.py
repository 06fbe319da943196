"""Fixtures of the tests of the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lastcard.kernel import cache


@pytest.fixture
def native_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The folder of native code, in a cache of its own."""
    monkeypatch.setenv("LASTCARD_CACHE", str(tmp_path / "cache"))
    cache.native_folder.cache_clear()
    folder = cache.native_folder()
    assert folder is not None
    yield folder
    cache.native_folder.cache_clear()

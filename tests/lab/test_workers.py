"""Work shared out among processes: everything is done once, and what goes wrong is said."""

from __future__ import annotations

import os

import pytest

from lastcard.errors import UsageError
from lastcard.lab.workers import work


@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_is_done_once(workers: int) -> None:
    assert sorted(work(abs, range(-5, 0), workers)) == [1, 2, 3, 4, 5]
    assert list(work(abs, [], workers)) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_what_cannot_be_read_or_written_is_named(workers: int) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        list(work(os.listdir, ["/nowhere"] * 3, workers))

"""The same work in a forked process and in this one."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any


def run_in_child_and_here(work: Callable[[], Any]) -> tuple[Any, Any]:
    """The result of a function in a forked process, and then in this one."""
    forking = multiprocessing.get_context("fork")
    results = forking.SimpleQueue()
    child = forking.Process(target=lambda: results.put(work()))
    child.start()
    child.join(60)
    child.kill()
    assert child.exitcode == 0
    return results.get(), work()

"""Threads that help the one that asks, in whichever process it asks."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor


class Helpers:
    """A pool of threads. A process that was forked has none of them and would wait for ever, so it gets its own.

    Args:
        count: how many.
        name: how their names begin.
    """

    def __init__(self, count: int, name: str = "") -> None:
        self._count, self._name = count, name
        self._process = 0

    @property
    def pool(self) -> ThreadPoolExecutor:
        """The pool of this process."""
        if self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self._count, self._name), os.getpid()
        return self._pool

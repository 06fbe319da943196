"""Threads that help the caller, also after a fork."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor


class ThreadPool:
    """A pool of threads. A forked process has none of its parent's threads, so it gets its own pool."""

    def __init__(self, count: int, name: str = "") -> None:
        self._count, self._name = count, name
        self._pid = 0

    @property
    def executor(self) -> ThreadPoolExecutor:
        """The pool of this process."""
        if self._pid != os.getpid():
            self._executor, self._pid = ThreadPoolExecutor(self._count, self._name), os.getpid()
        return self._executor

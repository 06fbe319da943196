"""A progress bar on standard error while a command works; only a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn


class ProgressUpdate(Protocol):
    """Updates the line of a task in the bar."""

    def __call__(self, what: str, done: int, of: int | None, now: str = "") -> None:
        """Set the task, the steps done, the total (None if unknown), and the current step."""


@contextmanager
def open_progress(*, counted: bool = True) -> Iterator[ProgressUpdate]:
    """Show a bar, and numbers if it is counted, while the block runs."""
    console = Console(stderr=True)
    columns = [TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()]
    if counted:
        columns.insert(2, MofNCompleteColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:

        def update(what: str, done: int, of: int | None, now: str = "") -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of)
            bar.update(tasks[what], description=f"{what} {now}".rstrip(), completed=done, total=of)

        yield update


class ProgressCounter:
    """A line of a bar that advances with every call, to a total number of steps."""

    def __init__(self, update: ProgressUpdate, what: str, of: int) -> None:
        self._update, self._what, self._of = update, what, of
        self.done = 0
        update(what, 0, of)

    def __call__(self, more: int = 1) -> None:
        self.done += more
        self._update(self._what, self.done, self._of)


@contextmanager
def open_counter(what: str, of: int) -> Iterator[ProgressCounter]:
    """Show a bar of one line while the block runs; see ``ProgressCounter``."""
    with open_progress() as update:
        yield ProgressCounter(update, what, of)

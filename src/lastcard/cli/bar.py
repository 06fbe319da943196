"""A progress bar on standard error while a command works; only a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn


class Tell(Protocol):
    """A line of the bar for everything that is told about."""

    def __call__(self, what: str, done: int, of: int, now: str = "") -> None:
        """Told what is done, how far, how far it goes, and maybe with what it goes on."""


@contextmanager
def open_bar(*, counted: bool = True) -> Iterator[Tell]:
    """A bar while the block runs.

    Args:
        counted: whether to show the numbers too.
    """
    console = Console(stderr=True)
    columns = [TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()]
    if counted:
        columns.insert(2, MofNCompleteColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:

        def tell(what: str, done: int, of: int, now: str = "") -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of)
            bar.update(tasks[what], description=f"{what} {now}".rstrip(), completed=done, total=of)

        yield tell


class Count:
    """A line of a bar that goes on whenever it is called.

    Args:
        tell: of the bar.
        what: is counted.
        of: how far it goes.
    """

    def __init__(self, tell: Tell, what: str, of: int) -> None:
        self._tell, self._what, self._of = tell, what, of
        self.done = 0
        tell(what, 0, of)

    def __call__(self, more: int = 1) -> None:
        self.done += more
        self._tell(self._what, self.done, self._of)


@contextmanager
def open_count(what: str, of: int) -> Iterator[Count]:
    """A bar of one line while the block runs; see ``Count``."""
    with open_bar() as tell:
        yield Count(tell, what, of)

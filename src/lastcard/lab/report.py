"""Results for people (tables) and for programs (JSON), and a progress bar."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

from lastcard.lab.simulate import Simulation, Tally

T = TypeVar("T")

Progress = Callable[[], None]


def new_bar() -> Bar:
    """A progress bar that counts, on standard error; only a terminal shows it."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    console = Console(stderr=True)
    return Bar(*columns, console=console, transient=True, disable=not console.is_terminal)


def with_bar(rounds: int, run: Callable[[Progress], T], what: str = "Rounds") -> T:
    """Run a simulation under a progress bar on standard error.

    Args:
        rounds: how many there will be.
        run: the simulation; it calls what it is given after every round.
        what: is counted.
    """
    with new_bar() as bar:
        task = bar.add_task(what, total=rounds)
        return run(lambda: bar.advance(task))


def as_json(result: Simulation, **more: object) -> str:
    """The result as JSON, and what else there is to say."""
    return json.dumps(result.as_dict() | more, indent=2)


def print_table(result: Simulation) -> None:
    """Print the result as two tables: by seat, and by kind of bot."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(f"{result.rules}: {result.rounds} rounds with {result.players} players, seed {result.seed}")
    console.print(
        f"A round takes {result.mean_plies:.1f} acts, the longest took {result.longest}; {result.void} were void."
        + (f" {result.stuck} were given up." if result.stuck else "")
    )
    console.print(_table("Seat", {str(seat): (1, tally) for seat, tally in enumerate(result.seats)}, result.rounds))
    kinds = {name: (result.bots.count(name), tally) for name, tally in result.kinds.items()}
    console.print(_table("Bot", kinds, result.rounds))


def _table(head: str, rows: dict[str, tuple[int, Tally]], rounds: int) -> Table:
    """A table with a line for each name; counts of several seats together are given for each seat."""
    table = Table(head, *(["Seats"] if head == "Bot" else []), "Wins", "Share", "Points a round", "Drawn a round")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, (seats, tally) in rows.items():
        per = rounds * seats
        cells = [str(tally.wins), f"{tally.wins / rounds:.1%}", f"{tally.points / per:.1f}", f"{tally.drawn / per:.2f}"]
        table.add_row(name, *([str(seats)] if head == "Bot" else []), *cells)
    return table

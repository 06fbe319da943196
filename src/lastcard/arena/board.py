"""Results as tables for a terminal, and for programs: JSON with all figures, Parquet with one row for each round."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from rich.box import SIMPLE
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as Grid

from lastcard.arena.arena import Arena
from lastcard.arena.clocks import Times
from lastcard.arena.standings import can_rate
from lastcard.arena.tally import Simulation, Tally
from lastcard.bots.statistics import FEWEST, Estimate
from lastcard.errors import UsageError, named
from lastcard.game.files import check_new, whole_file

JSON: Final = ".json"
PARQUET: Final = ".parquet"
_NAMED: Final = 6
"""With more bots than this the table of each against each has room for their numbers only."""
_SHORTEST: Final = 5
"""So many letters of a name, or more, stand in a line."""
_ANYWHERE: Final = 10_000
"""Columns in which every table has room."""


def print_arena(result: Arena) -> None:
    """Print what came of an arena in 80 columns: what each bot achieved, each against each, how long they took."""
    plan, count = result.plan, result.count()
    console = Console(highlight=False, markup=False)
    console.print(
        f"{plan.rules}, {plan.players} seats: {count['deals']} deals in every seating, {count['rounds']} rounds"
    )
    console.print(f"Seed {plan.seed.hex()}", soft_wrap=True)
    console.print(
        f"A round takes {count['mean_plies']:.1f} acts; {count['void']} were void."
        + (f" {count['stuck']} were given up." if count["stuck"] else "")
    )
    if len(result.deals) < FEWEST:
        console.print(f"Intervals need {FEWEST} deals.")
    if not can_rate():
        console.print("Ratings need openskill: pip install 'lastcard[lab]'")
    show_table(console, _entries(result))
    if len(result.entries) > 1:
        show_table(console, _cross(result))
    show_table(console, _times(result))


def _entries(result: Arena) -> Grid:
    """What each bot achieved; with more than one seat, all of them together win and each scores."""
    adjusted = ("Adjusted",) if result.plan.luck else ()
    grid = _open_table("Bot", "Won", "95%", *adjusted, "Even", "Points", "95%", "Rating")
    for column in grid.columns[1:]:
        column.no_wrap = True  # a name can go on in the next line, a figure cannot
    for i, (name, entry) in enumerate(result.entries.items()):
        grid.add_row(
            f"{i + 1} {name}" + (f" ×{entry.seats}" if entry.seats > 1 else ""),
            f"{entry.wins.value:.1%}",
            entry.wins.interval_text(100),
            *((_cell(entry.adjusted),) if result.plan.luck else ()),
            f"{entry.even:.1%}",
            f"{entry.points.value:.1f}",
            entry.points.interval_text(),
            f"{entry.rating.mu:.1f} ±{entry.rating.sigma:.1f}" if entry.rating else "–",
        )
    return grid


def _cross(result: Arena) -> Grid:
    """Each against each, seat for seat; columns are numbered like the rows, as in chess."""
    names = list(result.entries)
    grid = _open_table("Row won %", *(str(i + 1) for i in range(len(names))))
    for i, row in enumerate(names):
        cells = [result.cross[row].get(column) for column in names]
        grid.add_row(f"{i + 1} {row}" if len(names) <= _NAMED else str(i + 1), *(_cell(cell) for cell in cells))
    return grid


def _times(result: Arena) -> Grid:
    """How long bots took, in milliseconds."""
    grid = _open_table("Milliseconds", "On turn", "p50", "p99", "Out of turn", "p50", "p99")
    for name, entry in result.entries.items():
        grid.add_row(name, *_time_cells(entry.clock.choose), *_time_cells(entry.clock.react))
    return grid


def _open_table(head: str, *columns: str) -> Grid:
    """A table without lines between its columns: all of it fits a narrow terminal, long names on several lines."""
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0))
    grid.add_column(head, overflow="fold")
    for column in columns:
        grid.add_column(column, justify="right")
    return grid


def show_table(console: Console, grid: Grid) -> None:
    """Print a table; where the terminal is too narrow for its figures, as a block of lines for each of its rows."""
    if _fits(console, grid):
        console.print(grid)
        return
    heads = [str(column.header) for column in grid.columns]
    room = max(map(cell_len, heads[1:]))
    console.print()
    for name, *figures in zip(*(column.cells for column in grid.columns), strict=True):
        console.print(f"{heads[0]} {name}", soft_wrap=True)
        for head, figure in zip(heads[1:], figures, strict=True):
            console.print(f"  {set_cell_size(head, room)}  {' '.join(str(figure).split())}", soft_wrap=True)
        console.print()


def _fits(console: Console, grid: Grid) -> bool:
    """Whether every figure can be shown whole, and names in lines of ``_SHORTEST``; Rich would cut figures off."""
    anywhere = console.options.update(max_width=_ANYWHERE)
    needed = Measurement.get(console, anywhere, grid).maximum
    for number, column in enumerate(grid.columns):
        texts = [str(column.header), *map(str, column.cells)]
        widest = max(cell_len(line) for text in texts for line in text.splitlines())
        if number == 0:
            needed -= widest - min(widest, _SHORTEST)
        elif not column.no_wrap:
            needed -= widest - max(cell_len(word) for text in texts for word in text.split())
    return needed <= console.width


def _cell(estimate: Estimate | None) -> str:
    return "–" if estimate is None else estimate.text(100)


def _time_cells(times: Times) -> list[str]:
    quantiles = (times.quantile(0.5), times.quantile(0.99))
    return [str(times.count), *("–" if value is None else f"{value:.3f}" for value in quantiles)]


def print_simulation(result: Simulation) -> None:
    """Print what came of a simulation as two tables: by seat, and by kind of bot."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(f"{result.rules}: {result.rounds} rounds with {result.players} players, seed {result.seed}")
    console.print(
        f"A round takes {result.mean_plies:.1f} acts, the longest took {result.longest}; {result.void} were void."
        + (f" {result.stuck} were given up." if result.stuck else "")
    )
    seats = {str(seat): (1, tally) for seat, tally in enumerate(result.seats)}
    show_table(console, _tallies("Seat", seats, result.rounds))
    kinds = {name: (result.bots.count(name), tally) for name, tally in result.kinds.items()}
    show_table(console, _tallies("Bot", kinds, result.rounds))


def _tallies(head: str, rows: dict[str, tuple[int, Tally]], rounds: int) -> Grid:
    """A table with a line for each name; counts of several seats together are given for each seat."""
    grid = Grid(head, *(["Seats"] if head == "Bot" else []), "Wins", "Share", "Points a round", "Drawn a round")
    grid.columns[0].overflow = "fold"  # a name can go on in the next line, a figure cannot
    for column in grid.columns[1:]:
        column.justify, column.no_wrap = "right", True
    for name, (seats, tally) in rows.items():
        per = rounds * seats
        cells = [str(tally.wins), f"{tally.wins / rounds:.1%}", f"{tally.points / per:.1f}", f"{tally.drawn / per:.2f}"]
        grid.add_row(name, *([str(seats)] if head == "Bot" else []), *cells)
    return grid


# --- for programs ---------------------------------------------------------------------------------


def as_json(result: Arena | Simulation, **more: object) -> str:
    """All figures as JSON, and what else there is to say."""
    return json.dumps(result.as_dict() | more, indent=2) + "\n"


def check_out(path: Path, *, overwrite: bool) -> None:
    """See that a result can and may be written there, before it is played for.

    Args:
        path: the file.
        overwrite: whether one that is there already may be replaced.

    Raises:
        UsageError: where it cannot, or may not.
    """
    if path.suffix not in (JSON, PARQUET):
        raise UsageError(f"{path}: a result is written as {JSON} or {PARQUET}")
    if path.suffix == PARQUET and find_spec("pyarrow") is None:
        raise UsageError("Parquet needs pyarrow: pip install 'lastcard[lab]'")
    check_new(path, overwrite=overwrite)


def write_result(path: Path, result: Arena) -> None:
    """Write a result in the form that the name asks for.

    Raises:
        UsageError: where the file cannot be written.
    """
    with named(path, "cannot be written"), whole_file(path) as draft:
        if path.suffix == JSON:
            draft.write_text(as_json(result), encoding="utf-8")
        else:
            _write_parquet(draft, result)


def _write_parquet(path: Path, result: Arena) -> None:
    """One row for each round; what the arena was stands in the metadata of the schema."""
    import pyarrow as pa  # an extra
    from pyarrow import parquet

    numbers = pa.list_(pa.int32())
    schema = pa.schema(
        {
            "deal": pa.int32(),
            "dealer": pa.int8(),
            "seats": pa.list_(pa.string()),
            "winner": pa.int8(),
            "void": pa.bool_(),
            "stuck": pa.bool_(),
            "plies": pa.int32(),
            "points": numbers,
            "drawn": numbers,
            "luck": pa.list_(pa.float32()),
        },
        metadata={"lastcard arena": json.dumps(result.plan.as_dict())},
    )
    rows = [
        {"deal": deal.number, "dealer": result.plan.dealer(deal.number), "seats": seating, "void": played.void}
        | played._asdict()
        for deal, seating, played in result.rounds()
    ]
    parquet.write_table(pa.Table.from_pylist(rows, schema=schema), path)

"""Results as tables for a terminal, as JSON with all figures, and as Parquet with one row for each round."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from rich.box import SIMPLE
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as Grid

from lastcard.arena.arena import ArenaResult
from lastcard.arena.comparison import Verdict
from lastcard.arena.decision_times import TimeHistogram
from lastcard.arena.manifest import make_manifest
from lastcard.arena.round_rows import PARQUET, check_parquet, write_rounds
from lastcard.arena.tally import Simulation, Tally
from lastcard.bots.statistics import MIN_DEALS, Estimate
from lastcard.errors import UsageError, wrap_os_errors
from lastcard.game.text_files import atomic_write, check_writable

JSON: Final = ".json"
_MAX_NAMED_COLUMNS: Final = 6
"""Number of bots above which the columns of the cross table have numbers instead of names."""
_MIN_NAME_CHARS: Final = 5
"""Minimal width of a name's column, in characters."""
_UNLIMITED_CHARS: Final = 10_000
"""Width that every table fits, in columns."""


def print_arena(result: ArenaResult) -> None:
    """Print the result of an arena in 80 columns: each bot's statistics, the cross table, the times."""
    plan, count = result.plan, result.summarize()
    console = Console(highlight=False, markup=False)
    console.print(
        f"{plan.rules}, {plan.players} seats: {count['deals']} deals in every seating, {count['rounds']} rounds"
    )
    console.print(f"Seed {plan.seed.hex()}", soft_wrap=True)
    console.print(
        f"A round takes {count['mean_plies']:.1f} plies; {count['void']} were void."
        + (f" {count['stuck']} were given up." if count["stuck"] else "")
    )
    if result.verdict:
        console.print(format_verdict(result.verdict), soft_wrap=True)
    if len(result.deals) < MIN_DEALS:
        console.print(f"Intervals need {MIN_DEALS} deals.")
    print_grid(console, _entries_grid(result))
    if len(result.entries) > 1:
        print_grid(console, _cross_grid(result))
    print_grid(console, _times_grid(result))


def format_verdict(verdict: Verdict) -> str:
    """Returns the answer of an arena in words, with the interval that holds whenever it stopped."""
    share, interval = verdict.share, ""
    if share.has_interval:
        interval = f"; {share.interval_text(100)}% with {100 * verdict.rule.confidence:g}% confidence whenever it stops"
    even = f"even {verdict.equal_share:.1%}"
    return f"{verdict.text()}: {verdict.name} won {share.value:.1%} of {verdict.deals} deals ({even}{interval})"


def _entries_grid(result: ArenaResult) -> Grid:
    """The statistics of each bot; with more than one seat, wins are summed over its seats and points are per seat."""
    adjusted = ("Adjusted",) if result.plan.luck else ()
    grid = _new_grid("Bot", "Won", "95%", *adjusted, "Even", "Points", "95%", "Rating")
    for column in grid.columns[1:]:
        column.no_wrap = True  # long names continue in the next line, figures do not wrap
    for i, (name, entry) in enumerate(result.entries.items()):
        grid.add_row(
            f"{i + 1} {name}" + (f" ×{entry.seats}" if entry.seats > 1 else ""),
            f"{entry.wins.value:.1%}",
            entry.wins.interval_text(100),
            *((_cell(entry.adjusted),) if result.plan.luck else ()),
            f"{entry.equal_share:.1%}",
            f"{entry.points.value:.1f}",
            entry.points.interval_text(),
            _rating_cell(entry.rating),
        )
    return grid


def _cross_grid(result: ArenaResult) -> Grid:
    """The cross table, seat for seat; columns are numbered like the rows, as in chess."""
    names = list(result.entries)
    grid = _new_grid("Row won %", *(str(i + 1) for i in range(len(names))))
    for i, row in enumerate(names):
        cells = [result.cross_table[row].get(column) for column in names]
        grid.add_row(
            f"{i + 1} {row}" if len(names) <= _MAX_NAMED_COLUMNS else str(i + 1), *(_cell(cell) for cell in cells)
        )
    return grid


def _times_grid(result: ArenaResult) -> Grid:
    """The decision times of bots, in milliseconds."""
    grid = _new_grid("Milliseconds", "On turn", "p50", "p99", "Out of turn", "p50", "p99")
    for name, entry in result.entries.items():
        grid.add_row(name, *_time_cells(entry.times.choose), *_time_cells(entry.times.react))
    return grid


def _new_grid(head: str, *columns: str) -> Grid:
    """A table without lines between its columns, which fits a narrow terminal with long names on several lines."""
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0))
    grid.add_column(head, overflow="fold")
    for column in columns:
        grid.add_column(column, justify="right")
    return grid


def print_grid(console: Console, grid: Grid) -> None:
    """Print a table; if the terminal is too narrow for its figures, print a block of lines for each row."""
    if _fits(console, grid):
        console.print(grid)
        return
    heads = [str(column.header) for column in grid.columns]
    label_width = max(map(cell_len, heads[1:]))
    console.print()
    for name, *figures in zip(*(column.cells for column in grid.columns), strict=True):
        console.print(f"{heads[0]} {name}", soft_wrap=True)
        for head, figure in zip(heads[1:], figures, strict=True):
            console.print(f"  {set_cell_size(head, label_width)}  {' '.join(str(figure).split())}", soft_wrap=True)
        console.print()


def _fits(console: Console, grid: Grid) -> bool:
    """Whether every figure fits, and names in lines of ``_MIN_NAME_CHARS``: Rich cuts figures off."""
    unlimited = console.options.update(max_width=_UNLIMITED_CHARS)
    needed = Measurement.get(console, unlimited, grid).maximum
    for number, column in enumerate(grid.columns):
        texts = [str(column.header), *map(str, column.cells)]
        widest = max(cell_len(line) for text in texts for line in text.splitlines())
        if number == 0:
            needed -= widest - min(widest, _MIN_NAME_CHARS)
        elif not column.no_wrap:
            needed -= widest - max(cell_len(word) for text in texts for word in text.split())
    return needed <= console.width


def _cell(estimate: Estimate | None) -> str:
    return "–" if estimate is None else estimate.text(100)


def _rating_cell(rating: Estimate | None) -> str:
    """A rating in whole points."""
    if rating is None:
        return "–"
    return f"{rating.value:+.0f}" + (f" ±{rating.margin:.0f}" if rating.has_interval else "")


def _time_cells(times: TimeHistogram) -> list[str]:
    quantiles = (times.quantile(0.5), times.quantile(0.99))
    return [str(times.count), *("–" if value is None else f"{value:.3f}" for value in quantiles)]


def print_simulation(result: Simulation) -> None:
    """Print the result of a simulation as two tables: by seat, and by kind of bot."""
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(f"{result.rules}: {result.rounds} rounds with {result.players} players, seed {result.seed}")
    console.print(
        f"A round takes {result.mean_plies:.1f} plies, the longest took {result.longest}; {result.void} were void."
        + (f" {result.stuck} were given up." if result.stuck else "")
    )
    seats = {str(seat): (1, tally) for seat, tally in enumerate(result.seats)}
    print_grid(console, _tally_grid("Seat", seats, result.rounds))
    kinds = {name: (result.bots.count(name), tally) for name, tally in result.kinds.items()}
    print_grid(console, _tally_grid("Bot", kinds, result.rounds))


def _tally_grid(head: str, rows: dict[str, tuple[int, Tally]], rounds: int) -> Grid:
    """A table with a row for each name; counts of several seats together are given per seat."""
    grid = Grid(head, *(["Seats"] if head == "Bot" else []), "Wins", "Share", "Points a round", "Drawn a round")
    grid.columns[0].overflow = "fold"  # long names continue in the next line, figures do not wrap
    for column in grid.columns[1:]:
        column.justify, column.no_wrap = "right", True
    for name, (seats, tally) in rows.items():
        per = rounds * seats
        cells = [str(tally.wins), f"{tally.wins / rounds:.1%}", f"{tally.points / per:.1f}", f"{tally.drawn / per:.2f}"]
        grid.add_row(name, *([str(seats)] if head == "Bot" else []), *cells)
    return grid


# --- for programs ---------------------------------------------------------------------------------


def to_json(result: ArenaResult | Simulation, **more: object) -> str:
    """All figures as JSON, with further fields."""
    return json.dumps(result.as_dict() | more, indent=2) + "\n"


def check_output(path: Path, *, overwrite: bool) -> None:
    """Check before playing that a result can be written, over a file only with ``overwrite``; else a UsageError."""
    if path.suffix not in (JSON, PARQUET):
        raise UsageError(f"{path}: a result is written as {JSON} or {PARQUET}")
    if path.suffix == PARQUET:
        check_parquet()
    check_writable(path, overwrite=overwrite)


def write_result(path: Path, result: ArenaResult) -> None:
    """Write a result in the format of the file's suffix; raises a UsageError if the file cannot be written."""
    with wrap_os_errors(path, "cannot be written"), atomic_write(path) as draft:
        if path.suffix == JSON:
            draft.write_text(to_json(result, manifest=make_manifest()), encoding="utf-8")
        else:
            write_rounds(draft, result.plan, result.deals)

"""The result of an arena as tables that fit a terminal of 80 columns."""

from __future__ import annotations

from typing import Final

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from lastcard.lab.arena import Arena
from lastcard.lab.clocks import Times
from lastcard.lab.estimates import FEWEST, Estimate
from lastcard.lab.ratings import can_rate

_NAMED: Final = 6
"""With more bots than this the table of each against each has room for their numbers only."""


def print_arena(result: Arena) -> None:
    """Print the result as three tables: what each bot achieved, each against each, how long they took."""
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
    console.print(_entries(result))
    if len(result.entries) > 1:
        console.print(_cross(result))
    console.print(_times(result))


def _entries(result: Arena) -> Table:
    """What each bot achieved; with more than one seat, all of them together win and each scores."""
    table = _open_table("Bot", "Won", "95%", "Even", "Points", "95%", "Rating")
    for i, (name, entry) in enumerate(result.entries.items()):
        table.add_row(
            f"{i + 1} {name}" + (f" ×{entry.seats}" if entry.seats > 1 else ""),
            f"{entry.wins.value:.1%}",
            _interval(entry.wins, 100),
            f"{entry.even:.1%}",
            f"{entry.points.value:.1f}",
            _interval(entry.points, 1),
            f"{entry.rating.mu:.1f} ±{entry.rating.sigma:.1f}" if entry.rating else "–",
        )
    return table


def _cross(result: Arena) -> Table:
    """Each against each, seat for seat; columns are numbered like the rows, as in chess."""
    names = list(result.entries)
    table = _open_table("Row won %", *(str(i + 1) for i in range(len(names))))
    for i, row in enumerate(names):
        cells = [result.cross[row].get(column) for column in names]
        table.add_row(f"{i + 1} {row}" if len(names) <= _NAMED else str(i + 1), *(_cell(cell) for cell in cells))
    return table


def _times(result: Arena) -> Table:
    """How long bots took, in milliseconds."""
    table = _open_table("Milliseconds", "On turn", "p50", "p99", "Out of turn", "p50", "p99")
    for name, entry in result.entries.items():
        table.add_row(name, *_time_cells(entry.clock.choose), *_time_cells(entry.clock.react))
    return table


def _open_table(head: str, *columns: str) -> Table:
    """A table without lines between its columns: all of it fits a narrow terminal, long names on several lines."""
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0))
    table.add_column(head, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _interval(estimate: Estimate, scale: int) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{scale * estimate.low:.1f}–{scale * estimate.high:.1f}"


def _cell(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    half = "" if estimate.low is None or estimate.high is None else f" ±{50 * (estimate.high - estimate.low):.1f}"
    return f"{100 * estimate.value:.1f}{half}"


def _time_cells(times: Times) -> list[str]:
    quantiles = (times.quantile(0.5), times.quantile(0.99))
    return [str(times.count), *("–" if value is None else f"{value:.3f}" for value in quantiles)]

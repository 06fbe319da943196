"""A report as a summary in the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from lastcard.analysis.findings import Report
from lastcard.analysis.words import Line, Words, with_plain_names
from lastcard.text.locale import catalog


def as_json(report: Report) -> str:
    """The report as JSON."""
    return json.dumps(report.as_dict()) + "\n"


def print_report(report: Report, language: str, show: Callable[[Console, Table], None]) -> None:
    """Print where the rounds won come from, the best and worst decisions, luck and missed calls.

    Args:
        report: what was found.
        language: of the words.
        show: prints a table, whatever room there is.
    """
    words = Words(with_plain_names(report), catalog(language))
    console = Console(highlight=False, markup=False)
    console.print(words.title(), soft_wrap=True)
    for note in words.notes():
        console.print(note)
    console.print()
    console.print(words.text("account.title"), style="bold")
    console.print(words.text("account.sum"))
    show(console, _table(*words.accounts(), "\n"))
    console.print(words.text("decisions.title"), style="bold")
    console.print(words.text("decisions.about"))
    show(console, _table(*words.decisions(), " "))
    heads, rows = words.kinds()
    if rows:
        console.print(words.text("kinds.title"), style="bold")
        show(console, _table(heads, rows, " "))
    for name, lines in words.lists().items():
        _print_list(console, words, name, lines)


def _table(heads: Sequence[str], rows: Iterable[Sequence[tuple[str, str]]], between: str) -> Table:
    """A table without lines between its columns; what stands between a figure and its uncertainty makes it fit."""
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0))
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(between.join(filter(None, cell)) for cell in row))
    return table


def _print_list(console: Console, words: Words, name: str, lines: Sequence[Line]) -> None:
    console.print(words.text(f"{name}.title"), style="bold")
    if not lines:
        console.print(f"  {words.text(f'{name}.none')}")
    for line in lines:
        console.print(f"  {words.place(line.round, line.ply)} {line.text}")
    console.print()

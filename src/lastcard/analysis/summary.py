"""A report as a summary in the terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from lastcard.analysis.report_model import Report
from lastcard.analysis.report_text import ReportLine, ReportTexts, with_escaped_names
from lastcard.text.locale import catalog


def as_json(report: Report) -> str:
    """The report as JSON."""
    return json.dumps(report.as_dict()) + "\n"


def print_report(report: Report, language: str, print_table: Callable[[Console, Table], None]) -> None:
    """Print the attribution of rounds won, the best and worst decisions, luck and missed calls.

    Args:
        report: the report.
        language: language of the texts.
        print_table: function that prints a table in any width.
    """
    words = ReportTexts(with_escaped_names(report), catalog(language))
    console = Console(highlight=False, markup=False)
    console.print(words.title(), soft_wrap=True)
    for note in words.notes():
        console.print(note)
    console.print()
    console.print(words.text("account.title"), style="bold")
    console.print(words.text("account.sum"))
    print_table(console, _table(*words.attribution_table(), "\n"))
    console.print(words.text("decisions.title"), style="bold")
    console.print(words.text("decisions.about"))
    print_table(console, _table(*words.decision_table(), " "))
    heads, rows = words.mistake_table()
    if rows:
        console.print(words.text("kinds.title"), style="bold")
        print_table(console, _table(heads, rows, " "))
    for name, lines in words.lists().items():
        _print_list(console, words, name, lines)


def _table(heads: Sequence[str], rows: Iterable[Sequence[tuple[str, str]]], between: str) -> Table:
    """A table without lines between its columns; ``between`` separates a figure from its margin."""
    table = Table(box=SIMPLE, padding=(0, 1, 0, 0))
    for number, head in enumerate(heads):
        table.add_column(head, justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(between.join(filter(None, cell)) for cell in row))
    return table


def _print_list(console: Console, words: ReportTexts, name: str, lines: Sequence[ReportLine]) -> None:
    console.print(words.text(f"{name}.title"), style="bold")
    if not lines:
        console.print(f"  {words.text(f'{name}.none')}")
    for line in lines:
        console.print(f"  {words.place(line.round, line.ply)} {line.text}")
    console.print()

"""A report as one self-contained HTML page: no script, no address, readable on a phone and on paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from lastcard.ai.round_analysis import PARTS
from lastcard.analysis.chance_chart import HEIGHT_PX, WIDTH_PX, draw_chances
from lastcard.analysis.report_model import Report, RoundReport
from lastcard.analysis.report_text import ReportLine, ReportTexts, with_escaped_names
from lastcard.text.locale import catalog


def report_page(report: Report, language: str) -> str:
    """A report as a page.

    Args:
        report: the report.
        language: one of ``locale.LANGUAGES``.
    """
    words = ReportTexts(with_escaped_names(report), catalog(language))
    title = escape(words.text("title"))
    style = files("lastcard.analysis").joinpath("html_report.css").read_text(encoding="utf-8")
    body = [
        f"<header><h1>{title}</h1><p>{escape(words.title())}</p></header>",
        *(f'<p class="note">{escape(note)}</p>' for note in words.notes()),
        *_attribution_sections(words),
        *(_list(name, lines, words) for name, lines in words.lists().items()),
        *(_round(one, words) for one in report.rounds),
    ]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="{language}">',
            '<head><meta charset="utf-8"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            '<meta name="color-scheme" content="light dark"/>',
            f"<title>{title} – {escape(', '.join(words.report.players))}</title>",
            f"<style>\n{style}</style></head>",
            "<body><main>",
            *body,
            "</main></body></html>\n",
        ]
    )


def _attribution_sections(words: ReportTexts) -> list[str]:
    """The attribution of rounds won, the meaning of each column, and the losses by decisions."""
    meanings = "".join(
        f"<dt>{escape(words.text(f'account.{part}'))}</dt><dd>{escape(words.text(f'account.{part}.about'))}</dd>"
        for part in PARTS
    )
    return [
        f"<section><h2>{escape(words.text('account.title'))}</h2>",
        f"<p>{escape(words.text('account.sum'))}</p>",
        _figure_table(words.text("account.title"), *words.attribution_table()),
        f"<dl>{meanings}</dl></section>",
        f"<section><h2>{escape(words.text('decisions.title'))}</h2>",
        f"<p>{escape(words.text('decisions.about'))}</p>",
        _figure_table(words.text("decisions.title"), *words.decision_table()),
        *_kinds(words),
        "</section>",
    ]


def _kinds(words: ReportTexts) -> list[str]:
    """The mistakes by kind, if there were any."""
    heads, rows = words.mistake_table()
    title = words.text("kinds.title")
    return [f"<h3>{escape(title)}</h3>", _figure_table(title, heads, rows)] if rows else []


def _figure_table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[tuple[str, str]]]) -> str:
    return _table(caption, heads, ([" ".join(filter(None, cell)) for cell in row] for row in rows), stacked=True)


def _list(name: str, lines: Sequence[ReportLine], words: ReportTexts) -> str:
    """A section with a line for each finding, linked to its round."""
    head = f"<section><h2>{escape(words.text(f'{name}.title'))}</h2>"
    if not lines:
        return f"{head}<p>{escape(words.text(f'{name}.none'))}</p></section>"
    items = "".join(
        f'<li><a href="#r{line.round}">{escape(words.place(line.round, line.ply))}</a> {escape(line.text)}</li>'
        for line in lines
    )
    return f"{head}<ol>{items}</ol></section>"


def _round(one: RoundReport, words: ReportTexts) -> str:
    """A round: its chart, the legend, and the figures."""
    players = words.report.players
    legend = "".join(
        f'<li><svg class="key" viewBox="0 0 28 8" aria-hidden="true"><g class="seat-{seat}">'
        f'<polyline points="0,4 28,4"/></g></svg> {escape(name)}</li>'
        for seat, name in enumerate(players)
    )
    head = [words.text("table.number"), words.text("table.move"), *players]
    rows = [["0", words.text("table.deal"), *(words.percent(chance) for chance in one.dealt)]]
    for ply, step in enumerate(one.steps, start=1):
        move_text = f"{words.player(step.seat)}: {words.move(step.move)}"
        if step.chance is not None:
            change = words.percent(step.luck[step.seat], signed=True)
            move_text += f" ({words.text(f'luck.{step.chance}')}: {change})"
        rows.append([str(ply), move_text, *(words.percent(chance) for chance in step.chances)])
    title, behind, marks = words.round(one.number), words.text("chart.table"), words.text("chart.marks")
    return (
        f'<section class="round" id="r{one.number}"><h2>{escape(title)}</h2>\n'
        f"<figure>{_chart(one, words, f'c{one.number}')}\n"
        f'<figcaption><ul class="legend">{legend}</ul><p>{escape(marks)}</p></figcaption></figure>\n'
        f"<details><summary>{escape(behind)}</summary>{_table(title, head, rows)}</details></section>"
    )


def _table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], stacked: bool = False) -> str:
    """A table whose rows are named by their first cell.

    Its rows scroll on a narrow screen; a stacked table shows each row as a block, with the heads beside the figures.
    """
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    marks = [f' data-head="{escape(name)}"' if stacked else "" for name in head[1:]]
    lines = "\n".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td{mark}>{escape(cell)}</td>" for mark, cell in zip(marks, row[1:], strict=True))
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="{"stacked" if stacked else "wide"}" tabindex="0" role="region" aria-label="{escape(caption)}">'
        f"<table><thead><tr>{heads}</tr></thead>\n<tbody>{lines}</tbody></table></div>"
    )


# --- the chart of a round ---------------------------------------------------------------------------


# The chart is drawn for a narrow screen, so that its letters are readable there.
def _chart(one: RoundReport, words: ReportTexts, key: str) -> str:
    """A line for each player through the chance after every move, with its interval as a band.

    Args:
        one: a round.
        words: texts of a language.
        key: unique key of the chart on the page.
    """
    names = ", ".join(words.report.players)
    about = words.text("chart.about", moves=len(one.steps), players=names, end=words.round(one.number))
    title = words.text("chart.title", round=one.number + 1)
    return "\n".join(
        [
            f'<svg class="chart" viewBox="0 0 {WIDTH_PX} {HEIGHT_PX}" role="img" aria-labelledby="{key}-t {key}-d">',
            f'<title id="{key}-t">{escape(title)}</title><desc id="{key}-d">{escape(about)}</desc>',
            *draw_chances(one.moments, one.marks),
            "</svg>",
        ]
    )

"""The files of a study: a page in Markdown, figures as SVG, tables as Parquet."""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

from lastcard.arena.manifest import make_manifest
from lastcard.arena.round_rows import check_parquet
from lastcard.arena.studies.design import Findings, Study, Table, Value
from lastcard.arena.studies.study_figures import THEMES, check_matplotlib, draw_figure
from lastcard.bots.statistics import Estimate
from lastcard.errors import wrap_os_errors
from lastcard.game.text_files import atomic_write, check_writable

_INDEX: Final = "README.md"
_ANSWER: Final = re.compile(r"# (.*)\n[^#]*\n\*\*Question\.\*\* (.*)\n\n\*\*Answer\.\*\* (.*)\n")
"""The title, the question and the answer of a page."""


def check_folder(folder: Path, study: Study, *, overwrite: bool) -> None:
    """Make a folder for the files of a study; raise a UsageError if they cannot be written, or made without an extra.

    Args:
        folder: the folder.
        study: the study.
        overwrite: whether its page may be replaced.
    """
    check_parquet()
    check_matplotlib()
    with wrap_os_errors(folder, "cannot be made"):
        folder.mkdir(parents=True, exist_ok=True)
    check_writable(_page_path(folder, study), overwrite=overwrite)


def write_study(folder: Path, study: Study, findings: Findings, command: str, rounds: int) -> None:
    """Write the page, the figures and the tables of a study, and the index of all pages in the folder.

    Args:
        folder: where to.
        study: the study.
        findings: its findings.
        command: the command that repeats it.
        rounds: number of rounds of each cell.
    """
    for theme in THEMES:
        _write_text(folder / _figure_name(study, theme), draw_figure(findings.figure, theme))
    for table in findings.tables:
        _write_table(folder / f"{table.name}.parquet", table)
    _write_text(_page_path(folder, study), make_page(study, findings, command, rounds))
    _write_text(folder / _INDEX, _make_index(folder))


def make_page(study: Study, findings: Findings, command: str, rounds: int) -> str:
    """Returns the page of a study: first what anybody can read, then tables and method."""
    pictures = [_figure_name(study, theme) for theme in ("dark", "light")]
    lines = [
        f"# {study.title}",
        "",
        "For players and for people who choose rules. After the first half you know the answer; tables and method are"
        " below it.",
        "",
        f"**Question.** {study.question}",
        "",
        f"**Answer.** {findings.answer}",
        "",
        "<picture>",
        f'  <source media="(prefers-color-scheme: dark)" srcset="{pictures[0]}">',
        f'  <img alt="{findings.figure.title}: {findings.figure.axis}" src="{pictures[1]}">',
        "</picture>",
        "",
        *(line for paragraph in findings.paragraphs for line in (paragraph, "")),
        "## Tables",
        "",
        *(line for table in findings.tables for line in (*_format_table(table), "")),
        "## Method",
        "",
        f"{study.method} Numbers after ± are half the width of a 95 % interval. {rounds:,} rounds are played for each"
        f" of {len(study.cells)} parts of the design.",
        "",
        *([*(f"- {source}" for source in findings.sources), ""] if findings.sources else []),
        f"Made by `{command}` {_describe_run()}, {date.today().isoformat()}.",
    ]
    return "\n".join(lines) + "\n"


def _describe_run() -> str:
    """The commit, if there is one, and the machine."""
    made = make_manifest()
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--short=8", "HEAD"],
            cwd=Path(__file__).parent, capture_output=True, text=True, check=True,
        )  # fmt: skip
        commit = f"at commit {found.stdout.strip()}"
    except (OSError, subprocess.CalledProcessError):  # installed without its repository
        commit = f"with lastcard {made['version']}"
    return f"{commit} (kernel {made['kernel'][:8]}) on {_processor_name()} with {made['processors']} cores"


def _processor_name() -> str:
    """The name of the processor as the system calls it."""
    try:
        info = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        info = ""
    found = re.search(r"^model name\s*: (.+)$", info, re.MULTILINE)
    return found[1] if found else platform.processor() or platform.machine()


def _format_table(table: Table) -> Iterator[str]:
    """The lines of a table in Markdown."""
    rows = table.rows[: table.shown]
    yield table.caption + (f" The first {len(rows)} of {len(table.rows)} rows." if len(rows) < len(table.rows) else "")
    yield ""
    yield "| " + " | ".join(table.columns) + " |"
    texts = [isinstance(value, str) for value in table.rows[0]] if table.rows else [False] * len(table.columns)
    yield "|" + "|".join("---" if is_text else "--:" for is_text in texts) + "|"
    for row in rows:
        yield "| " + " | ".join(_format_value(table, value) for value in row) + " |"


def _format_value(table: Table, value: Value) -> str:
    if isinstance(value, Estimate):
        return value.text(100 if table.percent else 1).replace(" ±0.0", "")
    if isinstance(value, int):
        return f"{value:,}"
    return "–" if value is None else str(value)


def _write_table(path: Path, table: Table) -> None:
    """Write a table; an estimate becomes three columns, its value and the ends of its interval."""
    import pyarrow as pa
    from pyarrow import parquet

    columns: dict[str, list[Any]] = {}
    for i, name in enumerate(table.columns):
        values = [row[i] for row in table.rows]
        if any(isinstance(value, Estimate) for value in values):
            for part in ("value", "low", "high"):
                ends = [value.as_dict()[part] if isinstance(value, Estimate) else None for value in values]
                columns[name if part == "value" else f"{name}, {part}"] = ends
        else:
            columns[name] = values
    with wrap_os_errors(path, "cannot be written"), atomic_write(path) as draft:
        parquet.write_table(pa.table(columns), draft)


def _make_index(folder: Path) -> str:
    """Returns the page that lists all studies of a folder with their questions and answers."""
    lines = [
        "# Studies",
        "",
        "For players and researchers. After this page you know what was asked about the games, and the answers in one"
        " sentence each. `lastcard study list` lists the studies, and `lastcard study NAME --out DIR` repeats one. The"
        " players are bots ([bots](../bots.md)), so people may differ.",
        "",
    ]
    for path in sorted(folder.glob("*.md")):
        found = _ANSWER.match(path.read_text(encoding="utf-8"))
        if found and path.name != _INDEX:
            title, question, answer = found.groups()
            lines += [f"- [{title}]({path.name}). *{question}* {answer}"]
    return "\n".join(lines) + "\n"


def _page_path(folder: Path, study: Study) -> Path:
    return folder / f"{study.name}.md"


def _figure_name(study: Study, theme: str) -> str:
    return f"{study.name}-{theme}.svg"


def _write_text(path: Path, content: str) -> None:
    with wrap_os_errors(path, "cannot be written"), atomic_write(path) as draft:
        draft.write_text(content, encoding="utf-8")

"""Runs the notebooks of ``docs/notebooks`` and puts what they print and draw into their pages."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Final

import jupytext
import nbformat
from nbclient import NotebookClient
from nbconvert import MarkdownExporter

FOLDER: Final = "notebooks"
_TIMEOUT_S: Final = 300


def run_notebooks(sources: Path) -> None:
    """Replace the pages of the notebooks by those with results, and write each as a notebook beside it.

    Raises:
        nbclient.exceptions.CellExecutionError: if a cell fails.
    """
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"  # sums in one order, the same every time
    for page in sorted((sources / FOLDER).glob("*.md")):
        notebook = jupytext.read(page)
        with tempfile.TemporaryDirectory() as folder:
            resources = {"metadata": {"path": folder}}
            NotebookClient(notebook, timeout=_TIMEOUT_S, kernel_name="python3", resources=resources).execute()
        _write_page(page, notebook)


def _write_page(page: Path, notebook: Any) -> None:
    nbformat.write(notebook, page.with_suffix(".ipynb"))
    exporter = MarkdownExporter()
    text, resources = exporter.from_notebook_node(notebook)
    for name, body in resources["outputs"].items():
        picture = page.with_name(f"{page.stem}-{name}")
        picture.write_bytes(body)
        text = text.replace(f"]({name})", f"]({picture.name})")
    download = f"\n[Download it as a notebook with these results]({page.stem}.ipynb)\n"
    page.write_text(text.rstrip() + "\n" + download, encoding="utf-8")

"""The navigation of the site: tutorials, how-to guides, reference and explanation, each page in one of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tools.docs_site.markdown_pages import DOCS
from tools.docs_site.reference_pages import library_groups


def _all(folder: str) -> str:
    """Returns the pages of a folder of ``docs/``."""
    return " ".join(sorted(f"{folder}/{page.stem}" for page in (DOCS / folder).glob("*.md")))


_LIBRARY: Final = " ".join(f"reference/api-{name}" for name in library_groups())
SECTIONS: Final[Mapping[str, str | Mapping[str, str]]] = {
    "Tutorials": "tutorial notebooks/statistics notebooks/training",
    "How-to guides": {
        "Play": "table replay terminal puzzles",
        "Host": "server site",
        "Program": "agents eval project/CONTRIBUTING release",
        "Research": f"arena datasets {_all('envs')}",
    },
    "Reference": {
        "Rules": "explorer rules reference/classic reference/all-wild reference/wild-jackpot reference/options",
        "Commands": "reference/commands",
        "Python": f"python {_LIBRARY}",
        "Formats": "notation records record-format bot-protocol features everywhere",
        "Bots": "bots",
        "Words and changes": "overview glossary compatibility project/CHANGELOG project/README project/SECURITY",
    },
    "Explanation": {
        "How it works": "architecture session fairness insight threats",
        "Studies": _all("studies"),
        "Benchmarks": "project/benchmarks/README",
        "Decisions": _all("decisions"),
    },
}
"""Pages by section, in their order, without ``.md``."""


def nav_toml(sources: Path) -> str:
    """Returns the navigation as a TOML value; the titles of pages are their headings.

    Raises:
        FileNotFoundError: for a page that ``sources`` does not have.
    """
    groups = [_group(sources, title, pages) for title, pages in SECTIONS.items()]
    return _array(['{"Play" = "index.md"}', *groups])


def _group(sources: Path, title: str, pages: str | Mapping[str, str]) -> str:
    if isinstance(pages, Mapping):
        items = [_group(sources, name, inner) for name, inner in pages.items()]
    else:
        items = [_page(sources, f"{name}.md") for name in pages.split()]
    return f"{{{json.dumps(title)} = {_array(items)}}}"


def _page(sources: Path, name: str) -> str:
    heading = re.search(r"^# (.*)$", (sources / name).read_text(encoding="utf-8"), re.M)
    assert heading, f"{name} has no heading"
    return f"{{{json.dumps(heading[1].replace('`', ''))} = {json.dumps(name)}}}"


def _array(items: Sequence[str]) -> str:
    return f"[{', '.join(items)}]"

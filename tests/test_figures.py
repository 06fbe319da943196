"""Every measured figure of README and docs is on a results page that its section links to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = (ROOT / "README.md", ROOT / "benchmarks/README.md", *sorted((ROOT / "docs").rglob("*.md")))
NUMBER: Final = r"\d+(?:,\d{3})*(?:\.\d+)?"
SHARE_OR_FACTOR: Final = re.compile(rf"(?<![\w.,-])({NUMBER})(?= ?%(?! zoom)| ×(?! \d))")
INTERVAL: Final = re.compile(rf"\(({NUMBER})–({NUMBER})\)")
MEASURED: Final = re.compile(r"results/([\w-]+\.md)")
LEAST_FIGURES: Final = 150
"""Number of figures that are found for certain, or the patterns are wrong."""


def test_figures_are_on_their_results_pages() -> None:
    """A figure may be rounded, or the share of the other side. Decisions also report trials without a page."""
    count, missing = 0, []
    for page in PAGES:
        if page.parent.name == "decisions":
            continue
        for section in re.split(r"\n(?=#+ )", page.read_text(encoding="utf-8")):
            results = MEASURED.findall(section)
            if not results:
                continue
            measured = _read_numbers("\n".join((ROOT / "benchmarks/results" / name).read_text() for name in results))
            for figure in _find_figures(section):
                count += 1
                digits = len(figure.partition(".")[2])
                near = 0.5001 * 10**-digits
                if not any(min(abs(x - float(figure)), abs(100 - x - float(figure))) <= near for x in measured):
                    missing.append(f"{page.relative_to(ROOT)}: {figure} is not in {', '.join(results)}")
    assert not missing, "\n".join(missing)
    assert count > LEAST_FIGURES


def _find_figures(section: str) -> list[str]:
    """The percentages, factors and ends of intervals in a section, without those in links and code."""
    text = re.sub(r"\]\([^)]*\)|```.*?```|`[^`]*`", "", section, flags=re.DOTALL)
    figures = SHARE_OR_FACTOR.findall(text) + [end for ends in INTERVAL.findall(text) for end in ends]
    return [figure.replace(",", "") for figure in figures]


def _read_numbers(text: str) -> set[float]:
    """All numbers of a text."""
    return {float(number.replace(",", "")) for number in re.findall(NUMBER, text)}

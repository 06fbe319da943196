"""The pages of the project, their blocks and the commands that they show."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
_BLOCK: Final = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Every page of the project."""
    return [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md")), ROOT / "benchmarks" / "README.md"]


def name(page: Path) -> str:
    """The path of a page, as a test names it."""
    return page.relative_to(ROOT).as_posix()


@cache
def text(page: Path) -> str:
    """The text of a page or a source."""
    return page.read_text(encoding="utf-8")


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language on a page."""
    return [body for tag, body in _BLOCK.findall(text(page)) if tag == language]


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _BLOCK.sub("", text(page))


def shell(page: Path) -> str:
    """The lines of a page for a shell: indented ones, and those of its blocks; continued lines are joined."""
    indented = re.findall(r"^    .+$", prose(page), re.M)
    return "\n".join([*indented, *blocks(page, "sh")]).replace("\\\n", " ")


def inline_commands(page: Path) -> list[str]:
    """Every ``lastcard …`` in the sentences of a page, on one line each."""
    return [" ".join(span.split()) for span in re.findall(r"`(lastcard [^`]+)`", prose(page))]

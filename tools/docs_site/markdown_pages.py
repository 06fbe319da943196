"""The project's Markdown pages for the site: copies with links that work there, and pages of the files they link to."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
_OUTSIDE: Final = Path("project")
"""Folder of the site for files from outside ``docs/``."""
_LINK: Final = re.compile(
    r'(?P<code>^ *```.*?^ *```$|`[^`\n]+`)|(?P<before>\]\(|(?:src|srcset)=")(?P<target>[^)\s"]+)', re.M | re.S
)
_CLAUSE: Final = re.compile(r"^\| ((?:CO|CL|AW|WJ|LC)-\d+\w*) \|", re.M)
_STATE_DIAGRAM: Final = re.compile(r"^```mermaid\nstateDiagram-v2\n(.*?)^```$", re.M | re.S)
_LANGUAGES: Final = {".py": "python", ".js": "js", ".json": "json", ".toml": "toml", ".c": "c", ".conf": "nginx"}
_PICTURES: Final = (".svg", ".webp", ".png")
_NOT_FOUND_BY_SEARCH: Final = "---\nsearch:\n  exclude: true\n---\n"


def write_pages(out: Path, starts: Iterable[Path]) -> None:
    """Write the pages ``starts`` and every file that they link to, directly or not, into a folder.

    Raises:
        FileNotFoundError: if a link leads to a file that does not exist.
    """
    waiting = list(starts)
    seen = set(waiting)
    for path in waiting:
        target = out / site_path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in (*_PICTURES, ".tsv") or (path.suffix == ".json" and path.is_relative_to(DOCS)):
            shutil.copyfile(path, target)
            continue
        if path.suffix != ".md" and not path.is_dir():
            target.write_text(_code_page(path), encoding="utf-8")
            continue
        text = _page_text(path)
        target.write_text(_site_text(path, text), encoding="utf-8")
        found = [linked for linked in linked_files(path, text) if linked not in seen]
        waiting += found
        seen.update(found)


def site_path(path: Path) -> Path:
    """Returns the place of a file or folder of the checkout in the sources of the site."""
    if path.is_dir():
        return _OUTSIDE / path.relative_to(ROOT) / "index.md"
    if path == DOCS / "README.md":
        return Path("overview.md")
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS)
    place = _OUTSIDE / path.relative_to(ROOT)
    return place if path.suffix in (".md", *_PICTURES) else place.with_name(f"{place.name.lstrip('.')}.md")


def linked_files(path: Path, text: str) -> Iterator[Path]:
    """Yields the files and folders that a page links to, in order, without duplicates."""
    folder = path if path.is_dir() else path.parent
    for link in dict.fromkeys(found["target"] for found in _LINK.finditer(text) if found["target"]):
        file = link.partition("#")[0]
        if file and "://" not in file:
            linked = Path(os.path.normpath(folder / file))
            yield linked / "README.md" if (linked / "README.md").is_file() else linked


def _site_text(path: Path, text: str) -> str:
    """Returns a page with links for the site, an anchor at every clause, and a table instead of a diagram."""
    here = site_path(path).parent

    def move_link(found: re.Match[str]) -> str:
        target = found["target"]
        if found["code"] or "://" in target or target.startswith("#"):
            return found[0]
        (linked,) = linked_files(path, f"]({target})")
        anchor = target[target.find("#") :] if "#" in target else ""
        return found["before"] + Path(os.path.relpath(site_path(linked), here)).as_posix() + anchor

    text = _LINK.sub(move_link, text)
    if path == DOCS / "rules.md":
        text = _CLAUSE.sub(r'| <a id="\1"></a>\1 |', text)
    return _STATE_DIAGRAM.sub(_state_table, text)


def _state_table(found: re.Match[str]) -> str:
    """Returns the transitions of a diagram as a table: a browser needs a library of megabytes to draw it."""
    rows = re.findall(r"^ +(\S+) --> (\w+)(?:: (.*))?$", found[1], re.M)
    lines = [f"| {'' if start == '[*]' else start} | {end} | {when or 'a new table'} |" for start, end, when in rows]
    return "\n".join(["| from | to | when |", "|---|---|---|", *lines])


def _page_text(path: Path) -> str:
    """Returns a page of the project; for a folder, the list of its files."""
    if not path.is_dir():
        return path.read_text(encoding="utf-8")
    files = sorted(file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    names = [file.relative_to(path).as_posix() for file in files]
    head = f"{_NOT_FOUND_BY_SEARCH}# {path.relative_to(ROOT).as_posix()}\n\n"
    return head + "\n".join(f"- [{name}]({name})" for name in names) + "\n"


def _code_page(path: Path) -> str:
    """Returns a page with the content of a file that is no page."""
    head = f"{_NOT_FOUND_BY_SEARCH}# {path.relative_to(ROOT).as_posix()}\n\n"
    return f"{head}````{_LANGUAGES.get(path.suffix, 'text')}\n{path.read_text(encoding='utf-8').rstrip()}\n````\n"

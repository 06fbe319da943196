"""The layers of the browser's side: imports go down, and no two modules import each other, type hints included."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from support.mock_site import WEB

LAYERS: Final = (
    *("bindings", "ui", "net", "cards", "localtable", "motion", "replay", "guide", "game", "lobby", "voice", "chat"),
    *("offline", "pages"),
)
"""From the lowest up."""
_IMPORT: Final = re.compile(r'(?:\bfrom |\bimport |\bimport\()"(\.[^"]+)"')


def imports(file: Path) -> set[Path]:
    """Modules that a module names: at once, later, or in a type."""
    paths = _IMPORT.findall(file.read_text(encoding="utf-8"))
    return {(file.parent / path).resolve().relative_to(WEB.resolve()) for path in paths}


MODULES: Final = {file.relative_to(WEB): imports(file) for file in sorted(WEB.rglob("*.js"))}
ENTRIES: Final = {
    *(Path("pages", "main.js"), Path("chat", "chatscreen.js")),
    *(Path("offline", "serviceworker.js"), Path("net", "outageworker.js")),
}
"""Entry points: of the page, of the table inside a chat, and of the service workers of a site and of a server."""
TYPES: Final = Path("net", "protocol.js")
"""Only types: it is ``protocol.d.ts``."""


def test_every_file_is_in_a_layer() -> None:
    assert {path.parts[0] for path in MODULES} == set(LAYERS)
    assert {file.name for file in WEB.iterdir() if file.is_file()} == {
        "index.html",
        "favicon.svg",
        "manifest.webmanifest",
        "puzzles.txt",
    }


def test_every_layer_is_documented_from_the_bottom_up() -> None:
    """All layers are in docs/architecture.md."""
    page = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")
    (paragraph,) = re.findall(r"^\*\*`web/`\*\* (.*?)\n\n", page, re.MULTILINE | re.DOTALL)
    assert tuple(re.findall(r"`(\w+)/`", paragraph)) == LAYERS


def test_imports_run_down() -> None:
    up = {
        f"{name} → {other}"
        for name, others in MODULES.items()
        for other in others
        if LAYERS.index(other.parts[0]) > LAYERS.index(name.parts[0])
    }
    assert not up


def test_imports_resolve_without_cycles() -> None:
    wanted = set().union(*MODULES.values())
    assert wanted - set(MODULES) == {TYPES}
    assert set(MODULES) - wanted == ENTRIES, "nobody wants it"
    TopologicalSorter(MODULES).prepare()


def test_every_style_sheet_exists_and_is_used() -> None:
    sources = [file.read_text(encoding="utf-8") for file in (*WEB.rglob("*.js"), WEB / "index.html")]
    wanted = {path for source in sources for path in re.findall(r'"(?:/web/)?([\w/]+\.css)"', source)}
    assert wanted == {file.relative_to(WEB).as_posix() for file in WEB.rglob("*.css")}


# --- stylesheets --------------------------------------------------------------------------------------------

_RULE: Final = re.compile(r"(?:^|[{};])\s*([^{};@]+)\{")
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)


def selectors(file: Path) -> list[str]:
    """The selectors of a stylesheet, one by one."""
    rules = _RULE.findall(_COMMENT.sub("", file.read_text(encoding="utf-8")))
    return [each.strip() for rule in rules for each in re.split(r",(?![^()]*\))", rule)]


def test_no_page_changes_how_the_game_is_drawn() -> None:
    """A page's stylesheet stays when another page is shown, so what it styles by one class alone is its own."""
    sheets = {file: selectors(file) for file in sorted(WEB.rglob("*.css")) if file.parent.name != "ui"}
    of_game = ("cards", "game", "motion")
    used = {
        name
        for file, each in sheets.items()
        if file.parent.name in of_game
        for name in re.findall(r"\.([a-zA-Z][\w-]*)", " ".join(each))
    }
    alone = {
        (file.relative_to(WEB).as_posix(), found[1])
        for file, each in sheets.items()
        if file.parent.name in ("pages", "replay")
        for selector in each
        if (found := re.fullmatch(r"\.([\w-]+)(::?[\w-]+)*", selector))
    }
    assert len(alone) > 50 and len(used) > 100
    assert not {(file, name) for file, name in alone if name in used}

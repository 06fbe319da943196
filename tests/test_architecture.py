"""The floors of docs/architecture.md: imports go down, never up, in a circle or to a room beside."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "lastcard"
FLOORS: Final = (
    "errors folders former interrupts",
    "game",
    "engine",
    "mind play",
    "notation words",
    "bots packs",
    "lab analysis envs terminal",
    "server learning",
    "ahead cli",
)
"""From the ground up. Rooms of one floor do not know each other. The package's own door is the roof."""
SERVER: Final = ["guard", "store", "wire", "seats", "game", "table", "http", "setup"]
"""The same for the folders of ``server/``; its two doors, ``start`` and ``client``, are the roof."""
BLIND: Final = re.compile(
    r"lastcard\.(play\.(round|match|setup|record)|engine\.(?!(choice|layout|phase|table|tape)\b))"
)
"""What no bot may import: it gets a view, and nothing that leads to a table."""
FOREIGN: Final = {
    "alembic": "server.store",
    "msgspec": "play words packs lab server",
    "numpy": "engine mind play bots lab analysis envs learning",
    "prometheus_client": "server.guard",
    "rich": "analysis cli lab",
    "segno": "server.http",
    "sqlalchemy": "server.store",
    "starlette": "server",
    "structlog": "server",
    "uvicorn": "server",
    "wasmtime": "engine",
    "websockets": "server",
}
"""What the base install brings, and which rooms may use it. ``game`` is words only."""
EXTRAS: Final = {
    "PIL": "envs",
    "gymnasium": "envs",
    "llvmlite": "ahead engine.fixed engine.intrinsics engine.linkage engine.native engine.special",
    "numba": "ahead engine.fixed engine.intrinsics engine.linkage engine.native engine.special envs.gpu",
    "numba_cuda": "envs.gpu",
    "open_spiel": "envs.openspiel",
    "openskill": "lab",
    "pettingzoo": "envs",
    "psycopg": "server.store",
    "pyarrow": "lab",
    "pyspiel": "envs.openspiel",
    "redis": "server.wire",
    "rlcard": "envs.rlcard",
    "torch": "learning",
}
"""What only an extra brings."""
UNNAMED: Final = {"httptools", "uvloop"}
"""Installed for uvicorn, which imports them."""
MODULES: Final = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def imported(path: Path) -> Iterator[str]:
    """Every module a file imports, also inside functions and for type hints alone."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports name their module in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else str(node.module) for name in names)


def room(module: str) -> str:
    """The folder below the package that a module is in; its own name in the root."""
    return module.split(".")[1] if "." in module else module


def floor(module: str) -> int:
    """How far up a module stands: the roof is above all floors."""
    return next((i for i, rooms in enumerate(FLOORS) if room(module) in rooms.split()), len(FLOORS))


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_down(module: str) -> None:
    """A module imports what is in its own room or on a floor below, and other people's code where it belongs."""
    for name in imported(MODULES[module]):
        top = name.split(".")[0]
        if top == "lastcard":
            assert room(name) == room(module) or floor(name) < floor(module), f"{module} imports {name}"
        elif top not in sys.stdlib_module_names:
            rooms = tuple(f"lastcard.{own}" for own in (FOREIGN | EXTRAS).get(top, "").split())
            assert any(f"{module}.".startswith(f"{own}.") for own in rooms), f"{module} imports {name}"
    assert room(module) != "bots" or not [name for name in imported(MODULES[module]) if BLIND.match(name)]


@pytest.mark.parametrize("module", [module for module in MODULES if room(module) == "server"])
def test_imports_go_down_in_the_server(module: str) -> None:
    """Its folders stand on each other as the rooms of the package do."""
    ranks = {f"lastcard.server.{name}": i for i, name in enumerate(SERVER)}
    own = ".".join(module.split(".")[:3])
    for name in (".".join(name.split(".")[:3]) for name in imported(MODULES[module])):
        if name.startswith("lastcard.server."):
            assert name == own or ranks.get(name, len(SERVER)) < ranks.get(own, len(SERVER)), f"{module} imports {name}"


def test_no_circles() -> None:
    """No two modules need each other, by whatever way round."""
    wanted = {module: {name for name in imported(path) if name in MODULES} for module, path in MODULES.items()}
    while wanted:
        free = {module for module, names in wanted.items() if not names & wanted.keys() - {module}}
        assert free, f"these import each other: {sorted(wanted)}"
        wanted = {module: names for module, names in wanted.items() if module not in free}


def test_every_floor_is_on_the_page() -> None:
    """docs/architecture.md has a paragraph for every room, and every room is on a floor."""
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name not in ("web", "__pycache__")}
    assert rooms == {name for rooms in FLOORS[1:] for name in rooms.split()}
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert all(f"`{name}/`" in page for name in {*rooms, "web"})


def test_base_install() -> None:
    """What pyproject.toml asks for is what is imported."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[<>=~ ]", line)[0] for line in project["dependencies"]}
    assert {name.replace("-", "_") for name in needed} == set(FOREIGN) | UNNAMED


def test_folders_hold_no_code() -> None:
    """The ``__init__.py`` of a room says what it is; that of a door into ``envs`` hands on what is behind it."""
    for path in PACKAGE.rglob("*/__init__.py"):
        statements = ast.parse(path.read_text(encoding="utf-8")).body
        assert statements and isinstance(statements[0], ast.Expr), f"{path} does not say what it is"
        assert len(statements) == 1 or path.parent.name in ("envs", "openspiel", "rlcard"), path

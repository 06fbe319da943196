"""The staircase of docs/architecture.md: every module has its step, and imports only go down."""

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
LONGEST: Final = 400
"""Lines a file may have, and not quite reach."""

# Who may use what is not ours and not Python's: the base install is exactly this.
FOREIGN: Final = {
    "numba": ("kernel/", "envs/gpu.py"),
    # For its version and its instructions; it is part of Numba.
    "llvmlite": ("kernel/bits.py", "kernel/jit.py", "kernel/vectors.py"),
    "numpy": (
        "kernel/",
        "box.py",
        "view.py",
        "round.py",
        "match.py",
        "seeds.py",
        "bots/",
        "analysis/",
        "learning/",
        "action_space.py",
        "features.py",
        "envs/",
    ),
    "rich": ("analysis/summary.py", "cli_learn.py", "lab/board.py", "lab/report.py"),
    "alembic": ("server/migrate.py", "server/migrations/"),
    "msgspec": ("server/",),
    "prometheus_client": ("server/metrics.py",),
    "segno": ("server/address.py", "server/pages.py"),
    "sqlalchemy": ("server/migrate.py", "server/migrations/", "server/schema.py", "server/store"),
    "starlette": ("server/",),
    "structlog": ("server/",),
    "uvicorn": ("server/line.py", "server/start.py"),
    "websockets": ("server/guest.py", "server/line.py"),
}
EXTRAS: Final = {
    "gymnasium": ("envs/gymnasium.py", "envs/pettingzoo.py"),
    "pettingzoo": ("envs/pettingzoo.py",),
    "PIL": ("envs/pictures.py",),
    "pyspiel": ("envs/openspiel",),
    "open_spiel": ("envs/openspiel",),
    "rlcard": ("envs/rlcard.py",),
    "numba_cuda": ("envs/gpu.py",),
    "openskill": ("lab/ratings.py",),
    "psycopg": ("server/store_database.py",),
    "pyarrow": ("lab/export.py",),
    "redis": ("server/bus.py",),
    "torch": ("learning/fit.py",),
}
"""What only an extra brings."""
UNNAMED: Final = {"httptools", "uvloop"}
"""Installed for uvicorn, which imports them."""


def staircase() -> list[str]:
    """The modules named in the tables of the page, bottom first."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page[page.index("\n## The staircase\n") : page.index("\n## What happens to a move\n")]
    return re.findall(r"^\| `([\w/]+\.py)` \|", section, re.MULTILINE)


def sources() -> list[str]:
    """The modules there are; a folder's own ``__init__.py`` is not one unless it holds code."""
    paths = (path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py")))
    return [path for path in paths if "/" not in path or not path.endswith("__init__.py")]


def is_for_types(node: ast.AST) -> bool:
    """Whether this is an ``if TYPE_CHECKING:``."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imported(node: ast.AST) -> Iterator[str]:
    """Every name imported under a node, also inside functions, as ``package.module.name``."""
    for child in ast.iter_child_nodes(node):
        if is_for_types(child):
            continue
        if isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, "imports name their module in full"
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        yield from imported(child)


def tree(path: Path) -> ast.Module:
    """The syntax tree of a source file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def own(name: str) -> str | None:
    """The file of our own package that an imported name is in; None for foreign ones."""
    parts = name.split(".")
    if parts[0] != "lastcard":
        return None
    for end in (len(parts), len(parts) - 1):
        path = "/".join(parts[1:end])
        if path and (PACKAGE / f"{path}.py").is_file():
            return f"{path}.py"
    return "/".join([*parts[1:-1], "__init__.py"])


def test_every_module_has_a_step() -> None:
    """The tables name the modules that exist, each once."""
    steps = staircase()
    assert len(steps) == len(set(steps))
    assert set(steps) == set(sources())


@pytest.mark.parametrize("module", sources())
def test_imports_go_down(module: str) -> None:
    """A module imports only what stands before it; so there are no cycles either."""
    below = staircase()[: staircase().index(module)]
    wanted = {path for name in imported(tree(PACKAGE / module)) if (path := own(name)) is not None}
    assert wanted <= set(below)


@pytest.mark.parametrize("module", sources())
def test_foreign_imports(module: str) -> None:
    """Only what the base install brings, and only where it belongs; never the tests."""
    for name in imported(tree(PACKAGE / module)):
        top = name.split(".")[0]
        if top != "lastcard" and top not in sys.stdlib_module_names:
            assert module.startswith((FOREIGN | EXTRAS).get(top, ())), f"{module} imports {name}"


def test_base_install() -> None:
    """What pyproject.toml asks for is what is imported."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[<>=~ ]", line)[0] for line in project["dependencies"]}
    assert {name.replace("-", "_") for name in needed} == set(FOREIGN) - {"llvmlite"} | UNNAMED


def test_folders_hold_no_code() -> None:
    """The ``__init__.py`` of a folder is empty or says what it is; ``envs`` is a door, as the package itself is."""
    for path in set(PACKAGE.rglob("*/__init__.py")) - {PACKAGE / "envs" / "__init__.py"}:
        assert all(isinstance(node, ast.Expr) for node in tree(path).body), path


def test_bots_know_only_views() -> None:
    """No bot imports a round or a match; of the kernel only what works on a table as a seat knows it."""
    hidden = {"round.py", "match.py"}
    names = "search", "belief", "imagine", "network", "actor", "adviser", "memory", "layout", "table"
    blind = {f"kernel/{name}.py" for name in names}
    for path in (PACKAGE / "bots").glob("*.py"):
        wanted = {own(name) or "" for name in imported(tree(path))}
        assert not {w for w in wanted if w in hidden or (w.startswith("kernel/") and w not in blind)}, path


def test_files_stay_short() -> None:
    """A file that grows past the limit has become two things."""
    files = [path for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    files += [path for kind in ("js", "css") for path in (PACKAGE / "web").glob(f"*.{kind}")]
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert not {name: n for name, n in lengths.items() if n >= LONGEST}

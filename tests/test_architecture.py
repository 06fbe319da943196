"""The layers of docs/architecture.md: imports go down, never up, in a circle or to a package of the same layer."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from support.source_files import read_source, statements, syntax_tree

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "lastcard"
LAYERS: Final = (
    "errors paths interrupts",
    "game",
    "kernel",
    "rules",
    "ai match",
    "formats text",
    "bots bundle",
    "arena analysis envs terminal session",
    "server training",
    "agents",
    "cli",
)
"""From the lowest up. Packages of one layer do not import each other; the package ``lastcard`` itself is above all."""
IMPORTS: Final = {
    "game": "errors",
    "kernel": "errors game",
    "rules": "game kernel",
    "ai": "game kernel rules",
    "match": "errors game kernel rules",
    "formats": "errors game match rules",
    "text": "errors game match",
    "bots": "ai errors formats game interrupts kernel match rules text",
    "bundle": "errors game text",
    "arena": "ai bots errors formats game interrupts kernel match rules",
    "analysis": "ai bots errors formats game kernel match rules text",
    "envs": "ai bots errors game kernel match rules",
    "terminal": "bots errors formats game match paths text",
    "session": "bots errors game match",
    "server": "analysis bots bundle envs errors formats game interrupts kernel match paths session text",
    "training": "ai analysis arena bots envs errors game kernel match rules",
    "agents": "ai analysis arena bots bundle errors formats game match rules server session text",
    "cli": "agents analysis arena bots bundle errors formats game kernel match server terminal text training",
}
"""Imports of each package from the others, exactly."""
SERVER: Final = {
    "security": "",
    "store": "security",
    "wire": "security",
    "game": "security store wire",
    "table": "game security store wire",
    "http": "game security store table wire",
    "setup": "game http security store wire",
}
"""The same for the folders of ``server/``, in the order of their layers; its modules beside them are above all."""
BLIND: Final = re.compile(
    r"lastcard\.(match\.(round|match|setup|record)|rules\.(?!(event_codes|layout|option_codes|phases|round_state)\b))"
)
"""Imports that bots must not have: a bot gets a view, and nothing that leads to a table."""
FOREIGN: Final = {
    "alembic": "server.store",
    "httptools": "server.wire",
    "msgspec": "match text bundle analysis arena session server agents",
    "numpy": "kernel rules ai match bots arena analysis envs training",
    "prometheus_client": "server.security",
    "rich": "analysis cli arena",
    "segno": "server.http",
    "sqlalchemy": "server.store",
    "starlette": "server agents.mcp_server",
    "structlog": "server",
    "uvicorn": "server agents.mcp_server",
    "wasmtime": "kernel",
    "websockets": "server agents",
}
"""Dependencies of the base install, and the packages that may use them."""
EXTRAS: Final = {
    "PIL": "envs",
    "cryptography": "server.wire.web_push",
    "fastapi": "agents.openenv_server",
    "fido2": "server.security",
    "gymnasium": "envs",
    "http_ece": "server.wire.web_push",
    "llvmlite": "kernel.intrinsics kernel.linkage kernel.native_backend kernel.specialize",
    "matplotlib": "arena.studies",
    "mcp": "agents.mcp_server",
    "numba": "kernel.intrinsics kernel.linkage kernel.native_backend kernel.specialize envs.gpu",
    "numba_cuda": "envs.gpu",
    "open_spiel": "envs.openspiel",
    "openenv": "agents.openenv_server",
    "pettingzoo": "envs",
    "psycopg": "server.store",
    "py_vapid": "server.wire.web_push",
    "pyarrow": "arena training",
    "pydantic": "agents.openenv_server",
    "pyspiel": "envs.openspiel",
    "ray": "arena",
    "redis": "server.wire",
    "rlcard": "envs.rlcard",
    "stable_baselines3": "envs.sb3",
    "tensordict": "envs.torchrl",
    "torch": "training envs.torchrl",
    "torchrl": "envs.torchrl",
    "verifiers": "agents.verifiers_env",
}
"""Dependencies of extras only."""
PRIVATE: Final = {
    "argparse": "_actions",
    "llvmlite": "_final_module _get_module_for_linking _linking_libraries _reload_init",
    "numba": "_cache _compile_for_args _numba_type_",
    "wasmtime": "_context _from_ptr _func _name",
    "the standard library, where it is public": "_asdict _exit _replace",
}
"""Private attributes of other projects that are used."""
OWN_OBJECTS: Final = ("self", "cls", "super()")
"""Expressions whose private attributes are the reader's own."""
PRIVATE_OF_ANOTHER: Final = re.compile(r"(?<!\bself)(?<!\bcls)(?<!\bsuper\(\))\s*\.\s*_[^_]")
"""Whether a file may read a private attribute of anything else; most do not, and need not be walked."""
UNNAMED: Final = {"tzdata", "uvloop"}
"""Installed for the standard library and uvicorn, which import them."""
MODULES: Final = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Every module a file imports, also inside functions and for type hints alone."""
    return tuple(find_imports(path))


def find_imports(path: Path) -> Iterator[str]:
    """Its imports one by one."""
    for node in statements(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports name their module in full"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else str(node.module) for name in names)


def package(module: str) -> str:
    """The folder below ``lastcard`` that a module is in; its own name in the root."""
    return module.split(".")[1] if "." in module else module


def test_packages_import_only_lower_layers() -> None:
    """Everything that ``IMPORTS`` and ``SERVER`` allow goes down."""
    ranks = {name: rank for rank, names in enumerate(LAYERS) for name in names.split()}
    for name, lower in IMPORTS.items():
        assert all(ranks[other] < ranks[name] for other in lower.split()), name
    ranks = {name: rank for rank, name in enumerate(SERVER)}
    for name, lower in SERVER.items():
        assert all(ranks[other] < ranks[name] for other in lower.split()), name


def test_packages_import_what_is_listed() -> None:
    """A new dependency of a package needs a line of ``IMPORTS``, and a removed one deletes it."""
    found: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        own = package(module)
        others = {package(name) for name in imported(path) if name.startswith("lastcard.")} - {own}
        found.setdefault(own, set()).update(others)
    roof = {"lastcard", "__main__"}
    lowest = set(LAYERS[0].split())
    assert not [name for name in lowest if found.pop(name)]
    assert {name: " ".join(sorted(others)) for name, others in found.items() if name not in roof} == IMPORTS


def test_folders_of_the_server_import_what_is_listed() -> None:
    found: dict[str, set[str]] = {name: set() for name in SERVER}
    for module, path in MODULES.items():
        own = module.removeprefix("lastcard.server.").split(".")[0]
        if module.startswith("lastcard.server.") and own in SERVER:
            names = [name for name in imported(path) if name.startswith("lastcard.server.")]
            found[own] |= {name.split(".")[2] for name in names} - {own}
    assert {name: " ".join(sorted(others)) for name, others in found.items()} == SERVER


def test_packages_import_only_their_dependencies() -> None:
    """A module imports only what its package may use, and a bot nothing that leads to a table."""
    users = FOREIGN | EXTRAS
    wrong = []
    for module, path in MODULES.items():
        for name in imported(path):
            top = name.split(".")[0]
            is_free = top == "lastcard" or top in sys.stdlib_module_names
            if not is_free and not any(
                f"{module}.".startswith(f"lastcard.{own}.") for own in users.get(top, "").split()
            ):
                wrong.append(f"{module} imports {name}")
            if package(module) == "bots" and BLIND.match(name):
                wrong.append(f"{module} imports {name}, and is blind")
    assert not wrong


def defined(tree: ast.Module) -> set[str]:
    """The names that a module defines: of functions, methods, classes and attributes of its own objects."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                names.add(name)
    return names


def test_private_attributes_are_used_where_they_are_defined() -> None:
    """A module reads ``name._attribute`` only where it defines the attribute, for another object of its own class."""
    foreign = set(" ".join(PRIVATE.values()).split())
    wrong = []
    for module, path in MODULES.items():
        if not PRIVATE_OF_ANOTHER.search(read_source(path)):
            continue
        tree = syntax_tree(path)
        own = defined(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr) and node.attr not in foreign:
                value = ast.unparse(node.value)
                is_own = value in OWN_OBJECTS or (isinstance(node.value, ast.Name) and node.attr in own)
                if not is_own:
                    wrong.append(f"{module}:{node.lineno} reads {ast.unparse(node)}")
    assert not wrong


def test_no_import_cycles() -> None:
    wanted = {module: {name for name in imported(path) if name in MODULES} for module, path in MODULES.items()}
    while wanted:
        free = {module for module, names in wanted.items() if not names & wanted.keys() - {module}}
        assert free, f"these import each other: {sorted(wanted)}"
        wanted = {module: names for module, names in wanted.items() if module not in free}


def test_every_layer_is_on_the_page() -> None:
    """docs/architecture.md has a paragraph for every package, and every package is in a layer."""
    packages = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name not in ("web", "__pycache__")}
    assert packages == set(IMPORTS) == {name for names in LAYERS[1:] for name in names.split()}
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert all(f"`{name}/`" in page for name in {*packages, "web"})


def test_a_session_has_no_io() -> None:
    """It has no clock, socket, file, thread or random numbers: they are passed as values."""
    banned = {"asyncio", "concurrent", "os", "random", "secrets", "socket", "threading", "time", "uuid"}
    for name, path in MODULES.items():
        if name.startswith("lastcard.session"):
            assert not banned & {module.partition(".")[0] for module in imported(path)}, name


def test_base_install() -> None:
    """The dependencies of pyproject.toml are those that are imported."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[<>=~ ]", line)[0] for line in project["dependencies"]}
    assert {name.replace("-", "_") for name in needed} == set(FOREIGN) | UNNAMED


def test_folders_hold_no_code() -> None:
    """The ``__init__.py`` of a package only describes it; those of ``agents``, ``envs`` and ``server`` re-export."""
    for path in PACKAGE.rglob("*/__init__.py"):
        body = syntax_tree(path).body
        assert body and isinstance(body[0], ast.Expr), f"{path} does not say what it is"
        assert len(body) == 1 or path.parent.name in ("agents", "envs", "openspiel", "rlcard", "server"), path

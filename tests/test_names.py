"""Conventions of the sources: spelling of names, number of parameters, and references in comments."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "lastcard"
MAX_PARAMETERS: Final = 6
"""Maximum number of positional parameters; keyword-only ones explain themselves."""
MANY_PARAMETERS: Final = {"src/lastcard/kernel/intrinsics.py: four_blocks"}
"""It generates machine code, which has no named tuples."""
OLD_SCHEMAS: Final = "versions"
"""Migrations of the database never change."""
PLACES: Final = [ROOT, ROOT / "docs", ROOT / "tests", ROOT / "src", PACKAGE, PACKAGE / "web"]
"""Roots of the paths that a comment names."""
NAMED_PATH: Final = re.compile(r"(?<![\w/.{}%@\"'-])(?:\w+/)+\w+\.(?:py|js|css|md|ts|toml)\b|\b[A-Z]+\.md\b")


def sources(*folders: Path, endings: str = "py") -> Iterator[tuple[Path, str]]:
    """Every file below some folders, and its text."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix[1:] in endings.split() and OLD_SCHEMAS not in path.parts:
                yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def test_functions_take_few_arguments() -> None:
    """Values that belong together are passed as one."""
    crowded = [
        f"{path}: {node.name}"
        for path, text in sources(PACKAGE)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and len([a for a in node.args.posonlyargs + node.args.args if a.arg not in ("self", "cls")]) > MAX_PARAMETERS
    ]
    assert not set(crowded) - MANY_PARAMETERS


def test_names_are_spelled_in_one_way() -> None:
    """Spelling is American; only texts may still read the old one."""
    names = {
        f"{path}: {token.string}"
        for path, text in sources(PACKAGE)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.NAME and "colour" in token.string.lower()
    }
    assert not names | {str(path) for path, text in sources(PACKAGE / "web", endings="js css html") if "colour" in text}


def test_constants_have_one_name() -> None:
    """A code of the kernel has the same name everywhere, with its module if two have the same name."""
    renamed = [
        f"{path}: {alias.name} as {alias.asname}"
        for path, text in sources(PACKAGE)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(("lastcard.rules", "lastcard.ai"))
        for alias in node.names
        if alias.name.isupper() and alias.asname
    ]
    assert not renamed


def test_comments_point_to_what_is_there() -> None:
    """A reason, a clause, a page or an existing path; no plan of work, which only its makers have."""
    wrong = []
    pages = [(Path(name), (ROOT / name).read_text(encoding="utf-8")) for name in ("README.md", "CONTRIBUTING.md")]
    for path, text in [*pages, *sources(ROOT / "src", ROOT / "tests", ROOT / "docs", endings="py js css html md")]:
        if "decisions" in path.parts:  # a decision may name paths of its time
            continue
        wrong += [f"{path}: {found[0]}" for found in re.finditer(r"\bissue \d", text, re.IGNORECASE)]
        near = [*PLACES, (ROOT / path).parent]
        wrong += [
            f"{path}: {found[0]}"
            for found in NAMED_PATH.finditer(re.sub(r"https?://.*", "", text))
            if not any((place / found[0]).exists() for place in near)
        ]
    assert not wrong

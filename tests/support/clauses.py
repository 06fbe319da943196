"""The pytest mark that names the clauses a test proves, and the list of all marks in the sources."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

TESTS: Final = Path(__file__).parents[1]


def proves(*names: str) -> pytest.MarkDecorator:
    """Mark a test with the clauses of docs/rules.md (``CL-7``) or option values (``first_dealer=host``) it proves."""
    return pytest.mark.proves(*names)


@cache
def proven_by_tests() -> frozenset[str]:
    """Everything named by a ``proves`` mark in any test file."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "proves" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "proves":
                found |= {a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)}
    return frozenset(found)


def conformance_files() -> list[Path]:
    """The files of conformance cases."""
    return sorted((TESTS / "conformance").glob("*.toml"))


@cache
def conformance_cases() -> tuple[tuple[Path, dict[str, Any]], ...]:
    """Every conformance case as its file has it; not to be changed."""
    return tuple(
        (path, case) for path in conformance_files() for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    )

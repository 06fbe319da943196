"""Source files, each read and parsed once in a process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

_BLOCKS: Final = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a node that hold statements."""


@cache
def read_source(path: Path) -> str:
    """Returns the text of a file."""
    return path.read_text(encoding="utf-8")


@cache
def syntax_tree(path: Path) -> ast.Module:
    """Returns the syntax tree of a Python file, which nobody changes."""
    return ast.parse(read_source(path))


@cache
def statements(path: Path) -> tuple[ast.AST, ...]:
    """Returns all statements of a Python file, wherever they are: a tenth of the nodes of its syntax tree."""
    return tuple(_walk_blocks(syntax_tree(path)))


def _walk_blocks(node: ast.AST) -> Iterator[ast.AST]:
    for block in _BLOCKS:
        for inner in getattr(node, block, ()):
            yield inner
            yield from _walk_blocks(inner)

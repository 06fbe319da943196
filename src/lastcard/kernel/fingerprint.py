"""A hash of the compiled code and its constants. Comments, docstrings and messages do not change it.

    python -m lastcard.kernel.fingerprint MODULE...  # prints it, of the exports of these modules

It does not use Numba and LLVM: their output follows from the functions, the constants these read, and the types of
their arguments. ``intrinsics.py`` replaces some functions, so its code is part of the hash.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from lastcard.kernel.records import ArrayOf
from lastcard.kernel.signatures import Export, Group, Parameter, wants_inlining

_INTRINSICS: Final = Path(__file__).with_name("intrinsics.py")
_IGNORED_FIELDS: Final = {"ctx", "kind", "type_comment", "type_params", "annotation", "returns", "decorator_list"}
"""Fields of Python's syntax tree that do not affect compiled code."""


def fingerprint(exports: Iterable[Export]) -> str:
    """Returns the hash of some exports and all they call: 16 hexadecimal digits, the same for every Python version.

    Raises:
        TypeError: if a function reads a value that cannot be hashed here.
    """
    digest = hashlib.sha256(repr(_dump(_parse(_INTRINSICS))).encode())
    seen: set[Callable[..., Any]] = set()
    for export in sorted(exports, key=lambda export: export.name):
        for signature in export.signatures.values():
            digest.update(
                f"{signature.name} {[_describe(part) for part in signature.arguments]} {signature.result}".encode()
            )
        for line in _walk(export.function, seen):
            digest.update(line.encode())
    return digest.hexdigest()[:16]


def _describe(part: Parameter | Group) -> Any:
    """Returns the name of a parameter and its exact layout."""
    if isinstance(part, Group):
        return part.kind.__name__, [_describe(inner) for inner in part.parts]
    if isinstance(part.kind, ArrayOf):
        return part.name, _layout(part.kind.kind), part.kind.dimensions
    return part.name, part.kind.__name__


def _layout(kind: np.dtype[Any]) -> Any:
    """Returns the layout of the fields of a type; the name of a type without fields."""
    fields: Any = kind.fields
    return [(name, str(fields[name][0]), fields[name][1]) for name in kind.names] if kind.names else kind.str


def _walk(function: Callable[..., Any], seen: set[Callable[..., Any]]) -> Iterator[str]:
    """Yields the code of a function and of all it calls, each once, and the outer values that they read."""
    if function in seen:
        return
    seen.add(function)
    node = _syntax_tree(function)
    yield f"{function.__name__} {wants_inlining(function)} {_dump(node)}"
    called = []
    for path, value in _outer_values(node, function):
        if isinstance(value, Export):
            value = value.function
        if isinstance(value, FunctionType) and value.__module__.startswith("lastcard."):
            called.append(value)
            yield f"{path} {value.__module__}.{value.__name__}"
        else:
            yield f"{path} {_value_text(path, value)}"
    for other in called:
        yield from _walk(other, seen)


@cache
def _parse(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def _functions(file: Path) -> dict[tuple[str, int], ast.AST]:
    """Returns the functions of a file, by name and first line, which is that of the first decorator if there is one."""
    return {
        (node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])): node
        for node in ast.walk(_parse(file))
        if isinstance(node, ast.FunctionDef)
    }


def _syntax_tree(function: Callable[..., Any]) -> ast.AST:
    code = function.__code__
    return _functions(Path(code.co_filename))[function.__name__, code.co_firstlineno]


def _dump(node: Any) -> Any:
    """Returns a syntax tree as nested tuples, without docstrings, annotations and line numbers."""
    if isinstance(node, list):
        return [_dump(part) for part in node if not _is_text(part)]
    if not isinstance(node, ast.AST):
        return node
    parts = [(name, _dump(part)) for name, part in ast.iter_fields(node) if name not in _IGNORED_FIELDS]
    return (type(node).__name__, *[part for part in parts if part[1] not in (None, [])])


def _is_text(node: Any) -> bool:
    """Whether a statement is a string by itself."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _outer_values(node: ast.AST, function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """Yields the outer values that a function reads, each with the path it is written as, such as ``cards.WILD``."""
    outside = inspect.getclosurevars(function)
    known = {**vars(builtins), **outside.globals, **outside.nonlocals}
    local = set(function.__code__.co_varnames)
    found: dict[str, Any] = {}
    for part in ast.walk(node):
        path = _path(part)
        if path and path[0] in known and path[0] not in local:
            value = known[path[0]]
            for name in path[1:]:
                if not isinstance(value, ModuleType):
                    break
                value = getattr(value, name)
            if not isinstance(value, ModuleType):
                found[".".join(path)] = value
    yield from sorted(found.items(), key=lambda item: item[0])


def _path(node: ast.AST) -> list[str]:
    """Returns the names of ``a.b.c``; an empty list for other expressions."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return [node.id, *names] if isinstance(node, ast.Name) else []


def _value_text(path: str, value: Any) -> str:
    """Returns the text of a value for the hash.

    Raises:
        TypeError: if it is not a constant that compiled code can have.
    """
    if value is None or isinstance(value, bool | int | float | str | np.generic):
        return repr(value)
    if isinstance(value, tuple):
        return repr([_value_text(path, part) for part in value])
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, np.dtype):
        return repr(_layout(value))
    if isinstance(value, type) or callable(value):
        return f"{value.__module__}.{value.__qualname__}"
    raise TypeError(f"{path} is {value!r:.100}, of which compiled code has no constant")


if __name__ == "__main__":
    from lastcard.kernel.jit import EXPORTS

    wanted = {import_module(name).__name__ for name in sys.argv[1:]}
    sys.stdout.write(fingerprint(export for export in EXPORTS.values() if export.function.__module__ in wanted))

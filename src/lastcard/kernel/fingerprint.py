"""A key of what is compiled: constants and code, not text. Comments, docstrings and messages change nothing in it.

    python -m lastcard.kernel.fingerprint MODULE...  # prints it, of the exports of these modules

Numba and LLVM are not asked: what they compile follows from the functions, from the numbers that these read, and from
the types of their arguments. ``intrinsics.py`` says what some functions become, so its code belongs to the key.
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
"""Parts of Python's syntax tree from which no code comes."""


def fingerprint(exports: Iterable[Export]) -> str:
    """The key of some exports and of all they call: 16 hexadecimal digits, the same for every version of Python.

    Raises:
        TypeError: where a function reads a value that cannot be part of a key.
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
    """A parameter: its name, and what it holds to the byte."""
    if isinstance(part, Group):
        return part.kind.__name__, [_describe(inner) for inner in part.parts]
    if isinstance(part.kind, ArrayOf):
        return part.name, _layout(part.kind.kind), part.kind.dimensions
    return part.name, part.kind.__name__


def _layout(kind: np.dtype[Any]) -> Any:
    """Where every field of a type lies; the name of a type without fields."""
    fields: Any = kind.fields
    return [(name, str(fields[name][0]), fields[name][1]) for name in kind.names] if kind.names else kind.str


def _walk(function: Callable[..., Any], seen: set[Callable[..., Any]]) -> Iterator[str]:
    """The code of a function and of all it calls, each once; what it reads beside its arguments, with values."""
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
    """The functions of a file, by name and first line: that of the first decorator where there is one."""
    return {
        (node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])): node
        for node in ast.walk(_parse(file))
        if isinstance(node, ast.FunctionDef)
    }


def _syntax_tree(function: Callable[..., Any]) -> ast.AST:
    code = function.__code__
    return _functions(Path(code.co_filename))[function.__name__, code.co_firstlineno]


def _dump(node: Any) -> Any:
    """A syntax tree as nested tuples, without docstrings, annotations and places."""
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
    """What a function reads that is not its own, by how it writes it: ``cards.WILD``."""
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
    """The names of ``a.b.c``; none for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return [node.id, *names] if isinstance(node, ast.Name) else []


def _value_text(path: str, value: Any) -> str:
    """A value as a part of the key.

    Raises:
        TypeError: for one of which nothing says what compiled code makes of it.
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

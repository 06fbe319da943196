"""Declarations of kernel functions, before compilation: decorators, exports and their signatures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from typing import Any, Final, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from lastcard.kernel.records import ArrayOf

F = TypeVar("F", bound=Callable[..., Any])

_NUMBERS: Final = (int, float, bool)
_INLINE_ATTRIBUTE: Final = "kernel_inline"


def kernel(function: F) -> F:
    """Mark a function that other kernel functions call. It is compiled once, not per constant in a call.

    Python can call it as before.
    """
    setattr(function, _INLINE_ATTRIBUTE, False)
    return function


def inlined(function: F) -> F:
    """Mark a small function on the hot path that is inlined into every caller."""
    setattr(function, _INLINE_ATTRIBUTE, True)
    return function


def wants_inlining(function: Callable[..., Any]) -> bool | None:
    """Returns whether a kernel function is inlined; None if it is no kernel function."""
    return getattr(function, _INLINE_ATTRIBUTE, None)


def is_specialized() -> bool:
    """Returns whether this code is compiled for the ruleset of its round states (``specialize.py``).

    The results are the same. In specialized code options are constants, so checks are free and branches can be skipped.
    In general code a check would cost more than it saves, so this is always False.
    """
    return False


class Parameter(NamedTuple):
    """A number or an array that an export takes."""

    name: str
    """With the names of the named tuples that contain it: ``rollouts.w``."""
    kind: Any
    """int, float, bool, or an ArrayOf."""


class Group(NamedTuple):
    """A named tuple that an export takes."""

    kind: Any
    """Class of the named tuple."""
    parts: tuple[Parameter | Group, ...]


@dataclass(frozen=True)
class Signature:
    """Types for which an export is compiled.

    Args:
        name: name in the module: file, function, and the type of arrays if there are several signatures.
        generic_index: index in ``parameters`` of the first whose type depends on the signature; -1 if there is none.
        result: int, float, bool or None.
    """

    name: str
    arguments: tuple[Parameter | Group, ...]
    generic_index: int
    result: type | None

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters, with named tuples flattened."""
        return tuple(_flatten_parameters(self.arguments))

    @property
    def is_flat(self) -> bool:
        """Returns whether it takes no named tuples."""
        return self.parameters == self.arguments


def _flatten_parameters(arguments: Iterable[Parameter | Group]) -> Iterable[Parameter]:
    for argument in arguments:
        if isinstance(argument, Group):
            yield from _flatten_parameters(argument.parts)
        else:
            yield argument


class Export:
    """A function of the kernel that Python calls.

    Args:
        function: function whose annotations define its signatures (``signatures``).
        releases_gil: whether it releases the interpreter lock, because it may run long.
        is_specializable: whether it plays so many rounds of one ruleset that native code may be compiled for it.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        releases_gil: bool,
        resolve: Callable[[Export], Callable[..., Any]],
        is_specializable: bool = False,
    ) -> None:
        update_wrapper(self, function)
        self.function, self.releases_gil, self.is_specializable = function, releases_gil, is_specializable
        self.name = _export_name(function)
        self._resolve = resolve
        self.reset()

    def __call__(self, *args: Any) -> Any:
        return self._call(*args)

    def reset(self) -> None:
        """Find the callable again with the next call."""
        self._call: Callable[..., Any] = self._resolve_and_call

    def _resolve_and_call(self, *args: Any) -> Any:
        self._call = self._resolve(self)
        return self._call(*args)

    @cached_property
    def signatures(self) -> dict[str, Signature]:
        """Signatures of the export, by the type of its arrays."""
        return signatures(self.function)


def _export_name(function: Callable[..., Any]) -> str:
    """Returns the file and the name of a function."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def signatures(function: Callable[..., Any]) -> dict[str, Signature]:
    """Returns the signatures of a function, by type of its arrays (``float32``); a single one has an empty name.

    Its annotations are numbers, arrays as in ``records.py``, or named tuples of both.

    Raises:
        TypeError: for other annotations.
    """
    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return")
    name = _export_name(function)
    leaves = list(_leaves(hints.values()))
    generic = [i for i, hint in enumerate(leaves) if get_origin(hint) is Union]
    types = sorted({array_type(part).kind.name for i in generic for part in get_args(leaves[i])})
    return {
        dtype_name: Signature(
            f"{name}.{dtype_name}" if dtype_name else name,
            tuple(_argument(part, hint, dtype_name) for part, hint in hints.items()),
            generic[0] if generic else -1,
            None if result is type(None) else result,
        )
        for dtype_name in types or [""]
    }


def _leaves(hints: Iterable[Any]) -> Iterable[Any]:
    """Yields the annotations of numbers and arrays, with named tuples flattened."""
    for hint in hints:
        if hasattr(hint, "_fields"):
            yield from _leaves(get_type_hints(hint, include_extras=True).values())
        else:
            yield hint


def array_type(hint: Any) -> ArrayOf:
    """Returns the type of an array by its annotation.

    Raises:
        TypeError: if it is not the annotation of an array.
    """
    for kind in getattr(hint, "__metadata__", ()):
        if isinstance(kind, ArrayOf):
            return kind
    raise TypeError(f"{hint} is not an annotation of an array")


def _argument(name: str, hint: Any, dtype_name: str) -> Parameter | Group:
    """Returns the parameter or group of an annotation, for one type of arrays."""
    if hasattr(hint, "_fields"):
        parts = get_type_hints(hint, include_extras=True).items()
        return Group(hint, tuple(_argument(f"{name}.{part}", inner, dtype_name) for part, inner in parts))
    if hint in _NUMBERS:
        return Parameter(name, hint)
    if get_origin(hint) is not Union:
        return Parameter(name, array_type(hint))
    (kind,) = (kind for kind in map(array_type, get_args(hint)) if kind.kind.name == dtype_name)
    return Parameter(name, kind)


def flatten(values: Iterable[Any]) -> list[Any]:
    """Returns the numbers and arrays of arguments, with named tuples flattened."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, tuple):
            found += flatten(value)
        else:
            found.append(value)
    return found


def choose_signature(signatures: Mapping[str, Signature], values: Sequence[Any]) -> Signature:
    """Returns the signature for the type of arrays in flattened arguments of an export.

    Raises:
        TypeError: for arrays of another type.
    """
    if "" in signatures:
        return signatures[""]
    signature = next(iter(signatures.values()))
    dtype_name = str(values[signature.generic_index].dtype)
    if dtype_name not in signatures:
        raise TypeError(
            f"{signature.parameters[signature.generic_index].name} holds {' or '.join(signatures)}, not {dtype_name}"
        )
    return signatures[dtype_name]

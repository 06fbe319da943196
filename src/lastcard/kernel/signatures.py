"""What a function of the kernel is before anything is compiled: how it wants to be compiled, and what it takes."""

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
    """Mark a function that other kernel functions call: compiled, constants in a call make no copies of it.

    Called from Python it is what it was before.
    """
    setattr(function, _INLINE_ATTRIBUTE, False)
    return function


def inlined(function: F) -> F:
    """``kernel`` for a small function on the hot path, whose body is put in place of every call."""
    setattr(function, _INLINE_ATTRIBUTE, True)
    return function


def wants_inlining(function: Callable[..., Any]) -> bool | None:
    """Whether the body of a kernel function is put in place of every call; None for any other function."""
    return getattr(function, _INLINE_ATTRIBUTE, None)


def is_specialized() -> bool:
    """Whether this code is compiled for the ruleset of the tables it gets (``specialize.py``); both forms do the same.

    Options are constants there, so to ask costs nothing, and code may leave out what that ruleset never needs. In the
    form for all rulesets to ask would cost more than could be left out, so it is always False.
    """
    return False


class Parameter(NamedTuple):
    """A number or an array that a door takes."""

    name: str
    """With those of the named tuples it stands in: ``rollouts.w``."""
    kind: Any
    """int, float, bool, or an ArrayOf."""


class Group(NamedTuple):
    """A named tuple that a door takes."""

    kind: Any
    """Its class."""
    parts: tuple[Parameter | Group, ...]


@dataclass(frozen=True)
class Signature:
    """A door as it is compiled.

    Args:
        name: in a module: of the file and the function, and of the type of rows where it is compiled for several.
        arguments: what it takes.
        generic_index: where of those, taken apart, the first is that may have several types; -1 for nowhere.
        result: int, float, bool or None.
    """

    name: str
    arguments: tuple[Parameter | Group, ...]
    generic_index: int
    result: type | None

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it takes, named tuples taken apart."""
        return tuple(_flatten_parameters(self.arguments))

    @property
    def is_flat(self) -> bool:
        """Whether it takes no named tuples."""
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
        function: whose annotations say what it takes (``signatures``).
        releases_gil: whether it may run for so long that other threads had better go on meanwhile.
        resolve: finds what to call.
        is_specializable: whether it plays so much at tables of one ruleset that native code may be made for that alone.
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
        """Find what to call anew with the next call."""
        self._call: Callable[..., Any] = self._resolve_and_call

    def _resolve_and_call(self, *args: Any) -> Any:
        self._call = self._resolve(self)
        return self._call(*args)

    @cached_property
    def signatures(self) -> dict[str, Signature]:
        """The door as it is compiled, by the type of its rows."""
        return signatures(self.function)


def _export_name(function: Callable[..., Any]) -> str:
    """The file and the name of a function."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def signatures(function: Callable[..., Any]) -> dict[str, Signature]:
    """A door as it is compiled, by the type of its rows (``float32``); under an empty name where that is always one.

    Args:
        function: whose annotations say what it takes: numbers, arrays as in ``records.py``, named tuples of both.

    Raises:
        TypeError: for annotations of anything else.
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
    """The annotations of numbers and arrays, named tuples taken apart."""
    for hint in hints:
        if hasattr(hint, "_fields"):
            yield from _leaves(get_type_hints(hint, include_extras=True).values())
        else:
            yield hint


def array_type(hint: Any) -> ArrayOf:
    """The type of an array by its annotation.

    Raises:
        TypeError: where it is not the annotation of an array.
    """
    for kind in getattr(hint, "__metadata__", ()):
        if isinstance(kind, ArrayOf):
            return kind
    raise TypeError(f"{hint} is not an annotation of an array")


def _argument(name: str, hint: Any, dtype_name: str) -> Parameter | Group:
    """What stands for a parameter, where rows are of one type."""
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
    """The numbers and arrays of arguments, named tuples taken apart."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, tuple):
            found += flatten(value)
        else:
            found.append(value)
    return found


def choose_signature(signatures: Mapping[str, Signature], values: Sequence[Any]) -> Signature:
    """The entry of a door for the type of rows in its arguments.

    Args:
        signatures: of the door.
        values: its arguments, named tuples taken apart.

    Raises:
        TypeError: for rows of another type.
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

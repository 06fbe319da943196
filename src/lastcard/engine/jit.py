"""How the kernel is called: through the module compiled ahead, as native code, or as plain Python.

Every door has all these forms, from one source, and all work on the same arrays: a match can go from one to another
between any two acts.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol, cast
from weakref import WeakSet

import numpy as np

from lastcard.engine.functions import Door, F, inlined, kernel
from lastcard.errors import UsageError

__all__ = ["bind", "choose", "door", "form", "inlined", "kernel", "long_door", "take"]

CHOICES: Final = ("auto", "module", "native", "plain")
VARIABLE: Final = "LASTCARD_KERNEL"

DOORS: Final[dict[str, Door]] = {}
"""All doors, by the file and the name of their function."""


class Form(Protocol):
    """A form of the kernel."""

    name: str

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """An array of zeros that its doors need not copy."""

    def enter(self, door: Door) -> Callable[..., Any]:
        """The function that calls a door."""

    def bind(self, door: Door, first: Sequence[Any], others: Sequence[Any]) -> Callable[..., Any]:
        """See ``bind``."""


class Bound:
    """A door with its first arguments given.

    ``call`` takes the others; it is replaced when another form of the kernel takes over.

    Args:
        door: the door.
        first: its first arguments, or all.
        others: examples of the rest.
    """

    __slots__ = ("__weakref__", "_door", "_first", "_others", "call")

    def __init__(self, door: Door, first: Sequence[Any], others: Sequence[Any]) -> None:
        self._door, self._first, self._others = door, first, others
        self.renew()

    def renew(self) -> None:
        """Call the form in use."""
        self.call: Callable[..., Any] = form().bind(self._door, self._first, self._others)


_bound: Final[WeakSet[Bound]] = WeakSet()


class _PlainKernel:
    """The kernel as the Python it is written in: a hundred times slower, for debuggers."""

    name = "plain"

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        array = np.zeros(shape, kind)
        return array.view(np.recarray) if array.dtype.names else array  # which has fields as attributes

    def enter(self, door: Door) -> Callable[..., Any]:
        return door.function

    def bind(self, door: Door, first: Sequence[Any], others: Sequence[Any]) -> Callable[..., Any]:
        return partial(door.function, *first)


_form: Form | None = None


def form() -> Form:
    """The form of the kernel in use; the first call chooses it, as LASTCARD_KERNEL says.

    Raises:
        UsageError: where that form cannot be had.
    """
    global _form
    if _form is None:
        _form = _make(asked())
    return _form


def asked() -> str:
    """The form that was asked for, ``auto`` where none was.

    Raises:
        UsageError: where there is no such form.
    """
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return "plain"
    name = os.environ.get(VARIABLE) or "auto"
    if name not in CHOICES:
        raise UsageError(f"{VARIABLE} is one of {', '.join(CHOICES)}, not {name!r}")
    return name


def choose(name: str) -> None:
    """Ask for a form, here and in processes that this one starts.

    Args:
        name: one of CHOICES.

    Raises:
        UsageError: where it cannot be had.
    """
    os.environ[VARIABLE] = name
    take(_make(asked()))


def take(new: Form) -> None:
    """Call doors in another form from now on, those that were bound too.

    Args:
        new: the form.
    """
    global _form
    _form = new
    for door in DOORS.values():
        door.leave()
    for bound in list(_bound):
        bound.renew()


def has_native() -> bool:
    """Whether Numba is installed."""
    return importlib.util.find_spec("numba") is not None


def _make(name: str) -> Form:
    """A form by name; ``auto`` is the module, and native code where kernel sources were changed since it was made."""
    if name == "plain":
        return _PlainKernel()
    if name == "native":
        if not has_native():
            raise UsageError("native code needs Numba: pip install lastcard[native]")
        from lastcard.engine.native import NativeKernel

        return NativeKernel()
    from lastcard.engine.module import ModuleKernel, StaleModule

    try:
        return ModuleKernel()
    except StaleModule:
        if name == "auto" and has_native():
            return _make("native")
        raise


def door(function: F) -> F:
    """Make a function one that Python calls, for some microseconds: the interpreter lock is held."""
    return cast(F, _open(function, long=False))


def long_door(function: F) -> F:
    """``door`` for a function that may take longer: other threads go on meanwhile."""
    return cast(F, _open(function, long=True))


def _open(function: Callable[..., Any], *, long: bool) -> Door:
    made = Door(function, long, lambda made: form().enter(made))
    DOORS[made.name] = made
    return made


def bind(door: Callable[..., Any], first: Sequence[Any], others: Sequence[Any] = ()) -> Bound:
    """A door with its first arguments given, ready to be called: to find out types takes longer than many a call.

    Args:
        door: the door.
        first: its first arguments, or all.
        others: examples of the rest. What it is called with must have their types: nothing looks at them again.
    """
    bound = Bound(cast(Door, door), first, others)
    _bound.add(bound)
    return bound

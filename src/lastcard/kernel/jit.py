"""How the kernel is called: through the module compiled ahead, as native code, or as plain Python.

Every door has all these forms, from one source, and all work on the same arrays: a match can go from one to another
between any two acts.
"""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Callable, Collection, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final, Protocol, cast
from weakref import WeakSet

import numpy as np

from lastcard.errors import UsageError
from lastcard.kernel.functions import Door, F, inlined, kernel

if TYPE_CHECKING:
    from lastcard.kernel.turbo import Turbo

__all__ = [
    "bind",
    "choose",
    "door",
    "form",
    "inlined",
    "kernel",
    "long_door",
    "native_state",
    "rounds_door",
    "speed_up",
    "take",
]

CHOICES: Final = ("auto", "module", "native", "plain")
VARIABLE: Final = "LASTCARD_KERNEL"

DOORS: Final[dict[str, Door]] = {}
"""All doors, by the file and the name of their function."""


class Form(Protocol):
    """A form of the kernel."""

    name: str
    room: float
    """How many bytes its arrays may take together in a thread."""

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """An array of zeros that its doors need not copy."""

    def enter(self, door: Door) -> Callable[..., Any]:
        """The function that calls a door."""

    def bind(
        self, door: Door, first: Sequence[Any], others: Sequence[Any], renew: Callable[[], None]
    ) -> Callable[..., Any]:
        """See ``bind``; ``renew``, a method, is called when there is a better way in."""

    def shares(self, door: Door) -> bool:
        """Whether threads may call a door side by side on parts of the same arrays, and gain by it."""


class Bound:
    """A door with its first arguments given.

    ``call`` takes the others; it is replaced when another form of the kernel takes over, or code for one ruleset.
    ``shares`` says whether threads may call it side by side on parts of the same arrays, and gain by it.

    Args:
        door: the door.
        first: its first arguments, or all.
        others: examples of the rest.
    """

    __slots__ = ("__weakref__", "_door", "_first", "_others", "call", "shares")

    def __init__(self, door: Door, first: Sequence[Any], others: Sequence[Any]) -> None:
        self._door, self._first, self._others = door, first, others
        with _renewing:
            _bound.add(self)
            self.renew()

    def renew(self) -> None:
        """Call the form in use."""
        with _renewing:
            used = form()
            self.call: Callable[..., Any] = used.bind(self._door, self._first, self._others, self.renew)
            self.shares = used.shares(self._door)


_renewing: Final = threading.RLock()
"""Held where the set of bound doors, or what one of them calls, changes."""
_bound: Final[WeakSet[Bound]] = WeakSet()


class _PlainKernel:
    """The kernel as the Python it is written in: a hundred times slower, for debuggers."""

    name = "plain"
    room = inf

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        array = np.zeros(shape, kind)
        return array.view(np.recarray) if array.dtype.names else array  # which has fields as attributes

    def enter(self, door: Door) -> Callable[..., Any]:
        return door.function

    def bind(
        self, door: Door, first: Sequence[Any], others: Sequence[Any], renew: Callable[[], None]
    ) -> Callable[..., Any]:
        return partial(door.function, *first)

    def shares(self, door: Door) -> bool:
        return False  # the interpreter lock lets one run at a time


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
    return _check(os.environ.get(VARIABLE) or "auto")


def _check(name: str) -> str:
    """The form that a name asks for: under Numba's own switch for debuggers, always the plain one."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return "plain"
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
    take(_make(_check(name)))
    os.environ[VARIABLE] = name


def take(new: Form) -> None:
    """Call doors in another form from now on, those that were bound too.

    Args:
        new: the form.
    """
    global _form
    _form = new
    for door in list(DOORS.values()):
        door.leave()
    with _renewing:
        all_bound = list(_bound)
    for bound in all_bound:  # one at a time: others go on meanwhile
        bound.renew()


_turbo: Turbo | None = None


def speed_up(doors: Collection[Callable[..., Any]] | None = None, tell: Callable[[str], object] = str) -> None:
    """Go over to native code when there is some, where the choice of a form was left to us and the module was taken.

    Nothing waits for it: another process compiles what is not kept, at low priority, and a thread loads it. Only the
    first call does something.

    Args:
        doors: to be native code, while all others stay with the module; else every door, as modules are imported.
        tell: called in that thread with every new state, see ``native_state``.
    """
    global _turbo
    if _turbo is None and native_state() == "left":
        from lastcard.kernel.turbo import Turbo

        wanted = DOORS.values() if doors is None else cast(Collection[Door], doors)
        _turbo = Turbo(wanted, form(), take, tell)
        _turbo.start()


def native_state() -> str:
    """How far native code is.

    Returns:
        ``used``; ``absent`` where Numba is not installed; ``unwanted`` where another form was asked for; ``left`` until
        ``speed_up``; then ``compiling``, ``loading``, and in the end ``used`` or ``failed``.
    """
    if form().name == "native":
        return "used"
    if asked() != "auto":
        return "unwanted"
    if not has_native():
        return "absent"
    return "left" if _turbo is None else _turbo.state


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
        from lastcard.kernel.native import NativeKernel

        return NativeKernel()
    from lastcard.kernel.module import ModuleKernel, StaleModule

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


def rounds_door(function: F) -> F:
    """``long_door`` for a function that plays many rounds: native code is made for the ruleset alone where that pays.

    All tables it gets are of one ruleset, and stay so until it returns; as long as they are bound, where they are.
    """
    return cast(F, _open(function, long=True, rounds=True))


def _open(function: Callable[..., Any], *, long: bool, rounds: bool = False) -> Door:
    made = Door(function, long, lambda made: form().enter(made), rounds)
    DOORS[made.name] = made
    if _turbo is not None:
        _turbo.wake()
    return made


def bind(door: Callable[..., Any], first: Sequence[Any], others: Sequence[Any] = ()) -> Bound:
    """A door with its first arguments given, ready to be called: to find out types takes longer than many a call.

    Args:
        door: the door.
        first: its first arguments, or all.
        others: examples of the rest. What it is called with must have their types: nothing looks at them again.
    """
    return Bound(cast(Door, door), first, others)

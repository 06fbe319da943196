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
from lastcard.kernel.signatures import Export, F, inlined, kernel

if TYPE_CHECKING:
    from lastcard.kernel.background_compile import BackgroundCompiler

__all__ = [
    "backend",
    "bind",
    "enable_native",
    "export",
    "export_nogil",
    "export_specializable",
    "inlined",
    "kernel",
    "native_state",
    "select_backend",
    "switch_backend",
]

BACKENDS: Final = ("auto", "module", "native", "plain")
ENV_VARIABLE: Final = "LASTCARD_KERNEL"

EXPORTS: Final[dict[str, Export]] = {}
"""All doors, by the file and the name of their function."""


class Backend(Protocol):
    """A form of the kernel."""

    name: str
    memory_limit_bytes: float
    """How many bytes its arrays may take together in a thread."""

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """An array of zeros that its doors need not copy."""

    def resolve(self, export: Export) -> Callable[..., Any]:
        """The function that calls a door."""

    def bind(
        self, export: Export, first: Sequence[Any], others: Sequence[Any], rebind: Callable[[], None]
    ) -> Callable[..., Any]:
        """See ``bind``; ``rebind``, a method, is called when there is a better way in."""

    def can_run_parallel(self, export: Export) -> bool:
        """Whether threads may call a door side by side on parts of the same arrays, and gain by it."""


class BoundExport:
    """A door with its first arguments given.

    ``call`` takes the others; it is replaced when another form of the kernel takes over, or code for one ruleset.
    ``can_run_parallel`` says whether threads may call it side by side on parts of the same arrays, and gain by it.

    Args:
        export: the door.
        first: its first arguments, or all.
        others: examples of the rest.
    """

    __slots__ = ("__weakref__", "_export", "_first", "_others", "call", "can_run_parallel")

    def __init__(self, export: Export, first: Sequence[Any], others: Sequence[Any]) -> None:
        self._export, self._first, self._others = export, first, others
        with _rebind_lock:
            _bound_exports.add(self)
            self.rebind()

    def rebind(self) -> None:
        """Call the form in use."""
        with _rebind_lock:
            active = backend()
            self.call: Callable[..., Any] = active.bind(self._export, self._first, self._others, self.rebind)
            self.can_run_parallel = active.can_run_parallel(self._export)


_rebind_lock: Final = threading.RLock()
"""Held where the set of bound doors, or what one of them calls, changes."""
_bound_exports: Final[WeakSet[BoundExport]] = WeakSet()


class _PlainBackend:
    """The kernel as the Python it is written in: a hundred times slower, for debuggers."""

    name = "plain"
    memory_limit_bytes = inf

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        array = np.zeros(shape, kind)
        return array.view(np.recarray) if array.dtype.names else array  # which has fields as attributes

    def resolve(self, export: Export) -> Callable[..., Any]:
        return export.function

    def bind(
        self, export: Export, first: Sequence[Any], others: Sequence[Any], rebind: Callable[[], None]
    ) -> Callable[..., Any]:
        return partial(export.function, *first)

    def can_run_parallel(self, export: Export) -> bool:
        return False  # the interpreter lock lets one run at a time


_backend: Backend | None = None


def backend() -> Backend:
    """The form of the kernel in use; the first call chooses it, as LASTCARD_KERNEL says.

    Raises:
        UsageError: where that form cannot be had.
    """
    global _backend
    if _backend is None:
        _backend = _create_backend(requested_backend())
    return _backend


def requested_backend() -> str:
    """The form that was asked for, ``auto`` where none was.

    Raises:
        UsageError: where there is no such form.
    """
    return _checked_name(os.environ.get(ENV_VARIABLE) or "auto")


def _checked_name(name: str) -> str:
    """The form that a name asks for: under Numba's own switch for debuggers, always the plain one."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return "plain"
    if name not in BACKENDS:
        raise UsageError(f"{ENV_VARIABLE} is one of {', '.join(BACKENDS)}, not {name!r}")
    return name


def select_backend(name: str) -> None:
    """Ask for a form, here and in processes that this one starts.

    Args:
        name: one of CHOICES.

    Raises:
        UsageError: where it cannot be had.
    """
    switch_backend(_create_backend(_checked_name(name)))
    os.environ[ENV_VARIABLE] = name


def switch_backend(new: Backend) -> None:
    """Call doors in another form from now on, those that were bound too.

    Args:
        new: the form.
    """
    global _backend
    _backend = new
    for export in list(EXPORTS.values()):
        export.reset()
    with _rebind_lock:
        all_bound = list(_bound_exports)
    for bound in all_bound:  # one at a time: others go on meanwhile
        bound.rebind()


_background_compiler: BackgroundCompiler | None = None


def enable_native(
    exports: Collection[Callable[..., Any]] | None = None, on_state: Callable[[str], object] = str
) -> None:
    """Go over to native code when there is some, where the choice of a form was left to us and the module was taken.

    Nothing waits for it: another process compiles what is not kept, at low priority, and a thread loads it. Only the
    first call does something.

    Args:
        exports: to be native code, while all others stay with the module; else every door, as modules are imported.
        on_state: called in that thread with every new state, see ``native_state``.
    """
    global _background_compiler
    if _background_compiler is None and native_state() == "left":
        from lastcard.kernel.background_compile import BackgroundCompiler

        wanted = EXPORTS.values() if exports is None else cast(Collection[Export], exports)
        _background_compiler = BackgroundCompiler(wanted, backend(), switch_backend, on_state)
        _background_compiler.start()


def native_state() -> str:
    """How far native code is.

    Returns:
        ``used``; ``absent`` if Numba is not installed; ``unwanted`` if another backend was requested; ``left`` until
        ``enable_native``; then ``compiling``, ``loading``, and in the end ``used`` or ``failed``.
    """
    if backend().name == "native":
        return "used"
    if requested_backend() != "auto":
        return "unwanted"
    if not has_native():
        return "absent"
    return "left" if _background_compiler is None else _background_compiler.state


def has_native() -> bool:
    """Whether Numba is installed."""
    return importlib.util.find_spec("numba") is not None


def _create_backend(name: str) -> Backend:
    """A form by name; ``auto`` is the module, and native code where kernel sources were changed since it was made."""
    if name == "plain":
        return _PlainBackend()
    if name == "native":
        if not has_native():
            raise UsageError("native code needs Numba: pip install lastcard[native]")
        from lastcard.kernel.native_backend import NativeBackend

        return NativeBackend()
    from lastcard.kernel.wasm_backend import StaleModule, WasmBackend

    try:
        return WasmBackend()
    except StaleModule:
        if name == "auto" and has_native():
            return _create_backend("native")
        raise


def export(function: F) -> F:
    """Make a function one that Python calls, for some microseconds: the interpreter lock is held."""
    return cast(F, _register(function, releases_gil=False))


def export_nogil(function: F) -> F:
    """``export`` for a function that may take longer: other threads go on meanwhile."""
    return cast(F, _register(function, releases_gil=True))


def export_specializable(function: F) -> F:
    """``export_nogil`` for a function that plays many rounds: it may be compiled once more for one ruleset.

    All tables it gets are of one ruleset, and stay so until it returns; as long as they are bound, where they are.
    """
    return cast(F, _register(function, releases_gil=True, is_specializable=True))


def _register(function: Callable[..., Any], *, releases_gil: bool, is_specializable: bool = False) -> Export:
    registered = Export(function, releases_gil, lambda made: backend().resolve(made), is_specializable)
    EXPORTS[registered.name] = registered
    if _background_compiler is not None:
        _background_compiler.wake()
    return registered


def bind(export: Callable[..., Any], first: Sequence[Any], others: Sequence[Any] = ()) -> BoundExport:
    """A door with its first arguments given, ready to be called: to find out types takes longer than many a call.

    Args:
        export: the door.
        first: its first arguments, or all.
        others: examples of the rest. What it is called with must have their types: nothing looks at them again.
    """
    return BoundExport(cast(Export, export), first, others)

"""Backends of the kernel: the module compiled ahead of time, native code, or plain Python.

Every export runs in all of them, from one source and on the same arrays. A match can switch backends between any two
moves.
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
from lastcard.kernel.signatures import Export, F
from lastcard.kernel.signatures import inlined as inlined
from lastcard.kernel.signatures import kernel as kernel

if TYPE_CHECKING:
    from lastcard.kernel.background_compile import BackgroundCompiler

BACKENDS: Final = ("auto", "module", "native", "plain")
ENV_VARIABLE: Final = "LASTCARD_KERNEL"

EXPORTS: Final[dict[str, Export]] = {}
"""All exports, by file and function name."""


class Backend(Protocol):
    """A backend of the kernel."""

    name: str
    memory_limit_bytes: float
    """Maximum size in bytes of its arrays in a thread, all together."""

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """Returns an array of zeros that its exports need not copy."""

    def copy(self, array: Any) -> Any:
        """Returns a copy of an array that its exports need not copy."""

    def resolve(self, export: Export) -> Callable[..., Any]:
        """Returns the function that calls an export."""

    def bind(
        self, export: Export, first: Sequence[Any], others: Sequence[Any], rebind: Callable[[], None]
    ) -> Callable[..., Any]:
        """See ``bind``; the method ``rebind`` is called when faster code is available."""

    def can_run_parallel(self, export: Export) -> bool:
        """Returns whether threads run faster if they call an export in parallel on parts of the same arrays."""


class BoundExport:
    """An export with its first arguments bound.

    ``call`` takes the others; it is replaced when the backend changes, or by code for one ruleset.
    ``can_run_parallel`` says whether threads run faster if they call it in parallel on parts of the same arrays.
    """

    __slots__ = ("__weakref__", "_export", "_first", "_others", "call", "can_run_parallel")

    def __init__(self, export: Export, first: Sequence[Any], others: Sequence[Any]) -> None:
        self._export, self._first, self._others = export, first, others
        with _rebind_lock:
            _bound_exports.add(self)
            self.rebind()

    def rebind(self) -> None:
        """Call the backend in use."""
        with _rebind_lock:
            active = backend()
            self.call: Callable[..., Any] = active.bind(self._export, self._first, self._others, self.rebind)
            self.can_run_parallel = active.can_run_parallel(self._export)


_rebind_lock: Final = threading.RLock()
"""Held to change the set of bound exports, or the function that one of them calls."""
_bound_exports: Final[WeakSet[BoundExport]] = WeakSet()


class _PlainBackend:
    """The kernel as plain Python: a hundred times slower, for debuggers."""

    name = "plain"
    memory_limit_bytes = inf

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        array = np.zeros(shape, kind)
        return array.view(np.recarray) if array.dtype.names else array  # makes fields attributes

    def copy(self, array: Any) -> Any:
        copied = self.zeros(array.shape, array.dtype)
        copied[...] = array
        return copied

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
    """Returns the backend in use; the first call chooses it by LASTCARD_KERNEL.

    Raises:
        UsageError: if that backend is not available.
    """
    global _backend
    if _backend is None:
        _backend = _create_backend(requested_backend())
    return _backend


def requested_backend() -> str:
    """Returns the name of the requested backend, ``auto`` by default.

    Raises:
        UsageError: if there is no such backend.
    """
    return _checked_name(os.environ.get(ENV_VARIABLE) or "auto")


def _checked_name(name: str) -> str:
    """Returns a valid name as it is, or ``plain`` if NUMBA_DISABLE_JIT is set."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return "plain"
    if name not in BACKENDS:
        raise UsageError(f"{ENV_VARIABLE} is one of {', '.join(BACKENDS)}, not {name!r}")
    return name


def select_backend(name: str) -> None:
    """Select one of BACKENDS for this process and its children.

    Raises:
        UsageError: if it is not available.
    """
    switch_backend(_create_backend(_checked_name(name)))
    os.environ[ENV_VARIABLE] = name


def switch_backend(new: Backend) -> None:
    """Call exports, also those bound before, in another backend from now on."""
    global _backend
    _backend = new
    for export in list(EXPORTS.values()):
        export.reset()
    with _rebind_lock:
        all_bound = list(_bound_exports)
    for bound in all_bound:  # one at a time, so that others continue meanwhile
        bound.rebind()


_background_compiler: BackgroundCompiler | None = None


def enable_native(
    exports: Collection[Callable[..., Any]] | None = None, on_state: Callable[[str], object] = str
) -> None:
    """Switch to native code when it is ready, if the backend was chosen automatically and is the module.

    Nothing waits for it: a process of low priority compiles code that is not cached, and a thread loads it. Calls after
    the first have no effect.

    Args:
        exports: exports to run as native code while the module runs the others; None for all, as modules are imported.
        on_state: called in that thread with every new state, see ``native_state``.
    """
    global _background_compiler
    if _background_compiler is None and native_state() == "left":
        from lastcard.kernel.background_compile import BackgroundCompiler

        wanted = EXPORTS.values() if exports is None else cast(Collection[Export], exports)
        _background_compiler = BackgroundCompiler(wanted, backend(), switch_backend, on_state)
        _background_compiler.start()


def native_state() -> str:
    """Returns the state of native code.

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
    """Returns whether Numba is installed."""
    return importlib.util.find_spec("numba") is not None


def _create_backend(name: str) -> Backend:
    """Returns a backend by name; ``auto`` is the module, or native code if the module is older than its sources."""
    if name == "plain":
        return _PlainBackend()
    if name == "native":
        if not has_native():
            raise UsageError("native code needs Numba: install lastcard[native]")
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
    """Export a function that takes microseconds: the interpreter lock is held."""
    return cast(F, _register(function, releases_gil=False))


def export_nogil(function: F) -> F:
    """Export a function that may take longer: it releases the interpreter lock."""
    return cast(F, _register(function, releases_gil=True))


def export_specializable(function: F) -> F:
    """``export_nogil`` for a function that plays many rounds: it may be compiled once more for one ruleset.

    All round states it gets have one ruleset until it returns; if they are bound, as long as they are.
    """
    return cast(F, _register(function, releases_gil=True, is_specializable=True))


def _register(function: Callable[..., Any], *, releases_gil: bool, is_specializable: bool = False) -> Export:
    registered = Export(function, releases_gil, lambda made: backend().resolve(made), is_specializable)
    EXPORTS[registered.name] = registered
    if _background_compiler is not None:
        _background_compiler.wake()
    return registered


def bind(export: Callable[..., Any], first: Sequence[Any], others: Sequence[Any] = ()) -> BoundExport:
    """Returns an export with its first arguments (or all) bound and types checked, which takes longer than many a call.

    ``others`` are examples of the rest. The arguments of calls must have their types, which are not checked again.
    """
    return BoundExport(cast(Export, export), first, others)

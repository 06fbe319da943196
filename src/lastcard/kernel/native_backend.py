"""The kernel as native code: Numba compiles it when it is called, and stores it in the user's cache.

Numba's own cache misses changes in *imported* files, and has nothing for a second copy of the sources. So the key of
this cache is a hash of all kernel sources and the versions of the compilers, and of nothing else.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from math import inf
from operator import index
from pathlib import Path
from types import FunctionType
from typing import Any, Final, cast

import numba
import numpy as np
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import typeof_impl

from lastcard.kernel import intrinsics  # noqa: F401  # registers the intrinsics
from lastcard.kernel.cache import locked, native_folder
from lastcard.kernel.linkage import ExportCompiler, FunctionCompiler, SpecializableCompiler
from lastcard.kernel.records import ArrayOf
from lastcard.kernel.signatures import Export, Group, Parameter, Signature, choose_signature, flatten, wants_inlining
from lastcard.kernel.specialize import SpecializedExport

JIT_FLAGS: Final[dict[str, Any]] = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}


_dispatchers: Final[dict[Callable[..., Any], Any]] = {}


def dispatcher_of(function: Callable[..., Any], inline: bool) -> Any:
    """Returns Numba's dispatcher of a function that other kernel functions call."""
    made = _dispatchers.get(function)
    if made is None:
        made = numba.njit(**JIT_FLAGS, no_cpython_wrapper=True, forceinline=inline, pipeline_class=FunctionCompiler)(
            function
        )
        resolve = made.get_call_template

        def resolve_plainly(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
            # Numba would compile a version for every literal and integer width; the kernel uses only int64.
            plain = (types.int64 if isinstance(a, types.Integer) else types.unliteral(a) for a in args)
            return resolve(tuple(plain), kws)

        made.get_call_template = resolve_plainly
        _dispatchers[function] = made
    return made


@typeof_impl.register(FunctionType)
def _type_of_function(function: FunctionType, context: Any) -> Any:
    """Returns the type of a kernel function in compiled code, which is that of its dispatcher."""
    inline = wants_inlining(function)
    if inline is None:
        return typeof_impl.dispatch(object)(function, context)
    return types.Dispatcher(dispatcher_of(function, inline))


_NUMBERS: Final = {int: types.int64, float: types.float64, bool: types.boolean}


def numba_types(signature: Signature) -> tuple[Any, ...]:
    """Returns Numba's types of the arguments of a signature."""
    return tuple(map(_numba_type, signature.arguments))


def _numba_type(argument: Parameter | Group) -> Any:
    """Returns Numba's type of an argument."""
    if isinstance(argument, Group):
        return types.BaseTuple.from_types([_numba_type(part) for part in argument.parts], argument.kind)
    if isinstance(argument.kind, ArrayOf):
        return types.Array(numba.from_dtype(argument.kind.kind), argument.kind.dimensions, "C")
    return _NUMBERS[argument.kind]


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Locates cached code by the key alone, not by the path of its source."""

    def __init__(self, module: str) -> None:
        self._module = module

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func.__module__)

    def get_cache_path(self) -> str:
        return str(native_folder())

    def get_source_stamp(self) -> str:
        return ""  # part of the folder's name

    def get_disambiguator(self) -> str:
        return self._module


class _CacheFiles(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: Final = (_Locator,)


class _Cache(FunctionCache):  # type: ignore[misc]
    _impl_class = _CacheFiles

    def save_overload(self, signature: Any, compiled: Any) -> None:
        with locked(Path(self.cache_path) / "saving"):  # parallel writes would corrupt the index
            super().save_overload(signature, compiled)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector: Numba's objects live until an export is compiled, and scans take a seventh of it."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class NativeExport:
    """An export in native code, compiled once for each of its signatures."""

    def __init__(self, export: Export) -> None:
        self._export = export
        self._compiled: dict[str, Callable[..., Any]] = {}
        """Callables by name of the signature: the dispatcher would take a thousand times as long."""
        compiler = SpecializableCompiler if export.is_specializable else ExportCompiler
        self.dispatcher = numba.njit(**JIT_FLAGS, nogil=export.releases_gil, pipeline_class=compiler)(export.function)
        """Compiles it, and is what Python calls (``resolve``) unless it is specializable."""
        # Numba calls this if the arguments do not have the types of compiled code.
        self.dispatcher._compile_for_args = lambda *_: self._call_converting
        if native_folder() is not None:
            self.dispatcher._cache = _Cache(export.function)

    def compile(self, signature: Signature) -> Callable[..., Any]:
        """Returns a callable that does not check types; compiles it if it is not cached.

        If several processes want it at once, one compiles it and the others load it from the cache.
        """
        call = self._compiled.get(signature.name)
        if call is None:
            folder = native_folder()
            with gc_paused(), nullcontext() if folder is None else locked(folder / f"{self._export.name}.lock"):
                self.dispatcher.compile(numba_types(signature))
                call = self._caller(
                    signature, self.dispatcher.overloads[numba_types(signature)]
                )  # refers to the compile result
            self._compiled[signature.name] = call
        return call

    def _caller(self, signature: Signature, result: Any) -> Callable[..., Any]:
        """Returns a callable of a compiled signature."""
        folder = native_folder()
        if self._export.is_specializable and folder is not None:
            return SpecializedExport(signature, result, folder)
        return cast(Callable[..., Any], result.entry_point)

    def resolve(self) -> Callable[..., Any]:
        """Returns the function that calls the export."""
        return self._call_converting if self._export.is_specializable else cast(Callable[..., Any], self.dispatcher)

    def specialize(self, *args: Any) -> None:
        """Specialize the export for the ruleset of the round states in its arguments now, not only after long use."""
        call, converted, _ = self._prepare(args)
        if isinstance(call, SpecializedExport):
            call.specialize(converted)

    def load(self, signature: Signature) -> bool:
        """Load the code of a signature from the cache; returns whether it was cached."""
        with global_compiler_lock:
            found = self.dispatcher._cache.load_overload(numba_types(signature), self.dispatcher.targetctx)
            if found is not None:
                self.dispatcher.add_overload(found)
                self._compiled[signature.name] = self._caller(signature, found)
            return found is not None

    def bind(self, first: Sequence[Any], others: Sequence[Any], rebind: Callable[[], None]) -> Callable[..., Any]:
        """See ``jit.Backend``."""
        call, converted, copies = self._prepare((*first, *others))
        if copies:
            return partial(self.resolve(), *first)
        given = converted[: len(first)]
        return call.bind(given, rebind) if isinstance(call, SpecializedExport) else partial(call, *given)

    def _call_converting(self, *args: Any) -> Any:
        """Call the export with arguments that may need conversion."""
        call, converted, copies = self._prepare(args)
        result = call(*converted)
        for array, copy in copies:
            if array.flags.writeable:
                array[...] = copy
        return result

    def _prepare(self, args: Sequence[Any]) -> tuple[Callable[..., Any], list[Any], list[tuple[Any, Any]]]:
        """Returns the callable for some arguments, these converted, and arrays with their copies (``_convert``)."""
        signature = choose_signature(self._export.signatures, flatten(args))
        copies: list[tuple[Any, Any]] = []
        return (
            self.compile(signature),
            [_convert(*pair, copies) for pair in zip(signature.arguments, args, strict=True)],
            copies,
        )


def _convert(argument: Parameter | Group, value: Any, copies: list[tuple[Any, Any]]) -> Any:
    """Returns an argument as compiled code takes it.

    A read-only or non-contiguous array is appended to ``copies`` with its copy.

    Raises:
        TypeError: if the value does not fit the argument.
    """
    if isinstance(argument, Group):
        return argument.kind(*(_convert(*pair, copies) for pair in zip(argument.parts, value, strict=True)))
    kind = argument.kind
    if not isinstance(kind, ArrayOf):
        return kind(value if kind is float else index(value))
    if not isinstance(value, np.ndarray) or not kind.allows(value):
        raise TypeError(f"{argument.name} is an array of {kind}, not {value!r:.200}")
    if value.flags.carray:  # contiguous, in C order, and writable
        return value
    for given, copy in copies:
        if given is value:
            return copy
    copy = np.array(value, order="C")
    copies.append((value, copy))
    return copy


class NativeBackend:
    """Exports as native code, and arrays for them; a fallback, if given, calls all that are not loaded already."""

    name = "native"
    memory_limit_bytes = inf

    def __init__(self, exports: Mapping[str, NativeExport] | None = None, fallback: Any = None) -> None:
        self._exports, self._fallback = dict(exports or {}), fallback

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """Returns a plain NumPy array of zeros: native code works on any."""
        return np.zeros(shape, kind)

    def copy(self, array: Any) -> Any:
        """Returns a copy of an array."""
        return array.copy()

    def native_export(self, export: Export) -> NativeExport:
        """Returns an export in native code."""
        opened = self._exports.get(export.name)
        if opened is None:
            opened = self._exports[export.name] = NativeExport(export)
        return opened

    def resolve(self, export: Export) -> Callable[..., Any]:
        """Returns the function that calls an export."""
        if self._is_delegated(export):
            return cast(Callable[..., Any], self._fallback.resolve(export))
        return self.native_export(export).resolve()

    def bind(
        self, export: Export, first: Sequence[Any], others: Sequence[Any], rebind: Callable[[], None]
    ) -> Callable[..., Any]:
        """See ``jit.Backend``."""
        if self._is_delegated(export):
            return cast(Callable[..., Any], self._fallback.bind(export, first, others, rebind))
        return self.native_export(export).bind(first, others, rebind)

    def can_run_parallel(self, export: Export) -> bool:
        """Returns whether the export runs here and releases the interpreter lock."""
        return export.releases_gil and not self._is_delegated(export)

    def _is_delegated(self, export: Export) -> bool:
        """Returns whether the fallback calls an export."""
        return self._fallback is not None and export.name not in self._exports

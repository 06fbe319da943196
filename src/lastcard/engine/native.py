"""The kernel as native code: Numba compiles it when it is called, and keeps it in the user's cache.

Numba's own cache does not notice a change in an *imported* file, and finds nothing for a second copy of the sources.
So code is kept under a hash of every kernel source and the versions of what compiled it, and of nothing else.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.extending import typeof_impl

from lastcard.engine import intrinsics  # noqa: F401  # what bits and chance are as machine instructions
from lastcard.engine.cache import open_folder, source_key
from lastcard.engine.functions import Door, wants_inlining
from lastcard.engine.linkage import DoorCompiler, PartCompiler

FLAGS: Final[dict[str, Any]] = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}


@cache
def key() -> str:
    """A hash of all that native code depends on: sources, versions and the kind of processor."""
    versions = (sys.version, np.__version__, numba.__version__, llvmlite.__version__, platform.machine())
    own = Path(__file__).read_bytes()
    return hashlib.sha256(f"{source_key()} {versions!r} ".encode() + own).hexdigest()[:16]


@cache
def folder() -> Path | None:
    """The folder of exactly these sources; None where it cannot be written, and every process compiles."""
    return open_folder(f"kernel-{key()}")


_dispatchers: Final[dict[Callable[..., Any], Any]] = {}


def compile_kernel(function: Callable[..., Any], inline: bool) -> Any:
    """Numba's dispatcher of a function that other kernel functions call."""
    made = _dispatchers.get(function)
    if made is None:
        made = numba.njit(**FLAGS, no_cpython_wrapper=True, forceinline=inline, pipeline_class=PartCompiler)(function)
        resolve = made.get_call_template

        def resolve_plainly(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
            # Numba would compile one form for every literal and integer width; all of ours are int64.
            plain = (types.int64 if isinstance(a, types.Integer) else types.unliteral(a) for a in args)
            return resolve(tuple(plain), kws)

        made.get_call_template = resolve_plainly
        _dispatchers[function] = made
    return made


@typeof_impl.register(FunctionType)
def _type_of_function(function: FunctionType, context: Any) -> Any:
    """A kernel function in compiled code is its dispatcher."""
    inline = wants_inlining(function)
    if inline is None:
        return typeof_impl.dispatch(object)(function, context)
    return types.Dispatcher(compile_kernel(function, inline))


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Where a door's code is kept: under the key alone, wherever its source lies."""

    def __init__(self, module: str) -> None:
        self._module = module

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator:
        return cls(py_func.__module__)

    def get_cache_path(self) -> str:
        return str(folder())

    def get_source_stamp(self) -> str:
        return key()

    def get_disambiguator(self) -> str:
        return self._module


class _Files(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes: Final = (_Locator,)


class _Cache(FunctionCache):  # type: ignore[misc]
    _impl_class = _Files


def compile_door(door: Door) -> Any:
    """Numba's dispatcher of a door, with what was kept of it."""
    made = numba.njit(**FLAGS, nogil=door.long, pipeline_class=DoorCompiler)(door.function)
    if folder() is not None:
        made._cache = _Cache(door.function)
    return made


class NativeKernel:
    """Doors of native code, and arrays for them."""

    name = "native"

    @cached_property
    def _dispatchers(self) -> dict[str, Any]:
        return {}

    def zeros(self, shape: int | Sequence[int], kind: Any) -> Any:
        """An array of zeros: native code works on any."""
        return np.zeros(shape, kind)

    def enter(self, door: Door) -> Callable[..., Any]:
        """The function that calls a door: Numba's dispatcher, which compiles it for what it is called with."""
        if door.name not in self._dispatchers:
            self._dispatchers[door.name] = compile_door(door)
        dispatcher: Callable[..., Any] = self._dispatchers[door.name]
        return dispatcher

    def bind(self, door: Door, first: Sequence[Any], others: Sequence[Any]) -> Callable[..., Any]:
        """See ``jit.bind``."""
        dispatcher: Any = self.enter(door)
        return partial(dispatcher.compile(tuple(map(numba.typeof, (*first, *others)))), *first)

"""Kernel functions that tests call directly: Python normally reaches them only through exports."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from lastcard.kernel.cache import native_folder
from lastcard.kernel.jit import requested_backend

F = TypeVar("F", bound=Callable[..., Any])
PLAIN = requested_backend() == "plain"
"""Whether the kernel runs as plain Python, a hundred times slower."""


def compiled_anew(function: F) -> F:
    """A test's function that calls kernel functions, compiled to native code by each process."""
    if PLAIN:
        return function
    import numba

    from lastcard.kernel import linkage, native_backend

    return cast(F, numba.njit(**native_backend.JIT_FLAGS, pipeline_class=linkage.ExportCompiler)(function))


def compiled(function: F) -> F:
    """A test's function that calls kernel functions, compiled to native code whatever the backend.

    The code is cached with that of the exports, until the test's file or the kernel changes.
    """
    dispatcher: Any = compiled_anew(function)
    if PLAIN or native_folder() is None:
        return cast(F, dispatcher)
    from numba.core.caching import CompileResultCacheImpl

    from lastcard.kernel import native_backend

    text = Path(inspect.getfile(function)).read_bytes()

    class Locator(native_backend._Locator):
        def get_source_stamp(self) -> str:
            return hashlib.sha256(text).hexdigest()

    class Files(CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Locator,)

    class Cache(native_backend._Cache):
        _impl_class = Files

    dispatcher._cache = Cache(function)
    return cast(F, dispatcher)

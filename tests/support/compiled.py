"""Kernel functions that tests call directly: Python normally reaches them only through exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from lastcard.kernel.jit import requested_backend

F = TypeVar("F", bound=Callable[..., Any])
PLAIN = requested_backend() == "plain"
"""Whether the kernel runs as plain Python, a hundred times slower."""


def compiled(function: F) -> F:
    """A test's function that calls kernel functions, compiled to native code whatever the backend."""
    if PLAIN:
        return function
    import numba

    from lastcard.kernel import linkage, native_backend

    return cast(F, numba.njit(**native_backend.JIT_FLAGS, pipeline_class=linkage.ExportCompiler)(function))

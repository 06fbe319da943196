"""Kernel functions called by themselves: they have no way in from Python but for the doors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from lastcard.kernel.jit import requested_backend

F = TypeVar("F", bound=Callable[..., Any])
PLAIN = requested_backend() == "plain"
"""Whether the kernel runs as plain Python, a hundred times slower."""


def compiled(function: F) -> F:
    """A function of a test that calls kernel functions, as native code, whatever form the doors have."""
    if PLAIN:
        return function
    import numba

    from lastcard.kernel import linkage, native_backend

    return cast(F, numba.njit(**native_backend.JIT_FLAGS, pipeline_class=linkage.ExportCompiler)(function))

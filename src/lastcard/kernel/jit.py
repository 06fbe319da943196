"""How kernel functions are compiled, and where the compiled code is kept.

Numba's cache does not notice a change in an *imported* file. So its folder is named by a hash of
every kernel source, the modules whose constants are frozen into the code, and the versions of
Python, NumPy, Numba and LLVM: code compiled from other sources can never be found.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy
from numba import types

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parent.parent
_FROZEN = ("actions.py", "cards.py", "options.py")


def source_key(package: Path = _PACKAGE) -> str:
    """A hash of all that compiled code depends on: sources, versions and the processor.

    Args:
        package: the folder of the ``lastcard`` package.
    """
    digest = hashlib.sha256()
    sources = sorted((package / "kernel").rglob("*.py")) + [package / name for name in _FROZEN]
    for source in sources:
        digest.update(str(source.relative_to(package)).encode() + b"\0" + source.read_bytes() + b"\0")
    versions = (sys.version, numpy.__version__, numba.__version__, llvmlite.__version__, platform.machine())
    digest.update(repr(versions).encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder that holds compiled code: LASTCARD_CACHE, or the user's cache folder, or a temporary one."""
    named = os.environ.get("LASTCARD_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    root = Path(base) if base else Path.home() / ".cache"
    try:
        root.mkdir(parents=True, exist_ok=True)
        writable = os.access(root, os.W_OK)
    except OSError:
        writable = False
    return root / "lastcard" if writable else Path(tempfile.gettempdir()) / f"lastcard-{os.getuid()}"


def _use_cache() -> bool:
    folder = cache_root() / f"kernel-{source_key()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    numba.config.CACHE_DIR = str(folder)
    return True


_CACHE = _use_cache()


def kernel(function: F, inline: bool = False) -> F:
    """Compile a function that other kernel functions call, once: constants in a call make no copies of it."""
    if numba.config.DISABLE_JIT:
        return function
    compiled: Any = numba.njit(
        error_model="numpy", no_cfunc_wrapper=True, no_cpython_wrapper=True, forceinline=inline, _nrt=False
    )(function)
    resolve = compiled.get_call_template

    def resolve_plainly(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        # Numba would compile one form for every literal and integer width; all of ours are int64.
        return resolve(tuple(types.int64 if isinstance(a, types.Integer) else types.unliteral(a) for a in args), kws)

    compiled.get_call_template = resolve_plainly
    return compiled


def inlined(function: F) -> F:
    """``kernel`` for a small function on the hot path, whose body is put in place of every call."""
    return kernel(function, inline=True)


def door(function: F) -> F:
    """Compile a function that Python calls: kept on disk, releases the GIL."""
    compiled: F = numba.njit(error_model="numpy", no_cfunc_wrapper=True, nogil=True, cache=_CACHE, _nrt=False)(function)
    return compiled


def is_warm() -> bool:
    """Whether compiled code for exactly these sources is on disk already."""
    return _CACHE and any(Path(str(numba.config.CACHE_DIR)).rglob("*.nbi"))

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
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy
from numba import types

from lastcard.engine.linkage import DoorCompiler, PartCompiler

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parent.parent
COMPILED = (
    "game/act.py", "game/cards.py", "game/options.py",
    "engine/*.py", "mind/*.py", "envs/compiled/*.py", "learning/compiled/*.py",
)  # fmt: skip
"""The sources that are compiled, or whose constants are frozen into compiled code."""


def source_key(package: Path = _PACKAGE) -> str:
    """A hash of all that compiled code depends on: sources, versions and the processor.

    Args:
        package: the folder of the ``lastcard`` package.
    """
    digest = hashlib.sha256()
    sources = sorted(source for pattern in COMPILED for source in package.glob(pattern))
    for source in sources:
        digest.update(str(source.relative_to(package)).encode() + b"\0" + source.read_bytes() + b"\0")
    versions = (sys.version, numpy.__version__, numba.__version__, llvmlite.__version__, platform.machine())
    digest.update(repr(versions).encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder that holds compiled code: LASTCARD_CACHE, or one in the user's own cache folder."""
    named = os.environ.get("LASTCARD_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    return (Path(base) if base else Path.home() / ".cache") / "lastcard"


def _cache_folder() -> Path | None:
    """The folder of exactly these sources; None where it cannot be written, and code is compiled in every process.

    There is no other place to fall back to: code found in a folder that others can write could be anybody's.
    """
    folder = cache_root() / f"kernel-{source_key()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


FOLDER = _cache_folder()


def kernel(function: F, inline: bool = False) -> F:
    """Compile a function that other kernel functions call, once: constants in a call make no copies of it."""
    if numba.config.DISABLE_JIT:
        return function
    compiled: Any = numba.njit(
        error_model="numpy",
        no_cfunc_wrapper=True,
        no_cpython_wrapper=True,
        forceinline=inline,
        _nrt=False,
        pipeline_class=PartCompiler,
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
    usual = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(FOLDER or usual)  # read when the function is made; others keep their own place
    try:
        compiled: F = numba.njit(
            error_model="numpy",
            no_cfunc_wrapper=True,
            nogil=True,
            cache=FOLDER is not None,
            _nrt=False,
            pipeline_class=DoorCompiler,
        )(function)
    finally:
        numba.config.CACHE_DIR = usual
    return compiled


def bind(function: Any, first: Sequence[Any], others: Sequence[Any] = ()) -> Callable[..., Any]:
    """A door with its first arguments given, ready to be called: to find out types takes longer than many a call.

    Args:
        function: the door.
        first: its first arguments, or all.
        others: examples of the rest. What it is called with must have their types: nothing looks at them again.
    """
    if numba.config.DISABLE_JIT:
        return partial(function, *first)
    return partial(function.compile(tuple(numba.typeof(argument) for argument in (*first, *others))), *first)


def mark_warm(part: str = "match") -> None:
    """Note that everything a match needs, or another part, has been compiled from exactly these sources."""
    if FOLDER is not None:
        (FOLDER / f"warm-{part}").touch()


def is_warm(part: str = "match") -> bool:
    """Whether ``mark_warm`` was called for exactly these sources."""
    return FOLDER is not None and (FOLDER / f"warm-{part}").exists()

"""The cache of compiled code, and a hash of the text of its sources."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

from lastcard.game.text_files import atomic_write

PACKAGE: Final = Path(__file__).resolve().parent.parent
COMPILED_SOURCES: Final = (
    "game/action_codes.py", "game/cards.py", "game/options.py",
    "kernel/*.py", "rules/*.py", "ai/*.py", "envs/compiled/*.py", "training/compiled/*.py",
)  # fmt: skip
"""The sources that are compiled, whose constants are frozen into compiled code, or that compile it."""

CALLING_SOURCES: Final = {
    "kernel/arrays.py",
    "kernel/cache.py",
    "kernel/fingerprint.py",
    "kernel/jit.py",
    "kernel/wasm_backend.py",
    "kernel/native_backend.py",
    "kernel/specialize.py",
    "kernel/background_compile.py",
    "kernel/wasmtime_calls.py",
}
"""The sources among them that only call compiled code: a module remains valid when they change."""

NATIVE_PREFIX: Final = "kernel-"
"""Prefix of the names of folders of native code, since the first version."""
_DROPPED_PREFIX: Final = "dropped-"
_MIN_FOLDERS: Final = 8
"""Number of folders of native code that are retained if they were opened within a month."""
_DAY_S: Final = 86400.0
_MONTH_S: Final = 30 * _DAY_S


def source_key(package: Path = PACKAGE) -> str:
    """Returns a hash of the sources of compiled code, which does not depend on their location."""
    digest = hashlib.sha256()
    sources = {
        path.relative_to(package).as_posix(): path for pattern in COMPILED_SOURCES for path in package.glob(pattern)
    }
    for name in sorted(sources.keys() - CALLING_SOURCES):
        digest.update(name.encode() + b"\0" + sources[name].read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Returns the folder that holds compiled code: LASTCARD_CACHE, or one in the user's cache folder."""
    configured = os.environ.get("LASTCARD_CACHE")
    if configured:
        return Path(configured)
    base = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    return (Path(base) if base else Path.home() / ".cache") / "lastcard"


def open_folder(name: str) -> Path | None:
    """Returns a folder of that name in the cache; None if it cannot be written.

    There is no fallback: in a folder that others can write, anybody could have planted the code.
    """
    folder = cache_root() / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


@cache
def native_folder() -> Path | None:
    """Returns the folder of native code compiled from exactly these sources, by these versions, for this processor.

    None if it cannot be written. Its name depends on nothing else, not even a path, so a second copy of the sources
    finds it. Opening it deletes unused folders.
    """
    from importlib.metadata import version  # takes long, and only native code needs it

    versions = (sys.version, platform.machine(), *map(version, ("numpy", "numba", "llvmlite")))
    own = b"".join((PACKAGE / "kernel" / name).read_bytes() for name in ("native_backend.py", "specialize.py"))
    key = hashlib.sha256(f"{source_key()} {versions!r} ".encode() + own).hexdigest()[:16]
    folder = open_folder(f"{NATIVE_PREFIX}{key}")
    if folder is not None:
        with suppress(OSError):
            os.utime(folder)
            prune()
    return folder


def prune() -> None:
    """Delete folders of native code that were not opened for a month, and all but a few not opened for a day.

    Several processes may do so at once: a folder is renamed first, so that no process finds half of it. A process
    that runs such code has it in memory.
    """
    import shutil  # the first move of a match does not need it

    root, now = cache_root(), time.time()
    for dropped_folder in root.glob(f"{_DROPPED_PREFIX}*"):  # left by a process that ended too early
        shutil.rmtree(dropped_folder, ignore_errors=True)
    ages = {path: _age_s(path, now) for kind in (NATIVE_PREFIX, "cuda-") for path in root.glob(f"{kind}*")}
    for rank, (path, age) in enumerate(sorted(ages.items(), key=lambda item: item[1])):
        if age > _MONTH_S or (rank >= _MIN_FOLDERS and age > _DAY_S):
            dropped = path.with_name(f"{_DROPPED_PREFIX}{path.name}.{os.getpid()}")
            with suppress(OSError):  # another process was faster
                path.rename(dropped)
                shutil.rmtree(dropped, ignore_errors=True)


def _age_s(path: Path, now: float) -> float:
    """Returns for how many seconds a folder was not opened; 0 if it is gone."""
    try:
        return now - path.stat().st_mtime
    except OSError:
        return 0.0


def write_atomically(file: Path, data: bytes) -> None:
    """Write a file atomically, or not at all if the disk is full."""
    with suppress(OSError), atomic_write(file) as draft:
        draft.write_bytes(data)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the lock of a file, after other processes; the end of a process releases its lock.

    The file is created if missing and never deleted.
    """
    with file.open("ab") as held:
        if sys.platform == "win32":
            import msvcrt

            while True:
                held.seek(0)
                with suppress(OSError):  # after ten seconds
                    msvcrt.locking(held.fileno(), msvcrt.LK_LOCK, 1)
                    break
            try:
                yield
            finally:
                held.seek(0)
                msvcrt.locking(held.fileno(), msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX)
            yield

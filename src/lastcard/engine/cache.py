"""Where compiled code is kept, and which sources it was made from."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent.parent
COMPILED: Final = (
    "game/act.py", "game/cards.py", "game/options.py",
    "engine/*.py", "mind/*.py", "envs/compiled/*.py", "learning/compiled/*.py", "ahead/*.py",
)  # fmt: skip
"""The sources that are compiled, or whose constants are frozen into compiled code, and how they are compiled."""

CALLING: Final = {
    "engine/arrays.py",
    "engine/cache.py",
    "engine/jit.py",
    "engine/module.py",
    "engine/native.py",
}
"""Those of them that only call what was compiled: a module stays good when they change."""


def source_key(package: Path = PACKAGE) -> str:
    """A hash of the sources that compiled code is made from: the same wherever they lie.

    Args:
        package: the folder of the ``lastcard`` package.
    """
    digest = hashlib.sha256()
    sources = {path.relative_to(package).as_posix(): path for pattern in COMPILED for path in package.glob(pattern)}
    for name in sorted(sources.keys() - CALLING):
        digest.update(name.encode() + b"\0" + sources[name].read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder that holds compiled code: LASTCARD_CACHE, or one in the user's own cache folder."""
    named = os.environ.get("LASTCARD_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    return (Path(base) if base else Path.home() / ".cache") / "lastcard"


def open_folder(name: str) -> Path | None:
    """A folder of that name among what is compiled; None where it cannot be written.

    There is no other place to fall back to: code found in a folder that others can write could be anybody's.
    """
    folder = cache_root() / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None

"""Paths of user data."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Returns the folder of matches and tables: ``lastcard`` in the user's data folder."""
    named = os.environ.get("XDG_DATA_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    base = Path(named) if named else Path.home() / ".local" / "share"
    return base / "lastcard"

"""How a worker is, as whoever runs the server sees it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from lastcard.server.game.thinking import processors, waiting
from lastcard.server.table.table import LiveTable


class Figures(Struct, frozen=True):
    """Of one worker."""

    load: float | None
    """Of its machine over the last minute, as processors that are busy; None where the system does not say."""
    processors: int
    """How many it may use."""
    memory: int | None
    """Bytes it takes; None where the system does not say."""
    thinking: int
    """Thoughts of bots that wait."""
    playing: int
    """Matches being played at tables that are in memory."""
    people: dict[str, dict[str, str]]
    """Names of connected persons by id, for each table by its code."""


def figures_of(tables: Iterable[LiveTable]) -> Figures:
    """Figures of this worker.

    Args:
        tables: those in memory.
    """
    kept = tuple(tables)
    return Figures(
        load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        processors=processors(),
        memory=_memory(),
        thinking=waiting(),
        playing=sum(table.document.in_match for table in kept),
        people={table.code: table.presence.local for table in kept if table.presence.local},
    )


def _memory() -> int | None:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None

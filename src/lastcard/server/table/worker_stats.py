"""The statistics of a worker for the administrator."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from lastcard.server.game.thinking import QUEUE, processors
from lastcard.server.table.live_table import LiveTable


class WorkerStats(Struct, frozen=True):
    """Of one worker."""

    load: float | None
    """Load of its machine over the last minute in busy processors; None if the system does not provide it."""
    processors: int
    """Number of processors that it may use."""
    memory: int | None
    """Memory in bytes; None if the system does not provide it."""
    thinking: int
    """Number of bot searches that wait."""
    playing: int
    """Number of running matches at tables in memory."""
    people: dict[str, dict[str, str]]
    """Names of connected persons by id, for each table code."""


def worker_stats(tables: Iterable[LiveTable]) -> WorkerStats:
    """Return the statistics of this worker with its tables in memory."""
    in_memory = tuple(tables)
    return WorkerStats(
        load=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        processors=processors(),
        memory=_memory(),
        thinking=len(QUEUE),
        playing=sum(table.state.in_match for table in in_memory),
        people={table.code: table.presence.local for table in in_memory if table.presence.local},
    )


def _memory() -> int | None:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None

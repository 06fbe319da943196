"""Threads for searching bots, so that no table waits for them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from lastcard.bots.registry import make_bot
from lastcard.game.moves import Move
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.server.security import metrics
from lastcard.server.security.fair_queue import FairQueue, Owner
from lastcard.server.security.logs import note_fault
from lastcard.session.table_bots import FALLBACK_LEVEL

_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
"""The processor quota of a container: microseconds, and the period."""


def processors() -> int:
    """Return how many processors this process may use: by its affinity and, in a container, by its quota."""
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    try:
        quota, period = _QUOTA.read_text().split()
        return max(1, min(count, round(int(quota) / int(period))))
    except (OSError, ValueError, ZeroDivisionError):  # no container, or no limit: "max"
        return count


POOL: Final = ThreadPoolExecutor(max(1, processors() - 1), "thinker")
"""Compiled code lets the event loop run beside it; one core stays free for that."""
QUEUE: Final = FairQueue(max(1, processors() - 1), lambda: POOL)
"""The queue of the pool: many bots at one table do not delay other tables, nor do one person's hints."""
metrics.WAITING.labels("thoughts").set_function(QUEUE.__len__)


class Thoughts:
    """The choices of searching bots at one ply; ``on_reaction`` is called in the loop for a move out of turn."""

    def __init__(self, seed: bytes, on_reaction: Callable[[], None]) -> None:
        self._seed = seed
        self._on_reaction = on_reaction
        self._ply = -1
        self._thoughts: dict[tuple[int, str, bool], asyncio.Future[Move | None]] = {}

    def choice(self, round_: Round, ply: int, seat: int, level: str) -> asyncio.Future[Move | None]:
        """Return the choice of the bot on turn; start the search if necessary."""
        return self._think(round_, ply, seat, level, on_turn=True)

    def reaction(self, round_: Round, ply: int, seat: int, level: str) -> Move | None:
        """Return a bot's move out of turn; None if it wants none or has not finished."""
        thought = self._think(round_, ply, seat, level, on_turn=False)
        return thought.result() if thought.done() else None

    def forget(self) -> None:
        """Drop all thoughts, because the table has moved on."""
        for thought in self._thoughts.values():
            thought.cancel()
        self._thoughts.clear()

    def _think(self, round_: Round, ply: int, seat: int, level: str, on_turn: bool) -> asyncio.Future[Move | None]:
        if ply != self._ply:
            self.forget()
            self._ply = ply
        key = seat, level, on_turn
        if key not in self._thoughts:
            thought = asyncio.wrap_future(
                QUEUE.submit(Owner(self), decide, level, self._seed, seat, round_.view(seat), on_turn)
            )
            if not on_turn:
                thought.add_done_callback(self._on_thought)
            self._thoughts[key] = thought
        return self._thoughts[key]

    def _on_thought(self, thought: asyncio.Future[Move | None]) -> None:
        if not thought.cancelled() and thought.result() is not None:
            self._on_reaction()


def decide(level: str, seed: bytes, seat: int, view: View, on_turn: bool) -> Move | None:
    """Return the move or reaction of a new bot, as threads share no workspace; a simpler bot's after a failure."""
    try:
        with metrics.THOUGHTS.labels(level).time():
            bot = make_bot(level, seed, seat)
            return bot.choose(view) if on_turn else bot.react(view)
    except Exception as error:
        if level == FALLBACK_LEVEL:
            raise
        note_fault(error, "bot")
        return decide(FALLBACK_LEVEL, seed, seat, view, on_turn)

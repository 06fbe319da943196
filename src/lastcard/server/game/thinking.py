"""Bots that search think in threads of their own, so that nobody at any table waits for them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from lastcard.bots.registry import level_of, make_bot
from lastcard.bots.search import SearchBot
from lastcard.game.actions import Move
from lastcard.match.round import Round
from lastcard.match.view import View
from lastcard.server.guard import metrics
from lastcard.server.guard.fair import FairQueue, Owner
from lastcard.server.guard.logs import note_fault

_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
"""How much of the processors a container may use: microseconds of how many."""


def processors() -> int:
    """How many processors this process may use: by its affinity and, in a container, by its quota."""
    affinity = getattr(os, "sched_getaffinity", None)
    count = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    try:
        quota, period = _QUOTA.read_text().split()
        return max(1, min(count, round(int(quota) / int(period))))
    except (OSError, ValueError, ZeroDivisionError):  # no container, or no limit: "max"
        return count


POOL: Final = ThreadPoolExecutor(max(1, processors() - 1), "thinker")
"""Compiled code lets the event loop run beside it; one core is kept free for that."""
QUEUE: Final = FairQueue(max(1, processors() - 1), lambda: POOL)
"""To it: a table full of masters does not make the bots of other tables late, nor do hints for one person."""
metrics.WAITING.labels("thoughts").set_function(QUEUE.__len__)
PLAIN: Final = "sharp"
"""Decides where a search has failed or is late."""

Thought = asyncio.Future[Move | None]


def waiting() -> int:
    """How many thoughts nobody has begun with yet: more than a few, and bots decide more plainly than they could."""
    return len(QUEUE)


def searches(level: str) -> bool:
    """Whether bots of a level take so long that they think in a thread."""
    return level_of(level).bot == SearchBot.name


class Thoughts:
    """What bots that search will do at a table as it stands.

    Args:
        seed: of the match.
        wants: called in the event loop when one of them wants to act out of turn.
    """

    def __init__(self, seed: bytes, wants: Callable[[], None]) -> None:
        self._seed = seed
        self._wants = wants
        self._ply = -1
        self._thoughts: dict[tuple[int, str, bool], Thought] = {}

    def choice(self, table: Round, ply: int, seat: int, level: str) -> Thought:
        """What the bot on turn is going to do; it begins to think."""
        return self._think(table, ply, seat, level, own=True)

    def reaction(self, table: Round, ply: int, seat: int, level: str) -> Move | None:
        """What a bot does out of turn; None where it wants nothing, or has not thought of it yet."""
        thought = self._think(table, ply, seat, level, own=False)
        return thought.result() if thought.done() else None

    def forget(self) -> None:
        """The table has moved on, or is no more."""
        for thought in self._thoughts.values():
            thought.cancel()
        self._thoughts.clear()

    def _think(self, table: Round, ply: int, seat: int, level: str, own: bool) -> Thought:
        if ply != self._ply:
            self.forget()
            self._ply = ply
        key = seat, level, own
        if key not in self._thoughts:
            thought = asyncio.wrap_future(
                QUEUE.submit(Owner(self), decide, level, self._seed, seat, table.view(seat), own)
            )
            if not own:
                thought.add_done_callback(self._note)
            self._thoughts[key] = thought
        return self._thoughts[key]

    def _note(self, thought: Thought) -> None:
        if not thought.cancelled() and thought.result() is not None:
            self._wants()


def decide(level: str, seed: bytes, seat: int, view: View, own: bool) -> Move | None:
    """What a bot does; a plain one decides where it fails. It is made anew: threads cannot share its room to think in.

    Args:
        level: of the bot.
        seed: of the match.
        seat: where it sits.
        view: of that seat.
        own: whether it chooses on its turn; otherwise it may react.
    """
    try:
        with metrics.THOUGHTS.labels(level).time():
            bot = make_bot(level, seed, seat)
            return bot.choose(view) if own else bot.react(view)
    except Exception as error:
        if level == PLAIN:
            raise
        note_fault(error, "bot")
        return decide(PLAIN, seed, seat, view, own)

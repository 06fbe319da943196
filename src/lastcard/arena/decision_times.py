"""Decision times of bots, counted in constant memory."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from lastcard.bots.base import Bot
from lastcard.bots.own_bots import name_source

if TYPE_CHECKING:
    from lastcard.game.moves import Move
    from lastcard.match.view import View

_STEPS_PER_E: Final = 50
"""Number of steps within a factor of e, so that they are 2 % apart."""


@dataclass(slots=True)
class TimeHistogram:
    """Numbers of decisions by their time, on a scale of 2 % steps."""

    counts: Counter[int] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        """Number of decisions."""
        return self.counts.total()

    def add(self, nanoseconds: int) -> None:
        """Count a decision."""
        self.counts[round(_STEPS_PER_E * math.log(max(nanoseconds, 1)))] += 1

    def quantile(self, part: float) -> float | None:
        """The time in milliseconds that this part of all decisions did not exceed; None if there were none."""
        steps, wanted = sorted(self.counts), part * self.count
        for step, reached in zip(steps, accumulate(self.counts[step] for step in steps), strict=True):
            if reached >= wanted:
                return math.exp(step / _STEPS_PER_E) / 1e6
        return None


@dataclass(slots=True)
class DecisionTimes:
    """The decision times of one kind of bot, on its turn and out of turn."""

    choose: TimeHistogram = field(default_factory=TimeHistogram)
    react: TimeHistogram = field(default_factory=TimeHistogram)


def merge_times(parts: Iterable[DecisionTimes]) -> DecisionTimes:
    """The sum of several decision times."""
    joint = DecisionTimes()
    for clock in parts:
        joint.choose.counts.update(clock.choose.counts)
        joint.react.counts.update(clock.react.counts)
    return joint


class TimedBot:
    """A bot whose decision times are counted in ``times``."""

    def __init__(self, bot: Bot, times: DecisionTimes) -> None:
        self.name = name_source(bot)
        self._bot = bot
        self._times = times

    def choose(self, view: View) -> Move:
        """The bot's choice, timed."""
        start = perf_counter_ns()
        move = self._bot.choose(view)
        self._times.choose.add(perf_counter_ns() - start)
        return move

    def react(self, view: View) -> Move | None:
        """The bot's reaction, timed."""
        start = perf_counter_ns()
        move = self._bot.react(view)
        self._times.react.add(perf_counter_ns() - start)
        return move

"""How long bots think, counted so that any number of decisions takes little room."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import accumulate
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from lastcard.bots.base import Bot

if TYPE_CHECKING:
    from lastcard.game.actions import Move
    from lastcard.match.view import View

_FINENESS: Final = 50
"""Steps within a factor of e; so they are 2 % apart."""


@dataclass(slots=True)
class Times:
    """Decision times on a scale of 2 % steps.

    Args:
        counts: how many decisions took as long as each step.
    """

    counts: Counter[int] = field(default_factory=Counter)

    @property
    def count(self) -> int:
        """How many decisions there were."""
        return self.counts.total()

    def add(self, nanoseconds: int) -> None:
        """Count a decision."""
        self.counts[round(_FINENESS * math.log(max(nanoseconds, 1)))] += 1

    def quantile(self, part: float) -> float | None:
        """The time in milliseconds that this part of all decisions kept to; None where there were none."""
        steps, wanted = sorted(self.counts), part * self.count
        for step, reached in zip(steps, accumulate(self.counts[step] for step in steps), strict=True):
            if reached >= wanted:
                return math.exp(step / _FINENESS) / 1e6
        return None


@dataclass(slots=True)
class Clock:
    """The times of one kind of bot, on its turn and out of turn.

    Args:
        choose: of its choices, when the table waits for it.
        react: of its looks at what it may do out of turn.
    """

    choose: Times = field(default_factory=Times)
    react: Times = field(default_factory=Times)


def join_clocks(clocks: Iterable[Clock]) -> Clock:
    """All times of several clocks on one."""
    joint = Clock()
    for clock in clocks:
        joint.choose.counts.update(clock.choose.counts)
        joint.react.counts.update(clock.react.counts)
    return joint


class TimedBot:
    """A bot with a clock beside it.

    Args:
        bot: who thinks.
        clock: where its times are counted.
    """

    def __init__(self, bot: Bot, clock: Clock) -> None:
        self.name = bot.name
        self._bot = bot
        self._clock = clock

    def choose(self, view: View) -> Move:
        """What the bot chooses, timed."""
        start = perf_counter_ns()
        move = self._bot.choose(view)
        self._clock.choose.add(perf_counter_ns() - start)
        return move

    def react(self, view: View) -> Move | None:
        """What the bot does out of turn, timed."""
        start = perf_counter_ns()
        move = self._bot.react(view)
        self._clock.react.add(perf_counter_ns() - start)
        return move

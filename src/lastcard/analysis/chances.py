"""The chances of every seat at every moment of a round: rollouts, kept one by one so that they can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lastcard.ai import chances
from lastcard.analysis.story import Story
from lastcard.bots.search import MOST_SEED
from lastcard.bots.statistics import Estimate, rollout_mean, rollout_share
from lastcard.game.actions import move_action
from lastcard.game.numbers import as_int
from lastcard.rules.layout import DICE, MAX_ACTIONS, NOTHING
from lastcard.rules.table import new_tables

STEP: Final = 8
"""Jobs that are played in one go."""


@dataclass(frozen=True, slots=True)
class Link:
    """Which jobs tell the chances around a ply.

    Args:
        before: as the table stood, everybody going on by rules of thumb.
        chosen: with the act that was made, its chance not drawn yet.
        after: with what chance then did.
    """

    before: int
    chosen: int
    after: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What must be played to know the chances of a round.

    Args:
        jobs: see ``mind.chances.play_on``; the first deals the round anew, the second goes on from its deal.
        links: one for each ply.
        catches: for each missed call nobody was caught for, the job in which somebody is.
    """

    jobs: tuple[tuple[int, int, int], ...]
    links: tuple[Link, ...]
    catches: tuple[int, ...]


def plan_chances(story: Story, catches: Sequence[tuple[int, int, int]]) -> Plan:
    """Plan the rollouts of a round. What cannot differ is played once.

    Args:
        story: the round.
        catches: that could have been made, as jobs.
    """
    jobs = [(0, 0, chances.DEAL), (0, 0, NOTHING)]

    def add(moment: int, seat: int = 0, action: int = NOTHING) -> int:
        jobs.append((moment, seat, action))
        return len(jobs) - 1

    links = []
    now = 1
    for i, ply in enumerate(story.plies):
        chosen = now
        if not ply.follows:
            # An act without chance leads to one moment: the one after it.
            chosen = add(i + 1) if ply.chance is None else add(i, ply.seat, move_action(ply.plain))
        after = chosen if ply.chance is None else add(i + 1)
        links.append(Link(now, chosen, after))
        now = after
    caught = tuple(add(*catch) for catch in catches)
    return Plan(tuple(jobs), tuple(links), caught)


class Chances:
    """Who wins in every rollout of every job of a round.

    Args:
        story: the round.
        plan: its jobs.
        rollouts: how often each is played.
    """

    def __init__(self, story: Story, plan: Plan, rollouts: int) -> None:
        self.story = story
        self.plan = plan
        self.rollouts = rollouts
        self._jobs: Any = np.array(plan.jobs, np.int64)
        self._winners: Any = np.full((len(plan.jobs), rollouts), -1, np.int8)

    def parts(self) -> range:
        """Where each part of the work begins, so that threads can share it."""
        return range(0, len(self.plan.jobs), STEP)

    def play(self, first: int, seed: int, bench: chances.Bench) -> None:
        """Play a part; several may be played side by side.

        Args:
            first: one of ``parts``.
            seed: 0 to 2**32 - 1, the same for all parts of a round.
            bench: of the thread.
        """
        jobs, winners = (rows[first : first + STEP] for rows in (self._jobs, self._winners))
        # Only the rows of this part: where compiled code works on copies, what others write meanwhile must stay.
        part = chances.Part(0, len(jobs), seed)
        chances.play_on(self.story.tables, jobs, winners, self.story.weights, bench, part)

    def won(self, job: int, seat: int) -> Any:
        """For every rollout of a job 1 where a seat, or its partner (6.8), wins, else 0."""
        return won_by(self.story, self._winners[job], seat)

    def chance(self, job: int, seat: int) -> Estimate:
        """The chance of a seat to win."""
        return rollout_share(self.won(job, seat))

    def change(self, before: int, after: int, seat: int) -> Estimate:
        """By how much the chance of a seat differs between two jobs."""
        if before == after:
            return Estimate()
        return rollout_mean(self.won(after, seat) - self.won(before, seat))

    def result(self, seat: int) -> float:
        """1 where a seat, or its partner, has won the round, else 0."""
        return float(self.won(self.plan.links[-1].after, seat)[0])


def won_by(story: Story, winners: Any, seat: int) -> Any:
    """For every winner 1 where it is a seat or its partner (6.8), else 0."""
    won = winners == seat
    if story.teams:
        won |= winners == (seat + 2) % story.players
    return won.astype(np.float64)


def new_bench() -> chances.Bench:
    """Room for one thread to play rollouts in."""
    return chances.Bench(new_tables(1), np.zeros(MAX_ACTIONS + DICE, np.int64))


def play_chances(story: Story, rollouts: int, seed: int) -> Chances:
    """The chances of a round, played in one go; missed calls aside.

    Args:
        story: the round.
        rollouts: how often each moment is played to its end.
        seed: 0 to 2**32 - 1.
    """
    rollouts, seed = as_int("the number of rollouts", rollouts, 1), as_int("a seed", seed, 0, MOST_SEED)
    played, bench = Chances(story, plan_chances(story, ()), rollouts), new_bench()
    for first in played.parts():
        played.play(first, seed, bench)
    return played

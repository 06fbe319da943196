"""Chances of every seat in every state of a round, from single rollouts, so that they can be compared pairwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lastcard.ai import rollout
from lastcard.analysis.replayed_round import ReplayedRound
from lastcard.bots.search import MAX_SEED
from lastcard.bots.statistics import Estimate, rollout_mean, rollout_share
from lastcard.game.moves import move_to_action
from lastcard.game.numbers import require_int
from lastcard.rules.layout import DICE, MAX_ACTIONS, NOTHING
from lastcard.rules.round_state import new_round_states

JOBS_PER_PART: Final = 8
"""Number of jobs played in one go."""


@dataclass(frozen=True, slots=True)
class MoveJobs:
    """The jobs that give the chances around a ply.

    Args:
        before: state before the move, with everybody going on by rules of thumb.
        chosen: the move made, its chance outcome not drawn yet.
        after: state after its chance outcome.
    """

    before: int
    chosen: int
    after: int


@dataclass(frozen=True, slots=True)
class RolloutPlan:
    """The rollouts that give the chances of a round.

    Args:
        jobs: jobs for ``ai.rollout.run_rollouts``; the first deals the round anew, the second continues from its deal.
        move_jobs: jobs for each ply.
        catch_jobs: for each missed call without a catch, the job with a catch.
    """

    jobs: tuple[tuple[int, int, int], ...]
    move_jobs: tuple[MoveJobs, ...]
    catch_jobs: tuple[int, ...]


def plan_rollouts(replayed: ReplayedRound, catches: Sequence[tuple[int, int, int]]) -> RolloutPlan:
    """Plan the rollouts of a round. Equal jobs are played once.

    Args:
        replayed: a replayed round.
        catches: possible catches, as jobs.
    """
    jobs = [(0, 0, rollout.DEAL_AGAIN), (0, 0, NOTHING)]

    def add(moment: int, seat: int = 0, action: int = NOTHING) -> int:
        jobs.append((moment, seat, action))
        return len(jobs) - 1

    move_jobs = []
    now = 1
    for i, played in enumerate(replayed.moves):
        chosen = now
        if not played.follows_heuristic:
            # A move without chance leads to one state: the one after it.
            chosen = add(i + 1) if played.chance is None else add(i, played.seat, move_to_action(played.without_call))
        after = chosen if played.chance is None else add(i + 1)
        move_jobs.append(MoveJobs(now, chosen, after))
        now = after
    caught = tuple(add(*catch) for catch in catches)
    return RolloutPlan(tuple(jobs), tuple(move_jobs), caught)


class WinChances:
    """The winners of every rollout of every job of a round.

    Args:
        replayed: a replayed round.
        plan: jobs of the round.
        rollouts: number of rollouts for each job.
    """

    def __init__(self, replayed: ReplayedRound, plan: RolloutPlan, rollouts: int) -> None:
        self.replayed = replayed
        self.plan = plan
        self.rollouts = rollouts
        self._jobs: Any = np.array(plan.jobs, np.int64)
        self._winners: Any = np.full((len(plan.jobs), rollouts), -1, np.int8)

    def parts(self) -> range:
        """The first index of each part of the work, for threads to share."""
        return range(0, len(self.plan.jobs), JOBS_PER_PART)

    def run_part(self, first: int, seed: int, scratch: rollout.RolloutScratch) -> None:
        """Play a part; several may be played in parallel.

        Args:
            first: one of ``parts``.
            seed: 0 to 2**32 - 1, the same for all parts of a round.
            scratch: scratch of the thread.
        """
        jobs, winners = (rows[first : first + JOBS_PER_PART] for rows in (self._jobs, self._winners))
        # Only the rows of this part: compiled code may work on copies, which must not overwrite other parts.
        part = rollout.JobRange(0, len(jobs), seed)
        rollout.run_rollouts(self.replayed.states, jobs, winners, self.replayed.weights, scratch, part)

    def won(self, job: int, seat: int) -> Any:
        """1 for every rollout of a job that a seat or its partner (6.8) wins, else 0."""
        return wins_of(self.replayed, self._winners[job], seat)

    def chance(self, job: int, seat: int) -> Estimate:
        """The chance of a seat to win."""
        return rollout_share(self.won(job, seat))

    def change(self, before: int, after: int, seat: int) -> Estimate:
        """The difference of a seat's chance between two jobs."""
        if before == after:
            return Estimate()
        return rollout_mean(self.won(after, seat) - self.won(before, seat))

    def result(self, seat: int) -> float:
        """1 if a seat or its partner has won the round, else 0."""
        return float(self.won(self.plan.move_jobs[-1].after, seat)[0])


def wins_of(replayed: ReplayedRound, winners: Any, seat: int) -> Any:
    """1 for every winner that is a seat or its partner (6.8), else 0."""
    won = winners == seat
    if replayed.is_team_play:
        won |= winners == (seat + 2) % replayed.players
    return won.astype(np.float64)


def new_rollout_scratch() -> rollout.RolloutScratch:
    """Scratch for one thread's rollouts."""
    return rollout.RolloutScratch(new_round_states(1), np.zeros(MAX_ACTIONS + DICE, np.int64))


def estimate_chances(replayed: ReplayedRound, rollouts: int, seed: int) -> WinChances:
    """The chances of a round, played in one go, without missed calls.

    Args:
        replayed: a replayed round.
        rollouts: number of rollouts from each state.
        seed: 0 to 2**32 - 1.
    """
    rollouts, seed = require_int("the number of rollouts", rollouts, 1), require_int("a seed", seed, 0, MAX_SEED)
    estimated, scratch = WinChances(replayed, plan_rollouts(replayed, ()), rollouts), new_rollout_scratch()
    for first in estimated.parts():
        estimated.run_part(first, seed, scratch)
    return estimated

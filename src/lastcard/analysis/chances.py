"""Chances of every seat in every state of a round, from single rollouts, so that they can be compared pairwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from lastcard.ai import rollout, round_analysis
from lastcard.ai.round_analysis import ACCOUNT, MISSED_CALL, RoundResult
from lastcard.analysis.replayed_round import ReplayedRound
from lastcard.bots.evaluation import Evaluation
from lastcard.bots.search import MAX_SEED, action_or_nothing
from lastcard.bots.statistics import Estimate
from lastcard.game.numbers import require_int
from lastcard.kernel.arrays import zeros
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_SEATS
from lastcard.rules.round_state import new_round_states

JOBS_PER_PART: Final = 8
"""Number of jobs played in one go."""


class WinChances:
    """The winners of all rollouts of a round, and the attribution of its result (``ai.round_analysis``).

    Args:
        replayed: a replayed round.
        rollouts: number of rollouts for each job.
    """

    def __init__(self, replayed: ReplayedRound, rollouts: int) -> None:
        self.replayed = replayed
        self.rollouts = rollouts
        plies = len(replayed.moves)
        jobs, calls = (
            zeros((round_analysis.max_jobs(plies), 3), np.int64),
            zeros(round_analysis.max_calls(plies), MISSED_CALL),
        )
        count = round_analysis.plan_rollouts(replayed.plies, replayed.players, jobs, calls)
        self._jobs: Any = jobs[:count]
        self._winners: Any = np.full((count, rollouts), -1, np.int8)
        self._result = RoundResult(
            replayed.plies,
            calls,
            zeros(MAX_SEATS, ACCOUNT),
            self._winners,
            zeros((4, rollouts), np.float64),
            replayed.players,
            int(replayed.is_team_play),
        )

    def parts(self) -> range:
        """The first index of each part of the work, for threads to share."""
        return range(0, len(self._jobs), JOBS_PER_PART)

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

    def attribute(self, evaluations: Mapping[int, Evaluation]) -> None:
        """Write the effects of every ply and the accounts of all seats, after all parts.

        Args:
            evaluations: evaluations of decisions, by ply from 0.
        """
        for i, evaluation in evaluations.items():
            ply: Any = self.replayed.plies[i]
            ply["is_evaluated"], ply["prior_agrees"] = True, evaluation.prior_agrees
            ply["best"] = action_or_nothing(evaluation.best)
            ply["chance"], ply["lead"] = _figures(evaluation.chance), _figures(evaluation.loss)
            ply["changes"][: self.replayed.players] = [_figures(change) for change in evaluation.changes]
        round_analysis.attribute_result(self._result)

    def account(self, seat: int) -> Any:
        """The ACCOUNT of a seat."""
        return self._result.accounts[seat]

    @property
    def missed_calls(self) -> Any:
        """The MISSED_CALL records of the round, in the order of their detection."""
        calls = self._result.calls
        return calls[: int(np.argmax(calls["seat"] < 0))]

    def explain_win(self, winner: int) -> list[int]:
        """How a seat won; see ``round_analysis.explain_win``."""
        out = np.zeros(4, np.int64)
        round_analysis.explain_win(self._result, winner, out)
        found: list[int] = out.tolist()
        return found


def _figures(estimate: Estimate) -> tuple[float, float]:
    return estimate.value, estimate.margin


def new_rollout_scratch() -> rollout.RolloutScratch:
    """Scratch for one thread's rollouts."""
    return rollout.RolloutScratch(new_round_states(1), np.zeros(MAX_ACTIONS + DICE, np.int64))


def estimate_chances(replayed: ReplayedRound, rollouts: int, seed: int) -> WinChances:
    """The chances of a round, played in one go, without evaluations.

    Args:
        replayed: a replayed round.
        rollouts: number of rollouts from each state.
        seed: 0 to 2**32 - 1.
    """
    rollouts, seed = require_int("the number of rollouts", rollouts, 1), require_int("a seed", seed, 0, MAX_SEED)
    estimated, scratch = WinChances(replayed, rollouts), new_rollout_scratch()
    for first in estimated.parts():
        estimated.run_part(first, seed, scratch)
    estimated.attribute({})
    return estimated

"""Evaluate moves by the information of their seat, with the search of the strongest level (``ai.evaluation``)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lastcard.ai import evaluation, opponent_mix, search
from lastcard.ai.evaluation import (
    CHAINS,
    EVALUATION,
    MAX_MEASURED,
    NO_MOVE_MADE,
    NOT_BEGUN,
    ONLY_SEARCH,
    EvaluationSettings,
    EvaluationTask,
    Progress,
)
from lastcard.ai.search import new_search_arrays
from lastcard.bots.registry import LEVELS
from lastcard.bots.search import RatedMove, Search, SearchConfig, action_or_nothing, move_or_none
from lastcard.bots.statistics import Estimate, read_estimate, read_estimates
from lastcard.game.moves import Move, move_to_action
from lastcard.game.numbers import require_int
from lastcard.kernel.arrays import zeros
from lastcard.rules.layout import MAX_SEATS, NOTHING

if TYPE_CHECKING:
    from lastcard.match.view import View

SEARCH_CONFIG: Final[SearchConfig] = LEVELS["master"].settings["config"]
"""Effort of the search for the best move."""
MEASURE_CONFIG: Final = replace(SEARCH_CONFIG, deals=96, thin=10)
"""Number of deals that measure moves, for each of ``CHAINS`` chains."""
SCREEN_SHARE: Final = 4
"""Number by which the effort of a search is divided for ``estimate_loss``."""
_CHUNK_DEALS: Final = 64
"""Number of deals between two checks of the clock."""
_ALL_DEALS: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of a decision, by the information of its seat."""

    best: Move | None
    """The best move found; None stands for no reaction."""
    chance: Estimate
    """Chance to win the round with the chosen move."""
    loss: Estimate
    """How much more the best move wins."""
    prior_agrees: bool
    """Whether the prior net too rates the best move higher than the chosen one, or is not used."""
    changes: tuple[Estimate, ...]
    """How much more each seat wins by the chosen move than by that of the rules of thumb."""


class MoveEvaluator:
    """Measures moves on fresh deals, which are played out by rules of thumb, without networks."""

    def __init__(
        self, search_config: SearchConfig = SEARCH_CONFIG, measure_config: SearchConfig = MEASURE_CONFIG
    ) -> None:
        self._search = Search(search_config)
        self.shares: Any = zeros((CHAINS, MAX_MEASURED, MAX_SEATS), np.float64)
        """float64[chain, move, seat]: the share of deals that each seat won by the moves measured last."""
        searched, measured = search_config, measure_config
        settings = EvaluationSettings(
            searched.settings(searched.rollouts),
            searched.deals,
            searched.milliseconds or 0.0,
            measured.settings(measured.rollouts),
            measured.deals,
            0.0,
            0,
        )
        self._task = EvaluationTask(settings, zeros(1, EVALUATION), self.shares)
        self._arrays = new_search_arrays(self._search.workspace.search_states, evaluation.max_deals(settings))
        self.measure_config = measure_config
        self._sampled: tuple[View, int] | None = None
        """The view and the seed of the deals in all chains."""

    def rank_moves(
        self, view: View, moves: Sequence[Move | None], seed: int, seconds: float | None = None
    ) -> tuple[RatedMove, ...]:
        """Rate one or more moves by a search, best first; the first few are measured on fresh deals.

        Their ``error`` is the margin of that measurement.

        Args:
            seed: of all chance, 0 to 2**32 - 1.
            seconds: time limit of the measurement, after which the answer depends on the machine; None: none.
        """
        found = self._run(view, moves, seed, NO_MOVE_MADE, NOTHING, measure_ms=1000.0 * (seconds or 0.0))
        columns = (found[name][: len(moves)].tolist() for name in ("actions", "chances", "rollouts", "priors"))
        weight = self._search.config.prior or 1.0
        return tuple(
            RatedMove(move_or_none(action), chance, margin, rollouts, prior / weight)
            for action, (chance, margin), rollouts, prior in zip(*columns, strict=True)
        )

    def evaluate(
        self, view: View, moves: Sequence[Move | None], made: Move, heuristic_move: Move | None, seed: int
    ) -> Evaluation:
        """Evaluate one decision.

        Args:
            made: the chosen move.
            heuristic_move: the choice of the rules of thumb.
            seed: of all chance, 0 to 2**32 - 1.
        """
        found = self._run(view, moves, seed, move_to_action(made), action_or_nothing(heuristic_move))
        return Evaluation(
            best=move_or_none(int(found["best"])),
            chance=read_estimate(found["chance"]),
            loss=read_estimate(found["lead"]),
            prior_agrees=bool(found["prior_agrees"]),
            changes=read_estimates(found["changes"][: view.players]),
        )

    def find_mistake(self, view: View, moves: Sequence[Move | None], made: Move, seed: int) -> Estimate | None:
        """The loss of a decision if it was a mistake, as ``evaluate`` finds it; else None, mostly in less time.

        Args:
            made: the chosen move.
            seed: of all chance, 0 to 2**32 - 1.
        """
        found = self._run(view, moves, seed, move_to_action(made), NOTHING, only_mistakes=1)
        loss = read_estimate(found["lead"])
        return loss if loss.is_positive and found["prior_agrees"] else None

    def estimate_loss(self, view: View, moves: Sequence[Move | None], made: Move, seed: int) -> Estimate:
        """The loss of a decision by a short search, too high on average; at most zero if the prior net rates
        no move higher.

        Args:
            made: the chosen move.
            seed: of all chance, 0 to 2**32 - 1.
        """
        settings = self._task.settings
        search_settings = settings.search._replace(rollouts=max(1, settings.search.rollouts // SCREEN_SHARE))
        deals = max(1, settings.search_deals // SCREEN_SHARE)
        effort = {"search": search_settings, "search_deals": deals, "only_mistakes": ONLY_SEARCH}
        return read_estimate(self._run(view, moves, seed, move_to_action(made), NOTHING, **effort)["lead"])

    def play_mixed(
        self, view: View, moves: Sequence[Move | None], seed: int, mixture: opponent_mix.OpponentMix, deals: int
    ) -> Any:
        """The share of deals that each seat wins by each move if all play on by a mixture, in every chain.

        After ``evaluate`` with the same view and seed, its deals are used again.

        Args:
            deals: number of deals of each chain, at most that of the configuration.

        Returns:
            float64[CHAINS, move, seat]. In team play (6.8) partners win together.
        """
        deals = require_int("the number of deals", deals, 1, self.measure_config.deals)
        state, workspace = self._search.load_decision(view, moves, seed), self._search.workspace
        seed = int(state["seed"])
        settings = self.measure_config.settings(deals)._replace(prior_weight=0.0)
        shares = np.empty((CHAINS, len(moves), view.players))
        is_sampled = self._sampled == (view, seed)
        self._sampled = self._sampled if is_sampled else None  # what is sampled below may be a part of the deals
        for chain in range(CHAINS):
            first = chain * self.measure_config.deals
            arrays = self._arrays._replace(deals=self._arrays.deals[first : first + deals])
            state["seed"] = evaluation.chain_seed(seed, chain)
            if not is_sampled:
                search.begin_search(workspace.decision_input, workspace.weights, settings, arrays, workspace.scratch)
            opponent_mix.play_deals_mixed(workspace.decision_input, arrays, workspace.scratch, mixture, deals)
            shares[chain] = state["wins"][: len(moves), : view.players] / deals
        return _with_partners(shares, state)

    def measure_moves(self, view: View, moves: Sequence[Move | None], seed: int, deals: int) -> Any:
        """The share of deals that each seat wins by each move if all play on by rules of thumb, in every chain.

        No search has chosen among the moves before, so that the best of them is not also the luckiest.

        Args:
            seed: of all chance, 0 to 2**32 - 1.
            deals: number of deals of each chain, at most that of the configuration.

        Returns:
            float64[CHAINS, move, seat]. In team play (6.8) partners win together.
        """
        deals = require_int("the number of deals", deals, 1, self.measure_config.deals)
        state, workspace = self._search.load_decision(view, moves, seed), self._search.workspace
        rollouts = self.measure_config.settings(deals * len(moves))
        settings = rollouts._replace(halvings=1, horizon=0.0, prior_weight=0.0, habits=0)
        arrays = self._arrays._replace(deals=self._arrays.deals[:deals])
        given = workspace.decision_input, workspace.weights
        self._sampled, shares = None, np.empty((CHAINS, len(moves), view.players))
        for chain in range(CHAINS):
            state["seed"] = evaluation.chain_seed(seed, chain)
            search.begin_search(*given, settings, arrays, workspace.scratch)
            search.continue_search(*given, arrays, workspace.scratch, deals)
            shares[chain] = state["wins"][: len(moves), : view.players] / deals
        return _with_partners(shares, state)

    def _run(self, view: View, moves: Sequence[Move | None], seed: int, made: int, usual: int, **more: Any) -> Any:
        """Evaluate a decision; returns its EVALUATION. ``more`` are fields of the settings."""
        self._search.load_decision(view, moves, seed)
        settings = self._task.settings._replace(**more)
        task, workspace = self._task._replace(settings=settings), self._search.workspace
        found = task.evaluations[0]
        found["made"], found["usual"], found["chains"] = made, usual, NOT_BEGUN
        given = workspace.decision_input, workspace.weights, task, self._arrays, workspace.scratch
        started, done = time.perf_counter(), False
        deals = _CHUNK_DEALS if settings.search_ms or settings.measure_ms else _ALL_DEALS
        while not done:
            elapsed_ms = 1000 * (time.perf_counter() - started)
            done = evaluation.continue_evaluation(*given, Progress(deals, elapsed_ms))
        self._sampled = (view, seed) if found["chains"] == CHAINS else None
        return found


def _with_partners(shares: Any, state: Any) -> Any:
    """Shares of deals won, float64[chain, move, seat], by partners together (6.8)."""
    return shares + np.roll(shares, 2, axis=2) if state["partner"] >= 0 else shares

"""Evaluate moves by the information of their seat, with the search of the strongest level.

If one set of rollouts both chose and measured the best move, it would find mistakes that are none: the best of many
is also the luckiest. So the search names the best move, and fresh deals measure it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lastcard.bots.registry import LEVELS
from lastcard.bots.search import MAX_SEED, RatedMove, Search, SearchConfig
from lastcard.bots.statistics import Estimate, rollout_mean
from lastcard.game.moves import Move
from lastcard.game.numbers import require_int

if TYPE_CHECKING:
    from lastcard.match.view import View

SEARCH_CONFIG: Final[SearchConfig] = LEVELS["master"].settings["config"]
"""Effort of the search for the best move."""
MEASURE_CONFIG: Final = replace(SEARCH_CONFIG, deals=96, thin=10)
"""Number of deals that measure moves, for each of ``CHAINS`` chains."""
CHAINS: Final = 16
"""Number of chains. Deals of one chain are correlated, different chains are not: their scatter gives the interval."""

SEED_XOR: Final = 0x5DEECE66
"""Derives one seed from another."""
MIN_CHAINS: Final = 6
"""Number of chains that are played even if time is up: fewer do not show their scatter."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Moves measured on the same fresh deals.

    Args:
        moves: the measured moves; None stands for no reaction.
        win_shares: float64[chain, move, seat], the share of deals that each seat won.
        step: change of such a share by one deal.
    """

    moves: tuple[Move | None, ...]
    win_shares: Any
    step: float

    def chance(self, move: Move | None, seat: int) -> Estimate:
        """The chance of a seat to win the round if the move is made."""
        return rollout_mean(self._win_shares(move, seat), self.step)

    def advantage(self, move: Move | None, other: Move | None, seat: int) -> Estimate:
        """The share of rounds that a seat wins more with one move than with another."""
        return (
            Estimate()
            if move == other
            else rollout_mean(self._win_shares(move, seat) - self._win_shares(other, seat), self.step)
        )

    @property
    def deals(self) -> int:
        """Number of deals for each move."""
        return round(len(self.win_shares) / self.step)

    def _win_shares(self, move: Move | None, seat: int) -> Any:
        return self.win_shares[:, self.moves.index(move), seat]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of a decision, by the information of its seat.

    Args:
        best: the best move found; None stands for no reaction.
        chance: chance to win the round with the chosen move.
        loss: how much more the best move wins.
        prior_agrees: whether the prior net too rates the best move higher than the chosen one, or is not used.
        changes: how much more each seat wins by the chosen move than by that of the rules of thumb.
    """

    best: Move | None
    chance: Estimate
    loss: Estimate
    prior_agrees: bool
    changes: tuple[Estimate, ...]


class MoveEvaluator:
    """Measures moves on fresh deals.

    Args:
        search_config: effort of the search for the best move.
        measure_config: number of deals that measure moves; they are played out by rules of thumb, without networks.
    """

    def __init__(
        self, search_config: SearchConfig = SEARCH_CONFIG, measure_config: SearchConfig = MEASURE_CONFIG
    ) -> None:
        self._search = Search(search_config)
        self._measurer = Search(replace(measure_config, horizon=0, prior=0, habits=0))

    def rank_moves(self, view: View, moves: Sequence[Move | None], seed: int) -> list[RatedMove]:
        """The moves as the search rates them, best first; see ``Search.rank_moves``."""
        return self._search.rank_moves(view, moves, seed)

    def measure(self, view: View, moves: Sequence[Move | None], seed: int, seconds: float | None = None) -> Measurement:
        """Measure moves on deals that differ from those of a search with the same seed.

        Args:
            view: the view of the seat at its decision.
            moves: one or more moves.
            seed: of all chance, 0 to 2**32 - 1.
            seconds: time limit, after which fewer chains are used and the answer depends on the machine; None: none.
        """
        fresh_seed, started = require_int("a seed", seed, 0, MAX_SEED) ^ SEED_XOR, time.perf_counter()
        won: list[Any] = []
        while len(won) < CHAINS:
            if seconds is not None and len(won) >= MIN_CHAINS and time.perf_counter() - started > seconds:
                break
            won.append(self._measurer.sample(view, moves, (fresh_seed + len(won)) & 0xFFFFFFFF))
        return Measurement(tuple(moves), np.array(won), 1 / self._measurer.config.deals)

    def evaluate(
        self, view: View, moves: Sequence[Move | None], made: Move, heuristic_move: Move | None, seed: int
    ) -> Evaluation:
        """Evaluate one decision.

        Args:
            view: the view of the seat at its decision.
            moves: the legal choices.
            made: the chosen move.
            heuristic_move: the choice of the rules of thumb.
            seed: of all chance, 0 to 2**32 - 1.
        """
        ranked = self.rank_moves(view, moves, seed)
        best, seat = ranked[0], view.seat
        assert seat is not None
        candidates = list(dict.fromkeys((made, best.move, heuristic_move)))
        if len(candidates) == 1:
            nothing = (Estimate(),) * view.players
            return Evaluation(made, Estimate(best.chance, best.error), Estimate(), True, nothing)
        measured = self.measure(view, candidates, seed)
        ratings = {choice.move: choice.prior for choice in ranked}
        return Evaluation(
            best=best.move,
            chance=measured.chance(made, seat),
            loss=measured.advantage(best.move, made, seat),
            prior_agrees=not any(ratings.values()) or ratings[best.move] > ratings[made],
            changes=tuple(measured.advantage(made, heuristic_move, other) for other in range(view.players)),
        )

"""What moves are worth, judged from what their seat could know, as the strongest level judges.

Searching for the best of many and measuring how much better it is by the same rollouts would find mistakes where there
are none: the best of many is also the luckiest. So the search only names it, and fresh deals measure.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lastcard.bots.registry import LEVELS
from lastcard.bots.search import MOST_SEED, Choice, Effort, Search
from lastcard.bots.statistics import Estimate, rollout_mean
from lastcard.game.actions import Move
from lastcard.game.numbers import as_int

if TYPE_CHECKING:
    from lastcard.match.view import View

FINDING: Final[Effort] = LEVELS["master"].settings["effort"]
"""How hard the best move is searched for."""
MEASURING: Final = replace(FINDING, deals=96, thin=10)
"""How many deals measure moves, each of ``CHAINS`` times."""
CHAINS: Final = 16
"""Deals of one chain resemble each other, those of different ones do not: their scatter gives the interval."""

AFRESH: Final = 0x5DEECE66
"""What makes of one seed another."""
FEWEST: Final = 6
"""Chains that are played even where time is up: from fewer nothing is known of how they scatter."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Moves that met the same fresh deals.

    Args:
        moves: which; None to let the table go on.
        won: float64[chain, move, seat], what part of its deals each seat won.
        step: by how much one deal changes such a part.
    """

    moves: tuple[Move | None, ...]
    won: Any
    step: float

    def chance(self, move: Move | None, seat: int) -> Estimate:
        """Of a seat to win the round, where the move is made."""
        return rollout_mean(self._won(move, seat), self.step)

    def more(self, move: Move | None, other: Move | None, seat: int) -> Estimate:
        """By how much a move wins more rounds for a seat than another one does."""
        return Estimate() if move == other else rollout_mean(self._won(move, seat) - self._won(other, seat), self.step)

    @property
    def deals(self) -> int:
        """How many deals each move met."""
        return round(len(self.won) / self.step)

    def _won(self, move: Move | None, seat: int) -> Any:
        return self.won[:, self.moves.index(move), seat]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a decision, from what its seat could know.

    Args:
        best: the best move that was found; None to let the table go on.
        chance: of winning the round with the move that was made.
        loss: how much more the best one wins.
        agreed: whether the adviser too rates the best one higher than the one that was made, or is not asked.
        changes: how much more each seat wins by the move that was made than by the one of the rules of thumb.
    """

    best: Move | None
    chance: Estimate
    loss: Estimate
    agreed: bool
    changes: tuple[Estimate, ...]


class Judge:
    """Measures moves on fresh deals.

    Args:
        finding: how hard the best move is searched for.
        measuring: how many deals measure it; they are played to their end by rules of thumb, and no
            network has a say.
    """

    def __init__(self, finding: Effort = FINDING, measuring: Effort = MEASURING) -> None:
        self._finder = Search(finding)
        self._meter = Search(replace(measuring, horizon=0, prior=0, habits=0))

    def find(self, view: View, moves: Sequence[Move | None], seed: int) -> list[Choice]:
        """Moves as the search weighs them, best first; see ``Search.weigh``."""
        return self._finder.weigh(view, moves, seed)

    def measure(self, view: View, moves: Sequence[Move | None], seed: int, seconds: float | None = None) -> Measured:
        """Measure moves on deals that are fresh wherever the seed is that of a search.

        Args:
            view: of the seat, as it decides.
            moves: one or more.
            seed: of all chance, 0 to 2**32 - 1.
            seconds: after how many to stop with fewer chains; the answer then depends on the machine. None: never.
        """
        fresh, began = as_int("a seed", seed, 0, MOST_SEED) ^ AFRESH, time.perf_counter()
        won: list[Any] = []
        while len(won) < CHAINS:
            if seconds is not None and len(won) >= FEWEST and time.perf_counter() - began > seconds:
                break
            won.append(self._meter.sample(view, moves, (fresh + len(won)) & 0xFFFFFFFF))
        return Measured(tuple(moves), np.array(won), 1 / self._meter.effort.deals)

    def judge(self, view: View, moves: Sequence[Move | None], made: Move, usual: Move | None, seed: int) -> Verdict:
        """Judge one decision.

        Args:
            view: of the seat, as it decided.
            moves: what it could choose from.
            made: what it chose.
            usual: what the rules of thumb choose.
            seed: of all chance, 0 to 2**32 - 1.
        """
        found = self.find(view, moves, seed)
        best, seat = found[0], view.seat
        assert seat is not None
        picked = list(dict.fromkeys((made, best.move, usual)))
        if len(picked) == 1:
            nothing = (Estimate(),) * view.players
            return Verdict(made, Estimate(best.chance, best.error), Estimate(), True, nothing)
        measured = self.measure(view, picked, seed)
        ratings = {choice.move: choice.rating for choice in found}
        return Verdict(
            best=best.move,
            chance=measured.chance(made, seat),
            loss=measured.more(best.move, made, seat),
            agreed=not any(ratings.values()) or ratings[best.move] > ratings[made],
            changes=tuple(measured.more(made, usual, other) for other in range(view.players)),
        )

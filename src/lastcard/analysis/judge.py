"""What a decision gave away, judged from what its seat could know.

Searching for the best of many and measuring how much better it is by the same rollouts would find mistakes where there
are none: the best of many is also the luckiest. So the search only names it, and fresh deals measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from lastcard.analysis.figures import Figure, mean
from lastcard.bots.search import Effort, Search
from lastcard.game.actions import Move
from lastcard.play.view import View

FINDING: Final = Effort(rollouts=4000)
"""How hard the best move is searched for."""
MEASURING: Final = Effort(deals=96, thin=10)
"""How many deals measure moves, each of ``CHAINS`` times."""
CHAINS: Final = 16
"""Deals of one chain resemble each other, those of different ones do not: their scatter gives the interval."""

_AFRESH: Final = 0x5DEECE66
"""What makes of one seed another."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a decision, from what its seat could know.

    Args:
        best: the best move that was found; None to let the table go on.
        chance: of winning the round with the move that was made.
        loss: how much more the best one wins.
        skill: how much more the move that was made wins than the one by rules of thumb.
    """

    best: Move | None
    chance: Figure
    loss: Figure
    skill: Figure


class Judge:
    """Measures moves on fresh deals.

    Args:
        finding: how hard the best move is searched for.
        measuring: how many deals measure it.
    """

    def __init__(self, finding: Effort = FINDING, measuring: Effort = MEASURING) -> None:
        self._finder = Search(finding)
        self._meter = Search(measuring)

    def judge(self, view: View, moves: Sequence[Move | None], made: Move, usual: Move | None, seed: int) -> Verdict:
        """Judge one decision.

        Args:
            view: of the seat, as it decided.
            moves: what it could choose from.
            made: what it chose.
            usual: what the rules of thumb choose.
            seed: of all chance, 0 to 2**32 - 1.
        """
        choice = self._finder.weigh(view, moves, seed)[0]
        picked = list(dict.fromkeys((made, choice.move, usual)))
        if len(picked) == 1:
            return Verdict(made, Figure(choice.chance, choice.error), Figure(), Figure())
        fresh = seed ^ _AFRESH
        won = np.array([self._meter.sample(view, picked, (fresh + chain) & 0xFFFFFFFF) for chain in range(CHAINS)])
        of = {move: won[:, i] for i, move in enumerate(picked)}
        step = 1 / self._meter.effort.deals

        def more(one: Move | None, other: Move | None) -> Figure:
            return Figure() if one == other else mean(of[one] - of[other], step)

        return Verdict(choice.move, mean(of[made], step), more(choice.move, made), more(made, usual))

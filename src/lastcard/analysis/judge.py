"""What a decision gave away, judged from what its seat could know.

Searching for the best of many and measuring how much better it is by the same rollouts would find mistakes where there
are none: the best of many is also the luckiest. So the search only names it, and fresh deals measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from lastcard.actions import Move, move_action
from lastcard.analysis.figures import Figure, mean
from lastcard.bots.learned import network, thumb_weights
from lastcard.bots.search import Effort, Search, plays_in_teams
from lastcard.kernel import search
from lastcard.kernel.layout import MAX_SEATS
from lastcard.view import View

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


class Judge(Search):
    """Measures moves on fresh deals.

    Args:
        finding: how hard the best move is searched for.
        measuring: how many deals measure it.
    """

    def __init__(self, finding: Effort = FINDING, measuring: Effort = MEASURING) -> None:
        super().__init__(measuring)
        self._finder = Search(finding)

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
        won = self._measure(view, picked, seed ^ _AFRESH)
        of = {move: won[:, i] for i, move in enumerate(picked)}
        step = 1 / self.effort.deals

        def more(one: Move | None, other: Move | None) -> Figure:
            return Figure() if one == other else mean(of[one] - of[other], step)

        return Verdict(choice.move, mean(of[made], step), more(choice.move, made), more(made, usual))

    def _measure(self, view: View, moves: Sequence[Move | None], seed: int) -> Any:
        """What part of each chain every move wins."""
        assert view.seat is not None
        actions = np.array([search.NOTHING if move is None else move_action(move) for move in moves], np.int64)
        active = np.ones_like(actions)
        weights, net, bench = thumb_weights(view.rules, view.players), network(view.rules), self._benches[0]
        wins = np.zeros((CHAINS, len(moves), MAX_SEATS))
        for chain in range(CHAINS):
            own = (seed + chain) & 0xFFFFFFFF
            self._imagine(view, view.seat, own)
            search.try_choices(
                bench.tables, self._belief, self._deals, view.seat, actions, active, 0, self.effort.deals, own, weights,
                0, net, bench.x, bench.out, wins[chain],
            )  # fmt: skip
        won = wins[:, :, view.seat]
        if plays_in_teams(view):
            won = won + wins[:, :, (view.seat + 2) % view.players]
        return won / self.effort.deals

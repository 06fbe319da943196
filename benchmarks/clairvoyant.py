"""A yardstick, for measuring only: the same search by somebody who sees all hands, which no bot of ours can do."""

from __future__ import annotations

from functools import partial

import numpy as np

from lastcard.arena.playing import play_round
from lastcard.arena.workers import work
from lastcard.bots.base import Bot
from lastcard.bots.registry import make_bot
from lastcard.bots.search import Effort, Search, SearchBot
from lastcard.bots.statistics import Estimate, mean
from lastcard.match.round import Round


class OpenSearch(Search):
    """Search in which every imagined deal has the true hands; only the order of the draw pile is not known.

    Args:
        effort: how hard.
    """

    table: Round

    def _begin(self, rollouts: int, heats: int = 0) -> None:
        super()._begin(rollouts, heats)
        belief, truth = self._thoughts.beliefs[0], self.table.states()[0]
        belief["known"][:] = 0
        for other in range(self.table.players):
            belief["known"][belief["hand_of"][other]] = truth["counts"][other]
        belief["orders"] = belief["pile_at"] = 0
        pile = truth["pile"][: truth["pile_n"]]
        rng = np.random.default_rng(int(self._weighing["seed"]))
        for deal in self._thoughts.deals:
            deal[: len(pile)] = rng.permutation(pile)


def play_deal(rules: str, players: int, effort: Effort, number: int) -> float:
    """The share of one deal, played once for every seat, that the clairvoyant wins against *sharp*."""
    won = 0
    for seat in range(players):
        table = Round.deal(rules, players, seed="clairvoyant", dealer=number % players, number=number)
        bots: list[Bot] = [make_bot("sharp", bytes(32), other) for other in range(players)]
        seer = SearchBot(bytes(32), effort=effort)
        seer._search = search = OpenSearch(effort)
        seer._desk, search.table = search.desk, table
        bots[seat] = seer
        won += play_round(table, bots).winner == seat
    return won / players


def measure(rules: str, players: int, effort: Effort, deals: int, workers: int) -> Estimate:
    """Its share over many deals, with the 95 % interval over them."""
    return mean(list(work(partial(play_deal, rules, players, effort), range(deals), workers)))

"""A reference player for measurements only: the same search with all hands visible, which no bot has."""

from __future__ import annotations

from functools import partial

import numpy as np

from lastcard.arena.deals import play_round
from lastcard.arena.task_distribution import run_tasks
from lastcard.bots.base import Bot
from lastcard.bots.registry import make_bot
from lastcard.bots.search import Search, SearchBot, SearchConfig
from lastcard.bots.statistics import Estimate, mean
from lastcard.match.round import Round


class OpenSearch(Search):
    """Search in which every sampled deal has the true hands; only the order of the draw pile is unknown."""

    table: Round

    def _start_search(self, rollouts: int) -> None:
        super()._start_search(rollouts)
        belief, truth = self._search_buffers.beliefs[0], self.table.states()[0]
        belief["known"][:] = 0
        for other in range(self.table.players):
            belief["known"][belief["hand_of"][other]] = truth["counts"][other]
        belief["orders"] = belief["pile_at"] = 0
        pile = truth["pile"][: truth["pile_n"]]
        rng = np.random.default_rng(int(self._state["seed"]))
        for deal in self._search_buffers.deals:
            deal[: len(pile)] = rng.permutation(pile)


def play_deal(rules: str, players: int, effort: SearchConfig, number: int) -> float:
    """Returns the share of one deal, played once from every seat, that it wins against *sharp*."""
    won = 0
    for seat in range(players):
        table = Round.deal(rules, players, seed="clairvoyant", dealer=number % players, number=number)
        bots: list[Bot] = [make_bot("sharp", bytes(32), other) for other in range(players)]
        clairvoyant = SearchBot(bytes(32), config=effort)
        clairvoyant._search = search = OpenSearch(effort)
        clairvoyant._workspace, search.table = search.workspace, table
        bots[seat] = clairvoyant
        won += play_round(table, bots).winner == seat
    return won / players


def measure(rules: str, players: int, effort: SearchConfig, deals: int, workers: int) -> Estimate:
    """Returns its share over many deals, with a 95 % interval."""
    return mean(list(run_tasks(partial(play_deal, rules, players, effort), range(deals), workers)))

"""What a result would have been without luck: the chance before the deal, and what everybody's choices changed.

Chances are those of mixed play (``mind.mixed``), which players of all kinds are closer to than to rules of thumb alone.
With V for a seat's chance by it in a moment, and Q for that with an act chosen and its chance not drawn yet,

    result = V(before the deal) + Σ Q(act) − V(moment) + what chance did

A choice is measured from what could be known, which leaves out the luck of where hidden cards lay; so no moment needs
to be played with its real hands, except around calls, which are no decisions.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from lastcard.ai import actor, mixed
from lastcard.ai.actor import Rater
from lastcard.ai.chances import DEAL
from lastcard.ai.memory import MEMORY
from lastcard.ai.mixed import Mixture
from lastcard.analysis.chances import new_bench, won_by
from lastcard.analysis.story import Story
from lastcard.bots.desk import count_deck
from lastcard.bots.judge import AFRESH, CHAINS
from lastcard.bots.learned import habits, policy, thumb_weights, yardstick
from lastcard.bots.search import Effort, Search
from lastcard.bots.statistics import Estimate, rollout_mean, rollout_share, total
from lastcard.game.actions import CALLS, Move, action_move, move_action
from lastcard.kernel.arrays import zeros
from lastcard.rules import doors
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_SEATS, NOTHING


def new_mixture(rules: str, players: int) -> Mixture:
    """Those who play in mixed play, for one thread.

    Args:
        rules: a ruleset by name.
        players: how many.
    """
    yard, practiced = (
        Rater(net(rules), count_deck(rules), zeros(actor.ROOM, np.float32), zeros(MAX_ACTIONS, np.float64))
        for net in (yardstick, policy)
    )
    memory, die = zeros((MAX_SEATS, MEMORY), np.int64), zeros(DICE, np.int64)
    only = zeros(MAX_SEATS, np.int64)
    only[:] = mixed.ANY
    return Mixture(thumb_weights(rules, players), yard, practiced, habits(rules), memory, only, die)


def find_followers(stories: Sequence[Story]) -> list[frozenset[int]]:
    """For each round, the seats that did nothing but what rules of thumb do in all the others.

    What a seat did in a round has no part in how its luck there is measured: else the measure would not be fair.
    """
    decisions = [[ply for ply in story.plies if ply.view is not None and ply.usual is not None] for story in stories]
    found = []
    for number in range(len(stories)):
        others = [ply for i, plies in enumerate(decisions) if i != number for ply in plies]
        strayed = {ply.seat for ply in others if ply.plain != ply.usual}
        found.append(frozenset(ply.seat for ply in others) - strayed)
    return found


class Umpire:
    """Measures by mixed play; for one thread.

    Args:
        measuring: how many deals measure moves by rules of thumb; half as many do here.
    """

    def __init__(self, measuring: Effort) -> None:
        self._meter = Search(replace(measuring, deals=max(1, measuring.deals // 2), horizon=0, prior=0, habits=0))
        self._bench = new_bench()
        self._mixture = cache(new_mixture)

    def begin(self, story: Story, followers: Set[int], rollouts: int, seed: int) -> tuple[Estimate, ...]:
        """The chance of every seat before the deal, and what calls and catches changed in it, hands being open.

        Args:
            story: the round.
            followers: the seats that are taken to follow rules of thumb; a die decides how the others go on.
            rollouts: how often each moment is played to its end.
            seed: 0 to 2**32 - 1.
        """
        calls = [(i, ply) for i, ply in enumerate(story.plies) if ply.move.verb in CALLS and not ply.idle]
        jobs = [(0, 0, DEAL)]
        for i, ply in calls:
            jobs += [(i, 0, NOTHING), (i, ply.seat, move_action(ply.plain))]
        winners: Any = np.full((len(jobs), rollouts), -1, np.int8)
        mixture = self._mix(story, followers)
        mixed.play_on_mixed(story.tables, np.array(jobs, np.int64), winners, mixture, self._bench, seed)
        return tuple(
            total(
                (
                    rollout_share(won[0]),
                    *(rollout_mean(after - before) for before, after in zip(won[1::2], won[2::2], strict=True)),
                )
            )
            for won in (won_by(story, winners, seat) for seat in range(story.players))
        )

    def weigh(self, story: Story, followers: Set[int], i: int, seed: int) -> tuple[Estimate, ...]:
        """How much more each seat wins by a decision than by what mixed play does there.

        Args:
            story: the round.
            followers: as for ``begin``.
            i: which ply, from 0.
            seed: of all chance, 0 to 2**32 - 1.
        """
        ply = story.plies[i]
        assert ply.view is not None
        mixture = self._mix(story, followers)
        made: Move = ply.plain
        usual: list[Move | None] = [None]
        if ply.usual is not None:
            out = doors.SCRATCH.actions
            players = [mixed.THUMB] if ply.seat in followers else range(mixed.PLAYERS)
            usual = [action_move(mixed.act_as(story.tables, i, mixture, who, out)) for who in players]
        moves = list(dict.fromkeys((made, *usual)))
        if len(moves) == 1:
            return (Estimate(),) * story.players
        chains = [self._meter.sample(ply.view, moves, (seed ^ AFRESH) + k & 0xFFFFFFFF, mixture) for k in range(CHAINS)]
        won = np.array(chains)
        change = won[:, 0] - sum(won[:, moves.index(move)] for move in usual) / len(usual)
        return tuple(rollout_mean(change[:, seat], 1 / self._meter.effort.deals) for seat in range(story.players))

    def _mix(self, story: Story, followers: Set[int]) -> Mixture:
        """Those who play on at the table of a round."""
        mixture = self._mixture(story.rules, story.players)
        for seat in range(story.players):
            mixture.only[seat] = mixed.THUMB if seat in followers else mixed.ANY
        return mixture

"""Luck of every seat of a round, for comparing players: its mean is zero for any players."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from threading import get_ident
from typing import Any, Final

import numpy as np

from lastcard.ai import opponent_mix
from lastcard.ai.opponent_mix import POLICY_COUNT, OpponentMix
from lastcard.ai.rollout import RolloutScratch
from lastcard.analysis.adjusted import new_mixture, wins_of
from lastcard.analysis.chances import new_rollout_scratch
from lastcard.analysis.replayed_round import ReplayedRound, replay_round
from lastcard.bots.registry import LEVELS, Level
from lastcard.bots.simple_bots import HeuristicBot
from lastcard.game.moves import Move, move_to_action
from lastcard.match.round import Round
from lastcard.rules.layout import NOTHING

_POLICY_NAMES: Final = ("heuristics", "reference net", "trained net", "habits")
_HEURISTIC, _REFERENCE, _TRAINED, _HABITS = range(POLICY_COUNT)


@dataclass(frozen=True)
class LuckMeasure:
    """Measures the change of every seat's chance by cards drawn or taken blind, the lever and rule cards.

    The value of a state is the mean of several policies that all players follow to the end, except that bots that play
    by rules of thumb are known to. Chance was fair whatever the values are, so luck has a mean of zero. Three policies
    resemble more players than one; the policies are fixed before any result is seen, and named in it.

    Args:
        rollouts: by policy (``ai.opponent_mix``), the number of rollouts before and after every chance event.
    """

    rollouts: tuple[tuple[int, int], ...] = ((_HEURISTIC, 60), (_REFERENCE, 20), (_TRAINED, 20))
    name: str = field(init=False)
    """The value function, for results."""

    def __post_init__(self) -> None:
        policies = ", ".join(f"{_POLICY_NAMES[policy]} {count}" for policy, count in self.rollouts)
        object.__setattr__(self, "name", f"rollouts by {policies}")

    def __call__(
        self, round_: Round, moves: Sequence[tuple[int, Move]], names: Sequence[str] = ()
    ) -> tuple[float, ...]:
        """Returns the luck of every seat in rounds won; the same round gives the same luck.

        Args:
            round_: the dealt round, which is played to its end.
            moves: seats and their moves, from the first to the last.
            names: names of the bots by seat; none if they are not known.
        """
        seed = int.from_bytes(hashlib.sha256(round_.state_bytes()).digest()[:4], "big")
        replayed = replay_round(round_, moves, round_.do, with_views=False)
        jobs = _list_jobs(replayed)
        if not jobs:
            return (0.0,) * round_.players
        known = [_plays_by_heuristics(name) for name in names] or [False] * round_.players
        mixture, scratch = _workspace(replayed.rules, replayed.players, get_ident())
        luck = np.zeros(round_.players)
        for policy, count in self.rollouts:
            for seat, is_known in enumerate(known):
                mixture.policy_by_seat[seat] = _HEURISTIC if is_known else policy
            winners: Any = np.full((len(jobs), count), -1, np.int8)
            opponent_mix.run_rollouts_mixed(replayed.states, np.array(jobs, np.int64), winners, mixture, scratch, seed)
            for seat in range(round_.players):
                chances = wins_of(replayed, winners, seat).mean(axis=1)
                luck[seat] += (chances[1::2] - chances[::2]).sum() / len(self.rollouts)
        return tuple(round(float(part), 6) for part in luck)


measure_luck: Final = LuckMeasure()
"""The measure of ``lastcard arena --reduce-variance``."""


def _list_jobs(replayed: ReplayedRound) -> list[tuple[int, int, int]]:
    """The rollouts for each chance event: the move before its outcome, and the state after it."""
    jobs = []
    for i, played in enumerate(replayed.moves):
        if played.chance is not None:
            jobs += [(i, played.seat, move_to_action(played.move)), (i + 1, 0, NOTHING)]
    return jobs


def _plays_by_heuristics(name: str) -> bool:
    """Whether a bot makes every decision by rules of thumb."""
    level = LEVELS.get(name) or Level(name)
    return level.bot == HeuristicBot.name and not level.settings


@lru_cache(maxsize=4)
def _workspace(rules: str, players: int, thread: int) -> tuple[OpponentMix, RolloutScratch]:
    """The policies and the scratch of a thread."""
    return new_mixture(rules, players), new_rollout_scratch()

"""Luck of every seat of a round, for comparing players: its mean is zero for any players."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
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
from lastcard.bots.base import ATTENTIVE, Behavior, Bot
from lastcard.bots.registry import LEVELS, Level, make_bot
from lastcard.bots.simple_bots import HeuristicBot, RandomBot
from lastcard.game.moves import Move, move_to_action
from lastcard.match.round import Round
from lastcard.rules.layout import NOTHING

_TWINS: Final = 4
"""Number of bots with other dice whose choices are compared with a bot's; a power of two, so that weights cancel."""
_POLICY_NAMES: Final = ("heuristics", "reference net", "trained net", "habits")
_HEURISTIC, _, _TRAINED, _ = range(POLICY_COUNT)


@dataclass(frozen=True)
class LuckMeasure:
    """Measures how much every seat's chance was changed by luck: of draws, blind cards, the lever, rule cards and dice.

    The value of a state is the mean of several policies that all players follow to the end, except that bots that play
    by rules of thumb are known to. The outcome of a chance event counts by its value minus that before it was drawn.
    The choice of a bot that decides by dice counts by its value minus the mean of choices of equal bots with other dice
    (the second term of AIVAT, arXiv 1612.06915). So luck has a mean of zero whatever the values are. Two policies
    resemble more players than one; they are fixed before any result is seen, and named in it.

    Args:
        rollouts: by policy (``ai.opponent_mix``), the number of rollouts before and after every chance event.
    """

    rollouts: tuple[tuple[int, int], ...] = ((_HEURISTIC, 100), (_TRAINED, 15))
    name: str = field(init=False)
    """The value function, for results."""

    def __post_init__(self) -> None:
        policies = ", ".join(f"{_POLICY_NAMES[policy]} {count}" for policy, count in self.rollouts)
        object.__setattr__(self, "name", f"rollouts by {policies}")

    def __call__(
        self,
        round_: Round,
        moves: Sequence[tuple[int, Move]],
        names: Sequence[str] = (),
        behavior: Behavior | None = None,
    ) -> tuple[float, ...]:
        """Returns the luck of every seat in rounds won; the same round gives the same luck.

        Args:
            round_: the dealt round, which is played to its end.
            moves: seats and their moves, from the first to the last.
            names: names of the bots by seat; none if they are not known.
            behavior: behavior of all bots; None for each bot's own.
        """
        key = hashlib.sha256(b"luck" + round_.state_bytes()).digest()
        twins = {seat: _make_twins(name, key, seat, behavior) for seat, name in enumerate(names)}
        replayed = replay_round(round_, moves, round_.do, views_of=[seat for seat in twins if twins[seat]])
        weights = _weigh_jobs(replayed, twins)
        if not weights:
            return (0.0,) * round_.players
        jobs = np.array(list(weights), np.int64)
        known = [_plays_by_heuristics(name) for name in names] or [False] * round_.players
        mixture, scratch = _workspace(replayed.rules, replayed.players, get_ident())
        luck = np.zeros(round_.players)
        for policy, count in self.rollouts:
            for seat, is_known in enumerate(known):
                mixture.policy_by_seat[seat] = _HEURISTIC if is_known else policy
            winners: Any = np.full((len(jobs), count), -1, np.int8)
            seed = int.from_bytes(key[:4], "big")
            opponent_mix.run_rollouts_mixed(replayed.states, jobs, winners, mixture, scratch, seed)
            for seat in range(round_.players):
                luck[seat] += wins_of(replayed, winners, seat).mean(axis=1) @ list(weights.values())
        return tuple(round(float(part), 6) for part in luck / len(self.rollouts))


measure_luck: Final = LuckMeasure()
"""The measure of ``lastcard arena --reduce-variance``."""


def _make_twins(name: str, key: bytes, seat: int, behavior: Behavior | None) -> list[Bot]:
    """Bots that decide like a bot by dice of their own; none for a bot without dice, or whose choices are not known.

    Bots that forget calls are left out: dice that made no call also make the next choice, so twins would differ.
    """
    level = LEVELS.get(name) or Level(name)
    has_dice = level.bot == RandomBot.name or (level.bot == HeuristicBot.name and bool(level.settings))
    if not has_dice or (behavior or level.behavior) != ATTENTIVE:
        return []
    return [make_bot(name, key + bytes([number]), seat, ATTENTIVE) for number in range(_TWINS)]


def _weigh_jobs(replayed: ReplayedRound, twins: Mapping[int, Sequence[Bot]]) -> dict[tuple[int, int, int], float]:
    """The rollouts that luck needs, each with its weight in the sum."""
    weights: defaultdict[tuple[int, int, int], float] = defaultdict(float)
    for i, played in enumerate(replayed.moves):
        chosen = i, played.seat, move_to_action(played.move)
        if played.chance is not None:
            weights[i + 1, 0, NOTHING] += 1
            weights[chosen] -= 1
        if played.view is not None and replayed.states["turn"][i] == played.seat and twins.get(played.seat):
            weights[chosen] += 1
            for twin in twins[played.seat]:
                weights[i, played.seat, move_to_action(twin.choose(played.view))] -= 1 / _TWINS
    return {job: weight for job, weight in weights.items() if weight}


def _plays_by_heuristics(name: str) -> bool:
    """Whether a bot makes every decision by rules of thumb."""
    level = LEVELS.get(name) or Level(name)
    return level.bot == HeuristicBot.name and not level.settings


@lru_cache(maxsize=4)
def _workspace(rules: str, players: int, thread: int) -> tuple[OpponentMix, RolloutScratch]:
    """The policies and the scratch of a thread."""
    return new_mixture(rules, players), new_rollout_scratch()

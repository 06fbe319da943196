"""Tuning the rules of thumb: an evolution strategy on win shares.

Separable covariance matrix adaptation with mirrored samples: R. Ros, N. Hansen, "A Simple Modification in
CMA-ES Achieving Linear Time and Space Complexity" (2008). A candidate plays duplicate deals against the latest weights,
earlier ones in turn, and the random player. Against the latest alone the weights would cycle, each beating the one
before and losing to the first.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np

from lastcard.ai import weight_index
from lastcard.game.numbers import require_int
from lastcard.game.options import ALL_WILD_GAME
from lastcard.game.rulesets import ruleset
from lastcard.kernel.jit import enable_native
from lastcard.match.round import Round
from lastcard.match.setup import check_players
from lastcard.rules.layout import MAX_ACTIONS
from lastcard.training.compiled.duel import play_duel
from lastcard.training.position_data import MAX_SEED, check_game

GROUPS: Final = (
    ("base", weight_index.BASE, weight_index.KINDS, 6.0),
    ("few", weight_index.FEW, weight_index.KINDS, 6.0),
    ("attack", weight_index.ATTACK, weight_index.KINDS, 0.4),
    ("threat", weight_index.THREAT, 8, 6.0),
    ("support", weight_index.SUPPORT, 1, 2.0),
    ("alone", weight_index.ALONE, 1, 6.0),
    ("same", weight_index.SAME, 1, 6.0),
    ("bluff", weight_index.BLUFF, 1, 6.0),
    ("trade", weight_index.TRADE, 1, 4.0),
    ("pass_drawn", weight_index.PASS_DRAWN, 1, 15.0),
    ("draw", weight_index.DRAW, 1, 15.0),
    ("dare", weight_index.DARE, 1, 0.5),
    ("dare_held", weight_index.DARE_HELD, 1, 0.1),
    ("self", weight_index.SELF, 1, 6.0),
    ("self_held", weight_index.SELF_HELD, 1, 0.5),
)
"""The groups of weights: name, place, number, and initial step size."""

_CARD_KINDS: Final = {
    "all-wild": (1, 2, 3, 5, 6, 7, 8, 9),
    "classic": (0, 1, 2, 3, 5, 6),
    "wild-jackpot": (0, 1, 2, 3, 4, 5, 6, 10),
}
"""The kinds of cards of a game, in the order of ``heuristic_eval.kind_of``."""
_ALL_WILD_GROUPS: Final = frozenset({"base", "few", "attack", "threat", "trade", "draw"})
_ALL_WILD_ONLY: Final = frozenset({"trade"})
"""Weights of trading hands: other games trade them only by a house rule, and tuning uses no house rules."""
_SAMPLES: Final = 20
_RANDOM_WEIGHT: Final = 0.3
_MAX_DEALS: Final = 10_000_000
_RANDOM_DEAL_EVERY: Final = 3
"""One of this many deals is played against the random player."""


def first_weights(game: str) -> Any:
    """The initial weights, by common sense."""
    w = np.zeros(weight_index.COUNT)
    w[weight_index.THREAT : weight_index.THREAT + 8] = (40, 40, 24, 12, 6, 4, 4, 4)
    attacks = {1: 1.0, 2: 0.6, 3: 1.3, 6: 1.6}
    if game == ALL_WILD_GAME:
        w[weight_index.BASE : weight_index.BASE + weight_index.KINDS] = -10.0
        w[weight_index.BASE + 5], w[weight_index.BASE + 9] = 0.0, -5.0
        attacks |= {7: 1.0, 8: 0.8}
    else:
        w[weight_index.BASE + 5], w[weight_index.BASE + 6], w[weight_index.BASE + 10] = -35.0, -40.0, -30.0
        w[weight_index.SUPPORT], w[weight_index.BLUFF] = 3.0, -30.0
    for kind, attack in attacks.items():
        w[weight_index.ATTACK + kind] = attack
    w[weight_index.TRADE], w[weight_index.PASS_DRAWN], w[weight_index.DRAW] = 16.0, -60.0, -80.0
    w[weight_index.DARE], w[weight_index.SELF], w[weight_index.SELF_HELD] = -1.0, -20.0, 1.0
    return w


def first_steps(game: str) -> Any:
    """The initial step size of each weight; 0 for weights without effect in a game."""
    steps = np.zeros(weight_index.COUNT)
    for name, at, count, step in GROUPS:
        if (game == ALL_WILD_GAME and name not in _ALL_WILD_GROUPS) or (
            name in _ALL_WILD_ONLY and game != ALL_WILD_GAME
        ):
            continue
        steps[at : at + count] = step
        if count == weight_index.KINDS:
            for kind in set(range(weight_index.KINDS)) - set(_CARD_KINDS[game]):
                steps[at + kind] = 0.0
    return steps


def win_share(game: str, players: int, one: Any, two: Any | None, deals: int, seed: int) -> float:
    """The share of rounds that one set of weights wins against another, or against the random player (None).

    Each deal is played once for every seat: ``one`` plays it, the others all other seats.
    """
    deals, seed = require_int("the number of deals", deals, 1, _MAX_DEALS), require_int("the seed", seed, 0, 2**63 - 1)
    states = Round.deal(game, players, seed=seed).states()
    wins = np.zeros(3, np.int64)
    out = np.array([0] * MAX_ACTIONS + [seed, 2, 3, 4], np.int64)
    play_duel(states, 0, deals, np.stack([one] if two is None else [one, two]), out, wins)
    return float(wins[0] / wins.sum())


def tune(
    game: str,
    players: int,
    generations: int = 200,
    deals: int = 1500,
    seed: int = 1,
    progress: Callable[[], None] = lambda: None,
) -> Any:
    """Tuned weights for a game, from some deals for each candidate and opponent; the same seed gives the same.

    Raises:
        UsageError: for another game, a number of seats that it does not allow, or other numbers out of range.
    """
    check_game(game)
    players = require_int("the number of players", players)
    check_players(ruleset(game), players)
    generations = require_int("the number of generations", generations, 1, 1_000_000)
    deals = require_int("the number of deals", deals, _RANDOM_DEAL_EVERY, _MAX_DEALS)
    seed = require_int("the seed", seed, 0, MAX_SEED)
    rng = np.random.default_rng(seed)
    first, steps = first_weights(game), first_steps(game)
    n = int((steps > 0).sum())
    parents = _SAMPLES // 2
    ranks = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
    ranks /= ranks.sum()
    mass = 1 / float((ranks**2).sum())
    path_rate = (mass + 2) / (n + mass + 5)
    learning = 2 * mass / ((n + 2) ** 2 + mass) * (n + 2) / 3
    mean, variance, path, sigma = np.zeros(len(first)), np.ones(len(first)), np.zeros(len(first)), 0.5
    opponents = [first]
    enable_native()
    with ThreadPoolExecutor() as pool:
        for generation in range(generations):
            z = rng.standard_normal((_SAMPLES, len(first)))
            z[parents:] = -z[:parents]
            earlier = opponents[generation % len(opponents)]
            candidates = first + steps * (mean + sigma * np.sqrt(variance) * z)

            def fitness(weights: Any, round_seed: int = seed + generation, past: Any = earlier) -> float:
                opponent_shares = [
                    win_share(game, players, weights, foe, deals, round_seed) for foe in (opponents[-1], past)
                ]
                chance = win_share(game, players, weights, None, deals // _RANDOM_DEAL_EVERY, round_seed)
                return float(np.mean(opponent_shares) + _RANDOM_WEIGHT * chance)

            best = np.argsort([-share for share in pool.map(fitness, candidates)], kind="stable")[:parents]
            step = ranks @ z[best]
            mean += sigma * np.sqrt(variance) * step
            path = (1 - path_rate) * path + np.sqrt(path_rate * (2 - path_rate) * mass) * step
            variance *= 1 - learning + learning * (ranks @ z[best] ** 2)
            length = np.linalg.norm(path[steps > 0]) / np.sqrt(n)
            sigma = float(np.clip(sigma * np.exp(min(0.5, (length - 1) * path_rate / (1 + path_rate))), 0.1, 1.0))
            if generation % 20 == 19:
                opponents.append(first + steps * mean)
            progress()
    return first + steps * mean


def group_weights(weights: Any) -> dict[str, list[float]]:
    """The weights by name, rounded, in the format of ``bots/heuristic.json``."""
    return {name: [round(float(x), 2) for x in weights[at : at + count]] for name, at, count, _ in GROUPS}

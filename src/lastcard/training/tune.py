"""Tuning the rules of thumb: an evolution strategy on win shares.

Separable covariance matrix adaptation with mirrored samples: R. Ros, N. Hansen, "A Simple Modification in
CMA-ES Achieving Linear Time and Space Complexity" (2008). A candidate plays duplicate deals against the
latest weights, earlier ones in turn, and the random player: against the latest alone the weights would go round
in circles, each beating the one before and losing to the first.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import numpy as np

from lastcard.ai import weight
from lastcard.game.numbers import as_int
from lastcard.game.options import ALL_WILD_GAME
from lastcard.game.rulesets import ruleset
from lastcard.kernel.jit import speed_up
from lastcard.match.round import Round
from lastcard.match.setup import check_players
from lastcard.rules.layout import MAX_ACTIONS
from lastcard.training.compiled.duel import play_duel
from lastcard.training.lessons import MOST_SEED, check_game

GROUPS: Final = (
    ("base", weight.BASE, weight.KINDS, 6.0),
    ("few", weight.FEW, weight.KINDS, 6.0),
    ("strike", weight.STRIKE, weight.KINDS, 0.4),
    ("alarm", weight.ALARM, 8, 6.0),
    ("support", weight.SUPPORT, 1, 2.0),
    ("alone", weight.ALONE, 1, 6.0),
    ("same", weight.SAME, 1, 6.0),
    ("bluff", weight.BLUFF, 1, 6.0),
    ("trade", weight.TRADE, 1, 4.0),
    ("keep", weight.KEEP, 1, 15.0),
    ("draw", weight.DRAW, 1, 15.0),
    ("dare", weight.DARE, 1, 0.5),
    ("dare_held", weight.DARE_HELD, 1, 0.1),
    ("self", weight.SELF, 1, 6.0),
    ("self_held", weight.SELF_HELD, 1, 0.5),
)
"""The weights in groups: name, place, how many, and how far tuning steps at first."""

_KINDS: Final = {
    "all-wild": (1, 2, 3, 5, 6, 7, 8, 9),
    "classic": (0, 1, 2, 3, 5, 6),
    "wild-jackpot": (0, 1, 2, 3, 4, 5, 6, 10),
}
"""The kinds of cards a game has, in the order of ``worth.kind_of``."""
_ALL_WILD: Final = frozenset({"base", "few", "strike", "alarm", "trade", "draw"})
_NOT_COLORED: Final = frozenset({"trade"})
"""Hands are traded in the other games only by a house rule, under which nothing is tuned."""
_SAMPLES: Final = 20
_RANDOM_SHARE: Final = 0.3
_MOST_DEALS: Final = 10_000_000
_RANDOM_PART: Final = 3
"""One deal in so many is played against the random player."""


def first_weights(game: str) -> Any:
    """Weights by common sense, where tuning begins."""
    w = np.zeros(weight.COUNT)
    w[weight.ALARM : weight.ALARM + 8] = (40, 40, 24, 12, 6, 4, 4, 4)
    strikes = {1: 1.0, 2: 0.6, 3: 1.3, 6: 1.6}
    if game == ALL_WILD_GAME:
        w[weight.BASE : weight.BASE + weight.KINDS] = -10.0
        w[weight.BASE + 5], w[weight.BASE + 9] = 0.0, -5.0
        strikes |= {7: 1.0, 8: 0.8}
    else:
        w[weight.BASE + 5], w[weight.BASE + 6], w[weight.BASE + 10] = -35.0, -40.0, -30.0
        w[weight.SUPPORT], w[weight.BLUFF] = 3.0, -30.0
    for kind, strike in strikes.items():
        w[weight.STRIKE + kind] = strike
    w[weight.TRADE], w[weight.KEEP], w[weight.DRAW] = 16.0, -60.0, -80.0
    w[weight.DARE], w[weight.SELF], w[weight.SELF_HELD] = -1.0, -20.0, 1.0
    return w


def first_steps(game: str) -> Any:
    """How far each weight is moved at first; 0 for weights that do nothing in a game."""
    steps = np.zeros(weight.COUNT)
    for name, at, count, step in GROUPS:
        if (game == ALL_WILD_GAME and name not in _ALL_WILD) or (name in _NOT_COLORED and game != ALL_WILD_GAME):
            continue
        steps[at : at + count] = step
        if count == weight.KINDS:
            for kind in set(range(weight.KINDS)) - set(_KINDS[game]):
                steps[at + kind] = 0.0
    return steps


def win_share(game: str, players: int, one: Any, two: Any | None, deals: int, seed: int) -> float:
    """The share of rounds that one set of weights wins against another, or against the random player (None).

    Args:
        game: a ruleset by name.
        players: how many seats; the first has one of them, in turn each.
        deals: each is played once for every seat.
        seed: of all chance.
    """
    deals, seed = as_int("the number of deals", deals, 1, _MOST_DEALS), as_int("the seed", seed, 0, 2**63 - 1)
    table = Round.deal(game, players, seed=seed).states()
    wins = np.zeros(3, np.int64)
    out = np.array([0] * MAX_ACTIONS + [seed, 2, 3, 4], np.int64)
    play_duel(table, 0, deals, np.stack([one] if two is None else [one, two]), out, wins)
    return float(wins[0] / wins.sum())


def tune(
    game: str,
    players: int,
    generations: int = 200,
    deals: int = 1500,
    seed: int = 1,
    progress: Callable[[], None] = lambda: None,
) -> Any:
    """Tuned weights for a game; the same seed gives the same.

    Args:
        game: one of the three games.
        players: how many seats.
        generations: how many times all candidates play.
        deals: for each candidate and opponent.
        seed: of all chance.
        progress: called after every generation.

    Raises:
        UsageError: for another game, a number of seats it does not have, or other numbers that make no sense.
    """
    check_game(game)
    players = as_int("the number of players", players)
    check_players(ruleset(game), players)
    generations = as_int("the number of generations", generations, 1, 1_000_000)
    deals = as_int("the number of deals", deals, _RANDOM_PART, _MOST_DEALS)
    seed = as_int("the seed", seed, 0, MOST_SEED)
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
    rivals = [first]
    speed_up()
    with ThreadPoolExecutor() as pool:
        for generation in range(generations):
            z = rng.standard_normal((_SAMPLES, len(first)))
            z[parents:] = -z[:parents]
            past = rivals[generation % len(rivals)]
            candidates = first + steps * (mean + sigma * np.sqrt(variance) * z)

            def fitness(weights: Any, round_seed: int = seed + generation, past: Any = past) -> float:
                foes = [win_share(game, players, weights, foe, deals, round_seed) for foe in (rivals[-1], past)]
                chance = win_share(game, players, weights, None, deals // _RANDOM_PART, round_seed)
                return float(np.mean(foes) + _RANDOM_SHARE * chance)

            best = np.argsort([-share for share in pool.map(fitness, candidates)], kind="stable")[:parents]
            step = ranks @ z[best]
            mean += sigma * np.sqrt(variance) * step
            path = (1 - path_rate) * path + np.sqrt(path_rate * (2 - path_rate) * mass) * step
            variance *= 1 - learning + learning * (ranks @ z[best] ** 2)
            length = np.linalg.norm(path[steps > 0]) / np.sqrt(n)
            sigma = float(np.clip(sigma * np.exp(min(0.5, (length - 1) * path_rate / (1 + path_rate))), 0.1, 1.0))
            if generation % 20 == 19:
                rivals.append(first + steps * mean)
            progress()
    return first + steps * mean


def grouped(weights: Any) -> dict[str, list[float]]:
    """The weights by name, rounded, as ``bots/thumb.json`` keeps them."""
    return {name: [round(float(x), 2) for x in weights[at : at + count]] for name, at, count, _ in GROUPS}

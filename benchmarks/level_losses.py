"""Measures the loss by mistakes of each level in 100 decisions, at mixed tables: for ``analysis/level_estimate.py``.

    python benchmarks/level_losses.py [--games classic,…] [--seats 2] [--rounds 40] [--seed 70000] [--workers 2]

Every combination of ``--seats`` different levels plays ``--rounds`` matches of one round. Losses are computed as in a
report. Intervals are over rounds, because the decisions of one round are not independent.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import combinations
from multiprocessing import Pool
from typing import Final, NamedTuple

import numpy as np
from luck import attribute_rounds

from lastcard.analysis.level_estimate import LEVELS
from lastcard.bots.statistics import NORMAL_95
from lastcard.game.rulesets import GAMES

_ROUNDS_PER_PART: Final = 5
"""Number of rounds that a process plays at a time."""
_SEED_STRIDE: Final = 1000
"""Difference of the first seeds of two tables."""
_ROLLOUTS: Final = 100
"""Number of rollouts for each decision, which do not affect the losses."""


class Part(NamedTuple):
    """Rounds of one table."""

    game: str
    levels: tuple[str, ...]
    seed: int
    """Seed of the first round."""


Given = dict[str, list[tuple[int, float]]]
"""By level, for each round: the number of decisions, and their loss in rounds."""


def play_part(part: Part) -> Given:
    """Play and analyze the rounds of a part."""
    found: Given = defaultdict(list)
    for accounts in attribute_rounds(
        part.game, list(part.levels), range(part.seed, part.seed + _ROUNDS_PER_PART), 1, _ROLLOUTS
    ):
        for level, account in zip(part.levels, accounts, strict=True):
            found[level].append((account.decisions, account.given.value))
    return found


def list_parts(game: str, seats: int, rounds: int, seed: int) -> list[Part]:
    """Returns the parts of a game; in every other one the seats are reversed."""
    return [
        Part(game, levels[:: -1 if part % 2 else 1], seed + _SEED_STRIDE * number + _ROUNDS_PER_PART * part)
        for number, levels in enumerate(combinations(LEVELS, seats))
        for part in range(rounds // _ROUNDS_PER_PART)
    ]


def rate_of(rounds: list[tuple[int, float]]) -> tuple[float, float]:
    """Returns the loss in 100 decisions, in rounds, and half of its 95 % interval, that of a ratio of two means."""
    decisions, given = np.array(rounds, np.float64).T
    rate = given.sum() / decisions.sum()
    error = NORMAL_95 * np.sqrt(((given - rate * decisions) ** 2).sum()) / decisions.sum()
    return 100 * rate, 100 * error


def main() -> None:
    """Play, and print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--seats", type=int, default=2, choices=range(2, len(LEVELS) + 1))
    parser.add_argument(
        "--rounds", type=int, default=40, help=f"of each table, {_ROUNDS_PER_PART} at a time (default 40)"
    )
    parser.add_argument("--seed", type=int, default=70000, help="of the first round (default 70000)")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    print(f"| | {' | '.join(f'*{level}*' for level in LEVELS)} | rounds of each |")
    print(f"|---|{'--:|' * (len(LEVELS) + 1)}")
    with Pool(args.workers) as pool:
        for game in args.games.split(","):
            whole: Given = defaultdict(list)
            for found in pool.imap(play_part, list_parts(game, args.seats, args.rounds, args.seed)):
                for level, rounds in found.items():
                    whole[level] += rounds
            cells = ["{:.2f} ± {:.2f}".format(*rate_of(whole[level])) for level in LEVELS]
            print(f"| {game}, {args.seats} seats | {' | '.join(cells)} | {len(whole[LEVELS[0]])} |", flush=True)


if __name__ == "__main__":
    main()

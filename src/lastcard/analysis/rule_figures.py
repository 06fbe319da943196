"""Figures of rules for players: how long a round takes, who waits, who leads, and how much skill counts.

They are those of bots by rules of thumb (``ai.rounds.watch_rounds``), in a fraction of a second.
"""

from __future__ import annotations

import hashlib
import time
from typing import Any, Final

import msgspec
import numpy as np

from lastcard.ai.decision import BY_HEURISTIC
from lastcard.ai.rounds import FIGURES, SUMS, Players, RoundRange, read_figures, watch_rounds, with_blunders
from lastcard.bots.registry import LEVELS
from lastcard.bots.weights import heuristic_weights
from lastcard.game.rulesets import Ruleset, as_ruleset
from lastcard.game.seeds import parse_seed
from lastcard.kernel.arrays import copy, zeros
from lastcard.match.round import Round
from lastcard.rules.layout import DICE, MAX_ACTIONS, MAX_SEATS

SEED: Final = parse_seed("figures")
DICE_KEY: Final[list[int]] = np.frombuffer(hashlib.sha256(SEED).digest()[:12], "<u4").tolist()
"""Seed of the players' dice."""
KINDS: Final = (
    (BY_HEURISTIC,) * 2,
    (BY_HEURISTIC, with_blunders(BY_HEURISTIC, LEVELS["casual"].settings["blunder_rate"])),
)
"""The players with an even and an odd number, in rounds between equal and between different players."""
ROUNDS: Final = (1500, 6000)
"""Number of rounds of each sort."""
BUDGET_MS: Final = 220
"""Time for each sort after which fewer rounds are enough; with those of the official rules it is needed four times."""
CHUNK_ROUNDS: Final = 100
"""Number of rounds between two checks of the clock."""
MAX_PLIES: Final = 2000
"""Number of moves after which a round is given up."""


class RuleFigures(msgspec.Struct, frozen=True):
    """The figures of a ruleset for a number of players: the body of ``GET /api/figures/SEATS/RULES``."""

    moves: float
    """Number of moves in a round."""
    turns: float
    """Number of turns in a round, of all players."""
    waits: float
    """Share of turns for which a player waited longer than for one turn of everybody else."""
    overtakings: float
    """Number of changes in a round of the player who alone has the fewest cards, while somebody has few."""
    skill: float
    """Share of rounds that a stronger player wins against a weaker one, if either wins."""


def measure_rules(rules: Ruleset | str, players: int, budget_ms: float = BUDGET_MS) -> RuleFigures:
    """Returns the figures of rules; the same ones each time, unless the time is up first.

    Raises:
        RulesError, UsageError: for an unknown ruleset, or a number of players that it does not allow.
    """
    states: Any = Round.deal(rules, players, seed=SEED).states()
    weights, key = copy(heuristic_weights(str(as_ruleset(rules)), players)), copy(np.array(DICE_KEY, np.int64))
    scratch, figures = zeros(MAX_ACTIONS + DICE, np.int64), zeros(FIGURES, np.float64)
    sums = [zeros(SUMS + MAX_SEATS, np.int64) for _ in KINDS]
    for kinds, count, added in zip(KINDS, ROUNDS, sums, strict=True):
        at_table = Players(copy(np.array(kinds * (MAX_SEATS // 2), np.int64)), 1, weights, key)
        end_s = time.monotonic() + budget_ms / 1000
        for first in range(0, count, CHUNK_ROUNDS):
            watch_rounds(states, RoundRange(first, CHUNK_ROUNDS), at_table, scratch, added, MAX_PLIES)
            if time.monotonic() > end_s:
                break
    read_figures(sums[0], sums[1], players, figures)
    return RuleFigures(*figures.tolist())

"""Rounds between attentive bots that decide at once, in compiled code."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lastcard.ai.rounds import SEATS, Players, play_rounds, with_blunders
from lastcard.bots.base import ATTENTIVE, Behavior
from lastcard.bots.registry import LEVELS, Level
from lastcard.bots.simple_bots import HeuristicBot, RandomBot
from lastcard.bots.weights import heuristic_weights
from lastcard.game.rulesets import Ruleset
from lastcard.kernel import arrays
from lastcard.match.match import score_round
from lastcard.match.round import Round
from lastcard.rules import layout

MAX_PLIES: Final = 20_000
"""Number of moves after which a round is given up and counted as stuck; no such round is known."""

_COMPILED_KINDS: Final = {bot.name: bot.kind for bot in (RandomBot, HeuristicBot)}
"""The kinds of bots that ``play_rounds`` supports."""


def compiled_kind(name: str, behavior: Behavior | None) -> int | None:
    """The kind of player in ``ai.rounds`` that a bot is, with its own behavior if that is None.

    None if it does not decide at once, or is not attentive.
    """
    level = LEVELS.get(name) or Level(name)
    kind = _COMPILED_KINDS.get(level.bot)
    if kind is None or level.settings.keys() - {"blunder_rate"} or (behavior or level.behavior) != ATTENTIVE:
        return None
    return with_blunders(kind, level.settings.get("blunder_rate", 0))


@lru_cache(maxsize=16)
def point_shares(rules: Ruleset, players: int) -> NDArray[np.int32]:
    """The part of the points in each hand that each seat scores if a seat wins: int32[winner, hand, seat].

    The score of a win is a sum of points in hands (``match.score_round``): one point in each hand shows its part.
    """
    hands = np.eye(players, dtype=int).tolist()
    shares = [[score_round(rules, (0,) * players, winner, hand) for hand in hands] for winner in range(players)]
    return np.array(shares, np.int32)


class CompiledRounds:
    """A table at which such bots play round after round. Only the thread that made it may use it.

    All chance, also that of the bots, is from the seed.
    """

    def __init__(self, rules: Ruleset, players: int, seed: bytes) -> None:
        self._columns = SEATS + 2 * players
        self._states: Any = Round.deal(rules, players, seed=seed).states(record_events=True)
        self._weights: Any = arrays.copy(heuristic_weights(str(rules), players))
        key = hashlib.sha256(seed).digest()[:12]
        self._key: Any = arrays.copy(np.frombuffer(key, "<u4").astype(np.int64))
        self._scratch: Any = arrays.zeros(layout.MAX_ACTIONS + layout.DICE, np.int64)

    def play(self, first: int, rounds: int, kinds: Sequence[int], *, rotates_seats: bool = False) -> NDArray[np.int16]:
        """Play rounds; returns int16[rounds, columns], see ``ai.rounds``.

        Args:
            first: number of the first round; each has its own shuffle, and seat *number* modulo the seats deals.
            kinds: by seat, the way in which the bot chooses.
            rotates_seats: whether the bots move on a seat after every full rotation of the dealer.
        """
        outcomes: NDArray[np.int16] = arrays.zeros((rounds, self._columns), np.int16)
        by_seat = arrays.copy(np.array(kinds, np.int64))
        play_rounds(
            self._states,
            first,
            Players(by_seat, int(rotates_seats), self._weights, self._key),
            self._scratch,
            outcomes,
            MAX_PLIES,
        )
        return outcomes

"""Rounds between bots that decide at once and are attentive, in compiled code."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from lastcard.ai.rounds import SEATS, Players, play_many
from lastcard.bots.base import ATTENTIVE, Manners
from lastcard.bots.kinds import HeuristicBot, RandomBot
from lastcard.bots.learned import thumb_weights
from lastcard.bots.registry import LEVELS, Level
from lastcard.game.rulesets import Ruleset
from lastcard.kernel import arrays
from lastcard.match.round import Round
from lastcard.rules import layout

PLY_LIMIT: Final = 20_000
"""A round longer than this is given up and counted as stuck; none is known."""

_AT_ONCE: Final = {bot.name: bot.kind for bot in (RandomBot, HeuristicBot)}
"""Kinds of bots that ``play_many`` knows."""


def quick_kind(name: str, manners: Manners | None) -> int | None:
    """How a bot chooses.

    Args:
        name: of a level or a kind.
        manners: how it behaves; None for its own way.

    Returns:
        Its number in ``mind.decision``; None where it does not decide at once, or is not attentive.
    """
    level = LEVELS.get(name) or Level(name)
    if level.settings or (manners or level.manners) != ATTENTIVE:
        return None
    return _AT_ONCE.get(level.bot)


class QuickTable:
    """A table at which such bots play one round after another. Only the thread that made it may use it.

    Args:
        rules: the ruleset.
        players: how many seats.
        seed: of all chance, that of the bots too.
    """

    def __init__(self, rules: Ruleset, players: int, seed: bytes) -> None:
        self._columns = SEATS + 2 * players
        self._tables: Any = Round.deal(rules, players, seed=seed).states(taping=True)
        self._weights: Any = arrays.copy(thumb_weights(str(rules), players))
        key = hashlib.sha256(seed).digest()[:12]
        self._key: Any = arrays.copy(np.frombuffer(key, "<u4").astype(np.int64))
        self._scratch: Any = arrays.zeros(layout.MAX_ACTIONS + layout.DICE, np.int64)

    def play(self, first: int, rounds: int, kinds: Sequence[int], *, moving: bool = False) -> NDArray[np.int16]:
        """Play rounds.

        Args:
            first: number of the first; each has its own shuffle, and seat *number* modulo the seats deals.
            rounds: how many.
            kinds: how the bots choose, by seat.
            moving: whether the bots move on a seat whenever the deal has been all around.

        Returns:
            int16[rounds, columns], see ``mind.rounds``.
        """
        outcomes: NDArray[np.int16] = arrays.zeros((rounds, self._columns), np.int16)
        by_seat = arrays.copy(np.array(kinds, np.int64))
        play_many(
            self._tables,
            first,
            Players(by_seat, int(moving), self._weights, self._key),
            self._scratch,
            outcomes,
            PLY_LIMIT,
        )
        return outcomes

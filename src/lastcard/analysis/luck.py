"""Luck of every seat of a round, for comparing players: its mean is zero for any players."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from lastcard.ai.round_analysis import PARTS
from lastcard.analysis.chances import estimate_chances
from lastcard.analysis.replayed_round import replay_round
from lastcard.game.moves import Move
from lastcard.match.round import Round

ROLLOUTS: Final = 300
"""Number of rollouts from each state."""


def measure_luck(round_: Round, moves: Sequence[tuple[int, Move]]) -> tuple[float, ...]:
    """The change of every seat's chance by cards drawn or taken blind, the lever and rule cards.

    It is in rounds won, like ``attribution.Attribution.draws``. The same round gives the same luck.

    Args:
        round_: the dealt round, which is played to its end.
        moves: seats and their moves, from the first to the last.
    """
    seed = int.from_bytes(hashlib.sha256(round_.state_bytes()).digest()[:4], "big")
    chances = estimate_chances(replay_round(round_, moves, round_.do), ROLLOUTS, seed)
    draws = PARTS.index("draws")
    return tuple(round(float(chances.account(seat)["parts"][draws, 0]), 6) for seat in range(round_.players))

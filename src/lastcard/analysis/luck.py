"""What chance gave every seat of a round, for whoever compares players: it has a mean of zero, whoever they are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from lastcard.analysis.chances import play_chances
from lastcard.analysis.story import tell_round
from lastcard.game.actions import Move
from lastcard.match.round import Round

ROLLOUTS: Final = 300
"""How often each moment is played to its end."""


def measure_luck(table: Round, acts: Sequence[tuple[int, Move]]) -> tuple[float, ...]:
    """What cards drawn or taken blind, the lever and rule cards changed in the chances of every seat.

    In rounds won, as ``accounts.Account.draws`` has it. The same round gives the same.

    Args:
        table: the round as it was dealt; its end afterwards.
        acts: seats and their moves, from the first to the last.
    """
    seed = int.from_bytes(hashlib.sha256(table.table_bytes()).digest()[:4], "big")
    chances = play_chances(tell_round(table, acts, table.do), ROLLOUTS, seed)
    return tuple(
        round(sum(chances.change(link.chosen, link.after, seat).value for link in chances.plan.links), 6)
        for seat in range(table.players)
    )

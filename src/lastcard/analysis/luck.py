"""What chance gave every seat of a round, for whoever compares players: it has a mean of zero, whoever they are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from lastcard.analysis.chances import Chances, new_bench, plan_chances
from lastcard.analysis.story import tell_round
from lastcard.game.actions import Move
from lastcard.game.rulesets import Ruleset
from lastcard.play.round import Round

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
    story = tell_round(table, _name(table.rules), acts, table.do)
    chances = Chances(story, plan_chances(story, ()), ROLLOUTS)
    bench = new_bench()
    for first in chances.parts():
        chances.play(first, seed, bench)
    changed = [(link.chosen, link.after) for link in chances.plan.links if link.chosen != link.after]
    return tuple(
        round(float(sum((chances.won(after, seat) - chances.won(chosen, seat)).mean() for chosen, after in changed)), 6)
        for seat in range(story.players)
    )


@lru_cache(maxsize=8)
def _name(rules: Ruleset) -> str:
    """A ruleset by name, which takes a while to find."""
    return str(rules)

"""Analysis of a round in compiled code: topics of mistakes, and sums of estimates."""

from __future__ import annotations

import numpy as np
import pytest

from lastcard.ai import estimates, round_analysis
from lastcard.bots.search import action_or_nothing
from lastcard.bots.statistics import rollout_mean
from lastcard.game.moves import parse_move


@pytest.mark.parametrize(
    ("made", "best", "topic"),
    [
        ("accept", "challenge", "challenge"),
        ("draw", "R5", "draw"),
        ("R5", "pass", "draw"),
        ("R5", "R7", "card"),
        ("W=R", "R7", "wild"),
        ("R7", "W+4=B", "wild"),
        ("W=R", "W=G", "color"),
        ("color=R", "color=G", "color"),
        ("R7>1", "R7>2", "target"),
        ("throw R5", "throw R7", "card"),
        ("throw R5", "throw W", "wild"),
        ("throw R5", "stop", "other"),
        ("R5", None, "other"),
        ("draw", None, "draw"),
        ("R5", "R5", "other"),
    ],
)
def test_topics(made: str, best: str | None, topic: str) -> None:
    actions = [action_or_nothing(None if move is None else parse_move(move)) for move in (made, best)]
    assert round_analysis.TOPICS[round_analysis._topic(*actions)] == topic


def test_sums_of_rollouts_are_added_with_their_margins() -> None:
    values = np.array([1.0, 0.0, -1.0, 1.0, 0.0])
    mean, sums = rollout_mean(values), np.array([0.5, 0.3])
    estimates.add_mean(sums, values)
    assert sums == pytest.approx([0.5 + mean.value, (0.3**2 + mean.margin**2) ** 0.5])
    before = sums.copy()
    estimates.add_mean(sums, np.zeros(5))
    assert (sums == before).all(), "no move added anything"

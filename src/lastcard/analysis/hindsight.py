"""What would have won: with all cards open and chance as it was, a way to win that a seat let go."""

from __future__ import annotations

import numpy as np

from lastcard.ai import hindsight
from lastcard.analysis.story import Story
from lastcard.game.actions import Move, action_move, move_action
from lastcard.game.numbers import as_int
from lastcard.rules.layout import MAX_ACTIONS
from lastcard.rules.table import new_tables

Line = tuple[tuple[int, Move], ...]
"""Who does what until the round is won."""


def find_line(story: Story, i: int) -> Line:
    """The shortest way to win found for whoever acted in a ply of a round, by another act than theirs.

    All others play by rules of thumb, and the seat does too but for that act and perhaps one more.

    Args:
        story: the round.
        i: which ply, from 0.

    Returns:
        Empty where there is none, or where the act was no play, draw, answer or color of the seat on turn.
    """
    i = as_int("a ply", i, 0, len(story.plies) - 1)
    ply = story.plies[i]
    if story.tables[i]["turn"] != ply.seat:
        return ()
    tables = new_tables(3)
    tables[0] = story.tables[i]
    choices, out = np.zeros(2 * MAX_ACTIONS, np.int64), np.zeros(MAX_ACTIONS, np.int64)
    tried, line = np.zeros((2, hindsight.LONGEST, 2), np.int64)
    search = hindsight.Search(tables, choices, out, tried, line)
    length = hindsight.find_line(search, move_action(ply.plain), story.weights)
    return tuple((seat, action_move(action)) for seat, action in line[:length].tolist())

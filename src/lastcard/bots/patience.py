"""When to stop drawing for choice: two players who both think it better than laying a card would wait for ever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from lastcard.actions import DRAW, Move
from lastcard.kernel.layout import PAST_ACT, PLAY

if TYPE_CHECKING:
    from lastcard.view import View

_LATE: Final = 20
"""Turns after which nobody draws for choice."""


def without_waiting(view: View, moves: Sequence[Move]) -> Sequence[Move]:
    """The moves without drawing for choice, for a seat that did so on its last turn or has had many turns.

    Args:
        view: of the seat.
        moves: legal ones.
    """
    plays = [move for move in moves if move.verb == "play"]
    return plays if plays and view.decision == "play" and has_waited(view) else moves


def has_waited(view: View) -> bool:
    """Whether the seat drew on its last turn, or has had many."""
    assert view.seat is not None
    words = np.frombuffer(view.past, np.int32)
    turns = np.flatnonzero((words & 0xFFFFFF) == PAST_ACT | (view.seat + 1) << 8 | (PLAY + 1) << 16)
    return turns.size > _LATE or bool(turns.size and int(words[turns[-1] + 1]) >> 8 & 255 == DRAW)

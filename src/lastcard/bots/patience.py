"""When to stop drawing for choice: two players who both think it better than laying a card would wait for ever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lastcard.engine import phase, tape
from lastcard.game import act
from lastcard.game.actions import Move

if TYPE_CHECKING:
    from lastcard.play.view import View


def without_waiting(view: View, moves: Sequence[Move], late: int, *, twice: bool) -> Sequence[Move]:
    """The moves without drawing for choice, where a seat has waited long enough.

    Args:
        view: of the seat.
        moves: legal ones.
        late: turns of the seat after which it does not draw for choice.
        twice: whether it may do so on two turns in succession.
    """
    plays = [move for move in moves if move.verb == "play"]
    return plays if plays and view.decision == "play" and _has_waited(view, late, twice) else moves


def _has_waited(view: View, late: int, twice: bool) -> bool:
    assert view.seat is not None
    words = np.frombuffer(view.past, np.int32)
    turns = np.flatnonzero((words & 0xFFFFFF) == tape.PAST_ACT | (view.seat + 1) << 8 | (phase.PLAY + 1) << 16)
    return turns.size > late or bool(not twice and turns.size and int(words[turns[-1] + 1]) >> 8 & 255 == act.DRAW)

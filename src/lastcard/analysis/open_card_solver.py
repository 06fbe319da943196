"""A missed win: a line that wins with open cards and the same chance."""

from __future__ import annotations

import numpy as np

from lastcard.ai import open_card_solver
from lastcard.analysis.replayed_round import ReplayedRound
from lastcard.game.moves import Move, action_to_move, move_to_action
from lastcard.game.numbers import require_int
from lastcard.rules.layout import MAX_ACTIONS
from lastcard.rules.round_state import new_round_states

WinningLine = tuple[tuple[int, Move], ...]
"""Seats and their moves until the round is won."""


def find_winning_line(replayed: ReplayedRound, i: int) -> WinningLine:
    """The shortest winning line found for the seat that moved in a ply, by another move than its own.

    All others play by rules of thumb, and so does the seat, except in that move and perhaps one more.

    Args:
        replayed: a replayed round.
        i: ply, from 0.

    Returns:
        Empty if there is none, or if the move was no play, draw, answer or color of the seat on turn.
    """
    i = require_int("a ply", i, 0, len(replayed.moves) - 1)
    played = replayed.moves[i]
    if replayed.states[i]["turn"] != played.seat:
        return ()
    states = new_round_states(3)
    states[0] = replayed.states[i]
    choices, out = np.zeros(2 * MAX_ACTIONS, np.int64), np.zeros(MAX_ACTIONS, np.int64)
    tried, line = np.zeros((2, open_card_solver.MAX_LINE_PLIES, 2), np.int64)
    search = open_card_solver.LineSearch(states, choices, out, tried, line)
    length = open_card_solver.find_line(search, move_to_action(played.without_call), replayed.weights)
    return tuple((seat, action_to_move(action)) for seat, action in line[:length].tolist())

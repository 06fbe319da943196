"""The Wild Jackpot lever (WJ-24, WJ-40)."""

from __future__ import annotations

from typing import Any

from lastcard.engine.chance import LEVER, single_below
from lastcard.engine.jit import kernel
from lastcard.engine.layout import (
    BY_LEVER,
    CHOOSE,
    E_LEVER,
    LEVER_ALL,
    LEVER_CHOOSE,
    LEVER_DISCARD,
    LEVER_DRAW4,
    LEVER_LEFT,
    LEVER_RIGHT,
    NOTHING,
    THROW,
)
from lastcard.engine.legal import can_throw_any
from lastcard.engine.piles import draw, note
from lastcard.engine.rulecards import left_of, perform, right_of
from lastcard.engine.throws import end_lever
from lastcard.engine.told import OF_LEVER, hear


@kernel
def next_outcome(t: Any) -> int:
    """The outcome of a pull: scripted, or chance by the weights (WJ-24, LC-25)."""
    if t.script_at < t.script_n:
        outcome = int(t.script[t.script_at])
        t.script_at += 1
        return outcome
    if t.told > 0:
        outcome = hear(t, OF_LEVER, NOTHING)
        if outcome != NOTHING:
            return outcome
    total = 0
    for i in range(6):
        total += t.weights[i]
    point = single_below(t, LEVER, t.pulled, total)
    outcome = 0
    while point >= t.weights[outcome]:
        point -= t.weights[outcome]
        outcome += 1
    return outcome


@kernel
def choose_performer(t: Any, seat: int) -> None:
    """A seat names any player, himself included (WJ-8, WJ-40a)."""
    t.candidates = (1 << t.players) - 1
    t.phase = CHOOSE
    t.turn = seat


@kernel
def pull(t: Any, seat: int) -> None:
    """Pull the lever and carry out its outcome as far as nobody has to decide (WJ-40)."""
    outcome = next_outcome(t)
    t.pulled += 1
    note(t, E_LEVER, seat, outcome, -1)
    t.performers = 0
    t.perform_step = t.direction
    if outcome == LEVER_CHOOSE:
        choose_performer(t, seat)
    elif outcome == LEVER_RIGHT:
        perform(t, right_of(t, seat))
    elif outcome == LEVER_LEFT:
        perform(t, left_of(t, seat))
    elif outcome == LEVER_ALL:
        t.performers = t.players - 1
        perform(t, seat)
    elif outcome == LEVER_DISCARD:
        t.thrown = 0
        if can_throw_any(t, seat):
            t.phase = THROW
            t.turn = seat
        else:
            end_lever(t)
    elif outcome == LEVER_DRAW4:
        draw(t, seat, 4, BY_LEVER)
        end_lever(t)

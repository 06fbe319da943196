"""The Wild Jackpot lever (WJ-24, WJ-40)."""

from typing import Final

from lastcard.game.options import LEVER_OUTCOMES
from lastcard.kernel.jit import kernel
from lastcard.rules import chance, layout, legal, phase, piles, rulecards, tape, throws, told
from lastcard.rules.table import Table

CHOOSE: Final = LEVER_OUTCOMES.index("choose")
RIGHT: Final = LEVER_OUTCOMES.index("right")
LEFT: Final = LEVER_OUTCOMES.index("left")
ALL: Final = LEVER_OUTCOMES.index("all")
DISCARD: Final = LEVER_OUTCOMES.index("discard")
DRAW4: Final = LEVER_OUTCOMES.index("draw4")


@kernel
def next_outcome(t: Table) -> int:
    """The outcome of a pull: scripted, or chance by the weights (WJ-24, LC-25)."""
    if t.script_at < t.script_n:
        outcome = int(t.script[t.script_at])
        t.script_at += 1
        return outcome
    if t.told > 0:
        outcome = told.hear(t, told.OF_LEVER, layout.NOTHING)
        if outcome != layout.NOTHING:
            return outcome
    total = 0
    for i in range(6):
        total += t.weights[i]
    point = chance.single_below(t, chance.LEVER, t.pulled, total)
    outcome = 0
    while point >= t.weights[outcome]:
        point -= t.weights[outcome]
        outcome += 1
    return outcome


@kernel
def choose_performer(t: Table, seat: int) -> None:
    """A seat names any player, himself included (WJ-8, WJ-40a)."""
    t.candidates = (1 << t.players) - 1
    t.phase = phase.CHOOSE
    t.turn = seat


@kernel
def pull(t: Table, seat: int) -> None:
    """Pull the lever and carry out its outcome as far as nobody has to decide (WJ-40)."""
    outcome = next_outcome(t)
    t.pulled += 1
    piles.note(t, tape.LEVER, seat, outcome, -1)
    t.performers = 0
    t.perform_step = t.direction
    if outcome == CHOOSE:
        choose_performer(t, seat)
    elif outcome == RIGHT:
        rulecards.perform(t, rulecards.right_of(t, seat))
    elif outcome == LEFT:
        rulecards.perform(t, rulecards.left_of(t, seat))
    elif outcome == ALL:
        t.performers = t.players - 1
        rulecards.perform(t, seat)
    elif outcome == DISCARD:
        t.thrown = 0
        if legal.can_throw_any(t, seat):
            t.phase = phase.THROW
            t.turn = seat
        else:
            throws.end_lever(t)
    elif outcome == DRAW4:
        piles.draw(t, seat, 4, tape.BY_LEVER)
        throws.end_lever(t)

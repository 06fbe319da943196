"""The Wild Jackpot lever (WJ-24, WJ-40)."""

from typing import Final

from lastcard.game.options import LEVER_OUTCOMES
from lastcard.kernel.jit import kernel
from lastcard.rules import chance, discard_outcome, event_codes, forced_chance, layout, legal, phases, piles, rulecards
from lastcard.rules.round_state import RoundState

CHOOSE: Final = LEVER_OUTCOMES.index("choose")
RIGHT: Final = LEVER_OUTCOMES.index("right")
LEFT: Final = LEVER_OUTCOMES.index("left")
ALL: Final = LEVER_OUTCOMES.index("all")
DISCARD: Final = LEVER_OUTCOMES.index("discard")
DRAW4: Final = LEVER_OUTCOMES.index("draw4")


@kernel
def next_outcome(t: RoundState) -> int:
    """The outcome of a pull: scripted, or chance by the weights (WJ-24, LC-25)."""
    if t.lever_script_at < t.lever_script_n:
        outcome = int(t.lever_script[t.lever_script_at])
        t.lever_script_at += 1
        return outcome
    if t.forced_outcomes > 0:
        outcome = forced_chance.next_forced(t, forced_chance.OF_LEVER, layout.NOTHING)
        if outcome != layout.NOTHING:
            return outcome
    total = 0
    for i in range(6):
        total += t.lever_weights[i]
    point = chance.first_below(t, chance.LEVER, t.lever_pulls, total)
    outcome = 0
    while point >= t.lever_weights[outcome]:
        point -= t.lever_weights[outcome]
        outcome += 1
    return outcome


@kernel
def choose_performer(t: RoundState, seat: int) -> None:
    """A seat names any player, including themselves (WJ-8, WJ-40a)."""
    t.candidates = (1 << t.players) - 1
    t.phase = phases.CHOOSE
    t.turn = seat


@kernel
def pull(t: RoundState, seat: int) -> None:
    """Pull the lever and carry out its outcome as far as nobody has to decide (WJ-40)."""
    outcome = next_outcome(t)
    t.lever_pulls += 1
    piles.emit(t, event_codes.LEVER, seat, outcome, -1)
    t.performers_left = 0
    t.perform_direction = t.direction
    if outcome == CHOOSE:
        choose_performer(t, seat)
    elif outcome == RIGHT:
        rulecards.perform(t, rulecards.right_of(t, seat))
    elif outcome == LEFT:
        rulecards.perform(t, rulecards.left_of(t, seat))
    elif outcome == ALL:
        t.performers_left = t.players - 1
        rulecards.perform(t, seat)
    elif outcome == DISCARD:
        t.discarded_colors = 0
        if legal.can_discard_any(t, seat):
            t.phase = phases.THROW
            t.turn = seat
        else:
            discard_outcome.end_lever(t)
    elif outcome == DRAW4:
        piles.draw(t, seat, 4, event_codes.BY_LEVER)
        discard_outcome.end_lever(t)

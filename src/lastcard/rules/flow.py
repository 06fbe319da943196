"""Whose turn it is, UNO duties, and the end of a round."""

from lastcard.kernel.jit import inlined, kernel
from lastcard.rules import choice, phase, piles, tape
from lastcard.rules.table import Table


@inlined
def neighbor(t: Table, seat: int) -> int:
    """The next seat in the direction now in force (CO-2)."""
    seat += t.direction
    if seat == t.players:
        return 0
    if seat < 0:
        seat = t.players - 1
    return seat & 15  # never negative, which spares the compiler a check at every use


@inlined
def begin_turn(t: Table, seat: int) -> None:
    """A seat begins a turn: UNO windows close (CO-15, CO-16)."""
    if t.uno_window == choice.WINDOW_OWN:
        t.exposed &= ~(1 << seat)
        t.caught &= ~(1 << seat)
    elif t.uno_window != choice.WINDOW_AUTOMATIC:
        t.exposed = 0
        if t.false_catch_penalty != 0:
            t.caught = 0
    t.origin = seat


@inlined
def give_turn(t: Table, seat: int) -> None:
    """The turn passes on to a seat, which may play any of its cards from now on (CO-8)."""
    t.turn = seat
    t.barred &= ~(1 << seat)
    t.phase = phase.PLAY
    if piles.has_duties(t):
        t.passed = 1


@kernel
def pass_on(t: Table) -> None:
    """The turn passes from the origin to the first seat that is not marked; marks are cleared (WJ-43)."""
    seat = neighbor(t, t.origin)
    for _ in range(t.players):
        if t.marks >> seat & 1 == 0:
            break
        piles.note(t, tape.SKIPPED, seat, -1, -1)
        seat = neighbor(t, seat)
    t.marks = 0
    t.exposed = t.windows
    t.windows = 0
    give_turn(t, seat)


@kernel
def win(t: Table, seat: int) -> None:
    """The round is over; ``seat`` has won it, or nobody where it is -1 (CO-40, CO-35)."""
    t.winner = seat
    t.phase = phase.OVER
    t.turn = seat if seat >= 0 else t.dealer
    t.pending = 0
    t.exposed = 0
    piles.note(t, tape.OVER, seat, -1, -1)


@kernel
def end_deadlocked(t: Table) -> None:
    """Nobody can go on: the round is void, or the fewest points win it (CO-35, LC-12)."""
    winner = -1
    if t.deadlock == choice.DEADLOCK_LOWEST and t.game != choice.ALL_WILD:
        fewest = 1 << 30
        for seat in range(t.players):
            points = piles.hand_points(t, seat)
            if points < fewest:
                fewest = points
                winner = seat
            elif points == fewest:
                winner = -1
    win(t, winner)


@inlined
def judge_duties(t: Table) -> None:
    """After a resolved action: who now owes an UNO call (CO-10, CO-12, CO-19)."""
    touched = t.touched
    owing = touched & t.single
    made = owing & t.early & t.declared
    t.called = (t.called & ~touched) | made
    exposed = t.exposed & ~touched
    t.exposed = exposed | (owing & ~made) if t.uno_window != choice.WINDOW_NONE else exposed


@kernel
def lapse_calls(t: Table, seat: int) -> None:
    """Early calls end with the play they were made for, and with the turn."""
    if t.uno_early_call == choice.EARLY_ANY_TIME:
        t.early &= ~(t.touched | t.declared)
        if t.passed != 0 and seat == t.origin:
            t.early &= ~(1 << seat)  # LC-17: the end of his own turn
    elif t.passed != 0:
        t.early = 0
    else:
        t.early &= ~t.declared  # a call made with a play is used up by it (CO-12)


@inlined
def forget_duties(t: Table) -> None:
    """Begin the notes on an act anew, by which duties are judged."""
    t.touched = 0
    t.declared = 0
    t.passed = 0


@inlined
def settle(t: Table, seat: int) -> None:
    """The last step of every act of a seat: judge duties, let early calls lapse, end a round that fell short."""
    if t.uno_window == choice.WINDOW_AUTOMATIC:
        t.called = t.single if t.phase <= phase.STACK else t.called & t.single
        if piles.has_duties(t):
            forget_duties(t)
    elif t.phase <= phase.STACK:
        judge_duties(t)
        if t.early != 0:
            lapse_calls(t, seat)
        forget_duties(t)
    else:
        t.called &= ~t.touched
        if t.exposed != 0:  # only where a window outlasts the next turn (LC-16)
            t.windows = t.exposed
            t.exposed = 0
    if t.short != 0 and t.phase != phase.OVER:
        end_deadlocked(t)  # LC-11

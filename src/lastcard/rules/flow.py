"""Whose turn it is, UNO duties, and the end of a round."""

from lastcard.kernel.jit import inlined, kernel
from lastcard.rules import event_codes, option_codes, phases, piles
from lastcard.rules.round_state import RoundState


@inlined
def neighbor(t: RoundState, seat: int) -> int:
    """The next seat in the direction now in force (CO-2)."""
    seat += t.direction
    if seat == t.players:
        return 0
    if seat < 0:
        seat = t.players - 1
    return seat & 15  # never negative, which spares the compiler a check at every use


@inlined
def begin_turn(t: RoundState, seat: int) -> None:
    """A seat begins a turn: UNO windows close (CO-15, CO-16)."""
    if t.uno_window == option_codes.WINDOW_OWN:
        t.exposed &= ~(1 << seat)
        t.catch_exempt &= ~(1 << seat)
    elif t.uno_window != option_codes.WINDOW_AUTOMATIC:
        t.exposed = 0
        if t.false_catch_penalty != 0:
            t.catch_exempt = 0
    t.origin = seat


@inlined
def give_turn(t: RoundState, seat: int) -> None:
    """The turn passes on to a seat, which may play any of its cards from now on (CO-8)."""
    t.turn = seat
    t.barred &= ~(1 << seat)
    t.phase = phases.PLAY
    if piles.has_duties(t):
        t.turn_passed = 1


@kernel
def pass_on(t: RoundState) -> None:
    """The turn passes from the origin to the first seat that is not marked; marks are cleared (WJ-43)."""
    seat = neighbor(t, t.origin)
    for _ in range(t.players):
        if t.skip_mask >> seat & 1 == 0:
            break
        piles.emit(t, event_codes.SKIPPED, seat, -1, -1)
        seat = neighbor(t, seat)
    t.skip_mask = 0
    t.exposed = t.suspended_windows
    t.suspended_windows = 0
    give_turn(t, seat)


@kernel
def win(t: RoundState, seat: int) -> None:
    """The round is over; ``seat`` has won it, or nobody where it is -1 (CO-40, CO-35)."""
    t.winner = seat
    t.phase = phases.OVER
    t.turn = seat if seat >= 0 else t.dealer
    t.pending = 0
    t.exposed = 0
    piles.emit(t, event_codes.OVER, seat, -1, -1)


@kernel
def end_deadlocked(t: RoundState) -> None:
    """Nobody can go on: the round is void, or the fewest points win it (CO-35, LC-12)."""
    winner = -1
    if t.deadlock == option_codes.DEADLOCK_LOWEST and t.game != option_codes.ALL_WILD:
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
def update_duties(t: RoundState) -> None:
    """After a resolved action: who now owes an UNO call (CO-10, CO-12, CO-19)."""
    changed = t.changed_hands
    owing = changed & t.one_card_mask
    valid = owing & t.early & t.played_seats
    t.called = (t.called & ~changed) | valid
    exposed = t.exposed & ~changed
    t.exposed = exposed | (owing & ~valid) if t.uno_window != option_codes.WINDOW_NONE else exposed


@kernel
def expire_early_calls(t: RoundState, seat: int) -> None:
    """Early calls end with the play they were made for, and with the turn."""
    if t.uno_early_call == option_codes.EARLY_ANY_TIME:
        t.early &= ~(t.changed_hands | t.played_seats)
        if t.turn_passed != 0 and seat == t.origin:
            t.early &= ~(1 << seat)  # LC-17: the end of their own turn
    elif t.turn_passed != 0:
        t.early = 0
    else:
        t.early &= ~t.played_seats  # a call made with a play is used up by it (CO-12)


@inlined
def reset_duties(t: RoundState) -> None:
    """Begin the notes on an act anew, by which duties are judged."""
    t.changed_hands = 0
    t.played_seats = 0
    t.turn_passed = 0


@inlined
def finish_move(t: RoundState, seat: int) -> None:
    """The last step of every act of a seat: judge duties, let early calls lapse, end a round that fell short."""
    if t.uno_window == option_codes.WINDOW_AUTOMATIC:
        t.called = t.one_card_mask if t.phase <= phases.STACK else t.called & t.one_card_mask
        if piles.has_duties(t):
            reset_duties(t)
    elif t.phase <= phases.STACK:
        update_duties(t)
        if t.early != 0:
            expire_early_calls(t, seat)
        reset_duties(t)
    else:
        t.called &= ~t.changed_hands
        if t.exposed != 0:  # only where a window outlasts the next turn (LC-16)
            t.suspended_windows = t.exposed
            t.exposed = 0
    if t.supply_exhausted != 0 and t.phase != phases.OVER:
        end_deadlocked(t)  # LC-11

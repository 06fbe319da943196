"""Effects of the cards when they are laid."""

from lastcard.game import cards
from lastcard.kernel.jit import inlined, kernel
from lastcard.rules import event_codes, flow, layout, option_codes, phases, piles
from lastcard.rules.cards import card_color, card_face, is_number, is_wild
from lastcard.rules.round_state import RoundState


@inlined
def color_after(t: RoundState, card: int, arg: int) -> int:
    """Returns the current color after a card is laid: its own, the one named, or none."""
    if not is_wild(card):
        return card_color(card)
    return arg if t.game != option_codes.ALL_WILD and arg < cards.WILD else cards.NO_COLOR


@inlined
def lay_card(t: RoundState, seat: int, card: int, arg: int) -> None:
    """Move a card from a hand to the top of the discard pile; a wild names ``arg``."""
    piles.take_card(t, seat, card)
    piles.push_discard(t, card)
    t.successive_passes = 0
    if piles.has_duties(t):
        t.played_seats |= 1 << seat
    if piles.wild_bit(t, card) == 0:
        piles.set_colored_top(t, card)
        piles.emit(t, event_codes.PLAYED, seat, card, -1)
        return
    color = color_after(t, card, arg)
    piles.set_top(t, card, color)
    piles.emit(t, event_codes.PLAYED, seat, card, color)


@kernel
def reverse_direction(t: RoundState) -> None:
    """Flip the direction of play."""
    t.direction = -t.direction
    piles.emit(t, event_codes.REVERSED, -1, 1 if t.direction > 0 else 0, -1)


@kernel
def trade(t: RoundState, seat: int, target: int) -> None:
    """Exchange the hands of two players because of a card (AW-24, 6.3)."""
    piles.swap_hands(t, seat, target)
    t.successive_passes = 0
    piles.emit(t, event_codes.SWAPPED, seat, target, -1)


@kernel
def rotate_hands(t: RoundState) -> None:
    """Pass every hand to the neighbor in the direction of play (6.3)."""
    # Swapping along the ring, against the direction, shifts every hand by one seat.
    seat = 0
    for _ in range(t.players - 1):
        previous = seat - t.direction
        if previous < 0:
            previous += t.players
        elif previous >= t.players:
            previous -= t.players
        piles.swap_hands(t, seat, previous)
        seat = previous
    piles.emit(t, event_codes.HANDS_PASSED, -1, 1 if t.direction > 0 else 0, -1)


@kernel
def move_hands(t: RoundState, seat: int, face: int, arg: int) -> None:
    """Apply a 7 or a 0 under the option that they move hands (6.3)."""
    if face == cards.SEVEN:
        trade(t, seat, arg)
    elif face == 0:
        rotate_hands(t)


@inlined
def skip_over(t: RoundState, seat: int, count: int) -> None:
    """Skip the next ``count`` seats (CO-9) and give the turn to the one after them."""
    seat = flow.neighbor(t, seat)
    for _ in range(count):
        piles.emit(t, event_codes.SKIPPED, seat, -1, -1)
        seat = flow.neighbor(t, seat)
    flow.give_turn(t, seat)


@inlined
def after_draw(t: RoundState, seat: int) -> None:
    """Skip the next player, who has drawn for a card (CL-23, AW-19), or give them the turn (LC-47)."""
    if t.draw_keeps_turn != 0:
        flow.give_turn(t, flow.neighbor(t, seat))
    else:
        skip_over(t, seat, 1)


@inlined
def draw_and_skip(t: RoundState, seat: int, count: int) -> None:
    """Make the next player draw ``count`` cards and lose the turn (CL-23, AW-19)."""
    piles.draw(t, flow.neighbor(t, seat), count, event_codes.BY_CARD)
    after_draw(t, seat)


@kernel
def ask_next(t: RoundState, seat: int, decision: int) -> None:
    """Give the turn to the next player, who decides about the pending draw (CO-8)."""
    t.phase = decision
    t.turn = flow.neighbor(t, seat)
    t.barred &= ~(1 << t.turn)


@inlined
def can_answer(t: RoundState) -> bool:
    """Whether a card can answer a draw (6.1, 6.7)."""
    return t.stacking != option_codes.STACKING_OFF or t.deflect != 0


@inlined
def impose_draw(t: RoundState, seat: int, count: int) -> None:
    """Apply a Draw Two, or a draw four that cannot be challenged: at once, or pending if it can be answered."""
    t.pending += count
    t.pending_face = count
    if t.stacking != option_codes.STACKING_OFF or (t.deflect != 0 and count == 2):
        ask_next(t, seat, phases.STACK)
        return
    total = t.pending
    t.pending = 0
    draw_and_skip(t, seat, total)


@kernel
def reverse(t: RoundState, seat: int) -> None:
    """Apply a Reverse, which with two players may count as a Skip (AW-13, AW-14, CL-24, CL-26)."""
    reverse_direction(t)
    if t.players == 2 and t.two_player_reverse == option_codes.REVERSE_SKIPS:
        skip_over(t, seat, 1)
    else:
        flow.give_turn(t, flow.neighbor(t, seat))


@kernel
def skip_two(t: RoundState, seat: int) -> None:
    """Apply a Skip Two (AW-16 to AW-18)."""
    if t.players == 2 and t.two_player_skip_two == option_codes.SKIP_TWO_SAME:
        skip_over(t, seat, 1)
    else:
        skip_over(t, seat, 2)


@kernel
def lay_draw_four(t: RoundState, seat: int, answering: bool, color_before: int) -> None:
    """Apply a Wild Draw Four: the victim decides first (CL-32), except in All Wild or if it answers a draw."""
    if t.game == option_codes.ALL_WILD or answering or t.wd4_mode != option_codes.WD4_CHALLENGE:
        impose_draw(t, seat, 4)
        return
    t.pending = 4
    t.pending_face = 4
    t.challenged_seat = seat
    t.color_before = color_before
    t.was_bluff = 1 if piles.holds_color(t, seat, color_before) else 0  # CL-34: the hand at the moment of play
    ask_next(t, seat, phases.CHALLENGE)


@kernel
def draw_target(t: RoundState, seat: int, target: int) -> None:
    """Apply a Wild Targeted Draw Two (AW-23)."""
    piles.emit(t, event_codes.TARGET, seat, target, -1)
    piles.draw(t, target, 2, event_codes.BY_CARD)
    flow.give_turn(t, flow.neighbor(t, seat))


@kernel
def deflect_draw(t: RoundState, seat: int, face: int) -> None:
    """Apply a Skip or Reverse that answers a Draw Two (6.7, LC-45)."""
    if face == cards.REVERSE:
        reverse_direction(t)
    ask_next(t, seat, phases.STACK)


@inlined
def apply_effect(t: RoundState, seat: int, card: int, arg: int, answering: bool, color_before: int) -> None:
    """Apply the effect of a card that is not the last one."""
    face = card_face(card)
    if is_number(card):
        if t.seven_zero != 0:
            move_hands(t, seat, face, arg)
        flow.give_turn(t, flow.neighbor(t, seat))
    elif answering and (face == cards.SKIP or face == cards.REVERSE):
        deflect_draw(t, seat, face)
    elif face == cards.PLAIN:
        flow.give_turn(t, flow.neighbor(t, seat))
    elif face == cards.DRAW_FOUR:
        lay_draw_four(t, seat, answering, color_before)
    elif face == cards.SKIP_TWO:
        skip_two(t, seat)
    elif face == cards.TARGETED:
        draw_target(t, seat, arg)
    elif face == cards.SWAP:
        trade(t, seat, arg)
        flow.give_turn(t, flow.neighbor(t, seat))
    elif face == cards.SKIP:
        skip_over(t, seat, 1)
    elif face == cards.REVERSE:
        reverse(t, seat)
    elif face == cards.DRAW_TWO:
        impose_draw(t, seat, 2)
    elif face == cards.JACKPOT:
        require_pull(t, seat)


@kernel
def require_pull(t: RoundState, seat: int) -> None:
    """Make the player of a Jackpot pull the lever (WJ-20, WJ-22)."""
    t.phase = phases.PULL
    t.turn = seat
    t.puller = seat
    t.named_color = t.color if is_wild(t.top) else cards.NO_COLOR


@kernel
def finish(t: RoundState, seat: int, card: int, arg: int, answering: bool) -> None:
    """End the round with a last card: draws count, swaps give the win away, the rest has no effect (CO-42, AW-45)."""
    face = card_face(card)
    wild = is_wild(card)
    if face == cards.JACKPOT and t.wj_last_jackpot == option_codes.LAST_JACKPOT_PULL:
        require_pull(t, seat)
        return
    winner = seat
    total = t.pending if answering else 0
    if face == cards.DRAW_TWO:
        total += 2
    elif wild and face == cards.DRAW_FOUR:
        total += 4
    elif answering and face == cards.REVERSE:
        reverse_direction(t)
    elif wild and face == cards.SWAP and t.forced_swap_last_card == option_codes.SWAP_WINS_OTHER:
        trade(t, seat, arg)
        winner = arg
    elif not wild and t.seven_zero != 0 and t.seven_zero_last == option_codes.SEVEN_ZERO_EFFECT:
        if face == cards.SEVEN:
            trade(t, seat, arg)
            winner = arg
        elif face == 0:
            rotate_hands(t)
            winner = flow.neighbor(t, seat)
    if t.last_card_draw_counts != 0:  # LC-35
        if wild and face == cards.TARGETED and t.last_card_targeted_draw != option_codes.TARGETED_IGNORED:
            piles.emit(t, event_codes.TARGET, seat, arg, -1)
            piles.draw(t, arg, 2, event_codes.BY_CARD)
        if total > 0:
            piles.draw(t, flow.neighbor(t, seat), total, event_codes.BY_CARD)
    flow.win(t, winner)


@inlined
def complete_play(t: RoundState, seat: int, card: int, arg: int, answering: bool, drawn: bool) -> None:
    """Lay a legal card and apply its effect (CO-6).

    Args:
        answering: whether it answers a pending draw.
        drawn: whether it was drawn on this turn.
    """
    if drawn:
        t.stalled_turns += 1
        if t.stalled_turns == layout.MAX_STALLED_TURNS:
            t.supply_exhausted = 1  # LC-8
    else:
        t.stalled_turns = 0
    flow.begin_turn(t, seat)
    color_before = t.color
    lay_card(t, seat, card, arg)
    if t.held[seat] == 0:
        finish(t, seat, card, arg, answering)
    else:
        apply_effect(t, seat, card, arg, answering, color_before)


@inlined
def play(t: RoundState, seat: int, card: int, arg: int) -> None:
    """Lay a legal card as a turn, a drawn card, an answer or a jump-in, and apply its effect (CO-6)."""
    answering = (t.phase == phases.STACK or t.phase == phases.CHALLENGE) and can_answer(t)
    jumping = seat != t.turn and t.jump_in != 0
    if jumping:
        piles.emit(t, event_codes.JUMPED, seat, -1, -1)
        if piles.has_duties(t):
            t.turn_passed = 1
        if t.jump_in_stack != option_codes.JUMP_IN_ADDS:  # LC-41: a fresh draw
            answering = False
            t.pending = 0
    piles.uncount_free_card(t, seat, card)
    complete_play(t, seat, card, arg, answering, t.phase == phases.DRAWN and not jumping)

"""The lever outcome DISCARD, and the end of every outcome (WJ-41 to WJ-45)."""

from lastcard.game import cards
from lastcard.kernel.jit import kernel
from lastcard.rules import effects, event_codes, flow, legal, option_codes, phases, piles
from lastcard.rules.cards import card_color, card_face
from lastcard.rules.round_state import RoundState


@kernel
def mark_target(t: RoundState) -> int:
    """Mark the target of an action card, the next player or the next unmarked one (WJ-43, LC-28); returns the seat."""
    seat = flow.neighbor(t, t.origin)
    if t.wj_discard_multi == option_codes.MULTI_SUCCESSIVE:
        for _ in range(t.players):
            if seat != t.origin and t.skip_mask >> seat & 1 == 0:
                break
            seat = flow.neighbor(t, seat)
        if seat == t.origin:
            seat = flow.neighbor(t, seat)
    t.skip_mask |= 1 << seat
    return seat


@kernel
def reverse_off_turn(t: RoundState) -> None:
    """Apply a Reverse that is not laid as a turn (WJ-43, LC-53)."""
    effects.reverse_direction(t)
    if t.players == 2 and t.two_player_reverse == option_codes.REVERSE_SKIPS:
        t.skip_mask |= 1 << flow.neighbor(t, t.origin)


@kernel
def end_lever(t: RoundState) -> None:
    """End an outcome: pull again, win, or pass the turn on (WJ-25, LC-26, LC-27)."""
    t.performer = -1
    t.candidates = 0
    if t.held[t.puller] == 0:
        flow.win(t, t.puller)
    elif t.extra_pulls > 0:
        t.extra_pulls -= 1
        t.phase = phases.PULL
        t.turn = t.puller
    else:
        t.opening = 0
        flow.pass_on(t)


@kernel
def discard(t: RoundState, seat: int, card: int) -> None:
    """Discard one card; an action card takes effect at once (WJ-41 to WJ-45)."""
    color = card_color(card)
    face = card_face(card)
    piles.take_card(t, seat, card)
    piles.uncount_free_card(t, seat, card)
    piles.push_discard(t, card)
    t.successive_passes = 0
    t.discarded_colors |= 1 << color
    piles.set_top(t, card, t.color if t.wj_discard_color == option_codes.NAMED_STAYS and t.named_color >= 0 else color)
    piles.emit(t, event_codes.THREW, seat, card, -1)
    last = t.held[seat] == 0
    if face == cards.DRAW_TWO and not (last and t.last_card_draw_counts == 0):
        skip_mask = t.skip_mask
        piles.draw(t, mark_target(t), 2, event_codes.BY_LEVER)
        if t.draw_keeps_turn != 0:
            t.skip_mask = skip_mask  # LC-47
    elif face == cards.SKIP and not last:
        mark_target(t)
    elif face == cards.REVERSE and not last:
        reverse_off_turn(t)
    elif face == cards.JACKPOT and t.wj_discard_jackpot == option_codes.DISCARD_JACKPOT_PULL:
        t.extra_pulls += 1
    if last:
        flow.win(t, seat)
    elif not legal.can_discard_any(t, seat):
        end_lever(t)

"""The lever outcome DISCARD, and what follows when an outcome is carried out (WJ-41 to WJ-45)."""

from lastcard.game import cards
from lastcard.kernel.jit import kernel
from lastcard.rules import choice, effects, flow, legal, phase, piles, tape
from lastcard.rules.cards import card_color, card_face
from lastcard.rules.table import Table


@kernel
def strike(t: Table) -> int:
    """Mark the player an action strikes: the next one, or the next not yet marked (WJ-43, LC-28). Returns the seat."""
    seat = flow.neighbor(t, t.origin)
    if t.wj_discard_multi == choice.MULTI_SUCCESSIVE:
        for _ in range(t.players):
            if seat != t.origin and t.marks >> seat & 1 == 0:
                break
            seat = flow.neighbor(t, seat)
        if seat == t.origin:
            seat = flow.neighbor(t, seat)
    t.marks |= 1 << seat
    return seat


@kernel
def flip(t: Table) -> None:
    """A Reverse outside a turn of its own (WJ-43, LC-53)."""
    effects.turn_direction(t)
    if t.players == 2 and t.two_player_reverse == choice.REVERSE_SKIPS:
        t.marks |= 1 << flow.neighbor(t, t.origin)


@kernel
def end_lever(t: Table) -> None:
    """The outcome is carried out: pull again, go out, or let play go on (WJ-25, LC-26, LC-27)."""
    t.performer = -1
    t.candidates = 0
    if t.held[t.puller] == 0:
        flow.win(t, t.puller)
    elif t.pulls > 0:
        t.pulls -= 1
        t.phase = phase.PULL
        t.turn = t.puller
    else:
        t.opening = 0
        flow.pass_on(t)


@kernel
def throw(t: Table, seat: int, card: int) -> None:
    """Throw off one card: its action strikes at once, in the chosen order (WJ-41 to WJ-45)."""
    color = card_color(card)
    face = card_face(card)
    piles.take_card(t, seat, card)
    piles.take_free(t, seat, card)
    piles.lay(t, card)
    t.passes = 0
    t.thrown |= 1 << color
    piles.set_top(t, card, t.color if t.wj_discard_color == choice.NAMED_STAYS and t.named >= 0 else color)
    piles.note(t, tape.THREW, seat, card, -1)
    last = t.held[seat] == 0
    if face == cards.DRAW_TWO and not (last and t.last_card_draw_counts == 0):
        marks = t.marks
        piles.draw(t, strike(t), 2, tape.BY_LEVER)
        if t.draw_keeps_turn != 0:
            t.marks = marks  # LC-47
    elif face == cards.SKIP and not last:
        strike(t)
    elif face == cards.REVERSE and not last:
        flip(t)
    elif face == cards.JACKPOT and t.wj_discard_jackpot == choice.DISCARD_JACKPOT_PULL:
        t.pulls += 1
    if last:
        flow.win(t, seat)
    elif not legal.can_throw_any(t, seat):
        end_lever(t)

"""Applying one action: the only place where a table changes once it is dealt."""

from typing import Final

from lastcard.game import act, cards
from lastcard.kernel.jit import inlined, kernel
from lastcard.rules import choice, effects, flow, legal, lever, phase, piles, reason, rulecards, tape, throws
from lastcard.rules.table import Table

UNO_CALLED: Final = 1 << act.UNO_SHIFT


@inlined
def playable_drawn(t: Table, seat: int, card: int) -> bool:
    """Whether a card just drawn could be played at once."""
    return legal.why_not_card(t, seat, card, t.wd4_mode == choice.WD4_STRICT) == reason.OK


@inlined
def draw_turn(t: Table, seat: int) -> None:
    """Draw instead of playing: one card, or until one can be played; a pass where nothing exists (CO-3, CO-34, 6.4)."""
    flow.begin_turn(t, seat)
    if t.pile_n == 0 and piles.available(t) == 0:
        t.passes += 1
        t.circles = 0
        piles.note(t, tape.PASSED, seat, -1, -1)
        if t.passes >= t.players:
            flow.end_deadlocked(t)
        else:
            flow.give_turn(t, flow.neighbor(t, seat))
        return
    while True:
        card = piles.take_top(t, tape.BY_TURN)
        if card < 0:
            break
        t.passes = 0
        piles.add_card(t, seat, card)
        piles.add_free(t, seat, card)
        piles.note(t, tape.DREW, seat, card, tape.BY_TURN)
        if playable_drawn(t, seat, card):
            if t.draw_then_play != choice.NEVER_PLAY:
                t.drawn = card
                t.phase = phase.DRAWN
                return
            break
        if t.draw_mode != choice.UNTIL_PLAYABLE:
            break
    t.circles = 0
    flow.give_turn(t, flow.neighbor(t, seat))


@kernel
def call_uno(t: Table, seat: int) -> None:
    """Call UNO: valid, early, or false with a penalty (CO-11 to CO-13)."""
    if legal.why_no_call(t, seat) != reason.OK:
        fine_call(t, seat)
        return
    bit = 1 << seat
    if t.held[seat] == 1:
        t.called |= bit
        t.exposed &= ~bit
    else:
        t.early |= bit
    piles.note(t, tape.CALLED, seat, -1, -1)


@kernel
def judge_calls(t: Table) -> None:
    """An action is resolved: a call with a play that has not left one card may have been false (LC-5, LC-18)."""
    for seat in range(t.players):
        if t.unsure >> seat & 1 != 0 and t.held[seat] != 1:
            fine_call(t, seat)
    t.unsure = 0


@kernel
def fine_call(t: Table, seat: int) -> None:
    """A false call costs two cards (LC-18)."""
    piles.note(t, tape.FALSE_CALL, seat, -1, -1)
    piles.draw(t, seat, 2, tape.BY_PENALTY)


@kernel
def catch(t: Table, seat: int, target: int) -> None:
    """Catch a player who forgot to call, or pay for a false catch (CO-17, CO-20)."""
    bit = 1 << target
    if t.exposed & bit == 0:
        piles.note(t, tape.FALSE_CATCH, seat, target, -1)
        piles.draw(t, seat, 2, tape.BY_PENALTY)
        return
    piles.note(t, tape.CAUGHT, target, seat, -1)
    t.exposed &= ~bit
    t.caught |= bit
    piles.draw(t, target, t.uno_penalty, tape.BY_PENALTY)


@kernel
def accept(t: Table, seat: int) -> None:
    """Take the pending cards (CL-33, 6.1)."""
    total = t.pending
    t.pending = 0
    piles.draw(t, seat, total, tape.BY_CARD)
    effects.after_draw(t, t.origin)


@kernel
def challenge(t: Table, seat: int) -> None:
    """Challenge the Wild Draw Four: the cards go to the guilty, or with two more to the challenger (CL-34 to CL-36)."""
    victim = t.turn
    guilty = t.guilty
    if t.challenge_evidence == choice.EVIDENCE_NOW:
        guilty = 1 if piles.holds_color(t, t.accused, t.color_before) else 0
    total = t.pending
    t.pending = 0
    piles.note(t, tape.CHALLENGED, t.accused, seat, guilty)
    piles.note(t, tape.SHOWN, t.accused, seat, -1)
    if guilty == 1:
        piles.draw(t, t.accused, total, tape.BY_CHALLENGE)
        if t.challenge_win_turn == choice.CHALLENGER_SKIPPED:
            effects.skip_over(t, t.accused, 1)
        else:
            flow.give_turn(t, victim)
        return
    more = t.challenge_fail_draw - 4
    if seat == victim:
        piles.draw(t, victim, total + more, tape.BY_CHALLENGE)
    elif t.stacking != choice.STACKING_OFF:
        piles.draw(t, seat, more, tape.BY_CHALLENGE)
        t.pending = total
        t.phase = phase.STACK  # LC-19: the victim may still answer
        return
    else:
        piles.draw(t, victim, total, tape.BY_CHALLENGE)
        piles.draw(t, seat, more, tape.BY_CHALLENGE)
    effects.after_draw(t, t.accused)


@kernel
def name_color(t: Table, seat: int, color: int) -> None:
    """Name the color of an opening wild or after "play all your Wild cards" (CL-10, WJ-9, R4)."""
    piles.set_top(t, t.top, color)
    piles.note(t, tape.COLOR, seat, color, -1)
    if t.performer >= 0:
        rulecards.go_on(t)
    elif t.opening == 2:
        t.named = color
        begin_opening_jackpot(t, seat)
    else:
        t.opening = 0
        flow.give_turn(t, seat)


@kernel
def begin_opening_jackpot(t: Table, seat: int) -> None:
    """A Jackpot was turned over: the player left of the dealer names a performer, or pulls (WJ-8, WJ-9, LC-30)."""
    t.opening = 1
    t.puller = seat
    t.origin = t.dealer
    t.performers = 0
    t.perform_step = t.direction
    if t.wj_first_jackpot == choice.FIRST_JACKPOT_LEVER:
        t.phase = phase.PULL
        t.turn = seat
    else:
        lever.choose_performer(t, seat)


@kernel
def choose(t: Table, seat: int, other: int) -> None:
    """A player has been named, to perform a rule card or inside one."""
    piles.note(t, tape.CHOSE, seat, other, -1)
    if t.performer >= 0:
        rulecards.choose_in_effect(t, seat, other)
    else:
        rulecards.perform(t, other)


@kernel
def act_rarely(t: Table, seat: int, action: int) -> None:
    """``apply`` for all but plays and draws, which would only slow those down."""
    code = action & 255
    arg = (action >> 8) & 15
    if code < cards.CARD_SLOTS:
        rulecards.play_streak(t, seat, code, arg)
    elif code == act.PASS:
        piles.note(t, tape.PASSED, seat, -1, -1)
        t.circles = 0
        flow.give_turn(t, flow.neighbor(t, seat))
    elif code == act.UNO:
        call_uno(t, seat)
    elif code == act.CATCH:
        catch(t, seat, arg)
    elif code == act.ACCEPT:
        accept(t, seat)
    elif code == act.CHALLENGE:
        challenge(t, seat)
    elif code == act.COLOR:
        name_color(t, seat, arg)
    elif code == act.CHOOSE or code == act.TAKE:
        choose(t, seat, arg)
    elif code == act.PULL:
        lever.pull(t, seat)
    elif code == act.THROW:
        throws.throw(t, seat, action >> 16)
    elif code == act.STOP:
        throws.end_lever(t)
    elif code == act.BURY:
        rulecards.bury_one(t, seat, action >> 16)
    elif code == act.DONE:
        piles.note(t, tape.DONE, seat, -1, -1)
        rulecards.go_on(t)


@inlined
def apply(t: Table, seat: int, action: int) -> None:
    """Do a legal canonical action. Nothing is checked: ask ``why_not`` first."""
    t.tape_n = 0
    code = action & 255
    if action & UNO_CALLED != 0 and piles.has_duties(t):
        t.early |= 1 << seat
        if t.false_uno_penalty != 0 and t.held[seat] != 2:
            t.unsure |= 1 << seat
        piles.note(t, tape.CALLED, seat, -1, -1)
    if code < cards.CARD_SLOTS and t.phase != phase.STREAK:
        effects.play(t, seat, code, (action >> 8) & 15)
    elif code == act.DRAW:
        draw_turn(t, seat)
    else:
        act_rarely(t, seat, action)
    if t.false_uno_penalty != 0 and t.unsure != 0 and t.phase <= phase.STACK:
        judge_calls(t)
    flow.settle(t, seat)


@inlined
def take_turn(t: Table, seat: int, card: int, arg: int, drawn: bool) -> None:
    """``apply`` for a turn of which nobody has made an action, as that would only be taken apart again.

    Args:
        card: the one to lay; -1 to draw.
        arg: what it names, ``NO_ARG`` for nothing.
        drawn: the card was drawn on this turn.
    """
    t.tape_n = 0
    if card < 0:
        draw_turn(t, seat)
    else:
        effects.complete_play(t, seat, card, arg, False, drawn)
    flow.settle(t, seat)

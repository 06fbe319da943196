"""Application of one action: the only place where a dealt round state changes."""

from typing import Final

from lastcard.game import action_codes, cards
from lastcard.kernel.jit import inlined, kernel
from lastcard.rules import (
    discard_outcome,
    effects,
    event_codes,
    flow,
    legal,
    lever,
    option_codes,
    phases,
    piles,
    refusal_reasons,
    rulecards,
)
from lastcard.rules.round_state import RoundState

UNO_CALLED: Final = 1 << action_codes.UNO_SHIFT


@inlined
def playable_drawn(t: RoundState, seat: int, card: int) -> bool:
    """Whether the drawn card could be played at once."""
    return legal.card_refusal(t, seat, card, t.wd4_mode == option_codes.WD4_STRICT) == refusal_reasons.OK


@inlined
def draw_turn(t: RoundState, seat: int) -> None:
    """Draw instead of playing: one card, or until one can be played; pass if none exists (CO-3, CO-34, 6.4)."""
    flow.begin_turn(t, seat)
    if t.pile_n == 0 and piles.available(t) == 0:
        t.successive_passes += 1
        t.stalled_turns = 0
        piles.emit(t, event_codes.PASSED, seat, -1, -1)
        if t.successive_passes >= t.players:
            flow.end_deadlocked(t)
        else:
            flow.give_turn(t, flow.neighbor(t, seat))
        return
    while True:
        card = piles.take_top(t, event_codes.BY_TURN)
        if card < 0:
            break
        t.successive_passes = 0
        piles.add_card(t, seat, card)
        piles.count_free_card(t, seat, card)
        piles.emit(t, event_codes.DREW, seat, card, event_codes.BY_TURN)
        if playable_drawn(t, seat, card):
            if t.draw_then_play != option_codes.NEVER_PLAY:
                t.drawn = card
                t.phase = phases.DRAWN
                return
            break
        if t.draw_mode != option_codes.UNTIL_PLAYABLE:
            break
    t.stalled_turns = 0
    flow.give_turn(t, flow.neighbor(t, seat))


@kernel
def call_uno(t: RoundState, seat: int) -> None:
    """Call UNO: valid, early, or false with a penalty (CO-11 to CO-13)."""
    if legal.call_refusal(t, seat) != refusal_reasons.OK:
        penalize_call(t, seat)
        return
    bit = 1 << seat
    if t.held[seat] == 1:
        t.called |= bit
        t.exposed &= ~bit
    else:
        t.early |= bit
    piles.emit(t, event_codes.CALLED, seat, -1, -1)


@kernel
def check_unverified_calls(t: RoundState) -> None:
    """Check calls made with a play after it is resolved: one that has not left one card may be false (LC-5, LC-18)."""
    for seat in range(t.players):
        if t.unverified_calls >> seat & 1 != 0 and t.held[seat] != 1:
            penalize_call(t, seat)
    t.unverified_calls = 0


@kernel
def penalize_call(t: RoundState, seat: int) -> None:
    """Make a seat draw two cards for a false call (LC-18)."""
    piles.emit(t, event_codes.FALSE_CALL, seat, -1, -1)
    piles.draw(t, seat, 2, event_codes.BY_PENALTY)


@kernel
def catch(t: RoundState, seat: int, target: int) -> None:
    """Catch a player who forgot to call, or draw for a false catch (CO-17, CO-20)."""
    bit = 1 << target
    if t.exposed & bit == 0:
        piles.emit(t, event_codes.FALSE_CATCH, seat, target, -1)
        piles.draw(t, seat, 2, event_codes.BY_PENALTY)
        return
    piles.emit(t, event_codes.CAUGHT, target, seat, -1)
    t.exposed &= ~bit
    t.catch_exempt |= bit
    piles.draw(t, target, t.uno_penalty, event_codes.BY_PENALTY)


@kernel
def accept(t: RoundState, seat: int) -> None:
    """Draw the pending cards (CL-33, 6.1)."""
    total = t.pending
    t.pending = 0
    piles.draw(t, seat, total, event_codes.BY_CARD)
    effects.after_draw(t, t.origin)


@kernel
def challenge(t: RoundState, seat: int) -> None:
    """Challenge the Wild Draw Four: a bluffer draws the cards, else the challenger and two more (CL-34 to CL-36)."""
    victim = t.turn
    guilty = t.was_bluff
    if t.challenge_evidence == option_codes.EVIDENCE_NOW:
        guilty = 1 if piles.holds_color(t, t.challenged_seat, t.color_before) else 0
    total = t.pending
    t.pending = 0
    piles.emit(t, event_codes.CHALLENGED, t.challenged_seat, seat, guilty)
    piles.emit(t, event_codes.SHOWN, t.challenged_seat, seat, -1)
    if guilty == 1:
        piles.draw(t, t.challenged_seat, total, event_codes.BY_CHALLENGE)
        if t.challenge_win_turn == option_codes.CHALLENGER_SKIPPED:
            effects.skip_over(t, t.challenged_seat, 1)
        else:
            flow.give_turn(t, victim)
        return
    more = t.challenge_fail_draw - 4
    if seat == victim:
        piles.draw(t, victim, total + more, event_codes.BY_CHALLENGE)
    elif t.stacking != option_codes.STACKING_OFF:
        piles.draw(t, seat, more, event_codes.BY_CHALLENGE)
        t.pending = total
        t.phase = phases.STACK  # LC-19: the victim may still answer
        return
    else:
        piles.draw(t, victim, total, event_codes.BY_CHALLENGE)
        piles.draw(t, seat, more, event_codes.BY_CHALLENGE)
    effects.after_draw(t, t.challenged_seat)


@kernel
def name_color(t: RoundState, seat: int, color: int) -> None:
    """Name the color of an opening wild or after "play all your Wild cards" (CL-10, WJ-9, R4)."""
    piles.set_top(t, t.top, color)
    piles.emit(t, event_codes.COLOR, seat, color, -1)
    if t.performer >= 0:
        rulecards.finish_effect(t)
    elif t.opening == 2:
        t.named_color = color
        begin_opening_jackpot(t, seat)
    else:
        t.opening = 0
        flow.give_turn(t, seat)


@kernel
def begin_opening_jackpot(t: RoundState, seat: int) -> None:
    """Make the player left of the dealer name a performer or pull after a turned Jackpot (WJ-8, WJ-9, LC-30)."""
    t.opening = 1
    t.puller = seat
    t.origin = t.dealer
    t.performers_left = 0
    t.perform_direction = t.direction
    if t.wj_first_jackpot == option_codes.FIRST_JACKPOT_LEVER:
        t.phase = phases.PULL
        t.turn = seat
    else:
        lever.choose_performer(t, seat)


@kernel
def choose(t: RoundState, seat: int, other: int) -> None:
    """Name a player, to perform a rule card or inside one."""
    piles.emit(t, event_codes.CHOSE, seat, other, -1)
    if t.performer >= 0:
        rulecards.choose_in_effect(t, seat, other)
    else:
        rulecards.perform(t, other)


@kernel
def apply_rare(t: RoundState, seat: int, action: int) -> None:
    """``apply`` for all actions but plays and draws, separate so that those are fast."""
    code = action & 255
    arg = (action >> 8) & 15
    if code < cards.CARD_SLOTS:
        rulecards.play_streak(t, seat, code, arg)
    elif code == action_codes.PASS:
        piles.emit(t, event_codes.PASSED, seat, -1, -1)
        t.stalled_turns = 0
        flow.give_turn(t, flow.neighbor(t, seat))
    elif code == action_codes.UNO:
        call_uno(t, seat)
    elif code == action_codes.CATCH:
        catch(t, seat, arg)
    elif code == action_codes.ACCEPT:
        accept(t, seat)
    elif code == action_codes.CHALLENGE:
        challenge(t, seat)
    elif code == action_codes.COLOR:
        name_color(t, seat, arg)
    elif code == action_codes.CHOOSE or code == action_codes.TAKE:
        choose(t, seat, arg)
    elif code == action_codes.PULL:
        lever.pull(t, seat)
    elif code == action_codes.THROW:
        discard_outcome.discard(t, seat, action >> 16)
    elif code == action_codes.STOP:
        discard_outcome.end_lever(t)
    elif code == action_codes.BURY:
        rulecards.bury_one(t, seat, action >> 16)
    elif code == action_codes.DONE:
        piles.emit(t, event_codes.DONE, seat, -1, -1)
        rulecards.finish_effect(t)


@inlined
def apply(t: RoundState, seat: int, action: int) -> None:
    """Apply a legal canonical action. It is not checked: call ``legal.refusal_reason`` first."""
    t.event_log_n = 0
    code = action & 255
    if action & UNO_CALLED != 0 and piles.has_duties(t):
        t.early |= 1 << seat
        if t.false_uno_penalty != 0 and t.held[seat] != 2:
            t.unverified_calls |= 1 << seat
        piles.emit(t, event_codes.CALLED, seat, -1, -1)
    if code < cards.CARD_SLOTS and t.phase != phases.STREAK:
        effects.play(t, seat, code, (action >> 8) & 15)
    elif code == action_codes.DRAW:
        draw_turn(t, seat)
    else:
        apply_rare(t, seat, action)
    if t.false_uno_penalty != 0 and t.unverified_calls != 0 and t.phase <= phases.STACK:
        check_unverified_calls(t)
    flow.finish_move(t, seat)


@inlined
def take_turn(t: RoundState, seat: int, card: int, arg: int, drawn: bool) -> None:
    """``apply`` for a turn given as its parts instead of an encoded action.

    Args:
        card: card to lay; -1 to draw.
        arg: color or target that it names, or ``NO_ARG``.
        drawn: whether the card was drawn on this turn.
    """
    t.event_log_n = 0
    if card < 0:
        draw_turn(t, seat)
    else:
        effects.complete_play(t, seat, card, arg, False, drawn)
    flow.finish_move(t, seat)

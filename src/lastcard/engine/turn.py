"""Applying one action: the only place where a table changes once it is dealt."""

from __future__ import annotations

from typing import Any, Final

from lastcard.engine.effects import play, skip_over
from lastcard.engine.flow import begin_turn, end_deadlocked, give_turn, neighbor, settle
from lastcard.engine.jit import inlined, kernel
from lastcard.engine.layout import (
    BY_CARD,
    BY_CHALLENGE,
    BY_PENALTY,
    BY_TURN,
    CHALLENGER_SKIPPED,
    DRAWN,
    E_CALLED,
    E_CAUGHT,
    E_CHALLENGED,
    E_CHOSE,
    E_COLOR,
    E_DONE,
    E_DREW,
    E_FALSE_CALL,
    E_FALSE_CATCH,
    E_PASSED,
    E_SHOWN,
    EVIDENCE_NOW,
    FIRST_JACKPOT_LEVER,
    NEVER_PLAY,
    OK,
    PULL,
    STREAK,
    UNTIL_PLAYABLE,
    WD4_STRICT,
)
from lastcard.engine.legal import why_no_call
from lastcard.engine.lever import choose_performer, pull
from lastcard.engine.piles import add_card, available, draw, holds_color, note, set_top, take_top
from lastcard.engine.plays import why_not_card
from lastcard.engine.rulecards import bury_one, choose_in_effect, go_on, perform, play_streak
from lastcard.engine.throws import end_lever, throw
from lastcard.game.actions import ACCEPT, CATCH, DONE, DRAW, PASS, STOP, UNO, UNO_SHIFT
from lastcard.game.actions import BURY as ACT_BURY
from lastcard.game.actions import CHALLENGE as ACT_CHALLENGE
from lastcard.game.actions import CHOOSE as ACT_CHOOSE
from lastcard.game.actions import COLOR as ACT_COLOR
from lastcard.game.actions import PULL as ACT_PULL
from lastcard.game.actions import TAKE as ACT_TAKE
from lastcard.game.actions import THROW as ACT_THROW
from lastcard.game.cards import CARD_SLOTS

UNO_CALLED: Final = 1 << UNO_SHIFT


@inlined
def playable_drawn(t: Any, seat: int, card: int) -> bool:
    """Whether a card just drawn could be played at once."""
    return why_not_card(t, seat, card, t.wd4_mode == WD4_STRICT) == OK


@inlined
def draw_turn(t: Any, seat: int) -> None:
    """Draw instead of playing: one card, or until one can be played; a pass where nothing exists (CO-3, CO-34, 6.4)."""
    begin_turn(t, seat)
    if t.pile_n == 0 and available(t) == 0:
        t.passes += 1
        t.circles = 0
        note(t, E_PASSED, seat, -1, -1)
        if t.passes >= t.players:
            end_deadlocked(t)
        else:
            give_turn(t, neighbor(t, seat))
        return
    while True:
        card = take_top(t)
        if card < 0:
            break
        t.passes = 0
        add_card(t, seat, card)
        note(t, E_DREW, seat, card, BY_TURN)
        if playable_drawn(t, seat, card):
            if t.draw_then_play != NEVER_PLAY:
                t.drawn = card
                t.phase = DRAWN
                return
            break
        if t.draw_mode != UNTIL_PLAYABLE:
            break
    t.circles = 0
    give_turn(t, neighbor(t, seat))


@kernel
def call_uno(t: Any, seat: int) -> None:
    """Call UNO: valid, early, or false with a penalty (CO-11 to CO-13)."""
    if why_no_call(t, seat) != OK:
        note(t, E_FALSE_CALL, seat, -1, -1)
        draw(t, seat, 2, BY_PENALTY)
        return
    bit = 1 << seat
    if t.held[seat] == 1:
        t.called |= bit
        t.exposed &= ~bit
    else:
        t.early |= bit
    note(t, E_CALLED, seat, -1, -1)


@kernel
def catch(t: Any, seat: int, target: int) -> None:
    """Catch a player who forgot to call, or pay for a false catch (CO-17, CO-20)."""
    bit = 1 << target
    if t.exposed & bit == 0:
        note(t, E_FALSE_CATCH, seat, target, -1)
        draw(t, seat, 2, BY_PENALTY)
        return
    note(t, E_CAUGHT, target, seat, -1)
    t.exposed &= ~bit
    draw(t, target, t.uno_penalty, BY_PENALTY)


@kernel
def accept(t: Any, seat: int) -> None:
    """Take the pending cards and lose the turn (CL-33, 6.1)."""
    total = t.pending
    t.pending = 0
    draw(t, seat, total, BY_CARD)
    skip_over(t, t.origin, 1)


@kernel
def challenge(t: Any, seat: int) -> None:
    """Challenge the Wild Draw Four: the cards go to the guilty, or with two more to the challenger (CL-34 to CL-36)."""
    victim = t.turn
    guilty = t.guilty
    if t.challenge_evidence == EVIDENCE_NOW:
        guilty = 1 if holds_color(t, t.accused, t.color_before) else 0
    total = t.pending
    t.pending = 0
    note(t, E_CHALLENGED, t.accused, seat, guilty)
    note(t, E_SHOWN, t.accused, seat, -1)
    if guilty == 1:
        draw(t, t.accused, total, BY_CHALLENGE)
        if t.challenge_win_turn == CHALLENGER_SKIPPED:
            skip_over(t, t.accused, 1)
        else:
            give_turn(t, victim)
        return
    if seat == victim:
        draw(t, victim, total + t.challenge_fail_draw - 4, BY_CHALLENGE)
    else:
        draw(t, victim, total, BY_CHALLENGE)
        draw(t, seat, t.challenge_fail_draw - 4, BY_CHALLENGE)
    skip_over(t, t.accused, 1)


@kernel
def name_color(t: Any, seat: int, color: int) -> None:
    """Name the color of an opening wild or after "play all your Wild cards" (CL-10, WJ-9, R4)."""
    set_top(t, t.top, color)
    note(t, E_COLOR, seat, color, -1)
    if t.performer >= 0:
        go_on(t)
    elif t.opening == 2:
        t.named = color
        begin_opening_jackpot(t, seat)
    else:
        t.opening = 0
        give_turn(t, seat)


@kernel
def begin_opening_jackpot(t: Any, seat: int) -> None:
    """A Jackpot was turned over: the player left of the dealer names a performer, or pulls (WJ-8, WJ-9, LC-30)."""
    t.opening = 1
    t.puller = seat
    t.origin = t.dealer
    t.performers = 0
    t.perform_step = t.direction
    if t.wj_first_jackpot == FIRST_JACKPOT_LEVER:
        t.phase = PULL
        t.turn = seat
    else:
        choose_performer(t, seat)


@kernel
def choose(t: Any, seat: int, other: int) -> None:
    """A player has been named, to perform a rule card or inside one."""
    note(t, E_CHOSE, seat, other, -1)
    if t.performer >= 0:
        choose_in_effect(t, seat, other)
    else:
        perform(t, other)


@kernel
def act_rarely(t: Any, seat: int, action: int) -> None:
    """``apply`` for all but plays and draws, which would only slow those down."""
    code = action & 255
    arg = (action >> 8) & 15
    if code < CARD_SLOTS:
        play_streak(t, seat, code, arg)
    elif code == PASS:
        note(t, E_PASSED, seat, -1, -1)
        t.circles = 0
        give_turn(t, neighbor(t, seat))
    elif code == UNO:
        call_uno(t, seat)
    elif code == CATCH:
        catch(t, seat, arg)
    elif code == ACCEPT:
        accept(t, seat)
    elif code == ACT_CHALLENGE:
        challenge(t, seat)
    elif code == ACT_COLOR:
        name_color(t, seat, arg)
    elif code == ACT_CHOOSE or code == ACT_TAKE:
        choose(t, seat, arg)
    elif code == ACT_PULL:
        pull(t, seat)
    elif code == ACT_THROW:
        throw(t, seat, action >> 16)
    elif code == STOP:
        end_lever(t)
    elif code == ACT_BURY:
        bury_one(t, seat, action >> 16)
    elif code == DONE:
        note(t, E_DONE, seat, -1, -1)
        go_on(t)


@inlined
def apply(t: Any, seat: int, action: int) -> None:
    """Do a legal canonical action. Nothing is checked: ask ``why_not`` first."""
    t.tape_n = 0
    code = action & 255
    if action & UNO_CALLED != 0:
        t.early |= 1 << seat
        note(t, E_CALLED, seat, -1, -1)
    if code < CARD_SLOTS and t.phase != STREAK:
        play(t, seat, code, (action >> 8) & 15)
    elif code == DRAW:
        draw_turn(t, seat)
    else:
        act_rarely(t, seat, action)
    settle(t, seat)

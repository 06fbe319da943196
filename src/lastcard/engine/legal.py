"""What may be done: one question, ``why_not``, answered with a reason or OK; and the list of acts.

An action is an integer (``lastcard.game.act``): ``code | arg << 8 | uno << 12 | card << 16``.
"""

from __future__ import annotations

from typing import Any

from lastcard.engine import choice, phase, reason
from lastcard.engine.bits import lowest_bit
from lastcard.engine.jit import kernel
from lastcard.engine.piles import available, holds_color
from lastcard.engine.plays import NAMES_COLOR, NAMES_NOTHING, NO_ARG, can_play_any, may_be_last, naming, why_not_play
from lastcard.game import act
from lastcard.game.cards import CARD_SLOTS, FACES_PER_COLOR, W_DRAW_FOUR, WILD


@kernel
def why_not_draw(t: Any, seat: int) -> int:
    """Whether a seat may draw instead of playing (CL-18, CL-19, CO-34)."""
    if seat != t.turn:
        return reason.NOT_YOUR_TURN
    if t.phase != phase.PLAY:
        return reason.ALREADY_DREW if t.phase == phase.DRAWN else reason.DECIDE_FIRST
    if available(t) == 0:
        return reason.NOTHING_TO_DRAW if can_play_any(t, seat, False) else reason.OK
    if t.force_play == choice.FORCE_ALWAYS and can_play_any(t, seat, True):
        return reason.MUST_NOT_DRAW
    if t.voluntary_draw == choice.DRAW_IF_NO_PLAYABLE and can_play_any(t, seat, False):
        return reason.MUST_NOT_DRAW
    return reason.OK


@kernel
def why_not_pass(t: Any, seat: int) -> int:
    """Whether a seat may keep the card it has drawn (CO-4, LC-44)."""
    if seat != t.turn:
        return reason.NOT_YOUR_TURN
    if t.phase != phase.DRAWN:
        return reason.NO_PASS if t.phase == phase.PLAY else reason.DECIDE_FIRST
    if t.draw_then_play == choice.MUST_PLAY or t.force_play != choice.FORCE_OFF:
        bluff = t.drawn == W_DRAW_FOUR and t.game != choice.ALL_WILD and holds_color(t, seat, t.color)
        if not bluff or t.wd4_mode == choice.WD4_FREE:
            return reason.MUST_PLAY_DRAWN
    return reason.OK


@kernel
def why_no_call(t: Any, seat: int) -> int:
    """Whether a seat may call UNO now, penalties for false calls aside (CO-11, CO-13, LC-17)."""
    if t.phase > phase.STACK:
        return reason.CALL_NOT_NOW
    if t.held[seat] == 1:
        return reason.OK
    if t.held[seat] != 2:
        return reason.CALL_COUNT
    if t.uno_early_call == choice.EARLY_ANY_TIME:
        return reason.OK
    if t.uno_early_call == choice.EARLY_WITH_PLAY:
        return reason.CALL_EARLY
    return reason.OK if seat == t.turn and t.phase != phase.CHALLENGE else reason.CALL_COUNT


@kernel
def why_no_catch(t: Any, seat: int, target: int) -> int:
    """Whether a seat may catch another, penalties for false catches aside (CO-14, CO-15, CO-20)."""
    if t.phase > phase.STACK:
        return reason.CALL_NOT_NOW
    if target < 0 or target >= t.players:
        return reason.BAD_TARGET
    if target == seat:
        return reason.CATCH_SELF
    return reason.OK if t.exposed >> target & 1 != 0 else reason.CATCH_CLOSED


@kernel
def why_no_challenge(t: Any, seat: int) -> int:
    """Whether a seat may challenge the Wild Draw Four (CL-32, LC-19)."""
    if t.phase != phase.CHALLENGE:
        return reason.NO_CHALLENGE if t.phase <= phase.STACK else reason.DECIDE_FIRST
    if seat == t.turn or (t.challenge_by == choice.CHALLENGE_ANYONE and seat != t.accused):
        return reason.OK
    return reason.NOT_CHALLENGER


@kernel
def may_throw(t: Any, seat: int, card: int) -> int:
    """Whether a held card may be thrown off in DISCARD (WJ-40e, WJ-41, LC-15)."""
    if card >= WILD * FACES_PER_COLOR:
        return reason.THROW_WILD
    if t.thrown >> (card // FACES_PER_COLOR) & 1 != 0:
        return reason.THROW_COLOR
    if t.held[seat] == 1 and not may_be_last(t, card):
        return reason.NOT_LAST
    return reason.OK


@kernel
def can_throw_any(t: Any, seat: int) -> bool:
    """Whether anything can still be thrown off."""
    colored = t.colored[seat]
    while colored != 0:
        if may_throw(t, seat, lowest_bit(colored)) == reason.OK:
            return True
        colored &= colored - 1
    return False


@kernel
def why_not_decided(t: Any, seat: int, code: int, arg: int, card: int) -> int:
    """Whether one of the acts that answer a decision is possible."""
    wanted = -1
    if code == act.COLOR:
        wanted = phase.COLOR
    elif code == act.CHOOSE:
        wanted = phase.CHOOSE
    elif code == act.PULL:
        wanted = phase.PULL
    elif code == act.THROW or code == act.STOP:
        wanted = phase.THROW
    elif code == act.BURY:
        wanted = phase.BURY
    elif code == act.TAKE:
        wanted = phase.TAKE
    elif code == act.DONE:
        wanted = phase.PERFORM
    if wanted < 0:
        return reason.NOT_AN_ACT
    if t.phase != wanted:
        if wanted == phase.PULL and t.phase <= phase.STACK:
            return reason.NO_LEVER
        return reason.NOT_ASKED if t.phase <= phase.STACK else reason.DECIDE_FIRST
    if seat != t.turn:
        return reason.NOT_YOUR_TURN
    if wanted == phase.COLOR:
        return reason.OK if arg < WILD else reason.COLOR_NEEDED
    if wanted == phase.CHOOSE or wanted == phase.TAKE:
        return reason.OK if arg < t.players and t.candidates >> arg & 1 != 0 else reason.BAD_TARGET
    if code == act.THROW or code == act.BURY:
        if card < 0 or card >= CARD_SLOTS or t.counts[seat, card] == 0:
            return reason.NOT_HELD
        return may_throw(t, seat, card) if code == act.THROW else reason.OK
    return reason.OK


@kernel
def why_not(t: Any, seat: int, action: int) -> int:
    """Why a seat may not do a canonical action now: a reason, OK where it may."""
    if t.phase == phase.OVER:
        return reason.ROUND_OVER
    if seat < 0 or seat >= t.players:
        return reason.NOT_YOUR_TURN
    code = action & 255
    arg = (action >> 8) & 15
    if code < CARD_SLOTS:
        return why_not_play(t, seat, code, arg)
    if code == act.DRAW:
        return why_not_draw(t, seat)
    if code == act.PASS:
        return why_not_pass(t, seat)
    if code == act.UNO:
        why = why_no_call(t, seat)
        return reason.OK if t.false_uno_penalty != 0 and (why == reason.CALL_COUNT or why == reason.CALL_EARLY) else why
    if code == act.CATCH:
        why = why_no_catch(t, seat, arg)
        return reason.OK if t.false_catch_penalty != 0 and why == reason.CATCH_CLOSED else why
    if code == act.CHALLENGE:
        return why_no_challenge(t, seat)
    if code == act.ACCEPT:
        if t.phase != phase.CHALLENGE and t.phase != phase.STACK:
            return reason.NO_CHALLENGE if t.phase < phase.STACK else reason.DECIDE_FIRST
        return reason.OK if seat == t.turn else reason.NOT_CHALLENGER
    return why_not_decided(t, seat, code, arg, action >> 16)


@kernel
def _offer(t: Any, seat: int, action: int, out: Any, n: int) -> int:
    """Add an action to the list where it is possible; returns the new length."""
    if why_not(t, seat, action) == reason.OK:
        out[n] = action
        return n + 1
    return n


@kernel
def _offer_card(t: Any, seat: int, card: int, out: Any, n: int) -> int:
    """Add every play, throw or burial of one held card."""
    if t.phase == phase.THROW:
        return _offer(t, seat, act.THROW | NO_ARG << 8 | card << 16, out, n)
    if t.phase == phase.BURY:
        return _offer(t, seat, act.BURY | NO_ARG << 8 | card << 16, out, n)
    names = naming(t, card, t.held[seat] == 1, t.phase == phase.STREAK)
    if names == NAMES_NOTHING:
        return _offer(t, seat, card | NO_ARG << 8, out, n)
    for arg in range(WILD if names == NAMES_COLOR else t.players):
        n = _offer(t, seat, card | arg << 8, out, n)
    return n


@kernel
def list_actions(t: Any, seat: int, out: Any) -> int:
    """Write every canonical action a seat may do now into ``out`` (at least MAX_ACTIONS); returns how many.

    Plays with a call (``!``) are left out: they are possible wherever the play is.
    """
    n = 0
    if t.phase == phase.OVER:
        return 0
    colored = t.colored[seat]
    while colored != 0:
        n = _offer_card(t, seat, lowest_bit(colored), out, n)
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0:
        n = _offer_card(t, seat, WILD * FACES_PER_COLOR + lowest_bit(wilds), out, n)
        wilds &= wilds - 1
    for code in range(act.DRAW, act.DONE + 1):
        if code == act.THROW or code == act.BURY:
            continue
        if code == act.CATCH or code == act.CHOOSE or code == act.TAKE:
            for target in range(t.players):
                n = _offer(t, seat, code | target << 8, out, n)
        elif code == act.COLOR:
            for color in range(WILD):
                n = _offer(t, seat, code | color << 8, out, n)
        else:
            n = _offer(t, seat, code | NO_ARG << 8, out, n)
    return n


@kernel
def list_choices(t: Any, seat: int, out: Any) -> int:
    """``list_actions`` without calls and catches, for the seat on turn; where a card, a color or an answer is asked."""
    n = 0
    colored = t.colored[seat]
    if t.phase == phase.PLAY:
        colored &= t.matching
    while colored != 0 and t.phase != phase.COLOR:
        n = _offer_card(t, seat, lowest_bit(colored), out, n)
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0 and t.phase != phase.COLOR:
        n = _offer_card(t, seat, WILD * FACES_PER_COLOR + lowest_bit(wilds), out, n)
        wilds &= wilds - 1
    if t.phase == phase.PLAY:
        n = _offer(t, seat, act.DRAW | NO_ARG << 8, out, n)
    if t.phase == phase.PLAY or t.phase == phase.DRAWN:
        return _offer(t, seat, act.PASS | NO_ARG << 8, out, n)
    if t.phase == phase.COLOR:
        for color in range(WILD):
            n = _offer(t, seat, act.COLOR | color << 8, out, n)
        return n
    n = _offer(t, seat, act.CHALLENGE | NO_ARG << 8, out, n)
    return _offer(t, seat, act.ACCEPT | NO_ARG << 8, out, n)

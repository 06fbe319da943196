"""What may be done: one question, ``why_not``, answered with a reason or OK; and the list of acts.

An action is an integer (``lastcard.game.actions``): ``code | arg << 8 | uno << 12 | card << 16``.
"""

from __future__ import annotations

from typing import Any

from lastcard.engine.bits import lowest_bit
from lastcard.engine.jit import kernel
from lastcard.engine.layout import (
    ALL_WILD,
    ALREADY_DREW,
    BAD_TARGET,
    BURY,
    CALL_COUNT,
    CALL_EARLY,
    CALL_NOT_NOW,
    CATCH_CLOSED,
    CATCH_SELF,
    CHALLENGE,
    CHALLENGE_ANYONE,
    CHOOSE,
    COLOR,
    COLOR_NEEDED,
    DECIDE_FIRST,
    DRAW_IF_NO_PLAYABLE,
    DRAWN,
    EARLY_ANY_TIME,
    EARLY_WITH_PLAY,
    FORCE_ALWAYS,
    FORCE_OFF,
    MUST_NOT_DRAW,
    MUST_PLAY,
    MUST_PLAY_DRAWN,
    NO_CHALLENGE,
    NO_LEVER,
    NO_PASS,
    NOT_AN_ACT,
    NOT_ASKED,
    NOT_CHALLENGER,
    NOT_HELD,
    NOT_LAST,
    NOT_YOUR_TURN,
    NOTHING_TO_DRAW,
    OK,
    OVER,
    PERFORM,
    PLAY,
    PULL,
    ROUND_OVER,
    STACK,
    STREAK,
    TAKE,
    THROW,
    THROW_COLOR,
    THROW_WILD,
    WD4_FREE,
)
from lastcard.engine.piles import available, holds_color
from lastcard.engine.plays import NAMES_COLOR, NAMES_NOTHING, NO_ARG, can_play_any, may_be_last, naming, why_not_play
from lastcard.game.actions import ACCEPT, CATCH, DONE, PASS, STOP, UNO
from lastcard.game.actions import BURY as ACT_BURY
from lastcard.game.actions import CHALLENGE as ACT_CHALLENGE
from lastcard.game.actions import CHOOSE as ACT_CHOOSE
from lastcard.game.actions import COLOR as ACT_COLOR
from lastcard.game.actions import DRAW as ACT_DRAW
from lastcard.game.actions import PULL as ACT_PULL
from lastcard.game.actions import TAKE as ACT_TAKE
from lastcard.game.actions import THROW as ACT_THROW
from lastcard.game.cards import CARD_SLOTS, FACES_PER_COLOR, W_DRAW_FOUR, WILD


@kernel
def why_not_draw(t: Any, seat: int) -> int:
    """Whether a seat may draw instead of playing (CL-18, CL-19, CO-34)."""
    if seat != t.turn:
        return NOT_YOUR_TURN
    if t.phase != PLAY:
        return ALREADY_DREW if t.phase == DRAWN else DECIDE_FIRST
    if available(t) == 0:
        return NOTHING_TO_DRAW if can_play_any(t, seat, False) else OK
    if t.force_play == FORCE_ALWAYS and can_play_any(t, seat, True):
        return MUST_NOT_DRAW
    if t.voluntary_draw == DRAW_IF_NO_PLAYABLE and can_play_any(t, seat, False):
        return MUST_NOT_DRAW
    return OK


@kernel
def why_not_pass(t: Any, seat: int) -> int:
    """Whether a seat may keep the card it has drawn (CO-4, LC-44)."""
    if seat != t.turn:
        return NOT_YOUR_TURN
    if t.phase != DRAWN:
        return NO_PASS if t.phase == PLAY else DECIDE_FIRST
    if t.draw_then_play == MUST_PLAY or t.force_play != FORCE_OFF:
        bluff = t.drawn == W_DRAW_FOUR and t.game != ALL_WILD and holds_color(t, seat, t.color)
        if not bluff or t.wd4_mode == WD4_FREE:
            return MUST_PLAY_DRAWN
    return OK


@kernel
def why_no_call(t: Any, seat: int) -> int:
    """Whether a seat may call UNO now, penalties for false calls aside (CO-11, CO-13, LC-17)."""
    if t.phase > STACK:
        return CALL_NOT_NOW
    if t.held[seat] == 1:
        return OK
    if t.held[seat] != 2:
        return CALL_COUNT
    if t.uno_early_call == EARLY_ANY_TIME:
        return OK
    if t.uno_early_call == EARLY_WITH_PLAY:
        return CALL_EARLY
    return OK if seat == t.turn and t.phase != CHALLENGE else CALL_COUNT


@kernel
def why_no_catch(t: Any, seat: int, target: int) -> int:
    """Whether a seat may catch another, penalties for false catches aside (CO-14, CO-15, CO-20)."""
    if t.phase > STACK:
        return CALL_NOT_NOW
    if target < 0 or target >= t.players:
        return BAD_TARGET
    if target == seat:
        return CATCH_SELF
    return OK if t.exposed >> target & 1 != 0 else CATCH_CLOSED


@kernel
def why_no_challenge(t: Any, seat: int) -> int:
    """Whether a seat may challenge the Wild Draw Four (CL-32, LC-19)."""
    if t.phase != CHALLENGE:
        return NO_CHALLENGE if t.phase <= STACK else DECIDE_FIRST
    if seat == t.turn or (t.challenge_by == CHALLENGE_ANYONE and seat != t.accused):
        return OK
    return NOT_CHALLENGER


@kernel
def may_throw(t: Any, seat: int, card: int) -> int:
    """Whether a held card may be thrown off in DISCARD (WJ-40e, WJ-41, LC-15)."""
    if card >= WILD * FACES_PER_COLOR:
        return THROW_WILD
    if t.thrown >> (card // FACES_PER_COLOR) & 1 != 0:
        return THROW_COLOR
    if t.held[seat] == 1 and not may_be_last(t, card):
        return NOT_LAST
    return OK


@kernel
def can_throw_any(t: Any, seat: int) -> bool:
    """Whether anything can still be thrown off."""
    colored = t.colored[seat]
    while colored != 0:
        if may_throw(t, seat, lowest_bit(colored)) == OK:
            return True
        colored &= colored - 1
    return False


@kernel
def why_not_decided(t: Any, seat: int, code: int, arg: int, card: int) -> int:
    """Whether one of the acts that answer a decision is possible."""
    wanted = -1
    if code == ACT_COLOR:
        wanted = COLOR
    elif code == ACT_CHOOSE:
        wanted = CHOOSE
    elif code == ACT_PULL:
        wanted = PULL
    elif code == ACT_THROW or code == STOP:
        wanted = THROW
    elif code == ACT_BURY:
        wanted = BURY
    elif code == ACT_TAKE:
        wanted = TAKE
    elif code == DONE:
        wanted = PERFORM
    if wanted < 0:
        return NOT_AN_ACT
    if t.phase != wanted:
        if wanted == PULL and t.phase <= STACK:
            return NO_LEVER
        return NOT_ASKED if t.phase <= STACK else DECIDE_FIRST
    if seat != t.turn:
        return NOT_YOUR_TURN
    if wanted == COLOR:
        return OK if arg < WILD else COLOR_NEEDED
    if wanted == CHOOSE or wanted == TAKE:
        return OK if arg < t.players and t.candidates >> arg & 1 != 0 else BAD_TARGET
    if code == ACT_THROW or code == ACT_BURY:
        if card < 0 or card >= CARD_SLOTS or t.counts[seat, card] == 0:
            return NOT_HELD
        return may_throw(t, seat, card) if code == ACT_THROW else OK
    return OK


@kernel
def why_not(t: Any, seat: int, action: int) -> int:
    """Why a seat may not do a canonical action now: one of REASONS, OK where it may."""
    if t.phase == OVER:
        return ROUND_OVER
    if seat < 0 or seat >= t.players:
        return NOT_YOUR_TURN
    code = action & 255
    arg = (action >> 8) & 15
    if code < CARD_SLOTS:
        return why_not_play(t, seat, code, arg)
    if code == ACT_DRAW:
        return why_not_draw(t, seat)
    if code == PASS:
        return why_not_pass(t, seat)
    if code == UNO:
        reason = why_no_call(t, seat)
        return OK if t.false_uno_penalty != 0 and (reason == CALL_COUNT or reason == CALL_EARLY) else reason
    if code == CATCH:
        reason = why_no_catch(t, seat, arg)
        return OK if t.false_catch_penalty != 0 and reason == CATCH_CLOSED else reason
    if code == ACT_CHALLENGE:
        return why_no_challenge(t, seat)
    if code == ACCEPT:
        if t.phase != CHALLENGE and t.phase != STACK:
            return NO_CHALLENGE if t.phase < STACK else DECIDE_FIRST
        return OK if seat == t.turn else NOT_CHALLENGER
    return why_not_decided(t, seat, code, arg, action >> 16)


@kernel
def _offer(t: Any, seat: int, action: int, out: Any, n: int) -> int:
    """Add an action to the list where it is possible; returns the new length."""
    if why_not(t, seat, action) == OK:
        out[n] = action
        return n + 1
    return n


@kernel
def _offer_card(t: Any, seat: int, card: int, out: Any, n: int) -> int:
    """Add every play, throw or burial of one held card."""
    if t.phase == THROW:
        return _offer(t, seat, ACT_THROW | NO_ARG << 8 | card << 16, out, n)
    if t.phase == BURY:
        return _offer(t, seat, ACT_BURY | NO_ARG << 8 | card << 16, out, n)
    names = naming(t, card, t.held[seat] == 1, t.phase == STREAK)
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
    if t.phase == OVER:
        return 0
    colored = t.colored[seat]
    while colored != 0:
        n = _offer_card(t, seat, lowest_bit(colored), out, n)
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0:
        n = _offer_card(t, seat, WILD * FACES_PER_COLOR + lowest_bit(wilds), out, n)
        wilds &= wilds - 1
    for code in range(ACT_DRAW, DONE + 1):
        if code == ACT_THROW or code == ACT_BURY:
            continue
        if code == CATCH or code == ACT_CHOOSE or code == ACT_TAKE:
            for target in range(t.players):
                n = _offer(t, seat, code | target << 8, out, n)
        elif code == ACT_COLOR:
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
    if t.phase == PLAY:
        colored &= t.matching
    while colored != 0 and t.phase != COLOR:
        n = _offer_card(t, seat, lowest_bit(colored), out, n)
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0 and t.phase != COLOR:
        n = _offer_card(t, seat, WILD * FACES_PER_COLOR + lowest_bit(wilds), out, n)
        wilds &= wilds - 1
    if t.phase == PLAY:
        n = _offer(t, seat, ACT_DRAW | NO_ARG << 8, out, n)
    if t.phase == PLAY or t.phase == DRAWN:
        return _offer(t, seat, PASS | NO_ARG << 8, out, n)
    if t.phase == COLOR:
        for color in range(WILD):
            n = _offer(t, seat, ACT_COLOR | color << 8, out, n)
        return n
    n = _offer(t, seat, ACT_CHALLENGE | NO_ARG << 8, out, n)
    return _offer(t, seat, ACCEPT | NO_ARG << 8, out, n)

"""Laying cards: what fits, what a play must name, and why a seat may not lay a card now."""

from __future__ import annotations

from typing import Any, Final

from lastcard.engine import choice, phase, reason
from lastcard.engine.bits import lowest_bit
from lastcard.engine.jit import inlined, kernel
from lastcard.engine.piles import holds_color
from lastcard.game.cards import (
    CARD_SLOTS,
    DRAW_FOUR,
    DRAW_TWO,
    FACES_PER_COLOR,
    REVERSE,
    SKIP,
    W_DRAW_FOUR,
    W_JACKPOT,
    W_SWAP,
    W_TARGETED,
    WILD,
    W,
)

NO_ARG: Final = 15

# What a play must name besides the card.
NAMES_NOTHING: Final = 0
NAMES_COLOR: Final = 1
NAMES_TARGET: Final = 2

_SEVEN: Final = 7


@inlined
def naming(t: Any, card: int, last: bool, plain: bool) -> int:
    """What a play of ``card`` must name: nothing, a color or a target (LC-6).

    Args:
        last: whether it is the player's last card.
        plain: whether its effects are ignored (a play in a row, R2).
    """
    if t.game == choice.ALL_WILD:
        if plain:
            return NAMES_NOTHING
        if card == W_SWAP:
            return NAMES_NOTHING if last and t.forced_swap_last_card == choice.SWAP_PLAYER_WINS else NAMES_TARGET
        if card == W_TARGETED:
            waived = last and (t.last_card_targeted_draw == choice.TARGETED_IGNORED or t.last_card_draw_counts == 0)
            return NAMES_NOTHING if waived else NAMES_TARGET
        return NAMES_NOTHING
    if card >= WILD * FACES_PER_COLOR:
        if last and not (card == W_JACKPOT and t.wj_last_jackpot == choice.LAST_JACKPOT_PULL and not plain):
            return NAMES_NOTHING
        return NAMES_COLOR if card == W or card == W_DRAW_FOUR or card == W_JACKPOT else NAMES_NOTHING
    if card & 15 == _SEVEN and t.seven_zero != 0 and not plain:
        return NAMES_NOTHING if last and t.seven_zero_last != choice.SEVEN_ZERO_EFFECT else NAMES_TARGET
    return NAMES_NOTHING


@kernel
def canonical(t: Any, seat: int, action: int) -> int:
    """The action without a color or target that binds nobody (LC-6)."""
    code = action & 255
    if code < CARD_SLOTS and (action >> 8) & 15 != NO_ARG and 0 <= seat < t.players:
        last = t.held[seat] == 1
        plain = t.phase == phase.STREAK
        color_card = code == W or code == W_DRAW_FOUR or code == W_JACKPOT
        if naming(t, code, last, plain) == NAMES_NOTHING:
            ignorable = (t.game == choice.ALL_WILD and color_card) or (
                last
                and (
                    color_card
                    or code == W_SWAP
                    or code == W_TARGETED
                    or (code & 15 == _SEVEN and t.seven_zero != 0 and not plain)
                )
            )
            if ignorable:
                return (action & ~0xF00) | NO_ARG << 8
    return action


@kernel
def can_target(t: Any, seat: int, card: int, target: int) -> int:
    """Whether a card may name a target: OK, BAD_TARGET or TARGET_PROTECTED (AW-23, AW-24, LC-34)."""
    if target < 0 or target >= t.players or target == seat:
        return reason.BAD_TARGET
    if card == W_SWAP and t.forced_swap_target == choice.SWAP_PROTECTS and t.held[target] == 1:
        return reason.TARGET_PROTECTED
    return reason.OK


@kernel
def has_target(t: Any, seat: int, card: int) -> bool:
    """Whether anybody can be named at all."""
    for target in range(t.players):
        if can_target(t, seat, card, target) == reason.OK:
            return True
    return False


@inlined
def may_be_last(t: Any, card: int) -> bool:
    """Whether a card may be laid last (LC-15, AW-45)."""
    if card == W_SWAP and t.forced_swap_last_card == choice.SWAP_NOT_LAST:
        return False
    if t.finish_restriction == choice.FINISH_ANY:
        return True
    if t.finish_restriction == choice.FINISH_NO_WILD:
        return card < WILD * FACES_PER_COLOR
    if t.game == choice.ALL_WILD:
        return card == W
    return card < WILD * FACES_PER_COLOR and card & 15 < SKIP


@inlined
def matches(t: Any, card: int) -> bool:
    """Whether a card fits the color, number or symbol in force (CL-15, AW-8)."""
    return card >= WILD * FACES_PER_COLOR or t.matching >> card & 1 != 0


@inlined
def why_not_card(t: Any, seat: int, card: int, strict: bool) -> int:
    """Whether a held card could be laid as an ordinary play, targets and colors aside.

    Args:
        strict: refuse a Wild Draw Four while the color in force is held (CL-30).
    """
    if not matches(t, card):
        return reason.NO_MATCH
    if strict and card == W_DRAW_FOUR and t.game != choice.ALL_WILD and holds_color(t, seat, t.color):
        return reason.COLOR_HELD
    if t.held[seat] == 1 and not may_be_last(t, card):
        return reason.NOT_LAST
    if card == W_SWAP and t.forced_swap_target == choice.SWAP_PROTECTS and not has_target(t, seat, card):
        if naming(t, card, t.held[seat] == 1, False) == NAMES_TARGET:
            return reason.TARGET_PROTECTED
    return reason.OK


@kernel
def can_lay_any(t: Any, seat: int, strict: bool) -> bool:
    """Whether a seat holds a card it could lay; ``strict`` as in ``why_not_card``."""
    colored = t.colored[seat] & t.matching
    if colored != 0 and t.held[seat] > 1:
        return True
    while colored != 0:
        if why_not_card(t, seat, lowest_bit(colored), strict) == reason.OK:
            return True
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0:
        if why_not_card(t, seat, WILD * FACES_PER_COLOR + lowest_bit(wilds), strict) == reason.OK:
            return True
        wilds &= wilds - 1
    return False


@kernel
def can_play_any(t: Any, seat: int, honest: bool) -> bool:
    """Whether a seat could play on its turn; ``honest`` leaves aside a Wild Draw Four that would be a bluff (6.5)."""
    return can_lay_any(t, seat, t.wd4_mode == choice.WD4_STRICT or (honest and t.wd4_mode != choice.WD4_FREE))


@kernel
def why_not_named(t: Any, seat: int, card: int, arg: int, plain: bool) -> int:
    """Whether a play names what it must and nothing else."""
    names = naming(t, card, t.held[seat] == 1, plain)
    if names == NAMES_NOTHING:
        return reason.OK if arg == NO_ARG else reason.SURPLUS
    if names == NAMES_COLOR:
        return reason.OK if 0 <= arg < WILD else reason.COLOR_NEEDED
    if arg == NO_ARG:
        return reason.TARGET_NEEDED
    return can_target(t, seat, card, arg)


@kernel
def why_no_answer(t: Any, seat: int, card: int) -> int:
    """Whether a card answers the pending draw: stacking (6.1, LC-40) or deflecting (6.7, LC-45)."""
    answers = False
    face = card & 15
    wild = card >= WILD * FACES_PER_COLOR
    if t.stacking != choice.STACKING_OFF:
        number = 0
        if face == DRAW_TWO:
            number = 2
        elif wild and face == DRAW_FOUR:
            number = 4
        if t.stacking == choice.STACKING_SAME:
            answers = number == t.pending_face
        else:
            answers = number >= t.pending_face and number > 0
    if t.deflect != 0 and not wild and t.pending_face == 2:
        top_face = t.top & 15
        if t.top >= WILD * FACES_PER_COLOR:
            pass
        elif top_face == DRAW_TWO:
            answers = answers or (
                (face == SKIP or face == REVERSE) and card // FACES_PER_COLOR == t.top // FACES_PER_COLOR
            )
        elif top_face == SKIP:
            answers = answers or face == SKIP
    if not answers:
        return reason.NO_ANSWER
    if t.held[seat] == 1 and not may_be_last(t, card):
        return reason.NOT_LAST
    return reason.OK


@kernel
def why_no_jump(t: Any, seat: int, card: int) -> int:
    """Whether a card may be laid out of turn (6.2, LC-41)."""
    if t.jump_in == 0:
        return reason.NO_JUMP_IN if card == t.top else reason.NOT_YOUR_TURN
    if card != t.top or (card >= WILD * FACES_PER_COLOR and t.game != choice.ALL_WILD):
        return reason.NOT_IDENTICAL
    face = t.top & 15
    draws = face == DRAW_TWO or (t.top >= WILD * FACES_PER_COLOR and face == DRAW_FOUR)
    if t.phase != phase.PLAY and not (t.phase == phase.STACK and draws):
        return reason.JUMP_LATE
    if t.held[seat] == 1 and not may_be_last(t, card):
        return reason.NOT_LAST
    if card == W_SWAP:
        return why_not_card(t, seat, card, False)
    return reason.OK


@kernel
def why_not_play(t: Any, seat: int, card: int, arg: int) -> int:
    """Whether a seat may lay a card now."""
    plain = False
    if seat != t.turn:
        if t.phase > phase.STACK:
            return reason.DECIDE_FIRST
        why = (
            why_no_jump(t, seat, card)
            if t.counts[seat, card] > 0
            else reason.NOT_HELD
            if t.jump_in != 0
            else reason.NOT_YOUR_TURN
        )
    elif t.counts[seat, card] == 0:
        return reason.NOT_HELD if t.phase <= phase.STACK or t.phase == phase.STREAK else reason.DECIDE_FIRST
    elif t.phase == phase.PLAY:
        why = why_not_card(t, seat, card, t.wd4_mode == choice.WD4_STRICT)
    elif t.phase == phase.DRAWN:
        why = why_not_card(t, seat, card, t.wd4_mode == choice.WD4_STRICT) if card == t.drawn else reason.ONLY_DRAWN
    elif t.phase == phase.STACK or t.phase == phase.CHALLENGE:
        why = why_no_answer(t, seat, card)
    elif t.phase == phase.STREAK:
        why = why_not_card(t, seat, card, True)
        plain = True
    else:
        return reason.DECIDE_FIRST
    if why != reason.OK:
        return why
    return why_not_named(t, seat, card, arg, plain)

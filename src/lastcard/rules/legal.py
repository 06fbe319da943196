"""What may be done: one question, ``why_not``, answered with a reason or OK; and the list of acts.

An action is an integer (``lastcard.game.act``): ``code | arg << 8 | uno << 12 | card << 16``.
"""

from typing import Final

from lastcard.game import act, cards
from lastcard.kernel import bits
from lastcard.kernel.jit import inlined, kernel
from lastcard.kernel.records import Int64s
from lastcard.rules import choice, phase, piles, reason
from lastcard.rules.cards import card_color, card_face, is_number, is_wild
from lastcard.rules.table import Table

# What a play must name besides the card.
NAMES_NOTHING: Final = 0
NAMES_COLOR: Final = 1
NAMES_TARGET: Final = 2


@inlined
def naming(t: Table, card: int, last: bool, plain: bool) -> int:
    """What a play of ``card`` must name: nothing, a color or a target (LC-6).

    Args:
        last: whether it is the player's last card.
        plain: whether its effects are ignored (a play in a row, R2).
    """
    if t.game == choice.ALL_WILD:
        if plain:
            return NAMES_NOTHING
        if card == cards.W_SWAP:
            return NAMES_NOTHING if last and t.forced_swap_last_card == choice.SWAP_PLAYER_WINS else NAMES_TARGET
        if card == cards.W_TARGETED:
            waived = last and (t.last_card_targeted_draw == choice.TARGETED_IGNORED or t.last_card_draw_counts == 0)
            return NAMES_NOTHING if waived else NAMES_TARGET
        return NAMES_NOTHING
    if is_wild(card):
        if last and not (card == cards.W_JACKPOT and t.wj_last_jackpot == choice.LAST_JACKPOT_PULL and not plain):
            return NAMES_NOTHING
        return NAMES_COLOR if card == cards.W or card == cards.W_DRAW_FOUR or card == cards.W_JACKPOT else NAMES_NOTHING
    if card_face(card) == cards.SEVEN and t.seven_zero != 0 and not plain:
        return NAMES_NOTHING if last and t.seven_zero_last != choice.SEVEN_ZERO_EFFECT else NAMES_TARGET
    return NAMES_NOTHING


@kernel
def canonical(t: Table, seat: int, action: int) -> int:
    """The action without a color or target that binds nobody (LC-6)."""
    code = action & 255
    if code < cards.CARD_SLOTS and (action >> 8) & 15 != act.NO_ARG and 0 <= seat < t.players:
        last = t.held[seat] == 1
        plain = t.phase == phase.STREAK
        color_card = code == cards.W or code == cards.W_DRAW_FOUR or code == cards.W_JACKPOT
        if naming(t, code, last, plain) == NAMES_NOTHING:
            ignorable = (t.game == choice.ALL_WILD and color_card) or (
                last
                and (
                    color_card
                    or code == cards.W_SWAP
                    or code == cards.W_TARGETED
                    or (card_face(code) == cards.SEVEN and t.seven_zero != 0 and not plain)
                )
            )
            if ignorable:
                return (action & ~0xF00) | act.BARE
    return action


@kernel
def can_target(t: Table, seat: int, card: int, target: int) -> int:
    """Whether a card may name a target: OK, BAD_TARGET or TARGET_PROTECTED (AW-23, AW-24, LC-34)."""
    if target < 0 or target >= t.players or target == seat:
        return reason.BAD_TARGET
    if card == cards.W_SWAP and t.forced_swap_target == choice.SWAP_PROTECTS and t.held[target] == 1:
        return reason.TARGET_PROTECTED
    return reason.OK


@kernel
def has_target(t: Table, seat: int, card: int) -> bool:
    """Whether anybody can be named at all."""
    for target in range(t.players):
        if can_target(t, seat, card, target) == reason.OK:
            return True
    return False


@inlined
def may_be_last(t: Table, card: int) -> bool:
    """Whether a card may be laid last (LC-15, AW-45)."""
    if card == cards.W_SWAP and t.forced_swap_last_card == choice.SWAP_NOT_LAST:
        return False
    if t.finish_restriction == choice.FINISH_ANY:
        return True
    if t.finish_restriction == choice.FINISH_NO_WILD:
        return not is_wild(card)
    if t.game == choice.ALL_WILD:
        return card == cards.W
    return is_number(card)


@inlined
def matches(t: Table, card: int) -> bool:
    """Whether a card fits the color, number or symbol in force (CL-15, AW-8)."""
    return is_wild(card) or t.matching >> card & 1 != 0


@inlined
def why_not_card(t: Table, seat: int, card: int, strict: bool) -> int:
    """Whether a held card could be laid as an ordinary play, targets and colors aside.

    Args:
        strict: refuse a Wild Draw Four while the color in force is held (CL-30).
    """
    if not matches(t, card):
        return reason.NO_MATCH
    if strict and card == cards.W_DRAW_FOUR and t.game != choice.ALL_WILD and piles.holds_color(t, seat, t.color):
        return reason.COLOR_HELD
    if t.held[seat] == 1 and not may_be_last(t, card):
        return reason.NOT_LAST
    if card == cards.W_SWAP and t.forced_swap_target == choice.SWAP_PROTECTS and not has_target(t, seat, card):
        if naming(t, card, t.held[seat] == 1, False) == NAMES_TARGET:
            return reason.TARGET_PROTECTED
    return reason.OK


@inlined
def why_not_from_hand(t: Table, seat: int, card: int, strict: bool) -> int:
    """``why_not_card`` for a card that was not just drawn on the turn: it may be barred as well (CO-8)."""
    why = why_not_card(t, seat, card, strict)
    return reason.DRAWN_CARD if why == reason.OK and piles.is_barred(t, seat, card) else why


@kernel
def can_lay_any(t: Table, seat: int, strict: bool) -> bool:
    """Whether a seat holds a card it could lay; ``strict`` as in ``why_not_card``."""
    colored = t.colored[seat] & t.matching
    if colored != 0 and t.held[seat] > 1 and not piles.has_barred(t, seat):
        return True
    while colored != 0:
        if why_not_from_hand(t, seat, bits.lowest_bit(colored), strict) == reason.OK:
            return True
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0:
        if why_not_from_hand(t, seat, cards.WILDS_FROM + bits.lowest_bit(wilds), strict) == reason.OK:
            return True
        wilds &= wilds - 1
    return False


@kernel
def can_play_any(t: Table, seat: int) -> bool:
    """Whether a seat could play on its turn; a Wild Draw Four that would be a bluff does not count (6.5, LC-9)."""
    return can_lay_any(t, seat, t.wd4_mode != choice.WD4_FREE)


@kernel
def why_not_named(t: Table, seat: int, card: int, arg: int, plain: bool) -> int:
    """Whether a play names what it must and nothing else."""
    names = naming(t, card, t.held[seat] == 1, plain)
    if names == NAMES_NOTHING:
        return reason.OK if arg == act.NO_ARG else reason.SURPLUS
    if names == NAMES_COLOR:
        return reason.OK if 0 <= arg < cards.WILD else reason.COLOR_NEEDED
    if arg == act.NO_ARG:
        return reason.TARGET_NEEDED
    return can_target(t, seat, card, arg)


@kernel
def why_no_answer(t: Table, seat: int, card: int) -> int:
    """Whether a card answers the pending draw: stacking (6.1, LC-40) or deflecting (6.7, LC-45)."""
    answers = False
    face = card_face(card)
    wild = is_wild(card)
    if t.stacking != choice.STACKING_OFF:
        number = 0
        if face == cards.DRAW_TWO:
            number = 2
        elif wild and face == cards.DRAW_FOUR:
            number = 4
        if t.stacking == choice.STACKING_SAME:
            answers = number == t.pending_face
        else:
            answers = number >= t.pending_face and number > 0
    if t.deflect != 0 and not wild and t.pending_face == 2:
        top_face = card_face(t.top)
        if is_wild(t.top):
            pass
        elif top_face == cards.DRAW_TWO:
            answers = answers or (
                (face == cards.SKIP or face == cards.REVERSE) and card_color(card) == card_color(t.top)
            )
        elif top_face == cards.SKIP:
            answers = answers or face == cards.SKIP
    if not answers:
        return reason.NO_ANSWER
    if t.held[seat] == 1 and not may_be_last(t, card):
        return reason.NOT_LAST
    return reason.OK


@kernel
def why_no_jump(t: Table, seat: int, card: int) -> int:
    """Whether a card may be laid out of turn (6.2, LC-41)."""
    if t.jump_in == 0:
        return reason.NO_JUMP_IN if card == t.top else reason.NOT_YOUR_TURN
    if card != t.top or (is_wild(card) and t.game != choice.ALL_WILD):
        return reason.NOT_IDENTICAL
    face = card_face(t.top)
    draws = face == cards.DRAW_TWO or (is_wild(t.top) and face == cards.DRAW_FOUR)
    if (t.phase != phase.PLAY and not (t.phase == phase.STACK and draws)) or t.topless != 0:
        return reason.JUMP_LATE
    if t.held[seat] == 1 and not may_be_last(t, card):
        return reason.NOT_LAST
    if card == cards.W_SWAP:
        return why_not_card(t, seat, card, False)
    return reason.OK


@kernel
def why_not_play(t: Table, seat: int, card: int, arg: int) -> int:
    """Whether a seat may lay a card now."""
    plain = False
    if seat != t.turn:
        if t.phase > phase.STACK:
            return reason.DECIDE_FIRST
        if t.counts[seat, card] == 0:
            return reason.NOT_HELD if t.jump_in != 0 else reason.NOT_YOUR_TURN
        why = why_no_jump(t, seat, card)
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
    if piles.is_barred(t, seat, card):
        return reason.DRAWN_CARD
    return why_not_named(t, seat, card, arg, plain)


@kernel
def why_not_draw(t: Table, seat: int) -> int:
    """Whether a seat may draw instead of playing (CL-18, CL-19, CO-34)."""
    if seat != t.turn:
        return reason.NOT_YOUR_TURN
    if t.phase != phase.PLAY:
        return reason.ALREADY_DREW if t.phase == phase.DRAWN else reason.DECIDE_FIRST
    if piles.available(t) == 0:
        return reason.NOTHING_TO_DRAW if can_play_any(t, seat) else reason.OK
    if t.force_play == choice.FORCE_ALWAYS and can_play_any(t, seat):
        return reason.MUST_NOT_DRAW
    if t.voluntary_draw == choice.DRAW_IF_NO_PLAYABLE and can_play_any(t, seat):
        return reason.MUST_NOT_DRAW
    return reason.OK


@kernel
def why_not_pass(t: Table, seat: int) -> int:
    """Whether a seat may keep the card it has drawn (CO-4, LC-44)."""
    if seat != t.turn:
        return reason.NOT_YOUR_TURN
    if t.phase != phase.DRAWN:
        return reason.NO_PASS if t.phase == phase.PLAY else reason.DECIDE_FIRST
    if t.draw_then_play == choice.MUST_PLAY or t.force_play != choice.FORCE_OFF:
        bluff = t.drawn == cards.W_DRAW_FOUR and t.game != choice.ALL_WILD and piles.holds_color(t, seat, t.color)
        if not bluff or t.wd4_mode == choice.WD4_FREE:
            return reason.MUST_PLAY_DRAWN
    return reason.OK


@kernel
def why_no_call(t: Table, seat: int) -> int:
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
def why_no_catch(t: Table, seat: int, target: int) -> int:
    """Whether a seat may catch another, penalties for false catches aside (CO-14, CO-15, CO-20)."""
    if t.phase > phase.STACK:
        return reason.CALL_NOT_NOW
    if target < 0 or target >= t.players:
        return reason.BAD_TARGET
    if target == seat:
        return reason.CATCH_SELF
    return reason.OK if t.exposed >> target & 1 != 0 else reason.CATCH_CLOSED


@kernel
def why_no_challenge(t: Table, seat: int) -> int:
    """Whether a seat may challenge the Wild Draw Four (CL-32, LC-19)."""
    if t.phase != phase.CHALLENGE:
        return reason.NO_CHALLENGE if t.phase <= phase.STACK else reason.DECIDE_FIRST
    if seat == t.turn or (t.challenge_by == choice.CHALLENGE_ANYONE and seat != t.accused):
        return reason.OK
    return reason.NOT_CHALLENGER


@kernel
def may_throw(t: Table, seat: int, card: int) -> int:
    """Whether a held card may be thrown off in DISCARD (WJ-40e, WJ-41, LC-15)."""
    if is_wild(card):
        return reason.THROW_WILD
    if t.thrown >> card_color(card) & 1 != 0:
        return reason.THROW_COLOR
    if t.held[seat] == 1 and not may_be_last(t, card):
        return reason.NOT_LAST
    return reason.OK


@kernel
def can_throw_any(t: Table, seat: int) -> bool:
    """Whether anything can still be thrown off."""
    colored = t.colored[seat]
    while colored != 0:
        if may_throw(t, seat, bits.lowest_bit(colored)) == reason.OK:
            return True
        colored &= colored - 1
    return False


@kernel
def why_not_decided(t: Table, seat: int, code: int, arg: int, card: int) -> int:
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
        return reason.OK if arg < cards.WILD else reason.COLOR_NEEDED
    if wanted == phase.CHOOSE or wanted == phase.TAKE:
        return reason.OK if arg < t.players and t.candidates >> arg & 1 != 0 else reason.BAD_TARGET
    if code == act.THROW or code == act.BURY:
        if card < 0 or card >= cards.CARD_SLOTS or t.counts[seat, card] == 0:
            return reason.NOT_HELD
        return may_throw(t, seat, card) if code == act.THROW else reason.OK
    return reason.OK


@kernel
def why_not(t: Table, seat: int, action: int) -> int:
    """Why a seat may not do a canonical action now: a reason, OK where it may."""
    if t.phase == phase.OVER:
        return reason.ROUND_OVER
    if seat < 0 or seat >= t.players:
        return reason.NOT_YOUR_TURN
    code = action & 255
    arg = (action >> 8) & 15
    if code < cards.CARD_SLOTS:
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
        costs = t.false_catch_penalty != 0 and why == reason.CATCH_CLOSED and t.caught >> arg & 1 == 0
        return reason.OK if costs else why
    if code == act.CHALLENGE:
        return why_no_challenge(t, seat)
    if code == act.ACCEPT:
        if t.phase != phase.CHALLENGE and t.phase != phase.STACK:
            return reason.NO_CHALLENGE if t.phase < phase.STACK else reason.DECIDE_FIRST
        return reason.OK if seat == t.turn else reason.NOT_CHALLENGER
    return why_not_decided(t, seat, code, arg, action >> 16)


@kernel
def _offer(t: Table, seat: int, action: int, out: Int64s, n: int) -> int:
    """Add an action to the list where it is possible; returns the new length."""
    if why_not(t, seat, action) == reason.OK:
        out[n] = action
        return n + 1
    return n


@kernel
def _offer_card(t: Table, seat: int, card: int, out: Int64s, n: int) -> int:
    """Add every play, throw or burial of one held card."""
    if t.phase == phase.THROW:
        return _offer(t, seat, act.THROW | act.BARE | card << 16, out, n)
    if t.phase == phase.BURY:
        return _offer(t, seat, act.BURY | act.BARE | card << 16, out, n)
    names = naming(t, card, t.held[seat] == 1, t.phase == phase.STREAK)
    if names == NAMES_NOTHING:
        return _offer(t, seat, card | act.BARE, out, n)
    for arg in range(cards.WILD if names == NAMES_COLOR else t.players):
        n = _offer(t, seat, card | arg << 8, out, n)
    return n


@kernel
def list_actions(t: Table, seat: int, out: Int64s) -> int:
    """Write every canonical action a seat may do now into ``out`` (at least MAX_ACTIONS); returns how many.

    Plays with a call (``!``) are left out: they are possible wherever the play is.
    """
    n = 0
    if t.phase == phase.OVER:
        return 0
    colored = t.colored[seat]
    while colored != 0:
        n = _offer_card(t, seat, bits.lowest_bit(colored), out, n)
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0:
        n = _offer_card(t, seat, cards.WILDS_FROM + bits.lowest_bit(wilds), out, n)
        wilds &= wilds - 1
    for code in range(act.DRAW, act.DONE + 1):
        if code == act.THROW or code == act.BURY:
            continue
        if code == act.CATCH or code == act.CHOOSE or code == act.TAKE:
            for target in range(t.players):
                n = _offer(t, seat, code | target << 8, out, n)
        elif code == act.COLOR:
            for color in range(cards.WILD):
                n = _offer(t, seat, code | color << 8, out, n)
        else:
            n = _offer(t, seat, code | act.BARE, out, n)
    return n


@kernel
def list_choices(t: Table, seat: int, out: Int64s) -> int:
    """``list_actions`` without calls and catches, for the seat on turn; where a card, a color or an answer is asked."""
    n = 0
    colored = t.colored[seat]
    if t.phase == phase.PLAY:
        colored &= t.matching
    while colored != 0 and t.phase != phase.COLOR:
        n = _offer_card(t, seat, bits.lowest_bit(colored), out, n)
        colored &= colored - 1
    wilds = t.wilds[seat]
    while wilds != 0 and t.phase != phase.COLOR:
        n = _offer_card(t, seat, cards.WILDS_FROM + bits.lowest_bit(wilds), out, n)
        wilds &= wilds - 1
    if t.phase == phase.PLAY:
        n = _offer(t, seat, act.DRAW | act.BARE, out, n)
    if t.phase == phase.PLAY or t.phase == phase.DRAWN:
        return _offer(t, seat, act.PASS | act.BARE, out, n)
    if t.phase == phase.COLOR:
        for color in range(cards.WILD):
            n = _offer(t, seat, act.COLOR | color << 8, out, n)
        return n
    n = _offer(t, seat, act.CHALLENGE | act.BARE, out, n)
    return _offer(t, seat, act.ACCEPT | act.BARE, out, n)
